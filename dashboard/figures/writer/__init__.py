"""Pictures of the page Writer."""
