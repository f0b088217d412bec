"""Pictures of many topics."""
