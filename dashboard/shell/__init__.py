"""Commands about the command line itself: defaults, schemas of outputs, and citation."""
