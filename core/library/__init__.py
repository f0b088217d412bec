"""Bibliographic records: cleaning, identity, duplicates, core lists, and overlap between sources."""
