"""A knowledge base and sets of queries in numbers."""
