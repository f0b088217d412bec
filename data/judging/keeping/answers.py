"""What judges said, in the store: every answer once, none ever changed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from core.judging.types import Verdict
from data.judging.keeping.keys import sound
from data.store import Store


@dataclass(frozen=True, slots=True)
class Kept:
    """One answer as it was kept."""

    triple_key: str
    attempt: int
    verdict: Verdict
    answers: tuple[str, ...]
    """As they came."""
    model: str
    n_prompt_tokens: int | None
    n_answer_tokens: int | None
    n_calls: int
    ms: float
    made_at: str


def keep_answers(store: Store, judge_key: str, some: Sequence[Kept]) -> None:
    """Add some, all or none of them; what is there stays."""
    if not some:
        return
    store.execute(
        """
        INSERT OR IGNORE INTO judge_answers
        SELECT $judge, unnest($keys::VARCHAR[]), unnest($attempts::INTEGER[]), unnest($statuses::VARCHAR[]),
               unnest($points::INTEGER[]), unnest($confidences::INTEGER[]), unnest($reasons::VARCHAR[]),
               unnest($answers::VARCHAR[])::JSON, unnest($models::VARCHAR[]), unnest($prompt_tokens::BIGINT[]),
               unnest($answer_tokens::BIGINT[]), unnest($calls::INTEGER[]), unnest($ms::DOUBLE[]),
               unnest($made_at::VARCHAR[])
        """,
        {
            "judge": judge_key,
            "keys": [kept.triple_key for kept in some],
            "attempts": [kept.attempt for kept in some],
            "statuses": [kept.verdict.status for kept in some],
            "points": [kept.verdict.points for kept in some],
            "confidences": [kept.verdict.confidence for kept in some],
            "reasons": [sound(kept.verdict.reason) for kept in some],
            "answers": [json.dumps([sound(answer) for answer in kept.answers]) for kept in some],
            "models": [sound(kept.model) for kept in some],
            "prompt_tokens": [kept.n_prompt_tokens for kept in some],
            "answer_tokens": [kept.n_answer_tokens for kept in some],
            "calls": [kept.n_calls for kept in some],
            "ms": [kept.ms for kept in some],
            "made_at": [kept.made_at for kept in some],
        },
    )


def last_answers(store: Store, judge_key: str, keys: Iterable[str] | None = None) -> dict[str, Kept]:
    """The answer that counts, by triple; of these triples or of all."""
    wanted = None if keys is None else list(keys)
    found = store.rows(
        """
        SELECT triple_key, attempt, status, points, confidence, reason, answers::VARCHAR, model, n_prompt_tokens,
               n_answer_tokens, n_calls, ms, made_at
        FROM judge_answers
        WHERE judge_key = $judge AND ($keys IS NULL OR triple_key IN (SELECT unnest($keys::VARCHAR[])))
        QUALIFY attempt = max(attempt) OVER (PARTITION BY triple_key)
        """,
        {"judge": judge_key, "keys": wanted},
    )
    return {row[0]: _kept(row) for row in found}


def last_verdicts(store: Store, judge_key: str, run_id: str) -> dict[str, Verdict]:
    """What counts of the triples of a run, without the answers themselves."""
    found = store.rows(
        """
        SELECT triple_key, status, points, confidence, reason FROM judge_answers
        WHERE judge_key = $judge AND triple_key IN (SELECT triple_key FROM judge_run_candidates WHERE run_id = $run)
        QUALIFY attempt = max(attempt) OVER (PARTITION BY triple_key)
        """,
        {"judge": judge_key, "run": run_id},
    )
    return {key: Verdict(*rest) for key, *rest in found}


def answers_to(store: Store, judge_key: str, key: str) -> tuple[Kept, ...]:
    """Everything that a judge ever said to one triple, the first first."""
    found = store.rows(
        """
        SELECT triple_key, attempt, status, points, confidence, reason, answers::VARCHAR, model, n_prompt_tokens,
               n_answer_tokens, n_calls, ms, made_at
        FROM judge_answers WHERE judge_key = ? AND triple_key = ? ORDER BY attempt
        """,
        [judge_key, key],
    )
    return tuple(_kept(row) for row in found)


def _kept(row: Sequence[Any]) -> Kept:
    key, attempt, status, points, confidence, reason, answers, *rest = row
    return Kept(key, attempt, Verdict(status, points, confidence, reason), tuple(json.loads(answers)), *rest)
