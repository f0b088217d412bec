"""A lab on the page: its words, its bench, its link."""
