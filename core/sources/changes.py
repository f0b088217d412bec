"""What became of a search between two runs of it: publications that are new, gone, or described in another way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Any

from core.records.record import Record
from core.text import listed
from core.types import Ids

SAID = ("title", "abstract", "year", "doi", "pmid", "authors", "venue", "volume", "issue", "pages", "kind", "keywords")
"""What a record says of its publication. Citations are left out: they change every day, and nothing else does."""
FIELD_WORDS = {"doi": "DOI", "pmid": "PMID", "venue": "journal", "kind": "type"}


@dataclass(frozen=True, slots=True)
class Changes:
    """Two runs of one search, by the source's own names for its records."""

    new: Ids
    """In the later run only."""
    gone: Ids
    """In the earlier run only."""
    changed: Ids
    """In both, but what is said of them differs."""
    n_same: int
    """In both, word for word."""
    total_before: int | None
    """The source's own totals; None: it gave none."""
    total_after: int | None
    cautions: tuple[str, ...] = ()
    """Why new or gone may mean something else than that the source changed."""

    @property
    def sentence(self) -> str:
        """In words.

        >>> changes({"1": "a", "2": "b"}, {"2": "c", "3": "d"}).sentence
        '1 new, 1 gone, 1 changed, 0 as they were.'
        """
        if not (self.new or self.gone or self.changed):
            text = f"Nothing changed: {self.n_same:,} as they were."
        else:
            text = (
                f"{len(self.new):,} new, {len(self.gone):,} gone, {len(self.changed):,} changed, "
                f"{self.n_same:,} as they were."
            )
        if self.total_before is not None and self.total_after is not None and self.total_before != self.total_after:
            text += f" The source's own total went from {self.total_before:,} to {self.total_after:,}."
        return text

    def as_document(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self) | {"sentence": self.sentence}


def changes(
    before: Mapping[str, str],
    after: Mapping[str, str],
    *,
    total_before: int | None = None,
    total_after: int | None = None,
    is_cut_before: bool = False,
    is_cut_after: bool = False,
    is_whole_before: bool = True,
    is_whole_after: bool = True,
) -> Changes:
    """What became of each key, by its fingerprint. `is_cut`: the cap ended that run before the source did.

    `is_whole`: the run came to its end. Where one of the two is cut or not whole, a publication may be gone or new
    only because the other run never got to it: `cautions` says so.
    """
    common = [key for key in before if key in after]
    return Changes(
        new=tuple(key for key in after if key not in before),
        gone=tuple(key for key in before if key not in after),
        changed=tuple(key for key in common if before[key] != after[key]),
        n_same=sum(before[key] == after[key] for key in common),
        total_before=total_before,
        total_after=total_after,
        cautions=tuple(
            text
            for holds, text in (
                (is_cut_after, "The later run stopped at its cap: a publication that is gone may only lie beyond it."),
                (is_cut_before, "The earlier run stopped at its cap: one that is new may have lain beyond it."),
                (not is_whole_after, "The later run did not come to its end: what is gone may not have come yet."),
                (not is_whole_before, "The earlier run did not come to its end: what is new may not have come then."),
            )
            if holds
        ),
    )


def fingerprint(record: Record) -> str:
    """A short name for all that a record says of its publication; another title, abstract or year is another name."""
    said = repr(tuple(getattr(record, name) for name in SAID))
    return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def changed_fields(before: Record, after: Record) -> tuple[str, ...]:
    """Fields in which two records of one publication differ, in the order in which they are listed everywhere.

    >>> changed_fields(Record(1, title="Heat", year=2019), Record(7, title="Heat", year=2020, times_cited=3))
    ('year',)
    """
    return tuple(name for name in SAID if getattr(before, name) != getattr(after, name))


def change_words(fields: tuple[str, ...]) -> str:
    """Changed fields as a sentence says them.

    >>> change_words(("title", "doi"))
    'title and DOI'
    """
    return listed([FIELD_WORDS.get(name, name) for name in fields]) if fields else ""
