"""Figures of live sources."""
