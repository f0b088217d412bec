"""The view "Synthesis" of the page Knowledge: new queries, written and checked by language models."""
