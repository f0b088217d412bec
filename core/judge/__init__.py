"""Graded relevance from a language model: rubrics, prompts, grades, and checks of the judge."""
