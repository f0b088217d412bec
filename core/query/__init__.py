"""Search strings: parse, match, check, explain, improve, compare, and translate them.

    text -> parser -> tree -> match -> sets -> contributions, explanations -> suggestions

`translation` turns a tree back into text, `dialects` are tables, and `lint` warns the author of a search string.
"""
