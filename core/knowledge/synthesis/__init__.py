"""New queries from a knowledge base: sample a relation, read properties, fuse both, check the answers."""
