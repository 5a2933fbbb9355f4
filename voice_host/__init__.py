"""A hands-free game host: it listens, understands, keeps the time, the secrets and the score."""

__version__ = "0.1.0"
