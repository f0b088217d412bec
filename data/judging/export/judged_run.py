"""A judged run with all that is known of it, as it is handed on."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from core.errors import NotFoundError
from core.judging.types import Field, Judged, Overrule, Verdict
from core.types import Ids
from data.judging.keeping.answers import Kept
from data.judging.keeping.runs import Judge, JudgeRunRow, load_field, load_judge, load_judged
from data.store import Store, content_hash


@dataclass(frozen=True, eq=False)
class JudgedRun:
    """Who judged what, what was said, and what people said to it."""

    row: JudgeRunRow
    judge: Judge
    field: Field
    judged: tuple[Judged, ...]
    """Every candidate, in the field's order."""
    answers: Mapping[str, tuple[Kept, ...]]
    """Everything that the judge said, by triple, the first first."""
    overrules: Mapping[str, tuple[Overrule, ...]]
    """Everything that people said, by triple, the first first; what was taken back among it."""

    @property
    def prompt_hash(self) -> str:
        """Names the text that the judge was given."""
        return prompt_hash(self.judge.prompt)

    def of_engines(self, engines: Collection[str]) -> JudgedRun:
        """The part of it that these engines gave."""
        if odd := [name for name in engines if name not in self.field.engines]:
            there = ", ".join(self.field.engines)
            raise NotFoundError(f'nothing of "{odd[0][:60]}" was judged; there is {there or "nothing"}')
        judged = tuple(each for each in self.judged if each.candidate.engine in engines)
        return replace(
            self, judged=judged, field=replace(self.field, candidates=tuple(each.candidate for each in judged))
        )


def prompt_hash(prompt: str) -> str:
    """Changes with any sign of a prompt."""
    return content_hash([prompt])


def load_judged_run(store: Store, row: JudgeRunRow) -> JudgedRun:
    """A run whole."""
    field, judge = load_field(store, row), load_judge(store, row.judge_key)
    judged = load_judged(store, row, field)
    keys = tuple(dict.fromkeys(each.triple_key for each in judged))
    return JudgedRun(
        row,
        judge,
        field,
        judged,
        _answers(store, row.judge_key, keys),
        _overrules(store, judge.rubric_key, keys),
    )


def _answers(store: Store, judge_key: str, keys: Ids) -> Mapping[str, tuple[Kept, ...]]:
    found: dict[str, list[Kept]] = {}
    for key, attempt, status, points, confidence, reason, answers, *rest in store.rows(
        """
        SELECT triple_key, attempt, status, points, confidence, reason, answers::VARCHAR, model, n_prompt_tokens,
               n_answer_tokens, n_calls, ms, made_at
        FROM judge_answers
        WHERE judge_key = $judge AND triple_key IN (SELECT unnest($keys::VARCHAR[]))
        ORDER BY triple_key, attempt
        """,
        {"judge": judge_key, "keys": list(keys)},
    ):
        verdict = Verdict(status, points, confidence, reason)
        found.setdefault(key, []).append(Kept(key, attempt, verdict, tuple(json.loads(answers)), *rest))
    return {key: tuple(several) for key, several in found.items()}


def _overrules(store: Store, rubric_key: str, keys: Ids) -> Mapping[str, tuple[Overrule, ...]]:
    found: dict[str, list[Overrule]] = {}
    for row in store.rows(
        """
        SELECT triple_key, points, who, why, made_at FROM judge_overrules
        WHERE rubric_key = $rubric AND triple_key IN (SELECT unnest($keys::VARCHAR[]))
        ORDER BY number
        """,
        {"rubric": rubric_key, "keys": list(keys)},
    ):
        found.setdefault(row[0], []).append(Overrule(*row))
    return {key: tuple(several) for key, several in found.items()}
