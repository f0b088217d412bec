"""Queries that people write for entities, and how people rate queries."""
