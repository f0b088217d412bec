"""Bibliographic records: what a file says of a publication, made clean, and which records are the same publication."""
