"""What would make a query better: edits with their price, suggestions, other shapes."""
