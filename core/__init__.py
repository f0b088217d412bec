"""Compute. Pure functions over arrays and small frozen records: no files, network, database, clock or screen."""
