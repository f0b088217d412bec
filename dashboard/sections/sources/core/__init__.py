"""The view "Core publications": which of them a source has, and why the string misses the others."""
