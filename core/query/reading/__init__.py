"""From text to tree: parts, terms, order of operations, numbered lines, and which dialect it is."""
