"""Parts of the page Knowledge."""
