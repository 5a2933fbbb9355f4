"""What `voice-host doctor` looks at: each check is a generator of findings, so that a reader sees them as they come."""
