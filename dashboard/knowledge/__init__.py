"""The Knowledge page, its figures and its commands."""
