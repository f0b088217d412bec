"""Retrievers over what is on disk: each makes or opens what its part of core/retrieval needs."""
