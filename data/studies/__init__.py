"""Many topics at once, from what the workspace holds."""
