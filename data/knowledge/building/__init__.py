"""Writes the file of a knowledge base."""
