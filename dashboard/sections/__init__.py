"""Parts of pages that are more than layout."""
