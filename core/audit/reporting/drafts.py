"""What Queryscape would say in an item by itself, and how moments, counts and versions are put into words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from core.audit.document import Block
from core.audit.types import AuditFacts, SearchFacts
from core.text import listed
from core.types import Ids, unique_ids


@dataclass(frozen=True, slots=True)
class Draft:
    """An item before anybody said something."""

    state: Literal["known", "likely", "open"]
    text: str = ""
    next_step: str = ""
    evidence: str = ""
    warnings: Ids = ()
    blocks: tuple[Block, ...] = ()


NOTHING_RUN = Draft(
    "open",
    "No search of this topic was run here or brought in.",
    "Ask a source, run a search string, or bring in what a search found; then this item fills itself.",
)


def moment(at: str) -> str:
    """A date and a time with its zone.

    >>> moment("2031-05-06T12:03:09+00:00"), moment("2031-05-06T12:03:09+02:00"), moment("yesterday")
    ('6 May 2031, 12:03 UTC', '6 May 2031, 12:03 UTC+02:00', 'yesterday')
    """
    try:
        found = datetime.fromisoformat(at)
    except ValueError:
        return at
    zone = "zone not recorded" if found.tzinfo is None else found.strftime("%Z")
    return f"{found.day} {found:%B %Y}, {found:%H:%M} {zone}"


def day(at: str) -> str:
    """The date alone.

    >>> day("2031-05-06T12:03:09+00:00")
    '6 May 2031'
    """
    return moment(at).split(",")[0]


def many(n: int, word: str) -> str:
    """A count with its word.

    >>> many(1, "record"), many(1234, "record")
    ('1 record', '1,234 records')
    """
    return f"{n:,} {word}{'' if n == 1 else 's'}"


def was(n: int) -> str:
    """was or were."""
    return "was" if n == 1 else "were"


def called(labels: Sequence[str]) -> str:
    """Versions by their labels.

    >>> called(["a"]), called(["a", "b"])
    ('Version “a”', 'Versions “a” and “b”')
    """
    names = listed([f"“{label}”" for label in labels])
    return f"Version{'s' if len(labels) > 1 else ''} {names}"


def named(labels: Sequence[str]) -> str:
    """The same within a sentence.

    >>> named(["Pilot"])
    'version “Pilot”'
    """
    return f"v{called(labels)[1:]}"


def live(facts: AuditFacts) -> tuple[SearchFacts, ...]:
    """Those for which a source was asked."""
    return tuple(search for search in facts.searches if search.how == "live")


def local(facts: AuditFacts) -> tuple[SearchFacts, ...]:
    """Those that were run over the topic's own publications."""
    return tuple(search for search in facts.searches if search.how == "local")


def filed(facts: AuditFacts) -> tuple[SearchFacts, ...]:
    """Those that were brought in."""
    return tuple(search for search in facts.searches if search.how == "file")


def grouped(searches: Sequence[SearchFacts]) -> list[tuple[str, list[str]]]:
    """Sources in the order in which they come, with the labels of the versions."""
    found: dict[str, list[str]] = {}
    for search in searches:
        found.setdefault(search.source, []).append(search.version)
    return list(found.items())


def where_run(searches: Sequence[SearchFacts]) -> str:
    """What local runs were run over, and that this is no database."""
    places = unique_ids(search.source for search in searches)
    n = len(searches)
    return (
        f"{called([search.version for search in searches])} {was(n)} run by Queryscape over {listed(places)}, "
        "not over a database."
    )


def cut_warning(search: SearchFacts) -> str:
    """What a cap did; empty: it did not cut."""
    return f"{called([search.version])} was cut by its cap. {search.advice}".strip() if search.is_cut else ""


def cut_warnings(facts: AuditFacts) -> Ids:
    """The same for each search that was cut."""
    return tuple(warning for search in facts.searches if (warning := cut_warning(search)))


def unfinished_warnings(facts: AuditFacts) -> Ids:
    """Searches that have not come to their end, so that nobody takes the record for whole."""
    return tuple(
        f"A search in {run.source} of {moment(run.made_at)} has not come to its end ({run.state}, "
        f"{many(run.n_records, 'record')} so far): it is no version yet and is not reported."
        for run in facts.unfinished
    )
