"""What the tables of the games look like; one package a game; what is still beside them moves in later."""
