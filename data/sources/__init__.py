"""Live sources, one file each, over one connection; runs, updates, and core lookups."""
