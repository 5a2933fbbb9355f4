"""``python -m voice_host`` is ``voice-host``."""

from voice_host.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
