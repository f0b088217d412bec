"""Whether to believe the judge."""
