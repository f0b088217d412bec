"""The view "Report"."""
