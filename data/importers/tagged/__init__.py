"""The tagged room."""
