"""The devices on the table: reader boards on serial ports, button panels on GPIO pins. Knows no game."""
