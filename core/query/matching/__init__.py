"""Which publications a tree matches: sets of them as bits, and the words of a corpus."""
