"""The asking room."""
