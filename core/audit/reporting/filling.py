"""The sixteen items with what is recorded in them, what is likely, and what somebody still has to say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.audit.document import Block, Table
from core.audit.reporting import about_records, about_sources, about_strategies
from core.audit.reporting.drafts import Draft
from core.audit.reporting.items import ITEMS, Item
from core.audit.types import Answer, AuditFacts, ItemState
from core.text import listed


@dataclass(frozen=True, slots=True)
class Filled:
    """One item as it stands."""

    item: Item
    state: ItemState
    text: str
    """What a report says there; paragraphs are lines. Empty: nothing is known."""
    next_step: str
    """What to do now; empty: nothing."""
    recorded: str = ""
    """What Queryscape would say there by itself: what "confirmed" confirms. Empty: nothing."""
    evidence: str = ""
    """What made it likely; empty where it is known or open."""
    answer: Answer | None = None
    """What somebody said."""
    change: str = ""
    """What of the record is no longer what was confirmed; empty: nothing."""
    warnings: tuple[str, ...] = ()
    """What a reader must not miss, such as a search that was cut."""
    blocks: tuple[Block, ...] = ()
    """Tables and strategies that belong to it."""
    is_recorded: bool = False
    """Queryscape kept what is in `recorded`; it is no guess."""

    @property
    def set_aside(self) -> tuple[str, ...]:
        """Lines of the record that somebody's own words took the place of: a reader sees both."""
        if self.answer is None or self.answer.state == "confirmed" or not self.is_recorded:
            return ()
        said = set(_said(self.text))
        return tuple(line for line in _said(self.recorded) if line not in said)

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables among them."""
        return tuple(block for block in self.blocks if isinstance(block, Table))


@dataclass(frozen=True, slots=True)
class Completeness:
    """How many of the items are in which state."""

    n_known: int
    n_likely: int
    n_open: int
    n_said: int
    n_changed: int
    n: int
    sentence: str


def fill(facts: AuditFacts) -> tuple[Filled, ...]:
    """All sixteen, in their order."""
    return tuple(_filled(item, _DRAFTS[item.number](facts), facts.answers.get(item.item)) for item in ITEMS)


_DRAFTS: dict[int, Callable[[AuditFacts], Draft]] = {
    1: about_sources.databases,
    2: about_sources.at_once,
    3: about_sources.registers,
    4: about_sources.browsing,
    5: about_sources.citations,
    6: about_sources.contacts,
    7: about_sources.other_methods,
    8: about_strategies.strategies,
    9: about_strategies.limits,
    10: about_strategies.published_filters,
    11: about_strategies.prior_work,
    12: about_strategies.updates,
    13: about_strategies.dates,
    14: about_records.peer_review,
    15: about_records.total_records,
    16: about_records.deduplicated,
}


def _filled(item: Item, draft: Draft, answer: Answer | None) -> Filled:
    """The record, and over it what somebody said."""
    made = Filled(
        item,
        draft.state,
        draft.text,
        draft.next_step,
        "" if draft.state == "open" else draft.text,  # that something is missing can't be confirmed away
        draft.evidence,
        answer,
        warnings=draft.warnings,
        blocks=draft.blocks,
        is_recorded=draft.state == "known" and bool(draft.text),
    )
    if answer is None:
        return made
    if answer.state == "not done":
        text = f"Not done: this was no part of the search. {answer.text}".strip()
        return replace(made, state="said", text=text, next_step="")
    if answer.state == "own":
        return replace(made, state="said", text=answer.text, next_step="")
    if changed := what_changed(answer.text, draft.text):
        step = (
            "Confirm it again as it is recorded now, or say it in your own words." if made.recorded else made.next_step
        )
        return replace(made, state="changed", text=draft.text or answer.text, next_step=step, change=changed)
    return replace(made, state="said", next_step="") if made.recorded else made


def what_changed(confirmed: str, recorded: str) -> str:
    """What of a confirmed text is no longer recorded, and what is new; empty: nothing.

    >>> what_changed("PubMed found 20 records.", "PubMed found 25 records.")
    'No longer recorded: “PubMed found 20 records.” New: “PubMed found 25 records.”'
    >>> what_changed("The same.", "The same. ")
    ''
    """
    before, now = _said(confirmed), _said(recorded)
    if before == now:
        return ""
    gone, new = [line for line in before if line not in now], [line for line in now if line not in before]
    parts = [f"No longer recorded: {_quoted(gone)}" if gone else "", f"New: {_quoted(new)}" if new else ""]
    return " ".join(part for part in parts if part) or "The same is recorded in another order."


def _said(text: str) -> list[str]:
    lines = (" ".join(line.split()) for line in text.splitlines())
    return [line for line in lines if line]


def _quoted(lines: Sequence[str]) -> str:
    return " ".join(f"“{line}”" for line in lines)


def completeness(filled: Sequence[Filled]) -> Completeness:
    """Over all of them."""
    n = {state: sum(one.state == state for one in filled) for state in ("known", "likely", "open", "said", "changed")}
    done, total = n["known"] + n["said"], len(filled)
    if done == total:
        sentence = f"All {total} items are answered: {n['known']} from the record, {n['said']} by people."
    else:
        left = [
            f"{n['likely']} {_are(n['likely'])} prefilled and not confirmed" if n["likely"] else "",
            f"{n['changed']} no longer {'agree' if n['changed'] > 1 else 'agrees'} with what was confirmed"
            if n["changed"]
            else "",
            f"{n['open']} {_are(n['open'])} open" if n["open"] else "",
        ]
        whence = [
            f"{n['known']} from the record" if n["known"] else "",
            f"{n['said']} said by people" if n["said"] else "",
        ]
        how = " and ".join(part for part in whence if part)
        sentence = f"{done} of {total} items are answered: {how}. " if done else "No item is answered yet. "
        sentence += f"{listed([part for part in left if part])}."
    return Completeness(n["known"], n["likely"], n["open"], n["said"], n["changed"], total, sentence)


def _are(n: int) -> str:
    return "is" if n == 1 else "are"
