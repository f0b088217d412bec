"""The view "Runs": what was fetched, what exactly was sent, and what changed since."""
