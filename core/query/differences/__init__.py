"""What changed between two wordings: `tokens` compares the texts piece by piece, `trees` says it in words."""
