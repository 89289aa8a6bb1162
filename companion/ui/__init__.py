"""The touch screen. Kivy is imported in this room only; see README.md for how a screen is made."""
