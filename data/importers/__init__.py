"""One file per format: outside files become core types."""
