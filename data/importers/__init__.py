"""Readers of foreign file formats: bibliographies, tables, and collections."""
