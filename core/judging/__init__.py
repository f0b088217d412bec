"""Judging relevance, and how far judges agree."""
