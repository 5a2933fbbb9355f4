"""Sound devices in child processes of their own: what capturing and playing have in common."""
