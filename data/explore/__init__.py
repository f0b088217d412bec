"""The workspace, and scoring with cached results: evaluations, landscapes, comparisons, studies."""
