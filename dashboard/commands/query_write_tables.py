"""Writings for people, as tables and sentences."""

from __future__ import annotations

from collections.abc import Sequence

from core.writer.gains import gain_sentence, gains_sentence
from core.writer.types import IN_STRING, Judged, Standing, Step
from dashboard.commands.output import NONE, number, print_json, results, row, say, shown, table
from dashboard.commands.query_write_documents import plan_document
from data.judging.demo_judge import DEMO_MODEL
from data.writer.desk import Removed
from data.writer.keeping import Call, Writing, WritingRow
from data.writer.writing import Plan

MOST_HELD_BACK = 12
"""That are listed one by one; the rest is counted."""
LONGEST = 60
NOT_A_MODEL = f"{DEMO_MODEL} is not a language model: it counts words in what it is shown"
INTERVALS = (
    "Intervals: the held-out core publications drawn anew. Regions, and so precision, are taken as known, and another "
    "--seed holds out others and gives another gain."
)
LISTS = {
    "specific": "Specific",
    "general": "General",
    "overarching": "Overarching",
    "excluded": "Excluded",
    "aside": "Aside, not in the string",
}


def print_writing(writing: Writing) -> None:
    """Every string with the topic's name first, what may be said of them, the best one whole, what was held back."""
    out = results()
    print_steps(writing)
    if sentence := gains_sentence(writing.steps):
        out.print(shown(sentence))
    if any(step.gain is not None and step.gain.interval for step in writing.steps):
        out.print(shown(INTERVALS, "dim"))
    best = writing.best
    if best is not None and best.parent is not None:
        out.print()
        out.print(shown(f"The best on the used half, {best.number}: {best.made_by}", "bold"))
        out.print(shown(gain_sentence(best)))
        for note in best.notes:
            out.print(shown(note, "yellow"))
        out.print(shown(best.text), soft_wrap=True)
    print_held_back(writing)


def print_steps(writing: Writing) -> None:
    """One row for each string: how large, what it finds, how it scores, what it gains on the topic's name."""
    columns = ("", "Made by", "Publications", "Core used", "Held out", "All")
    scores = ("F-beta used", "Held out", "All", "Gain", "95 % interval", "Version")
    grid = table(_title(writing), *columns, *scores, right=(0, 2, 3, 4, 5, 6, 7, 8, 9))
    for step in writing.steps:
        judged, gain = step.judged, step.gain
        ends = gain.interval if gain else None
        made_by = f"{step.made_by} (from {step.parent})" if step.parent else step.made_by
        row(
            grid,
            str(step.number),
            _short(made_by, 30),
            f"{judged.n_retrieved:,}",
            *(_found(side) for side in _sides(judged)),
            *(number(None if side is None else side.f_beta) for side in _sides(judged)),
            NONE if gain is None or gain.value is None else f"{gain.value:+.3f}",
            f"{ends.low:+.3f} to {ends.high:+.3f}" if ends else NONE,
            step.label or "",
        )
    results().print(grid)


def print_step(writing: Writing, step: Step) -> None:
    """One step with its keywords in their lists, and its string."""
    out = results()
    out.print(shown(f"{writing.brief.topic} · step {step.number}: {step.made_by}", "bold"))
    out.print(shown(gain_sentence(step)))
    for name in (*IN_STRING, "aside"):
        if keywords := step.sheet.of(name):
            out.print()
            joined = f", joined by {step.sheet.joined}" if name == "overarching" and len(keywords) > 1 else ""
            out.print(shown(f"{LISTS[name]} ({len(keywords)}{joined})", "bold"))
            for keyword in keywords:
                out.print(shown(f"  {keyword.text}" + ("" if keyword.phrase else " (all words, anywhere)")))
    out.print()
    out.print(shown(step.text or "No string yet: nothing is specific, and nothing general has what it is ANDed with."))
    for note in step.notes:
        out.print(shown(note, "yellow"))


def print_held_back(writing: Writing) -> None:
    """What was proposed and stays out of every string unless a person asks for it."""
    held = writing.held_back
    if not held:
        return
    out = results()
    out.print()
    grid = table(f"Held back ({len(held):,}): in no string unless you take it", "Proposed", "Why", "Read in", "By")
    for each in held[:MOST_HELD_BACK]:
        row(grid, _short(each.text), each.why, each.reading, each.model or "corpus statistics")
    out.print(grid)
    if (more := len(held) - MOST_HELD_BACK) > 0:
        out.print(shown(f"and {more:,} more, which --json has"))


def print_calls(calls: Sequence[Call]) -> None:
    """Every question and answer as it went and came."""
    out = results()
    if not calls:
        out.print(shown("No model was asked."))
    for call in calls:
        out.print()
        head = f"{call.number}: {call.purpose}, {call.reading}, {call.model} ({call.mode}, seed {call.seed})"
        out.print(shown(f"{head}: {call.status}", "bold"))
        out.print(shown(call.question), soft_wrap=True)
        for answer in call.answers:
            out.print(shown(answer, "dim"), soft_wrap=True)
        if call.problem:
            out.print(shown(call.problem, "yellow"))


def print_writings(rows: Sequence[WritingRow]) -> None:
    """A list, the newest first."""
    if not rows:
        say("Nothing was written yet. Begin with: query write --topic T.")
        return
    names = ("Writing", "Begun", "Topic", "About", "Strings", "Questions", "State")
    grid = table("Writings", *names, right=(4, 5))
    for each in rows:
        row(
            grid,
            each.writing_id,
            each.made_at[:16].replace("T", " "),
            each.topic_id,
            _short(each.topic),
            f"{each.n_steps:,}",
            f"{each.n_calls:,}",
            each.state,
        )
    results().print(grid)


def show_plan(found: Plan, removed: Sequence[Removed], *, as_json: bool) -> None:
    """What would be asked. Nothing was sent."""
    if as_json:
        print_json(plan_document(found, removed))
        return
    out = results()
    names = ("Model", "Mode", "Seed", "Reading", "Publications", "Tokens of prompt", "Of answer", "")
    grid = table("Dry run: nothing was sent", *names, right=(2, 4, 5, 6))
    for line in found.lines:
        row(
            grid,
            line.model,
            line.mode,
            str(line.seed),
            line.reading,
            f"{line.n_publications:,}",
            f"{line.n_prompt_tokens:,}",
            f"{line.n_answer_tokens:,}",
            "answered before" if line.is_known else "",
        )
    if found.lines:
        out.print(grid)
    out.print(shown(_plan_sentence(found)))
    for note in found.notes:
        out.print(shown(note))


def _plan_sentence(found: Plan) -> str:
    if not found.lines:
        return "Dry run: no model would be asked; the keywords come from the corpus, at no cost."
    cost = "at a price that is not known"
    if found.cost is not None:
        expected, most = found.cost
        cost = "at no cost" if not most else f"about ${expected:,.2f}, at most ${most:,.2f}"
    known = f" {found.n_known:,} were answered before." if found.n_known else ""
    return (
        f"{found.n_calls:,} {'question' if found.n_calls == 1 else 'questions'}, {found.n_prompt_tokens:,} tokens of "
        f"prompts, {found.n_answer_tokens:,} of answers, {cost}, {found.minutes:,.1f} minutes.{known}"
    )


def _title(writing: Writing) -> str:
    halves = writing.split
    core = f"{len(halves.used)} core publications in use"
    if halves.held_out:
        core += f", {len(halves.held_out)} held out"
    return f"{writing.brief.topic} · {writing.embedder} · {core}"


def _sides(judged: Judged) -> tuple[Standing | None, ...]:
    return judged.used, judged.held_out, judged.whole


def _found(side: Standing | None) -> str:
    return NONE if side is None else f"{side.n_found} of {side.n_core}"


def _short(text: str, longest: int = LONGEST) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else f"{flat[: longest - 1]}…"
