"""Computes. Pure functions over numpy arrays and frozen records; nothing here reads, writes or waits."""
