"""Knowledge bases and sets of queries in numbers, out of the workspace."""
