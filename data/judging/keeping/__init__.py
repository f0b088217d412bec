"""Judges, their answers, runs and the grades of people, in the store."""
