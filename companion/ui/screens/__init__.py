"""One module a screen, with a kv file of the same name."""
