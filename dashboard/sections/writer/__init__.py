"""The query writer on its page: the brief, the lists, refinement, candidates, and what was asked."""
