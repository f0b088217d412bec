"""The dry run of a judge: the number of requests, their cost and duration. Nothing is sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from statistics import median

from core.errors import InputError
from core.judge.judgments import JudgeField, Triple
from core.judge.prompts import (
    MOST_OF_ABSTRACT,
    MOST_OF_ANSWER,
    MOST_OF_PROBLEM,
    MOST_OF_QUERY,
    MOST_OF_TITLE,
    answer_schema,
    has_abstract,
    system_prompt,
    user_prompt,
)
from core.knowledge.synthesis_steps import TokenPrice
from data.judge.runs import Judge, StoredAnswer, last_answers, triple_key, triple_of
from data.models.prices import Priced, price_note
from data.store import Store

BYTES_PER_TOKEN = 4
ANSWER_TOKENS = 60
"""Tokens of a typical answer: a grade, a confidence and a sentence."""
SECONDS_PER_CALL = 2.0
"""Seconds per call of a service without measurements."""
MOST_UNASKED = 10_000
"""Largest number of calls that needs no second confirmation."""
LEAST_MEASURED = 5
"""Smallest number of this judge's answers from which tokens and time are estimated."""


@dataclass(frozen=True, slots=True)
class JudgePlan(Priced):
    n_candidates: int
    """Answers of all engines to be graded."""
    n_triples: int
    """Distinct triples among them; each is paid for once."""
    n_known: int
    """Triples already answered by this judge."""
    n_without_abstract: int
    """Triples without an abstract."""
    n_skipped: int
    """Triples skipped for lack of an abstract, if the judge is set to skip them.

    Known, skipped and new calls add up to all triples.
    """
    n_calls: int
    """Triples still to be judged."""
    most_calls: int
    """Number of calls if every answer has to be requested twice."""
    n_prompt_tokens: int
    n_answer_tokens: int
    most_prompt_tokens: int
    most_answer_tokens: int
    minutes: float
    price: TokenPrice | None
    how: str
    """How these numbers were estimated."""

    @property
    def is_large(self) -> bool:
        """True if a run needs a second confirmation."""
        return self.n_calls > MOST_UNASKED


def plan(
    store: Store,
    judge: Judge,
    field: JudgeField,
    *,
    price: TokenPrice | None = None,
    per_minute: float | None = None,
    n_workers: int = 16,
    seconds_per_call: float | None = None,
    again: bool = False,
) -> JudgePlan:
    """Estimate the requests that a run of this judge over the field still needs.

    `price`: dollars per million tokens; None: not known. `per_minute`: most calls in a minute. `seconds_per_call`:
    None: measured from this judge's answers, or a guess. `again`: retry all ungraded triples.
    """
    _check(per_minute, n_workers, seconds_per_call)
    triples = _triples(field)
    bare = {key for key, triple in triples.items() if not _says_something(triple)}
    skipped = bare if judge.settings.without_abstract == "skip" else set()
    answers = last_answers(store, judge.judge_key, triples)
    known = {key for key, kept in answers.items() if key not in skipped and _counts(kept, again)}
    asked = [triple for key, triple in triples.items() if key not in known and key not in skipped]
    usual = _usual(answers)
    seconds = usual.seconds if seconds_per_call is None else seconds_per_call
    prompt, most_prompt = _prompt_tokens(judge, asked)
    how = _how(usual, judge.settings.max_tokens, seconds, n_workers, per_minute)
    rate = min(per_minute or float("inf"), n_workers * 60 / seconds if seconds else float("inf"))
    return JudgePlan(
        len(field.candidates),
        len(triples),
        len(known),
        len(bare),
        len(skipped),
        len(asked),
        2 * len(asked),
        prompt,
        round(len(asked) * min(usual.answer_tokens, judge.settings.max_tokens)),
        most_prompt,
        2 * len(asked) * judge.settings.max_tokens,
        len(asked) / rate,
        price,
        " ".join(filter(None, (price_note(judge.settings.model, price), how))),
    )


def _check(per_minute: float | None, n_workers: int, seconds_per_call: float | None) -> None:
    if n_workers < 1:
        raise InputError(f"at least one worker is needed, got {n_workers}")
    if per_minute is not None and not 0 < per_minute < float("inf"):
        raise InputError(f"the calls per minute must be above 0, got {per_minute}")
    if seconds_per_call is not None and not 0 <= seconds_per_call < float("inf"):
        raise InputError(f"the seconds per call must be 0 or more, got {seconds_per_call}")


def _triples(field: JudgeField) -> dict[str, Triple]:
    query_of = {query.query_id: query for query in field.queries}
    found = (triple_of(query_of[each.query_id], each) for each in field.candidates)
    different = dict.fromkeys(found)
    return {triple_key(triple): triple for triple in different}


def _says_something(triple: Triple) -> bool:
    return any(map(str.isalnum, triple.abstract[:20])) or has_abstract(triple)


def _counts(kept: StoredAnswer, again: bool) -> bool:
    if kept.verdict.is_valid:
        return True
    return not again and kept.verdict.status != "http_error"


@dataclass(frozen=True, slots=True)
class _Usual:
    answer_tokens: float
    seconds: float
    n_tokens: int
    """Number of answers behind the token estimate; 0: a guess."""
    n_seconds: int


def _usual(answers: Mapping[str, StoredAnswer]) -> _Usual:
    asked = [kept for kept in answers.values() if kept.n_calls > 0 and kept.verdict.status != "http_error"]
    tokens = [kept.n_answer_tokens / kept.n_calls for kept in asked if kept.n_answer_tokens is not None]
    seconds = [kept.ms / 1000 / kept.n_calls for kept in asked if kept.ms > 0]
    n_tokens = len(tokens) if len(tokens) >= LEAST_MEASURED else 0
    n_seconds = len(seconds) if len(seconds) >= LEAST_MEASURED else 0
    return _Usual(
        sum(tokens) / len(tokens) if n_tokens else ANSWER_TOKENS,
        median(seconds) if n_seconds else SECONDS_PER_CALL,
        n_tokens,
        n_seconds,
    )


def _prompt_tokens(judge: Judge, asked: list[Triple]) -> tuple[int, int]:
    """Return the expected tokens, and those if every request is repeated with its answer and the problem."""
    rubric, order = judge.rubric, judge.settings.order
    n_fixed = _n_bytes(system_prompt(rubric, order)) + _n_bytes(json.dumps(answer_schema(rubric, order)))
    once = sum(_n_tokens(n_fixed + _marks(bool(each.title), bool(each.abstract)) + _text_bytes(each)) for each in asked)
    return once, 2 * once + len(asked) * _n_tokens(MOST_OF_ANSWER + MOST_OF_PROBLEM)


def _text_bytes(triple: Triple) -> int:
    return (
        _n_bytes(triple.query[:MOST_OF_QUERY])
        + _n_bytes(triple.title[:MOST_OF_TITLE])
        + _n_bytes(triple.abstract[:MOST_OF_ABSTRACT])
    )


@cache
def _marks(title: bool, abstract: bool) -> int:
    return _n_bytes(user_prompt(Triple("x", "x" * title, "x" * abstract))) - 1 - title - abstract


def _n_bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode(errors="replace"))


def _n_tokens(n_bytes: int) -> int:
    return -(-n_bytes // BYTES_PER_TOKEN)


def _how(usual: _Usual, max_tokens: int, seconds: float, n_workers: int, per_minute: float | None) -> str:
    answers = (
        f"the mean of {usual.n_tokens:,} answers of this judge"
        if usual.n_tokens
        else f"{ANSWER_TOKENS} each, an estimate"
    )
    pace = f"{n_workers} at a time, {seconds:.2g} s each" + (f", at most {per_minute:g} a minute" if per_minute else "")
    return (
        f"Prompt tokens: bytes of instructions, texts and answer schema divided by {BYTES_PER_TOKEN}, an "
        f"estimate. Answer tokens: {answers}. At most: every answer is requested twice and has "
        f"{max_tokens:,} tokens. Time: {pace}. The same query, title and abstract are judged once for "
        "all engines."
    )
