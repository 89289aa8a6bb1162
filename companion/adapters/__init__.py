"""The outside, one library each: the file of games (sqlite), voice and sounds (speech, sounds)."""
