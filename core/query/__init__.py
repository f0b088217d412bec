"""The text of a query: what it asks for, what it finds, what each part is worth, and what would make it better.

reading (text to tree) -> matching (tree to sets) -> weighing (what it is worth) -> repair (what would be better);
writing (tree to text) stands beside them, `dialects` are tables, and `lint` says what its writer should know.
"""
