"""The query room."""
