"""Pictures of retrievers side by side."""
