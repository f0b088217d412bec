"""From a topic to a scored search string: keywords in lists, the string they make, and how it stands."""
