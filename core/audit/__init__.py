"""The audit of a search: what a report holds, before it becomes a file."""
