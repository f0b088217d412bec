"""A run of a judge: threads that ask, a journal, the store."""
