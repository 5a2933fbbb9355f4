"""Those who speak to the host: people at a microphone, a typed script, a recorded table."""
