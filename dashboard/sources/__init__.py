"""The Sources page, its figures and its commands."""
