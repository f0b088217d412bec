"""One file per provider of vectors."""
