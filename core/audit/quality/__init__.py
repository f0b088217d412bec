"""The quality report of one or several versions."""
