"""Query-writing sessions: model proposals, candidates, refinement, and studies of strings."""
