"""What people wrote for entities and how they rated queries, in the store."""
