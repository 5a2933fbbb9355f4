"""The recognisers, one engine a file."""
