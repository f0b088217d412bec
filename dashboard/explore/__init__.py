"""Figures, pages and commands for scoring: the landscape, Versions, Studies and Labs."""
