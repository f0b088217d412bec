"""Live bibliographic sources: one file for each, all through one connection, and the runs over them."""
