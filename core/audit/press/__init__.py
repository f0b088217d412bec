"""The peer review of a search strategy, by the six domains of PRESS 2015."""
