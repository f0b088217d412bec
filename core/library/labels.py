"""Labels of screening tools in records, and the phases of a review that they tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from core.library.records import Record

Phase = Literal["screened", "included"]
PHASES: tuple[Phase, ...] = get_args(Phase)
"""Of a review, after the search: passed the screening of titles and abstracts; included in the end."""

_FINAL = frozenset({"final", "included", "include"})
_SCREENED = _FINAL | {"screened", "screen", "screening", "ti/ab", "title/abstract", "abstract", "full text", "fulltext"}
_TOOLS = (("asreview", "ASReview"), ("rayyan", "Rayyan"), ("covidence", "Covidence"))


ListKind = Literal["core"] | Phase
"""Kinds of lists of publications that no search brought."""


def has_label(record: Record, phase: Phase) -> bool:
    """Return True if the record is labelled as having reached the phase.

    ASReview and Rayyan label without naming the phase: their label counts for the phase that a person asks for. A
    record of CiteSource names the phases that it reached; one that was included in the end was also screened.

    >>> has_label(Record(1, included=True), "screened"), has_label(Record(1, cite_label=("search",)), "screened")
    (True, False)
    >>> final = Record(1, cite_label=("final",))
    >>> has_label(final, "screened"), has_label(final, "included")
    (True, True)
    """
    names = {label.strip().casefold() for label in record.cite_label}
    return bool(record.included) or bool(names & (_FINAL if phase == "included" else _SCREENED))


def labelled_for(records: Sequence[Record], kind: ListKind) -> tuple[Record, ...]:
    """Return the records that are labelled for a phase or as core; all of them, if none is.

    >>> [r.number for r in labelled_for([Record(1), Record(2, included=True), Record(3, included=False)], "core")]
    [2]
    >>> [r.number for r in labelled_for([Record(1), Record(2)], "included")]
    [1, 2]
    """
    chosen = (r for r in records if (bool(r.included) if kind == "core" else has_label(r, kind)))
    return tuple(chosen) or tuple(records)


def n_labelled(records: Sequence[Record]) -> int:
    """Return the number of records that carry a label, whatever it says."""
    return sum(record.included is not None or bool(record.cite_label) for record in records)


def label_tool(records: Sequence[Record], format_id: str) -> str:
    """Return the tool that wrote the labels, as far as they tell; empty: it can't be told."""
    named = next((name for sign, name in _TOOLS if sign in format_id), "")
    return named or ("CiteSource" if any(record.cite_label for record in records) else "")


def label_words(records: Sequence[Record], format_id: str) -> str:
    """Return the labels in words; empty: there are none.

    >>> label_words([Record(1, included=True), Record(2, included=False)], "asreview_csv")
    '2 records carry labels of ASReview: 1 can be used as screened or as included'
    >>> label_words([Record(1, cite_label=("final",)), Record(2, cite_label=("screened",))], "ris")
    '2 records carry labels of CiteSource: 2 can be used as screened, 1 as included'
    """
    if not (n := n_labelled(records)):
        return ""
    screened, included = (sum(has_label(record, phase) for record in records) for phase in PHASES)
    tool = label_tool(records, format_id)
    head = f"{n:,} {'record carries' if n == 1 else 'records carry'} labels{f' of {tool}' if tool else ''}"
    if screened == included:
        return f"{head}: {included:,} can be used as screened or as included"
    return f"{head}: {screened:,} can be used as screened, {included:,} as included"
