"""Text and relations together: entities, typed relations, and templates of questions about them."""
