"""Runs: page after page into a journal, at the end a version, and again later."""
