"""The lint room."""
