"""When I Dream: the rules of one evening."""
