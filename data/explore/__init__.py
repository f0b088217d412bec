"""The workspace, and scoring with remembered results: evaluations, landscapes, comparisons, studies."""
