"""The `query` commands, and their documents."""
