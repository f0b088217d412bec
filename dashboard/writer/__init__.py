"""The writer room."""
