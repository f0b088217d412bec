"""Figures of knowledge bases and of query sets."""
