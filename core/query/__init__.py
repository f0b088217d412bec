"""Search strings: parse, match, check, explain, improve, compare, and translate them.

reading (text to tree) -> matching (tree to sets) -> weighing (what it is worth) -> repair (what would be better);
writing (tree to text) stands beside them, `dialects` are tables, and `lint` says what its writer should know.
"""
