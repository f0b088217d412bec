"""Writings as the documents that programs read. Keys are stable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from core.writer.gains import gain_sentence, gains_sentence, standing_of
from core.writer.types import (
    Step,
    brief_document,
    budget_document,
    held_back_document,
    proposal_document,
    sheet_document,
    step_document,
)
from data.judging.demo_judge import DEMO_MODEL
from data.writer.desk import Removed
from data.writer.keeping import Call, Writing, WritingRow
from data.writer.writing import Plan


def writing_document(
    writing: Writing, *, removed: Sequence[Removed] = (), notes: Sequence[str] = (), with_calls: bool = False
) -> dict[str, Any]:
    """A writing whole.

    `writing, topic, about, embedder, state, problem, made_at, ended_at, brief, budget, models[{model, mode, seed,
    is_language_model}], n_used, n_held_out, readings[{reading, n_publications, note}], best, sentence, steps[number,
    parent, made_by, sheet, text, judged{n_retrieved, used, held_out, whole}, gain{value, interval, is_clear}, label,
    model, mode, seed, round, notes, predicted, standing, sentence], proposals[{keyword, by[]}], held_back[{text, why,
    reading, model, keyword}], removed_core[{keyword, publications[{publication_id, title}]}], n_calls, calls_by_status,
    notes`; with `with_calls` also `calls`, every question and answer as it went and came. `best` and `parent` are
    numbers of steps; step 0 is the topic's name alone. A side is `{n_core, n_found, recall, recall_interval,
    semantic_precision, f_beta}`.
    """
    best = writing.best
    statuses = [call.status for call in writing.calls]
    document = {
        **_head(writing),
        "brief": brief_document(writing.brief),
        "budget": budget_document(writing.budget),
        "models": [
            {"model": r.model, "mode": r.mode, "seed": r.seed, "is_language_model": _is_language_model(r.model)}
            for r in writing.recipes
        ],
        "n_used": len(writing.split.used),
        "n_held_out": len(writing.split.held_out),
        "readings": [{"reading": r.reading_id, "n_publications": len(r.ids), "note": r.note} for r in writing.readings],
        "best": None if best is None else best.number,
        "sentence": gains_sentence(writing.steps),
        "steps": [_step(step) for step in writing.steps],
        "proposals": [
            {"keyword": row.keyword.text, "by": [proposal_document(each) for each in row.proposals]}
            for row in writing.proposals
        ],
        "held_back": [held_back_document(each) for each in writing.held_back],
        "removed_core": [removed_document(each) for each in removed],
        "n_calls": len(writing.calls),
        "calls_by_status": {status: statuses.count(status) for status in dict.fromkeys(statuses)},
        "notes": [*writing.notes, *notes],
    }
    return document | ({"calls": [_call(call) for call in writing.calls]} if with_calls else {})


def _head(writing: Writing) -> dict[str, Any]:
    return {
        "writing": writing.writing_id,
        "topic": writing.topic_id,
        "about": writing.brief.topic,
        "embedder": writing.embedder,
        "state": writing.state,
        "problem": writing.problem,
        "made_at": writing.made_at,
        "ended_at": writing.ended_at,
    }


def _is_language_model(model: str) -> bool:
    return model not in ("", "statistics", DEMO_MODEL)


def _step(step: Step) -> dict[str, Any]:
    return {
        **step_document(step),
        "sheet": sheet_document(step.sheet),
        "standing": None if step.parent is None else standing_of(step.gain),
        "sentence": gain_sentence(step),
    }


def _call(call: Call) -> dict[str, Any]:
    return {
        **asdict(call),
        "proposals": [proposal_document(each) for each in call.proposals],
        "held_back": [held_back_document(each) for each in call.held_back],
    }


def removed_document(removed: Removed) -> dict[str, Any]:
    """The core publications that a keyword of what is not wanted takes away."""
    return {
        "keyword": removed.keyword.text,
        "publications": [{"publication_id": p.publication_id, "title": p.title} for p in removed.publications],
    }


def writings_document(rows: Sequence[WritingRow]) -> dict[str, Any]:
    """`writings[{writing, topic, about, n_steps, n_calls, state, problem, made_at, ended_at}]`."""
    return {
        "writings": [
            {
                "writing": row.writing_id,
                "topic": row.topic_id,
                "about": row.topic,
                "n_steps": row.n_steps,
                "n_calls": row.n_calls,
                "state": row.state,
                "problem": row.problem,
                "made_at": row.made_at,
                "ended_at": row.ended_at,
            }
            for row in rows
        ]
    }


def plan_document(found: Plan, removed: Sequence[Removed] = ()) -> dict[str, Any]:
    """`dry_run, n_calls, n_known, n_prompt_tokens, n_answer_tokens, dollars{expected, most}, minutes, lines[{model,
    mode, seed, reading, n_publications, is_known, n_prompt_tokens, n_answer_tokens}], removed_core, notes`."""
    cost = found.cost
    return {
        "dry_run": True,
        "n_calls": found.n_calls,
        "n_known": found.n_known,
        "n_prompt_tokens": found.n_prompt_tokens,
        "n_answer_tokens": found.n_answer_tokens,
        "dollars": None if cost is None else {"expected": cost[0], "most": cost[1]},
        "minutes": found.minutes,
        "lines": [asdict(line) for line in found.lines],
        "removed_core": [removed_document(each) for each in removed],
        "notes": list(found.notes),
    }
