"""Search indexes on disk, and search strings run over a topic's publications."""
