"""Asking models for keywords: what they are told, and what of their answers is taken.

prompts.py   what a model is asked, with all that others wrote between marks
answers.py   finds the list in an answer, whatever stands around it
cleaning.py  what of a text is a keyword
languages.py scripts and words that what was read has not
grounds.py   what was read, as a keyword is held against it
reading.py   proposals out of an answer, and what is held back and why
merging.py   one row for each keyword with all who proposed it
"""
