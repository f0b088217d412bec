"""Entities of a knowledge base: found, opened, walked from."""
