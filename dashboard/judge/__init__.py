"""The judge room."""
