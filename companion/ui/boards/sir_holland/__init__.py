"""The screens and drawings of Sir Holland."""
