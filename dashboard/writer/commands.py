"""The commands `query write`, `query writings` and `query steps`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, get_args

import click
from click.core import ParameterSource

from core.documents import as_document
from core.errors import FormatError, InputError, NotFoundError
from core.protocols import OnStage
from core.query.match import Semantics
from core.text import many, signed
from core.types import Publication
from core.writer.gains import gain_sentence, gain_words, gains_sentence, ranked, ranking_sentence, standing_of
from core.writer.sheets import (
    IN_STRING,
    STATISTICS,
    Brief,
    CoreScores,
    Depth,
    Intent,
    Mode,
    SheetStep,
    StringScores,
    WriterBudget,
    gain_document,
    step_document,
)
from dashboard.kit import options
from dashboard.kit.output import NONE, number, print_json, results, row, say, table, tell, warn
from dashboard.kit.progress import waiting
from dashboard.kit.search_strings import file_text
from data.explore.desk import set_up
from data.explore.workspace import Workspace
from data.importers.reading import read_file
from data.importers.source import FileReading
from data.judge.demo_judge import DEMO_MODEL
from data.judge.services import PRESETS
from data.lookup import check_topic
from data.sources.registry import ABOUT
from data.writer.desk import CoreRemoval, removed_core
from data.writer.proposals import destinations_of
from data.writer.runs import (
    MOST_RECIPES,
    Recipe,
    WriterCall,
    WriterRequest,
    WriterSession,
    WriterSessionRow,
    find_writing,
    list_writings,
)
from data.writer.steps import JudgedVersion, judge_versions, save_step
from data.writer.writing import WriterPlan, desk_of, plan, refine
from data.writer.writing import resume as go_on
from data.writer.writing import write as write_strings

# Sessions as the documents that programs read. Keys are stable.


def writing_document(
    writing: WriterSession,
    *,
    removed: Sequence[CoreRemoval] = (),
    notes: Sequence[str] = (),
    versions: Sequence[JudgedVersion] = (),
    with_calls: bool = False,
) -> dict[str, Any]:
    """Build the complete document of a session.

    `writing, topic, about, embedder, state, problem, made_at, ended_at, brief, budget, models[{model, mode, seed,
    is_language_model}], n_used, n_held_out, readings[{reading, n_publications, note}], best, ranked_by, ranked,
    sentence, versions[label, name, judged, gain, sentence], steps[number, parent, made_by, sheet, text,
    judged{n_retrieved, used, held_out, whole}, gain{value, interval, is_clear}, label, model, mode, seed, round, notes,
    predicted, standing, sentence], proposals[{keyword, by[]}], held_back[{text, why, reading, model, keyword}],
    removed_core[{keyword, publications[{publication_id, title}]}], n_calls, calls_by_status, notes`; with `with_calls`
    also `calls`, every request and response verbatim. `best` and `parent` are numbers of steps, and `ranked` has all of
    them, the best first; `ranked_by` is "held_out", or "used" if nothing is held out. `versions` are the topic's own,
    the best first. Step 0 is the topic's name alone. A side is `{n_core, n_found, recall, recall_interval,
    semantic_precision, f_beta}`.
    """
    best = writing.best
    statuses = [call.status for call in writing.calls]
    document = {
        **_head(writing),
        "brief": as_document(writing.brief),
        "budget": as_document(writing.budget),
        "models": [
            {"model": r.model, "mode": r.mode, "seed": r.seed, "is_language_model": _is_language_model(r.model)}
            for r in writing.recipes
        ],
        "n_used": len(writing.split.used),
        "n_held_out": len(writing.split.held_out),
        "readings": [{"reading": r.reading_id, "n_publications": len(r.ids), "note": r.note} for r in writing.readings],
        "best": None if best is None else best.number,
        "ranked_by": "held_out" if writing.split.held_out else "used",
        "ranked": [step.number for step in ranked(writing.steps[1:], writing.budget)],
        "versions": [_version(each) for each in versions],
        "sentence": gains_sentence(writing.steps),
        "steps": [_step(step) for step in writing.steps],
        "proposals": [
            {"keyword": row.keyword.text, "by": [as_document(each) for each in row.proposals]}
            for row in writing.proposals
        ],
        "held_back": [as_document(each) for each in writing.held_back],
        "removed_core": [removed_document(each) for each in removed],
        "n_calls": len(writing.calls),
        "calls_by_status": {status: statuses.count(status) for status in dict.fromkeys(statuses)},
        "notes": [*writing.notes, *notes],
    }
    return document | ({"calls": [_call(call) for call in writing.calls]} if with_calls else {})


def _head(writing: WriterSession) -> dict[str, Any]:
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


def _step(step: SheetStep) -> dict[str, Any]:
    return {
        **step_document(step),
        "sheet": as_document(step.sheet),
        "standing": None if step.parent is None else standing_of(step.gain),
        "sentence": gain_sentence(step),
    }


def _version(version: JudgedVersion) -> dict[str, Any]:
    gain = version.gain
    return {
        "label": version.row.version.label,
        "name": version.row.version.name,
        "judged": asdict(version.judged),
        "gain": None if gain is None else gain_document(gain),
        "sentence": gain_words(gain, version.judged.held_out),
    }


def _call(call: WriterCall) -> dict[str, Any]:
    return {
        **asdict(call),
        "proposals": [as_document(each) for each in call.proposals],
        "held_back": [as_document(each) for each in call.held_back],
    }


def removed_document(removed: CoreRemoval) -> dict[str, Any]:
    """List the core publications that an exclusion keyword removes."""
    return {
        "keyword": removed.keyword.text,
        "publications": [{"publication_id": p.publication_id, "title": p.title} for p in removed.publications],
    }


def writings_document(rows: Sequence[WriterSessionRow]) -> dict[str, Any]:
    """Build `writings[{writing, topic, about, n_steps, n_calls, state, problem, made_at, ended_at}]`."""
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


def plan_document(found: WriterPlan, removed: Sequence[CoreRemoval] = ()) -> dict[str, Any]:
    """Build the document of a dry run.

    `dry_run, n_calls, n_known, n_prompt_tokens, n_answer_tokens, dollars{expected, most}, minutes, lines[{model, mode,
    seed, reading, n_publications, is_known, n_prompt_tokens, n_answer_tokens}], removed_core, notes`.
    """
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


# Sessions for people, as tables and sentences.

MOST_HELD_BACK = 12
"""Maximum number listed individually; the rest is counted."""
LONGEST = 60
NOT_A_MODEL = f"{DEMO_MODEL} is not a language model: it counts words in the publications"
INTERVALS = (
    "Intervals: held-out core publications are resampled. Regions, and so precision, are taken as known; another "
    "--seed holds out other publications and gives another gain."
)
LISTS = {
    "specific": "Specific",
    "general": "General",
    "overarching": "Overarching",
    "excluded": "Excluded",
    "aside": "Aside, not in the string",
}


def print_writing(writing: WriterSession, versions: Sequence[JudgedVersion] = ()) -> None:
    print_steps(writing)
    if sentence := gains_sentence(writing.steps):
        tell(sentence)
    if any(step.gain is not None and step.gain.interval for step in writing.steps):
        tell(INTERVALS, "dim")
    best = writing.best
    if best is not None and best.parent is not None:
        results().print()
        where = "held-out core" if best.judged.held_out is not None else "core it was written with"
        tell(f"The best on the {where}, step {best.number}: {best.made_by}", "bold")
        tell(gain_sentence(best))
        if versions:
            tell(_beside(best, versions[0]))
        tell(ranking_sentence(writing.split, writing.brief), "dim")
        for note in best.notes:
            tell(note, "yellow")
        tell(best.text, soft_wrap=True)
    print_held_back(writing)


def _beside(best: SheetStep, version: JudgedVersion) -> str:
    side, other = (judged.held_out or judged.whole for judged in (best.judged, version.judged))
    what = "core publications" if best.judged.held_out is None else "held-out core publications"
    return (
        f"It finds {_found(side)} {what} with {best.judged.n_retrieved:,} publications to read; your best version, "
        f"{version.row.version.label}, finds {_found(other)} with {version.judged.n_retrieved:,}."
    )


def print_steps(writing: WriterSession) -> None:
    """Print the strings, the best first, after the topic's name, which has no rank."""
    columns = ("Rank", "Step", "Made by", "Publications", "Core held out", "Core used", "Core all")
    scores = ("F2 held out", "F2 used", "F2 all", "Gain", "95 % interval", "Version")
    grid = table(_title(writing), *columns, *scores, right=(0, 1, *range(3, 12)))
    for rank, step in enumerate((*writing.steps[:1], *ranked(writing.steps[1:], writing.budget))):
        judged, gain = step.judged, step.gain
        ends = gain.interval if gain else None
        made_by = f"{step.made_by} (from {step.parent})" if step.parent else step.made_by
        row(
            grid,
            str(rank) if rank else NONE,
            str(step.number),
            _short(made_by, 30),
            f"{judged.n_retrieved:,}",
            *(_found(side) for side in _sides(judged)),
            *(number(None if side is None else side.f_beta) for side in _sides(judged)),
            NONE if gain is None or gain.value is None else signed(gain.value),
            f"{signed(ends.low)} to {signed(ends.high)}" if ends else NONE,
            step.label or "",
        )
    results().print(grid)


def print_step(writing: WriterSession, step: SheetStep) -> None:
    tell(f"{_topic(writing)} · step {step.number}: {step.made_by}", "bold")
    tell(gain_sentence(step))
    for name in (*IN_STRING, "aside"):
        if keywords := step.sheet.of(name):
            results().print()
            joined = f", joined by {step.sheet.joined}" if name == "overarching" and len(keywords) > 1 else ""
            tell(f"{LISTS[name]} ({len(keywords)}{joined})", "bold")
            for keyword in keywords:
                tell(f"  {keyword.text}" + ("" if keyword.phrase else " (all words, anywhere)"))
    results().print()
    tell(
        step.text
        or ("No search string yet: Specific is empty, and General has no overarching keyword to combine with.")
    )
    for note in step.notes:
        tell(note, "yellow")


def print_held_back(writing: WriterSession) -> None:
    held = writing.held_back
    if not held:
        return
    results().print()
    grid = table(f"Held back ({len(held):,}): not in any string unless you add it", "Proposed", "Why", "Read in", "By")
    for each in held[:MOST_HELD_BACK]:
        row(grid, _short(each.text), each.why, each.reading, each.model or "corpus statistics")
    results().print(grid)
    if (more := len(held) - MOST_HELD_BACK) > 0:
        tell(f"and {more:,} more; --json lists them all")


def print_calls(calls: Sequence[WriterCall]) -> None:
    if not calls:
        tell("No model requests.")
    for call in calls:
        results().print()
        head = f"{call.number}: {call.purpose}, {call.reading}, {call.model} ({call.mode}, seed {call.seed})"
        tell(f"{head}: {call.status}", "bold")
        tell(call.question, soft_wrap=True)
        for answer in call.answers:
            tell(answer, "dim", soft_wrap=True)
        if call.problem:
            tell(call.problem, "yellow")


def print_writings(rows: Sequence[WriterSessionRow]) -> None:
    """Print a list, the newest first."""
    if not rows:
        say("No sessions yet. Start one with: query write --topic T.")
        return
    names = ("Session", "Started", "Topic", "About", "Strings", "Requests", "State")
    grid = table("Query-writing sessions", *names, right=(4, 5))
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


def show_plan(found: WriterPlan, removed: Sequence[CoreRemoval], *, as_json: bool) -> None:
    """Show the planned requests. Nothing is sent."""
    if as_json:
        print_json(plan_document(found, removed))
        return
    names = ("Model", "Mode", "Seed", "Reading", "Publications", "Prompt tokens", "Answer tokens", "")
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
        results().print(grid)
    tell(_plan_sentence(found))
    for note in found.notes:
        tell(note)


def _plan_sentence(found: WriterPlan) -> str:
    if not found.lines:
        return "Dry run: no model would be used; keywords come from the corpus, at no cost."
    cost = "at an unknown price"
    if found.cost is not None:
        expected, most = found.cost
        cost = "at no cost" if not most else f"about ${expected:,.2f}, at most ${most:,.2f}"
    known = f" {found.n_known:,} were answered before." if found.n_known else ""
    return (
        f"{many(found.n_calls, 'request')}, {found.n_prompt_tokens:,} prompt "
        f"tokens, {found.n_answer_tokens:,} answer tokens, {cost}, {found.minutes:,.1f} minutes.{known}"
    )


def _title(writing: WriterSession) -> str:
    halves = writing.split
    core = f"{len(halves.used)} core publications in use"
    if halves.held_out:
        core += f", {len(halves.held_out)} held out"
    return f"{_topic(writing)} · {writing.embedder} · {core}"


def _topic(writing: WriterSession) -> str:
    """Return the name of the topic, and its words if others were given."""
    words = writing.brief.topic
    is_same = words in (writing.topic_id, MADE_UP.sub("", writing.topic_id))
    return writing.topic_id if is_same else f"{writing.topic_id} · {words}"


def _sides(judged: StringScores) -> tuple[CoreScores | None, ...]:
    return judged.held_out, judged.used, judged.whole


def _found(side: CoreScores | None) -> str:
    return NONE if side is None else f"{side.n_found} of {side.n_core}"


def _short(text: str, longest: int = LONGEST) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else f"{flat[: longest - 1]}…"


# The purpose of a string, its budget and its models, from the flags of `query write`.

MADE_UP = re.compile(r"\s*\(made up\)\s*$")
MODES, DEPTHS, INTENTS = get_args(Mode), get_args(Depth), get_args(Intent)
_USUAL = WriterBudget()
LONGEST_NAME = 200

_brief_options = options.together(
    click.option("--about", default=None, help="Describe the topic in a few words. [default: the topic's name]"),
    click.option("--description", default=None, help="Add a longer description for the models that propose keywords."),
    click.option(
        "--description-file",
        type=click.Path(path_type=Path),
        default=None,
        help="Read the description from a file; - reads standard input.",
    ),
    click.option("--question", "questions", multiple=True, help="Research question of the review; repeatable."),
    click.option("--without", "negative", multiple=True, metavar="KEYWORD", help="Keyword to exclude; repeatable."),
    click.option(
        "--mode",
        "modes",
        multiple=True,
        type=click.Choice(MODES),
        help="How broad keywords may be; each mode makes its own candidate. [default: moderate]",
    ),
    click.option(
        "--depth", type=click.Choice(DEPTHS), default="usual", show_default=True, help=("Amount of text to read.")
    ),
    click.option(
        "--intent",
        type=click.Choice(INTENTS),
        default=None,
        help="Purpose: a whole field, or a review's questions. [default: bibliometric; with --question: review]",
    ),
    click.option(
        "--semantics",
        type=click.Choice(get_args(Semantics)),
        default="literal",
        show_default=True,
        help="Match exact words, or any word with the same stem.",
    ),
    click.option(
        "--no-hold-out", is_flag=True, help=("Don't hold out core publications (overfitting can't be detected).")
    ),
    click.option(
        "--seed",
        type=int,
        default=0,
        show_default=True,
        help=("Random seed for the choice of held-out core publications."),
    ),
)
_source_options = options.together(
    click.option(
        "--model",
        "models",
        multiple=True,
        metavar="M",
        help=(
            f"Keyword source, repeatable: {STATISTICS} (counted in the corpus; always included), {DEMO_MODEL} (not "
            "a language model), or the name of a model at the service."
        ),
    ),
    click.option(
        "--preset", type=click.Choice(list(PRESETS)), default=None, help="Model service. [default: own, at --base-url]"
    ),
    click.option(
        "--base-url", default=None, help=("Address of the service. [default: the preset's, or OPENAI_BASE_URL]")
    ),
    click.option(
        "--seeds",
        default="0",
        show_default=True,
        help=("Comma-separated seeds; each model gets each request once per seed."),
    ),
    click.option(
        "--supporting",
        type=click.Path(path_type=Path, dir_okay=False),
        multiple=True,
        help="Also read publications from a file, without adding them to the topic. Repeatable.",
    ),
    click.option(
        "--live", type=click.Choice(list(ABOUT)), default=None, help=("Also read one small search in this source.")
    ),
)
_budget_options = options.together(
    click.option(
        "--most-calls",
        type=int,
        default=_USUAL.most_calls,
        show_default=True,
        help="Maximum number of requests to models. 0: none; keywords come from the corpus.",
    ),
    click.option(
        "--most-publications",
        type=int,
        default=None,
        help=("Maximum number of publications that a string may retrieve. [default: no limit]"),
    ),
    click.option(
        "--rounds",
        "most_rounds",
        type=int,
        default=0,
        show_default=True,
        help=("Number of rounds to refine the best string."),
    ),
    click.option(
        "--min-recall",
        type=float,
        default=_USUAL.min_recall,
        show_default=True,
        help="Minimum share of the core publications in use that a string has to find, if any string does.",
    ),
)
_writer_options = options.together(_brief_options, _source_options, _budget_options)
NAMES = (
    *("about", "description", "description_file", "questions", "negative", "modes", "depth", "intent", "semantics"),
    *("no_hold_out", "seed", "models", "preset", "base_url", "seeds", "supporting", "live"),
    *("most_calls", "most_publications", "most_rounds", "min_recall", "embedder"),
)
"""Options that a session stores at its start, so that resuming it accepts none of them."""


def read_wanted(topic: str, given: Mapping[str, Any]) -> WriterRequest:
    """Read the flags; report anything invalid before any file is read or request sent."""
    brief, budget = _brief(topic, given), _budget(given)
    recipes = _recipes(given)
    asks = any(recipe.model != STATISTICS for recipe in recipes)
    if asks and budget.most_calls == 0:
        raise InputError(
            f"--most-calls 0 allows no model requests: raise it, or leave out --model ({STATISTICS} counts in the "
            "corpus)"
        )
    return WriterRequest(
        topic,
        brief,
        budget,
        recipes=recipes,
        embedder=given["embedder"],
        live=given["live"],
        supporting=_supporting(given["supporting"]),
    )


def _brief(topic: str, given: Mapping[str, Any]) -> Brief:
    description, file = given["description"], given["description_file"]
    if description is not None and file is not None:
        raise InputError("give the description in the command or as a file, not both")
    questions = tuple(text.strip() for text in given["questions"] if text.strip())
    intent: Intent = given["intent"] or ("review" if questions else "bibliometric")
    about = given["about"]
    return Brief(
        MADE_UP.sub("", topic) if about is None else about,
        description=(description or "" if file is None else file_text(file)).strip(),
        questions=questions,
        negative=tuple(text.strip() for text in given["negative"] if text.strip()),
        mode=(given["modes"] or ("moderate",))[0],
        depth=given["depth"],
        intent=intent,
        semantics=given["semantics"],
        seed=_seed(given["seed"], "--seed"),
        hold_out=not given["no_hold_out"],
    )


def _budget(given: Mapping[str, Any]) -> WriterBudget:
    return WriterBudget(
        **{name: given[name] for name in ("most_calls", "most_publications", "most_rounds", "min_recall")}
    )


def _recipes(given: Mapping[str, Any]) -> tuple[Recipe, ...]:
    """Return every model with every mode and seed; the statistics don't depend on the seed."""
    models = tuple(dict.fromkeys(name.strip() for name in given["models"])) or (STATISTICS,)
    if any(not name or len(name) > LONGEST_NAME for name in models):
        raise InputError(f"--model takes {STATISTICS}, {DEMO_MODEL}, or the name of a model at a service")
    modes: tuple[Mode, ...] = tuple(dict.fromkeys(given["modes"])) or ("moderate",)
    seeds = _seeds(given["seeds"])
    recipes = tuple(
        Recipe(model, mode, seed, preset=given["preset"], base_url=given["base_url"])
        if model not in (STATISTICS, DEMO_MODEL)
        else Recipe(model, mode, seed)
        for model in models
        for mode in modes
        for seed in (seeds[:1] if model == STATISTICS else seeds)
    )
    if len(recipes) > MOST_RECIPES:
        raise InputError(
            f"--model, --mode and --seeds make {len(recipes)} candidates: at most {MOST_RECIPES} are allowed"
        )
    return recipes


def _seeds(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts:
        raise InputError("--seeds needs at least one number, such as 0 or 0,1")
    try:
        seeds = [int(part) for part in parts]
    except ValueError:
        raise InputError(f'--seeds takes whole numbers with commas, such as 0,1; got "{text[:40]}"') from None
    return tuple(dict.fromkeys(_seed(seed, "--seeds") for seed in seeds))


def _seed(seed: int, name: str) -> int:
    if not 0 <= seed < 2**31:
        raise InputError(f"{name} must be 0 or more and below {2**31:,}, got {seed}")
    return seed


def _supporting(files: tuple[Path, ...]) -> tuple[Publication, ...]:
    """Read the publications of files, each identified by its file name and its number in the file."""
    found: list[Publication] = []
    for file in files:
        reading = _read(file)
        if not reading.records:
            raise InputError(f"{reading.name} has no readable publication")
        if reading.rejected:
            warn([f"{reading.name}: {len(reading.rejected)} unreadable records are left out"])
        found.extend(record.publication(f"{reading.name}#{record.number}") for record in reading.records)
    return tuple(found)


def _read(file: Path) -> FileReading:
    try:
        return read_file(file)
    except FormatError as e:
        raise FormatError(str(e).split(", or choose a format with")[0]) from e


# `query write`, `query writings` and `query steps`: search strings written for a topic, each with its scores.

SAVED = ("best", "all")


@click.command("write")
@click.option("--topic", default=None, help="Topic to write for.")
@_writer_options
@options.embedder
@click.option("--dry-run", "only_plan", is_flag=True, help="Show requests, tokens and cost; send nothing.")
@click.option(
    "--save",
    "saved",
    type=click.Choice(SAVED),
    is_flag=False,
    flag_value="best",
    default=None,
    help="Save the best string as a version; --save all saves every string.",
)
@click.option("--resume", default=None, metavar="WRITING", help="Resume a session; query writings lists them.")
@options.output
def write_command(
    topic: str | None,
    only_plan: bool,
    saved: str | None,
    resume: str | None,
    data_dir: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Write search strings for a topic, each with its scores next to those of the topic's name alone.

    Keywords come from the corpus, and from any model that you list. Half of the core publications is held out: no model
    sees it, and strings are ranked by how much of it they find. Every request and response is stored; the same command
    resumes where it stopped. Step 0 is the topic's name.
    """
    _check(topic, resume, only_plan=only_plan, saved=saved)
    wanted = None if topic is None else read_wanted(topic, given)
    with Workspace.open(data_dir) as workspace, waiting("Writing") as on_stage:
        if wanted is not None:
            on_stage("indexing")
            removed = removed_core(set_up(workspace, wanted.topic_id, wanted.embedder), wanted.brief)
        if only_plan and wanted is not None:
            planned = plan(workspace, wanted)
        else:
            for place in () if wanted is None else destinations_of(wanted.recipes):
                say(place.words)
            writing = _written(workspace, wanted, resume, on_stage)
            writing = _refined(workspace, writing, given["most_rounds"], on_stage)
            if wanted is None:
                removed = removed_core(set_up(workspace, writing.topic_id, writing.embedder), writing.brief)
            _save(workspace, writing, saved)
            writing = find_writing(workspace.store, writing.writing_id)
            versions = _versions(workspace, writing)
    if only_plan:
        show_plan(planned, removed, as_json=as_json)
        warn([] if as_json else [each.sentence for each in removed])
    elif as_json:
        print_json(writing_document(writing, removed=removed, notes=_notes(writing), versions=versions))
    else:
        print_writing(writing, versions)
        _warn(writing)
        say(f"Saved as session {writing.writing_id}.")


def _check(topic: str | None, resume: str | None, *, only_plan: bool, saved: str | None) -> None:
    if (topic is None) == (resume is None):
        raise InputError("choose a topic with --topic, or a session to resume with --resume")
    if resume is not None and (only_plan or _is_given(*(name for name in NAMES if name != "most_rounds"))):
        raise InputError("--resume uses the session's own options: only --rounds and --save can be added")
    if only_plan and saved is not None:
        raise InputError("--dry-run makes no string to save: leave out --save")


def _is_given(*names: str) -> bool:
    """Return True if any of these options is on the command line; most have a default."""
    source = click.get_current_context().get_parameter_source
    return any(source(name) is ParameterSource.COMMANDLINE for name in names)


def _written(
    workspace: Workspace, wanted: WriterRequest | None, resume: str | None, on_stage: OnStage
) -> WriterSession:
    """Run a session to its end. If interrupted, completed answers are stored, and the way to resume is shown."""
    try:
        if wanted is None:
            assert resume is not None
            return go_on(workspace, resume, on_stage=on_stage)
        return write_strings(workspace, wanted, on_stage=on_stage)
    except KeyboardInterrupt:
        topic_id = None if wanted is None else wanted.topic_id
        there = [row.writing_id for row in list_writings(workspace.store, topic_id) if row.state != "done"]
        if again := resume or next(iter(there), None):
            say(f"Stopped. Resume with: query write --resume {again}")
        raise


def _refined(workspace: Workspace, writing: WriterSession, n_rounds: int, on_stage: OnStage) -> WriterSession:
    best = writing.best
    if not n_rounds or best is None:
        return writing
    budget = replace(writing.budget, most_rounds=n_rounds)
    return refine(workspace, writing.writing_id, best.number, budget=budget, on_stage=on_stage)


def _save(workspace: Workspace, writing: WriterSession, saved: str | None) -> None:
    """Save the best string, or all of them, as versions; a string that retrieves nothing is skipped."""
    if saved is None:
        return
    best = writing.best
    steps = writing.steps[1:] if saved == "all" else () if best is None else (best,)
    with_text = [step for step in steps if step.text]
    if not with_text:
        raise NotFoundError(f"session {writing.writing_id} has no string to save: check it with query steps")
    for step in with_text:
        save_step(workspace, writing.writing_id, step.number)


def _versions(workspace: Workspace, writing: WriterSession) -> tuple[JudgedVersion, ...]:
    """Return the topic's own versions; none if the topic's core publications have changed."""
    try:
        return judge_versions(workspace.store, desk_of(workspace, writing), writing)
    except InputError:
        return ()


def _notes(writing: WriterSession) -> list[str]:
    notes = [NOT_A_MODEL] if any(recipe.model == DEMO_MODEL for recipe in writing.recipes) else []
    if writing.steps and not writing.steps[0].judged.n_retrieved:
        notes.append(
            "No publication has all words of the topic's name, so its gain can't be computed: rephrase it with --about"
        )
    if writing.problem:
        notes.append(f"{writing.problem.rstrip('.')}. Resume with: query write --resume {writing.writing_id}")
    return notes


def _warn(writing: WriterSession) -> None:
    read = [f"{row.reading_id}: {row.note}" for row in writing.readings if row.note]
    warn([note.rstrip(".") for note in (*_notes(writing), *writing.notes, *read)])


@click.command("writings")
@click.option("--topic", default=None, help="List only the sessions of this topic.")
@options.output
def writings_command(topic: str | None, data_dir: Path | None, as_json: bool) -> None:
    """List query-writing sessions."""
    with Workspace.open(data_dir) as workspace:
        if topic is not None:
            check_topic(workspace.store, topic)
        rows = list_writings(workspace.store, topic)
    if as_json:
        print_json(writings_document(rows))
    else:
        print_writings(rows)


@click.command("steps")
@click.argument("writing_id", metavar="WRITING")
@click.option("--step", "step_number", type=int, default=None, metavar="N", help="Show one string with its keywords.")
@click.option("--asked", is_flag=True, help="Show every request to a model and its answer.")
@options.output
def steps_command(writing_id: str, step_number: int | None, asked: bool, data_dir: Path | None, as_json: bool) -> None:
    """List every search string of a session with its scores, from the topic's name on.

    With --step, show one of them with its keywords. With --json the same document as `query write`; with --asked also
    `calls`.
    """
    with Workspace.open(data_dir) as workspace:
        writing = find_writing(workspace.store, writing_id)
        versions = _versions(workspace, writing) if as_json and step_number is None else ()
    step = None if step_number is None else _query_write_step(writing, step_number)
    if as_json:
        document = writing_document(writing, notes=_notes(writing), versions=versions, with_calls=asked)
        print_json(document if step is None else {"writing": writing_id, **document["steps"][step.number]})
    elif step is not None:
        print_step(writing, step)
    else:
        print_steps(writing)
        print_held_back(writing)
        if asked:
            print_calls(writing.calls)
        _warn(writing)


def _query_write_step(writing: WriterSession, number: int) -> SheetStep:
    for step in writing.steps:
        if step.number == number:
            return step
    last = writing.steps[-1].number if writing.steps else None
    there = "it has none yet" if last is None else f"it has 0 to {last}"
    raise NotFoundError(f"session {writing.writing_id} has no string {number}; {there}")
