"""One query with every judgment; grades of people; files."""
