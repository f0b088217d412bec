"""Readers of external file formats: bibliographies, tables, and collections."""
