"""Engines in means with ranges and coverage."""
