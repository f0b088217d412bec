"""Relational questions: asked by template, and made queries."""
