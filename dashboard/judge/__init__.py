"""The Judge page, its figures and its commands."""
