"""Retrievers, one file each, with ranking metrics, leaderboards, and reasons for missed documents."""
