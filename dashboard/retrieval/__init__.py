"""The Retrievers page, its figures, and the commands `search`, `benchmark` and `get`."""
