"""The view "People" of the page Knowledge: queries that people write, and how they rate queries."""
