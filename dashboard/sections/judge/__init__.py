"""Parts of the page Judge."""
