"""The LitQEval collection in its own layout."""
