"""Versions of a query: their history, and how they compare."""
