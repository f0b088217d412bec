"""Collections with given truth: read from files, kept in the store, and opened by name or by folder."""
