"""Many topics at once."""
