"""Retrievers: one file each. Every one takes what it needs ready-made, and answers a query with a ranking."""
