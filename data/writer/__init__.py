"""Query-writing sessions: proposals of models, candidates, refinement, and studies of strings."""
