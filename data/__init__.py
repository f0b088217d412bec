"""Load, store and fetch: files, database, indexes, models and services, turned into core types and back."""
