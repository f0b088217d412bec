"""The structured room."""
