"""The view "Candidates": every string beside the topic's name, and the one that is looked at."""
