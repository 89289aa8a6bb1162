"""The outside, one library each: the file of games (sqlite), the voice (speech)."""
