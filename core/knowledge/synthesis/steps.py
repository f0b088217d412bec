"""What is to be asked next, and what a query came to: both follow from what was read so far, and from nothing else.

So a synthesis that was killed goes on where it was: what is kept is not asked again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.knowledge.synthesis.prompts import extract_prompt, filter_prompt, fuse_prompt, rewrite_prompt
from core.knowledge.synthesis.reading import (
    UNREADABLE,
    YES,
    missing_names,
    read_properties,
    read_query,
    read_verdict,
)
from core.knowledge.synthesis.records import Outcome, Place, Prompt, Read, Reads, Sampled, State, Step, Wanted
from core.knowledge.synthesis.settings import SynthesisSettings
from core.ranking.types import Document
from core.types import Ids

MOST_WORDINGS = 3
"""A wording that is refused is asked for again, this often in all."""


@dataclass(frozen=True, slots=True)
class Worded:
    """How far the wording of a query is."""

    text: str = ""
    """Empty: there is none yet, or none at all."""
    refused: Ids = ()
    """Why earlier wordings were refused."""

    @property
    def is_over(self) -> bool:
        return bool(self.text) or len(self.refused) >= MOST_WORDINGS


def names_of(sampled: Sampled) -> Ids:
    """What a query has to name."""
    return tuple(dict.fromkeys(sampled.titles.values()))


def properties_of(sampled: Sampled, reads: Reads, settings: SynthesisSettings) -> Read | None:
    """None: they were not asked for yet."""
    return reads.get(Place(sampled.item, "extract", 0, settings.extract))


def worded(sampled: Sampled, reads: Reads, step: Step, model: str) -> Worded:
    """What came of the wordings that were asked for."""
    refused: list[str] = []
    for number in range(MOST_WORDINGS):
        read = reads.get(Place(sampled.item, step, number, model))
        if read is None:
            break
        if not read.refused:
            return Worded(read.text, tuple(refused))
        refused.append(read.refused)
    return Worded("", tuple(refused))


def checked_ids(sampled: Sampled) -> Ids:
    """Answers that the models are asked about, the gold answer first."""
    return (sampled.gold_id, *sampled.others)


def pending(
    sampled: Sampled, reads: Reads, settings: SynthesisSettings, documents: Mapping[str, Document]
) -> tuple[Wanted, ...]:
    """What can be asked now; nothing: this query is done. `documents`: the gold answer's and the others' texts."""
    properties = properties_of(sampled, reads, settings)
    if properties is None:
        prompt = extract_prompt(documents[sampled.gold_id], sampled.role, settings.n_properties)
        return (Wanted(Place(sampled.item, "extract", 0, settings.extract), prompt),)
    if properties.refused:
        return ()
    fused = worded(sampled, reads, "fuse", settings.fuse)
    if not fused.is_over:
        names = names_of(sampled)
        prompt = fuse_prompt(sampled.relation, names, properties.texts, sampled.role, fused.refused)
        return (_wording(sampled, "fuse", fused, settings.fuse, prompt),)
    if not fused.text:
        return ()
    again = worded(sampled, reads, "rewrite", settings.rewrite)
    if settings.rewrite and not again.is_over:
        prompt = rewrite_prompt(fused.text, _held_names(sampled, fused.text), sampled.role, again.refused)
        return (_wording(sampled, "rewrite", again, settings.rewrite, prompt),)
    return tuple(_checks(sampled, reads, settings, documents, properties.texts))


def _wording(sampled: Sampled, step: Step, so_far: Worded, model: str, prompt: Prompt) -> Wanted:
    return Wanted(Place(sampled.item, step, len(so_far.refused), model), prompt)


def _held_names(sampled: Sampled, query: str) -> Ids:
    lost = missing_names(query, names_of(sampled))
    return tuple(name for name in names_of(sampled) if name not in lost)


def _checks(
    sampled: Sampled,
    reads: Reads,
    settings: SynthesisSettings,
    documents: Mapping[str, Document],
    properties: Sequence[str],
) -> list[Wanted]:
    wanted = []
    for number, doc_id in enumerate(checked_ids(sampled)):
        places = [Place(sampled.item, "filter", number, model) for model in settings.filters]
        if missing := [place for place in places if place not in reads]:
            prompt = filter_prompt(properties, documents[doc_id])
            wanted += [Wanted(place, prompt) for place in missing]
    return wanted


def read_answer(sampled: Sampled, reads: Reads, settings: SynthesisSettings, step: Step, answer: str) -> Read:
    """What the answer to a question of this step says."""
    if step == "extract":
        return read_properties(answer, sampled.gold_title, settings.n_properties)
    if step == "fuse":
        return read_query(answer, sampled.gold_title)
    if step == "rewrite":
        fused = worded(sampled, reads, "fuse", settings.fuse).text
        return read_query(answer, sampled.gold_title, _held_names(sampled, fused))
    return read_verdict(answer)


def outcome(sampled: Sampled, reads: Reads, settings: SynthesisSettings) -> Outcome:
    """What a query came to so far."""
    properties = properties_of(sampled, reads, settings)
    if properties is None:
        return Outcome("waiting")
    if properties.refused:
        return Outcome("failed", f"no properties: {properties.refused}")
    fused = worded(sampled, reads, "fuse", settings.fuse)
    if not fused.text:
        reason = f"no query: {fused.refused[-1]}" if fused.is_over else ""
        return Outcome("failed" if fused.is_over else "waiting", reason, properties.texts)
    query: str = fused.text
    notes: Ids = ()
    if settings.rewrite:
        again = worded(sampled, reads, "rewrite", settings.rewrite)
        if not again.is_over:
            return Outcome("waiting", "", properties.texts, query)
        query = again.text or query
        notes = () if again.text else (f"not worded anew: {again.refused[-1]}",)
    missing = missing_names(query, names_of(sampled))
    return _filtered(sampled, reads, settings, Outcome("waiting", "", properties.texts, query, {}, (), missing, notes))


def _filtered(sampled: Sampled, reads: Reads, settings: SynthesisSettings, so_far: Outcome) -> Outcome:
    """With the verdicts, and the answers that they let through."""
    verdicts: dict[str, dict[str, str]] = {}
    for number, doc_id in enumerate(checked_ids(sampled)):
        found = {model: reads.get(Place(sampled.item, "filter", number, model)) for model in settings.filters}
        verdicts[doc_id] = {model: read.text or UNREADABLE for model, read in found.items() if read is not None}
    is_whole = all(len(said) == len(settings.filters) for said in verdicts.values())
    accepted = tuple(doc_id for doc_id, said in verdicts.items() if is_accepted(said, settings))
    state: State = "waiting" if not is_whole else "complete" if sampled.gold_id in accepted else "gold refused"
    return Outcome(
        state,
        "the models don't accept the gold answer" if state == "gold refused" else "",
        so_far.properties,
        so_far.query,
        verdicts,
        accepted,
        so_far.missing_names,
        so_far.notes,
    )


def is_accepted(said: Mapping[str, str], settings: SynthesisSettings) -> bool:
    """Whether enough models say yes: all of them, or more than half."""
    n_yes = sum(said.get(model) == YES for model in settings.filters)
    return n_yes == len(settings.filters) if settings.rule == "all" else 2 * n_yes > len(settings.filters)
