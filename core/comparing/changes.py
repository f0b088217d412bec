"""What versions of a query retrieve in common, and what only some of them do."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.types import Ids, Mask, unique_ids

MOST_VERSIONS = 60


@dataclass(frozen=True, eq=False)
class Changes:
    """Every publication that any of the versions retrieves, with the versions that do."""

    labels: Ids
    ids: Ids
    bits: npt.NDArray[np.int64]
    """Of each publication, the versions that retrieve it: bit 0 is the first."""
    core_mask: Mask

    @property
    def every(self) -> int:
        """The bits of what all versions retrieve."""
        return (1 << len(self.labels)) - 1

    @property
    def are_same(self) -> bool:
        """Whether all versions retrieve the same."""
        return bool((self.bits == self.every).all())

    def parts(self) -> dict[str, Mask]:
        """What can be told apart, by what it is called. Of two versions: gained by the second, lost, kept."""
        if len(self.labels) == 2:
            return {"Gained": self.bits == 2, "Lost": self.bits == 1, "Kept": self.bits == 3}
        parts = {f"Only {label}": self.bits == 1 << i for i, label in enumerate(self.labels)}
        return {"In some": self.bits != self.every, "In all": self.bits == self.every, **parts}

    def retrieved_by(self, row: int) -> Ids:
        """The labels of the versions that retrieve a publication."""
        held = int(self.bits[row])
        return tuple(label for i, label in enumerate(self.labels) if held >> i & 1)

    def same_as(self) -> tuple[Ids, ...]:
        """Groups of versions that retrieve the same, of two and more."""
        groups: dict[bytes, list[str]] = {}
        for i, label in enumerate(self.labels):
            groups.setdefault(np.packbits(self.bits >> i & 1).tobytes(), []).append(label)
        return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def changes(retrieved: Mapping[str, Ids], core_ids: Collection[str]) -> Changes:
    """What becomes of the publications from version to version, in the order in which they are first retrieved.

    >>> found = changes({"old": ("a", "b"), "new": ("b", "c")}, {"c"})
    >>> found.ids, found.bits.tolist(), found.core_mask.tolist()
    (('a', 'b', 'c'), [1, 3, 2], [False, False, True])
    >>> {name: int(mask.sum()) for name, mask in found.parts().items()}
    {'Gained': 1, 'Lost': 1, 'Kept': 1}
    """
    if len(retrieved) > MOST_VERSIONS:
        raise InputError(f"at most {MOST_VERSIONS} versions can be told apart at once, got {len(retrieved)}")
    ids = unique_ids(i for some in retrieved.values() for i in some)
    row_of = {publication_id: row for row, publication_id in enumerate(ids)}
    bits = np.zeros(len(ids), dtype=np.int64)
    for i, some in enumerate(retrieved.values()):
        rows = np.fromiter((row_of[publication_id] for publication_id in some), dtype=np.intp, count=len(some))
        bits[rows] |= 1 << i
    core = frozenset(core_ids)
    core_mask = np.fromiter((i in core for i in ids), dtype=np.bool_, count=len(ids))
    return Changes(tuple(retrieved), ids, bits, core_mask)
