"""What is asked without fetching: counts, core publications, and what of a run a changed text keeps."""
