"""Judged runs as files, and as judgments of a collection."""
