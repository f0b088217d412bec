"""Pictures of versions side by side."""
