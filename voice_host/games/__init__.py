"""The rules of the games, pure: what a table may do and what follows from it."""
