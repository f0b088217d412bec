"""Figures of judged runs."""
