"""Live sources: the form of a search string for each, its losses, and the numbers of a run."""
