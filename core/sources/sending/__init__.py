"""A search string in the language of each source, with what that loses; cut where it is too long."""
