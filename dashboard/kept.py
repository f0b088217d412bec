"""Results that one server keeps for all its visitors, so many of them at most."""

from __future__ import annotations

from typing import Any


class Kept(dict[str, Any]):
    """By what names each. The oldest are let go of.

    >>> kept = Kept(2)
    >>> kept["a"], kept["b"], kept["a"], kept["c"] = 1, 2, 3, 4
    >>> list(kept.items())
    [('a', 3), ('c', 4)]
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: str, found: object) -> None:
        self.pop(key, None)
        super().__setitem__(key, found)
        for old in list(self)[: -self._most]:
            self.pop(old, None)
