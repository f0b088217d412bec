"""The view "Peer review"."""
