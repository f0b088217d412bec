"""Queries that were made, and what making them would cost, as tables and documents."""

from __future__ import annotations

from typing import Any

from core.knowledge.synthesis.reading import Made, SynthesisSettings
from core.knowledge.synthesis.steps import Rate, Summary, summarise
from dashboard.commands.output import NONE, number, print_json, results, row, shown, table, warn
from data.knowledge.synthesis.demo_writer import MODEL, NOTE
from data.knowledge.synthesis.keeping import answers_of
from data.knowledge.synthesis.sampling import Done, Plan

SHOWN = 12
"""Queries that are listed; --json lists all."""


def _rate(rate: Rate) -> dict[str, Any]:
    return {"n_yes": rate.n_yes, "n": rate.n, "rate": rate.share, "interval": rate.interval}


def done_document(
    base_name: str, synthesis_id: str, settings: SynthesisSettings, done: Done, handed: dict[str, Any]
) -> dict[str, Any]:
    """`knowledge synthesize --json`."""
    summary = summarise(done.made, settings.filters)
    return {
        "base": base_name,
        "synthesis": synthesis_id,
        "n_wanted": done.n_wanted,
        "n": summary.n,
        "states": dict(summary.states),
        "verification": _rate(summary.verification),
        "by_model": {model: _rate(rate) for model, rate in summary.by_model.items()},
        "templates": dict(summary.templates),
        "n_asked": done.n_asked,
        "failures": dict(done.failures),
        "notes": _notes(settings, done, summary),
        **handed,
        "queries": [_query(each) for each in done.made],
    }


def _query(made: Made) -> dict[str, Any]:
    sampled, came = made.sampled, made.outcome
    return {
        "id": str(sampled.item),
        "template": sampled.template_id,
        "given": {slot: list(ids) for slot, ids in sampled.given.items()},
        "role": sampled.role,
        "relation": sampled.relation,
        "properties": list(came.properties),
        "query": came.query,
        "state": came.state,
        "reason": came.reason,
        "gold": sampled.gold_id,
        "n_relational_answers": sampled.n_answers,
        "answers": list(answers_of(made)) if came.state == "complete" else list(came.accepted),
        "missing_names": list(came.missing_names),
    }


def _notes(settings: SynthesisSettings, done: Done, summary: Summary) -> list[str]:
    said = list(done.notes)
    if summary.n_unnamed:
        said.append(f"queries that don't name an entity that their answers hang on: {summary.n_unnamed:,}")
    return [*said, NOTE] if MODEL in settings.models else said


def print_done(settings: SynthesisSettings, done: Done, handed: dict[str, Any]) -> None:
    """The first queries, counts and rates."""
    out, summary = results(), summarise(done.made, settings.filters)
    grid = table("Queries", "No.", "Template", "Answers", "State", "Query", right=(0, 2))
    for made in done.made[:SHOWN]:
        n = f"{len(made.outcome.accepted):,}" if made.outcome.accepted else NONE
        said = made.outcome.query or made.outcome.reason
        row(grid, str(made.sampled.item), made.sampled.template_id, n, made.outcome.state, said)
    out.print(grid)
    if len(done.made) > SHOWN:
        out.print(shown(f"and {len(done.made) - SHOWN:,} more; --json lists all"))
    states = ", ".join(f"{n:,} {state}" for state, n in summary.states.items())
    out.print(shown(f"\n{summary.n:,} queries: {states}. {done.n_asked:,} questions were answered this time."))
    for model, rate in {"all models together": summary.verification, **summary.by_model}.items():
        if rate.interval is not None:
            ends = f"{100 * rate.interval.low:.0f} to {100 * rate.interval.high:.0f} %"
            out.print(shown(f"Gold answers accepted by {model}: {rate.n_yes:,} of {rate.n:,} (95 % interval {ends})"))
    if handed["collection"]:
        out.print(shown(f'Saved as the collection "{handed["collection"]}".'))
    for path in handed["files"]:
        out.print(shown(f"Wrote {path}"))
    warn(_notes(settings, done, summary))


def show_plan(plan: Plan, as_json: bool) -> None:
    """Questions, tokens and dollars by step and model."""
    if as_json:
        print_json(_plan_document(plan))
        return
    out = results()
    columns = ("Step", "Model", "Questions", "at most", "Prompt tokens", "Answer tokens", "Dollars", "at most")
    grid = table("What would be asked", *columns, right=(2, 3, 4, 5, 6, 7))
    for load in plan.loads:
        counts = (load.n_calls, load.most_calls, load.n_prompt_tokens, load.n_answer_tokens)
        price = plan.prices.get(load.model)
        costs = load.cost(price) if price else (None, None)
        row(grid, load.step, load.model, *(f"{count:,}" for count in counts), *map(number, costs))
    out.print(grid)
    if plan.cost is not None:
        out.print(shown(f"\nIn all ${plan.cost[0]:,.2f}, at most ${plan.cost[1]:,.2f}."))
    else:
        out.print(shown(f"\nGive prices to see the cost: --price {plan.unpriced[0]}=IN,OUT"))
    of = f"{plan.n_found:,} requirements were sampled for {plan.n_queries:,} queries. "
    out.print(shown(f"{of}{plan.how} Nothing was sent."))


def _plan_document(plan: Plan) -> dict[str, Any]:
    return {
        "n_queries": plan.n_queries,
        "n_sampled": plan.n_sampled,
        "n_found": plan.n_found,
        "loads": [
            {
                "step": load.step,
                "model": load.model,
                "n_calls": load.n_calls,
                "most_calls": load.most_calls,
                "n_prompt_tokens": load.n_prompt_tokens,
                "n_answer_tokens": load.n_answer_tokens,
                "most_prompt_tokens": load.most_prompt_tokens,
                "most_answer_tokens": load.most_answer_tokens,
                "cost": load.cost(plan.prices[load.model]) if load.model in plan.prices else None,
            }
            for load in plan.loads
        ],
        "cost": plan.cost,
        "unpriced": plan.unpriced,
        "how": plan.how,
    }
