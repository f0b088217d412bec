"""Rankings and what they are worth: collections with given truth, runs, metrics, significance."""
