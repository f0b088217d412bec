"""Proposals out of an answer, and what is held back and why. It never fails, and nothing in doubt is a proposal."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from core.text import words
from core.writer.asking.answers import Entry, Found, Twice, find_lists
from core.writer.asking.cleaning import Cleaned, clean, plainly, shown
from core.writer.asking.grounds import Grounds, family, usual_word
from core.writer.asking.languages import foreign_script, foreign_word
from core.writer.types import Brief, HeldBack, Keyword, Proposal, Reading

MOST_ENTRIES = 2_000
"""Of one answer that are looked at."""
MOST_NAMED = 500
"""Of one answer that are held back by name."""
MOST_OF_TEXT = 120
MOST_OF_REASON = 300
NO_REASON = "No reason was given."
KEYS = ("keyword", "term", "phrase")
"""How models call a keyword; the first is what they are asked for."""
ToList = Literal["specific", "general"]


@dataclass(frozen=True, slots=True)
class ReadProposals:
    """What an answer said."""

    proposals: tuple[Proposal, ...]
    held_back: tuple[HeldBack, ...]
    problem: str | None = None
    """What was wrong with the answer as a whole, in one sentence; None: nothing. Proposals may be there all the same:
    what came whole before an answer broke off."""


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
    """`problem` and `held_back` speak for the whole answer."""
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
    """What an answer proposes, at most so many; it never fails.

    `known`: keys of keywords that stand in the lists already. `vocabulary`: how many publications of the corpus have a
    keyword. `brief`: what must not be proposed, and, where it is strict, that keywords stand in what was read.

    >>> from core.types import Publication
    >>> read = Reading("core", (Publication("1", "Street trees and urban heat"),))
    >>> said = read_proposals('{"keywords": ["street trees", "heat AND trees"]}', read, "demo", most=5)
    >>> [each.keyword.text for each in said.proposals], said.held_back[0].why
    (['street trees'], 'It has a Boolean operator in it (AND).')
    """
    found = find_lists(answer_text, ("keywords",))
    reader = _Reader(reading, model, frozenset(known), vocabulary, brief)
    return reader.read(found, "keywords", most)


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
    """What an answer to `refine_prompt` proposes, at most so many of either kind; it never fails.

    `known`: keys of keywords in the lists; only these can be removed. What is to be added and removed is neither.
    """
    found = find_lists(answer_text, ("add", "remove"))
    reader = _Reader(reading, model, frozenset(known), vocabulary, brief)
    entries = found.lists.get("remove", ())[:MOST_ENTRIES]
    texts = [_said(entry) for entry in entries]
    removed = {_key(text): reason for text, reason, _, _ in texts if text is not None}
    both = removed.keys() & {_key(text) for text, *_ in map(_said, found.lists.get("add", ())) if text is not None}
    held: list[HeldBack] = []
    removals: dict[str, Removal] = {}
    for text, reason, _, why in texts:
        key = "" if text is None else _key(text)
        problem = why or found.doubt or _not_removed(key, reader.known, both, len(removals) >= most)
        if problem is not None:
            held.append(reader.held(text or reason, problem))
        else:
            removals.setdefault(key, Removal(key, reason, model))
    added = reader.read(found, "add", most)
    return ReadChanges(replace(added, held_back=_limited([*added.held_back, *held], reader)), tuple(removals.values()))


def _not_removed(key: str, known: frozenset[str], both: Collection[str], is_full: bool) -> str | None:
    if key not in known:
        return "It is to be removed, and stands in no list."
    if key in both:
        return "It is to be added and to be removed."
    return "More changes than were asked for." if is_full else None


def _key(text: str) -> str:
    return Keyword(plainly(text[: 4 * MOST_OF_TEXT])).key


class _Reader:
    """Looks at entries one by one; knows what a keyword is held against."""

    def __init__(
        self,
        reading: Reading,
        model: str,
        known: frozenset[str],
        vocabulary: Callable[[Keyword], int] | None,
        brief: Brief | None,
    ) -> None:
        self.known = known
        self._reading_id, self._model = reading.reading_id, model
        self._n_with = vocabulary
        self._brief = brief
        self._grounds = Grounds(reading, brief)
        self._unwanted = [(text, run) for text in (brief.negative if brief else ()) if (run := _run(text))]

    def read(self, found: Found, name: str, most: int) -> ReadProposals:
        """Proposals out of one list of an answer."""
        entries = found.lists.get(name, ())
        held: list[HeldBack] = []
        good: list[Proposal] = []
        for entry in entries[:MOST_ENTRIES]:
            text, reason, to, why = _said(entry)
            if text is None:
                held.append(self.held(reason, why or ""))
                continue
            taken = self._taken(text, found.doubt, held)
            if taken is not None:
                good.append(Proposal(taken, reason or NO_REASON, self._reading_id, self._model, to))
        proposals = self._once(good, held)
        over = f"More than the {most} keywords that were asked for."
        held += [self.held(each.keyword.text, over, each.keyword) for each in proposals[most:]]
        if len(entries) > MOST_ENTRIES:
            held.append(self.held(f"{len(entries) - MOST_ENTRIES:,} more", f"Only {MOST_ENTRIES:,} are looked at."))
        return ReadProposals(tuple(proposals[:most]), _limited(held, self), found.problem or found.doubt)

    def held(self, text: str, why: str, keyword: Keyword | None = None) -> HeldBack:
        """Something that is not taken unasked."""
        return HeldBack(shown(text, MOST_OF_TEXT), why, self._reading_id, self._model, keyword)

    def _taken(self, text: str, doubt: str | None, held: list[HeldBack]) -> Keyword | None:
        """The keyword that a text is, unless it is held back."""
        cleaned = clean(text)
        keyword = self._whole(cleaned)
        problem = cleaned.problem if keyword is None else None
        if keyword is not None:
            keyword = replace(keyword, text=self._grounds.as_read(keyword.text))
            problem = self._against(keyword) or doubt
        if problem is None:
            return keyword
        offered = cleaned.keywords if keyword is None else (keyword,)
        free = [each for each in offered if each.key not in self.known and self._unwanted_in(each) is None]
        held += [self.held(text, problem, each) for each in free] or [self.held(text, problem)]
        return None

    def _whole(self, cleaned: Cleaned) -> Keyword | None:
        """The one keyword, also one with a small word amid it if it was read so."""
        if cleaned.problem is None:
            return cleaned.keywords[0]
        return cleaned.phrase if cleaned.phrase is not None and self._grounds.has(cleaned.phrase) else None

    def _against(self, keyword: Keyword) -> str | None:
        """What speaks against a keyword that is one."""
        if keyword.key in self.known:
            return "It stands in the lists already."
        if (unwanted := self._unwanted_in(keyword)) is not None:
            return f'You asked for a string without "{shown(unwanted, 60)}".'
        if (problem := self._foreign(keyword)) is not None:
            return problem
        if self._brief is not None and self._brief.mode == "strict" and not self._grounds.has(keyword):
            return "Nothing that was read has it, and the mode is strict."
        if self._n_with is not None and not self._n_with(keyword):
            return "No publication of the corpus has it."
        return None

    def _foreign(self, keyword: Keyword) -> str | None:
        script = foreign_script(keyword.text, self._grounds.scripts)
        if script is not None:
            return f"It is written in {script} letters, unlike what was read."
        word = foreign_word(keyword.text)
        if word is None or self._grounds.has(keyword) or (self._n_with is not None and self._n_with(keyword)):
            return None
        return f'It may be in another language ("{word}"), and nothing that was read has it.'

    def _unwanted_in(self, keyword: Keyword) -> str | None:
        run = _run(keyword.text)
        return next((text for text, unwanted in self._unwanted if f" {unwanted} " in f" {run} "), None)

    def _once(self, good: Sequence[Proposal], held: list[HeldBack]) -> list[Proposal]:
        """One of each family: with a wildcard, else what most publications have, else what came first."""
        families: dict[str, list[Proposal]] = {}
        for each in good:
            families.setdefault(family(each.keyword), []).append(each)
        kept = []
        for members in families.values():
            best = max(members, key=self._worth) if len(members) > 1 else members[0]
            kept.append(best)
            for each in members:
                if each is not best:
                    held.append(self._doubled(each.keyword, best.keyword))
        return kept

    def _worth(self, proposal: Proposal) -> tuple[bool, int]:
        keyword = proposal.keyword
        return keyword.text.endswith("*"), self._n_with(keyword) if self._n_with else 0

    def _doubled(self, keyword: Keyword, kept: Keyword) -> HeldBack:
        if keyword.key == kept.key:
            return self.held(keyword.text, f'It is the same as "{kept.text}".')
        return self.held(keyword.text, f'It differs from "{kept.text}" only by a plural or a hyphen.', keyword)


def _limited(held: Iterable[HeldBack], reader: _Reader) -> tuple[HeldBack, ...]:
    every = list(held)
    if len(every) <= MOST_NAMED:
        return tuple(every)
    rest = reader.held(f"{len(every) - MOST_NAMED + 1:,} more", "There are too many to name each of them.")
    return (*every[: MOST_NAMED - 1], rest)


def _run(text: str) -> str:
    return " ".join(usual_word(word) for word in words(text))


def _said(entry: Entry) -> tuple[str | None, str, ToList | None, str | None]:
    """The text of an entry, its reason, its list, and why there is no text; then the entry is in the reason's place."""
    value = entry.value
    if isinstance(value, Twice):
        return None, _as_came(value), None, "It says one thing twice and does not say which counts."
    to = entry.to
    reason = ""
    if isinstance(value, dict):
        to = value.get("list", to)
        reason = shown(said, MOST_OF_REASON) if isinstance(said := value.get("reason"), str) else ""
        text: Any = next((value[key] for key in KEYS if key in value), None)
    else:
        text = value
    if isinstance(text, str):
        return text, reason, _list_of(to), None
    return None, _as_came(value), None, _why_no_text(text)


def _list_of(to: Any) -> ToList | None:
    if to == "specific":
        return "specific"
    return "general" if to == "general" else None


def _why_no_text(value: Any) -> str:
    if value is None:
        return "It is empty."
    if isinstance(value, bool):
        return "It is true or false, not a keyword."
    if isinstance(value, int | float):
        return "It is a number."
    return "It is a list or an object, not a keyword."


def _as_came(value: Any) -> str:
    return value if isinstance(value, str) else shown(json.dumps(value, ensure_ascii=False), MOST_OF_TEXT)
