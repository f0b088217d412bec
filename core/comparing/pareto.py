"""Which versions no other one beats in both ways at once: more core publications found, less to read."""

from __future__ import annotations

from collections.abc import Sequence


def pareto_front(n_retrieved: Sequence[int], n_found: Sequence[int]) -> tuple[int, ...]:
    """Positions of the versions on the front, the shortest list first.

    A version is on it if no other finds at least as many core publications in at most as many records, one of the two
    strictly. Versions that are equal in both are on it together.

    >>> pareto_front([100, 50, 200, 60], [5, 3, 9, 3])
    (1, 0, 2)
    """
    order = sorted(range(len(n_retrieved)), key=lambda i: (n_retrieved[i], -n_found[i]))
    front: list[int] = []
    for i in order:
        last = front[-1] if front else None
        if (
            last is None
            or n_found[i] > n_found[last]
            or (n_retrieved[i], n_found[i]) == (n_retrieved[last], n_found[last])
        ):
            front.append(i)
    return tuple(front)
