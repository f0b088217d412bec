"""Write search strings: keyword sheets, the search for the best one, and gains on held-out publications."""
