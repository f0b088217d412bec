"""Grading by a language model: what is asked, what is kept, and what it costs."""
