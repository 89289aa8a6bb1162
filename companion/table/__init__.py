"""One game in progress, between people and its journal. Pure: knows games, but no device, screen, disk or clock."""
