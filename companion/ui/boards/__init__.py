"""What the tables of the games look like; one module a game."""
