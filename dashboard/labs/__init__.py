"""The labs: each is a bench, computed here at every move of the hand and drawn by the browser. LABS: id -> lab."""
