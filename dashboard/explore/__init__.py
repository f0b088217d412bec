"""Pages, figures and commands for scoring: Explore, Versions, Studies and Labs."""
