"""Shared pieces of pages and commands: theme, figures, components, options and output."""
