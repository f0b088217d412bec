"""Reach services over HTTP: limits, retries, offline mode, and downloads."""
