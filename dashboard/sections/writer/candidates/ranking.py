"""The order in which strings are shown: the topic's name first, then by F-beta on the used half."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from core.settings import EvaluationSettings
from core.writer.types import Budget, Step
from data.judging.demo_judge import DEMO_MODEL
from data.writer.keeping import BY_HAND, Writing

SCORE = f"F{EvaluationSettings().beta:g}"
"""As tables and figures call F-beta."""
TOLD = re.compile(r"Refining step (\d+)")
"""Begins the note of a writing that says why a refinement ended."""


def reaches(step: Step, budget: Budget) -> bool:
    """Whether a string finds as much of the core publications in use as was asked for."""
    return step.judged.used.recall >= budget.min_recall


def is_small(step: Step, budget: Budget) -> bool:
    """Whether it retrieves no more than was allowed."""
    return budget.most_publications is None or step.judged.n_retrieved <= budget.most_publications


def ranked(steps: Sequence[Step], budget: Budget) -> list[Step]:
    """The best first; what misses the size or the recall that was asked for comes after what keeps them."""
    return sorted(
        steps,
        key=lambda s: (
            not is_small(s, budget),
            -min(s.judged.used.recall, budget.min_recall),
            -(s.judged.used.f_beta or 0.0),
            s.number,
        ),
    )


def grouped(writing: Writing) -> list[tuple[str, list[Step]]]:
    """All strings of a writing under their heads; heads without any are left out."""
    name, *others = writing.steps or (None,)
    refined = [step for step in others if step is not None and step.round is not None]
    by_hand = [step for step in others if step is not None and step.round is None and step.made_by == BY_HAND]
    rest = [step for step in others if step is not None and step not in refined and step not in by_hand]
    groups = [
        ("Candidates", ranked(rest, writing.budget)),
        ("Refined, round by round", refined),
        ("By hand", by_hand),
    ]
    first = [] if name is None else [("The honest baseline", [name])]
    return first + [(head, steps) for head, steps in groups if steps]


def called(step: Step) -> str:
    """A string in a list or a figure."""
    return made_by(step) if step.round is None else f"Round {step.round}: {step.made_by}"


def made_by(step: Step) -> str:
    """Who made it, with a capital; the name of a model stays as it is."""
    if step.model and step.model != DEMO_MODEL and step.made_by.startswith(step.model):
        return step.made_by
    return f"{step.made_by[:1].upper()}{step.made_by[1:]}"


def names(steps: Sequence[Step]) -> dict[int, str]:
    """The same for several, by number; those that would be called the same are told apart by it."""
    plain = {step.number: called(step) for step in steps}
    twice = {name for name in plain.values() if list(plain.values()).count(name) > 1}
    return {number: f"{name} ({number})" if name in twice else name for number, name in plain.items()}


def in_words(note: str, named: Mapping[int, str]) -> str:
    """A note of a writing, with the string that was refined by its name."""
    found = TOLD.match(note)
    name = None if found is None else named.get(int(found[1]))
    return note if found is None or name is None else f"Refining “{name}”{note[found.end() :]}"
