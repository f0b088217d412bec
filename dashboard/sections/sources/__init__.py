"""Parts of the page Sources."""
