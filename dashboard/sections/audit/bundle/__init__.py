"""The view "Bundle"."""
