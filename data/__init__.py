"""Reaches outside and remembers: files, the store, models and services, turned into core types and back."""
