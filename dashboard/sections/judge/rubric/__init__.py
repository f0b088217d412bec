"""Rubrics and the prompt that is made of them."""
