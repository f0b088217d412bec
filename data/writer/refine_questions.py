"""What models are asked about a string that is there: what to add and what to remove, by what it finds and misses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.types import Publication
from core.writer.asking.reading import read_changes, refine_prompt, refine_schema, refine_system_prompt
from core.writer.figures import Wish
from core.writer.types import IN_STRING, Brief, Reading, Sheet
from data.chat import Question
from data.writer.asking import Heard, Task, Vocabulary
from data.writer.opening import Opened
from data.writer.readings import SIZES
from data.writer.records import Call

N_WANTED_CHANGES = 12
"""Changes that one question asks for."""


def asked_about(
    opened: Sequence[Opened],
    brief: Brief,
    sheet: Sheet,
    text: str,
    *,
    relevant: Sequence[Publication],
    missed: Sequence[Publication],
    vocabulary: Vocabulary,
) -> tuple[Task, ...]:
    """One question for each model about one string."""
    size = max(SIZES[brief.depth] // 2, 1)
    found = Reading("nearest", tuple(relevant[:size]), "found")
    lacking = Reading("nearest", tuple(missed[:size]), "missed")
    return tuple(_task(each, brief, sheet, text, found, lacking, vocabulary) for each in opened)


def _task(
    opened: Opened, brief: Brief, sheet: Sheet, text: str, found: Reading, lacking: Reading, vocabulary: Vocabulary
) -> Task:
    recipe = opened.recipe
    brief = replace(brief, mode=recipe.mode)
    known = [keyword.key for name in IN_STRING for keyword in sheet.of(name)]

    def read(answer: str) -> Heard:
        said = read_changes(
            answer, lacking, recipe.model, most=N_WANTED_CHANGES, known=known, vocabulary=vocabulary, brief=brief
        )
        return Heard(said.added.proposals, said.added.held_back, said.removals, said.added.problem)

    user = refine_prompt(brief, text, found, lacking, n_wanted=N_WANTED_CHANGES, seed=recipe.seed)
    question = Question(refine_system_prompt(brief), user, opened.max_tokens, opened.temperature)
    return Task(opened, "refine", lacking, question, refine_schema(), read, N_WANTED_CHANGES)


def wishes_of(calls: Sequence[Call], sheet: Sheet) -> tuple[list[Wish], list[Wish]]:
    """What models would add and remove. Nobody removes what a person excluded."""
    keyword_of = {keyword.key: keyword for name in IN_STRING[:-1] for keyword in sheet.of(name)}
    add = [Wish(each.keyword, each.reason, call.model) for call in calls for each in call.proposals]
    remove = [
        Wish(keyword_of[each.key], each.reason, call.model)
        for call in calls
        for each in call.removals
        if each.key in keyword_of
    ]
    return add, remove
