"""Live bibliographic sources: what is sent to each, what gets lost on the way, what it takes, what changed since."""
