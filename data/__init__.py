"""Load, store and fetch: files, database, indexes, models and services, converted to core types and back."""
