"""Proposals out of an answer, and what is held back and why. It never fails, and nothing in doubt is a proposal."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass

from core.writer.asking.cleaning import clean
from core.writer.types import Brief, HeldBack, Keyword, Proposal, Reading


@dataclass(frozen=True, slots=True)
class ReadProposals:
    """What an answer said."""

    proposals: tuple[Proposal, ...]
    held_back: tuple[HeldBack, ...]
    problem: str | None = None
    """What was wrong with the answer as a whole; None: nothing. Proposals may be there all the same."""


@dataclass(frozen=True, slots=True)
class Removal:
    """A keyword of the string that somebody proposed to remove."""

    key: str
    """`Keyword.key`, as it stands in the lists."""
    reason: str
    model: str = ""


@dataclass(frozen=True, slots=True)
class ReadChanges:
    """What an answer to `refine_prompt` said."""

    added: ReadProposals
    """`problem` speaks for the answer as a whole."""
    removals: tuple[Removal, ...]


def read_proposals(
    answer_text: str,
    reading: Reading,
    model: str,
    *,
    most: int,
    known: Collection[str] = (),
    vocabulary: Callable[[Keyword], int] | None = None,
    brief: Brief | None = None,
) -> ReadProposals:
    """What an answer proposes, at most so many.

    `known`: keys of keywords that stand in the lists already. `vocabulary`: how many publications of the corpus have a
    keyword. `brief`: what must not be proposed, and how far keywords may go.
    """
    try:
        items = json.loads(answer_text)["keywords"]
    except (ValueError, TypeError, KeyError):
        return ReadProposals((), (), "The answer is no list of keywords.")
    proposals: list[Proposal] = []
    held: list[HeldBack] = []
    for item in items:
        text = str(item.get("keyword")) if isinstance(item, dict) else str(item)
        cleaned = clean(text)
        if cleaned.problem or len(proposals) >= most or cleaned.keywords[0].key in known:
            held.append(HeldBack(text[:80], cleaned.problem or "More than asked for.", reading.reading_id, model))
            continue
        to = item.get("list") if isinstance(item, dict) and item.get("list") in ("specific", "general") else None
        reason = str(item.get("reason", "")) if isinstance(item, dict) else ""
        proposals.append(Proposal(cleaned.keywords[0], reason, reading.reading_id, model, to))
    return ReadProposals(tuple(proposals), tuple(held))


def read_changes(
    answer_text: str,
    reading: Reading,
    model: str,
    *,
    most: int,
    known: Collection[str],
    vocabulary: Callable[[Keyword], int] | None = None,
    brief: Brief | None = None,
) -> ReadChanges:
    """What an answer to `refine_prompt` proposes. `known`: keys in the lists; only these can be removed."""
    return ReadChanges(ReadProposals((), (), "The answer is no list of changes."), ())
