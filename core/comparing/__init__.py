"""Two versions or more: what differs, and whether that would survive other choices."""
