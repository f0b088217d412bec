"""The Library page and its commands: import, duplicates, embeddings, export."""
