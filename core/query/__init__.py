"""The text of a query: what it asks for, and whether a publication matches it."""
