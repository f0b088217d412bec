"""A changed string beside one that was run: whether it is narrower, and what of the run it keeps."""
