"""Retrievers over indexes and vectors on disk, and the collections that they are run on."""
