"""The Writer page, its keyword board, and its commands."""
