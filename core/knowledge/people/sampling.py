"""Which entities a person writes for, and which queries a person rates: by chance, and the same again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from random import Random

from core.errors import SettingsError
from core.types import Ids


def drawn(n: int, *, seed: int) -> Iterator[int]:
    """The numbers below n in an order by chance, each once. As many as are taken are worked out.

    >>> sorted(drawn(4, seed=1))
    [0, 1, 2, 3]
    """
    chance, moved = Random(seed), dict[int, int]()
    for at in range(n):
        other = chance.randrange(at, n)
        yield moved.pop(other, other) if other == at else moved.get(other, other)
        if other != at:
            moved[other] = moved.pop(at, at)


def in_chance_order(ids: Sequence[str], *, seed: str) -> Ids:
    """In an order by chance that hangs on each id alone, so that others that come or go don't stir it."""
    return tuple(sorted(ids, key=lambda one: (blake2b(f"{seed}\0{one}".encode(errors="replace")).digest(), one)))


def to_rate(query_ids: Sequence[str], *, rater: str, n: int, common: float, seed: str = "") -> Ids:
    """The n queries that a rater is given, in order. A longer list begins with the shorter one.

    `common`: the share that every rater is given, so that agreement can be told; the others are the rater's own.

    >>> a, b = (to_rate("abcdefgh", rater=rater, n=4, common=0.5) for rater in ("Ada", "Bo"))
    >>> len(set(a) & set(b)) >= 2
    True
    """
    if not 0 <= common <= 1:
        raise SettingsError(f"the common share must be in [0, 1], got {common:g}")
    shared = iter(in_chance_order(query_ids, seed=f"{seed}\0"))
    own = iter(in_chance_order(query_ids, seed=f"{seed}\0{rater}"))
    given: dict[str, None] = {}
    n_shared = 0
    for place in range(min(n, len(query_ids))):
        # One of the rater's own may be a common one of later; it counts as that then, and the next is taken.
        is_shared = n_shared < common * (place + 1)
        n_shared += is_shared
        given[next(one for one in (shared if is_shared else own) if one not in given)] = None
    return tuple(given)
