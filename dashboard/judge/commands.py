"""The `judge` command: grade publications with a language model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from core.collections import Query
from core.errors import InputError, ServiceError
from core.judge.grades import GradeCell
from core.judge.judgments import (
    ORDERS,
    STATUS_WORDS,
    USUAL_K,
    JudgeField,
    JudgeSettings,
    Order,
    Rubric,
    WithoutAbstract,
    joined,
)
from core.judge.sampling import sample_queries
from core.judge.scores import CLEAR, JudgeComparison, JudgeScores, engine_scores, judge_verdict, results_document
from core.judge.truth import KnownTruth, truth_document, truth_sentences
from core.knowledge.synthesis_steps import TokenPrice
from core.protocols import JsonModel, OnStage
from core.retrieval.leaderboard import ALPHA
from core.stats import Estimate, Interval
from dashboard.kit import options
from dashboard.kit.output import NONE, print_json, results, row, say, shown, table, warn
from dashboard.kit.progress import waiting
from dashboard.kit.retriever_syntax import SYNTAX
from data.explore.workspace import Workspace
from data.importers.source import read_bytes
from data.judge.demo_judge import DEMO_MODEL
from data.judge.export import FORMS, form_named, prompt_hash, write_export
from data.judge.fields import TAKES, Take, results_field, retriever_field, version_field
from data.judge.plan import MOST_UNASKED, JudgePlan, plan
from data.judge.rubric import DEFAULT_RUBRIC, find_rubric, read_rubric, save_rubric
from data.judge.runner import JudgeRunSummary, judge_run, make_judge
from data.judge.runs import (
    LONGEST_NAME,
    Judge,
    JudgeRunRow,
    checked_name,
    find_judge_run,
    load_field,
    load_judge,
    load_judged,
    save_run,
)
from data.judge.services import PRESETS, find_preset, open_judge_model, sends_to
from data.judge.truth import truth_of
from data.knowledge.synthesis import read_prices
from data.models.prices import FREE, find_price, load_prices, price_note
from data.retrieval.collections import open_collection
from data.retrieval.plan import check_budget
from data.retrieval.runs import not_run_document
from data.store import Store

ITEM_FLAGS = (
    click.option("--collection", default=None, help="Collection with the queries: a name, topic:NAME, or a folder."),
    click.option(
        "--retrievers", "retrievers", multiple=True, help="Retrievers to judge, as below: --retrievers bm25 dense ..."
    ),
    click.option("--documents", default=None, help="Documents to search, if a collection has only queries."),
    click.option("--split", default=None, help="Split of the queries to use. [default: all]"),
    click.option("--sample", type=click.IntRange(min=1), default=None, help="Number of queries. [default: all]"),
    click.option("--by", default=None, help="Dimensions to stratify a sample by, comma-separated. [default: all]"),
    click.option("--topic", "topics", multiple=True, help="Topic whose query versions to judge (repeatable)."),
    click.option(
        "--versions", "versions", multiple=True, help="Labels of the versions: --versions A B. [default: all]"
    ),
    click.option("--question", "questions", multiple=True, help="Research question of a topic; one for each --topic."),
    click.option(
        "--take", type=click.Choice(TAKES), default="top", show_default=True, help="Selection from each version."
    ),
    click.option(
        "--results",
        "files",
        multiple=True,
        type=click.Path(path_type=Path),
        help="File with results of a search engine.",
    ),
    click.option(
        "--k", type=int, default=USUAL_K, show_default=True, help="Number of top publications of each answer."
    ),
    click.option(
        "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed for samples and resampling."
    ),
)


@dataclass(frozen=True, slots=True)
class ItemFlags:
    collection: str | None
    retrievers: tuple[str, ...]
    documents: str | None
    split: str | None
    sample: int | None
    by: str | None
    topics: tuple[str, ...]
    versions: tuple[str, ...]
    questions: tuple[str, ...]
    take: Take
    files: tuple[Path, ...]
    k: int
    seed: int

    @property
    def is_nothing(self) -> bool:
        return not (self.collection or self.topics or self.files)


def read_what(given: dict[str, Any], more: Sequence[str]) -> ItemFlags:
    """Read the choice of items from the flags. `more`: names after the first one of --retrievers or --versions."""
    given = {name: given.pop(name) for name in ItemFlags.__slots__}
    if more:
        several = [name for name in ("retrievers", "versions") if given[name]]
        if len(several) != 1:
            raise InputError(
                f'unexpected argument "{more[0][:60]}": put --retrievers or --versions before each name, and '
                "quote names with spaces"
            )
        given[several[0]] = (*given[several[0]], *more)
    what = ItemFlags(**given)
    _check(what)
    return what


def _check(what: ItemFlags) -> None:
    if what.collection and not what.retrievers:
        raise InputError("choose retrievers to judge: --retrievers bm25 dense")
    if what.retrievers and not what.collection:
        raise InputError("choose a collection to search: --collection NAME")
    if not what.collection:
        for name in ("documents", "split", "sample"):
            if getattr(what, name) is not None:
                raise InputError(f"--{name} needs a --collection")
    if what.by is not None and what.sample is None:
        raise InputError("--by needs a --sample: add the number of queries")
    if (what.versions or what.questions) and not what.topics:
        raise InputError("--versions and --question need a --topic")
    if what.questions and len(what.questions) != len(what.topics):
        raise InputError(
            f"{len(what.topics)} --topic but {len(what.questions)} --question: give one for each, in order"
        )


def gathered(workspace: Workspace, what: ItemFlags, on_stage: OnStage) -> tuple[JudgeField, dict[str, Any]]:
    if what.is_nothing:
        raise InputError(
            "choose what to judge: --collection C --retrievers bm25 dense, --topic T, --results FILE, or --resume RUN"
        )
    fields: list[JudgeField] = []
    chosen: list[dict[str, Any]] = []
    if what.collection:
        _take(_of_retrievers(workspace, what, what.collection, on_stage), fields, chosen)
    if what.topics:
        on_stage("collecting publications")
        _take(_of_versions(workspace, what), fields, chosen)
    for file in what.files:
        on_stage(f"reading {file.name}")
        _take((results_field(file), {"source": "file", "files": [file.name]}), fields, chosen)
    return joined(fields), chosen[0] if len(chosen) == 1 else {"source": "several", "parts": chosen}


def _take(found: tuple[JudgeField, dict[str, Any]], fields: list[JudgeField], chosen: list[dict[str, Any]]) -> None:
    fields.append(found[0])
    chosen.append(found[1])


def _of_retrievers(
    workspace: Workspace, what: ItemFlags, collection: str, on_stage: OnStage
) -> tuple[JudgeField, dict[str, Any]]:
    queries = _sample(open_collection(workspace, collection).collection.of_split(what.split), what)
    field = retriever_field(
        workspace,
        collection,
        what.retrievers,
        k=what.k,
        queries=queries,
        split=what.split,
        documents=what.documents,
        on_stage=on_stage,
    )
    return field, {
        "source": "retrievers",
        "collection": collection,
        "split": what.split,
        "documents": what.documents,
        "retrievers": list(what.retrievers),
        "k": what.k,
        "query_ids": [query.query_id for query in field.queries],
    }


def _sample(queries: tuple[Query, ...], what: ItemFlags) -> tuple[Query, ...] | None:
    """Sample some queries of each kind; None: use all queries of the collection."""
    if what.sample is None:
        return None
    by = None if what.by is None else [part.strip() for part in what.by.split(",") if part.strip()]
    return sample_queries(queries, what.sample, by=by, seed=what.seed)


def _of_versions(workspace: Workspace, what: ItemFlags) -> tuple[JudgeField, dict[str, Any]]:
    question = dict(zip(what.topics, what.questions, strict=False))
    field = version_field(
        workspace, what.topics, what.versions, k=what.k, question=question, take=what.take, seed=what.seed
    )
    return field, {
        "source": "versions",
        "topics": list(what.topics),
        "versions": list(what.versions),
        "question": question,
        "take": what.take,
        "k": what.k,
        "seed": what.seed,
    }


# The judge for `judge`: a model at a service, or the demo judge, with its rubric and settings.

DEMO_SETTINGS = {"temperature": 0.01, "max_tokens": 4096}
MODEL_FLAGS = (
    click.option("--model", default=None, help=f"Judge model: its name at the service, or {DEMO_MODEL}."),
    click.option(
        "--preset", type=click.Choice(list(PRESETS)), default=None, help="Service. [default: custom, at --base-url]"
    ),
    click.option(
        "--base-url", default=None, help="Address of the service. [default: the preset's, or OPENAI_BASE_URL]"
    ),
    click.option("--rubric", default=DEFAULT_RUBRIC, show_default=True, help="Rubric ID, or a rubric file."),
    click.option(
        "--order",
        type=click.Choice(ORDERS),
        default="score_first",
        show_default=True,
        help="Order of grade and reason in an answer.",
    ),
    click.option(
        "--without-abstract",
        type=click.Choice(("grade", "skip")),
        default="grade",
        show_default=True,
        help="Grade publications without an abstract by their title, or skip them.",
    ),
    click.option("--temperature", type=float, default=None, help="Temperature of the model. [default: the preset's]"),
    click.option("--max-tokens", type=int, default=None, help="Maximum tokens of an answer. [default: the preset's]"),
    click.option(
        "--repeat", type=int, default=0, show_default=True, help="Repeat index; use a new number to sample again."
    ),
)


@dataclass(frozen=True, slots=True)
class JudgeFlags:
    model: str | None
    preset: str | None
    base_url: str | None
    rubric: str
    order: Order
    without_abstract: WithoutAbstract
    temperature: float | None
    max_tokens: int | None
    repeat: int

    @property
    def document(self) -> Mapping[str, Any]:
        """The choice as a run stores it; no API key is ever part of it."""
        return {"preset": self.preset, "base_url": self.base_url}


def read_who(given: dict[str, Any]) -> JudgeFlags:
    return JudgeFlags(**{name: given.pop(name) for name in JudgeFlags.__slots__})


def opened(store: Store, who: JudgeFlags, *, only_plan: bool) -> tuple[Judge, JsonModel]:
    if who.model is None:
        raise InputError(
            f"choose a judge: --model {DEMO_MODEL} (it compares words and is not a language model), or a model "
            f"with --preset {'|'.join(PRESETS)}"
        )
    is_demo = who.model == DEMO_MODEL
    preset = find_preset(who.preset)
    usual = DEMO_SETTINGS if is_demo else {"temperature": preset.temperature, "max_tokens": preset.max_tokens}
    entries = {"temperature": who.temperature, "max_tokens": who.max_tokens}
    numbers: dict[str, Any] = {name: usual[name] if value is None else value for name, value in entries.items()}
    rubric = _rubric(store, who.rubric, only_plan=only_plan)
    settings = JudgeSettings(
        who.model,
        rubric.rubric_id,
        order=who.order,
        without_abstract=who.without_abstract,
        repeat=who.repeat,
        **numbers,
    )
    model = open_judge_model(who.model, preset=who.preset, base_url=who.base_url, only_plan=only_plan)
    return make_judge(store, settings, model, rubric), model


def reopened(row: JudgeRunRow, *, only_plan: bool) -> JsonModel:
    model, preset, base_url = row.settings.model, row.document.get("preset"), row.document.get("base_url")
    return open_judge_model(model, preset=preset, base_url=base_url, only_plan=only_plan)


def _rubric(store: Store, name: str, *, only_plan: bool) -> Rubric:
    path = Path(name)
    if not path.suffix and not path.is_file():
        return find_rubric(store, name)
    rubric = read_rubric(read_bytes(path).decode("utf-8", "replace"))
    return rubric if only_plan else save_rubric(store, rubric)


# A dry run and a judged run as tables for people, and as the documents that programs read.

NOT_A_MODEL = "demo is not a language model: it compares words, and its grades say nothing about your queries"
MOST_VALUES = 12
"""Values of a dimension that a table shows."""


def plan_document(found: JudgePlan, field: JudgeField | None = None) -> dict[str, Any]:
    """Build the document of a dry run. `field`: the lists to judge; None: judged ones are only retried."""
    cost = found.cost
    return {
        "dry_run": True,
        **{name: value for name, value in asdict(found).items() if name not in ("price", "how")},
        "price": None if found.price is None else asdict(found.price),
        "dollars": None if cost is None else {"expected": cost[0], "most": cost[1]},
        "is_large": found.is_large,
        "how": found.how,
        "not_run": [] if field is None else not_run_document(field.not_run),
        "notes": [] if field is None else list(field.notes),
    }


def show_plan(found: JudgePlan, field: JudgeField, *, as_json: bool) -> None:
    """Show the planned requests. Nothing is sent."""
    if as_json:
        print_json(plan_document(found, field))
        return
    out = results()
    grid = table("Dry run: nothing was sent", "", "Expected", "At most", right=(1, 2))
    row(grid, "Publications of all engines", f"{found.n_candidates:,}", "")
    row(grid, "Distinct publications", f"{found.n_triples:,}", "")
    row(grid, "Already answered", f"{found.n_known:,}", "")
    if found.n_skipped:
        row(grid, "Skipped, without an abstract", f"{found.n_skipped:,}", "")
    row(grid, "Calls", f"{found.n_calls:,}", f"{found.most_calls:,}")
    row(grid, "Prompt tokens", f"{found.n_prompt_tokens:,}", f"{found.most_prompt_tokens:,}")
    row(grid, "Answer tokens", f"{found.n_answer_tokens:,}", f"{found.most_answer_tokens:,}")
    dollars = [NONE, NONE] if found.cost is None else [f"{value:,.2f}" for value in found.cost]
    row(grid, "Dollars", *dollars)
    row(grid, "Minutes", f"{found.minutes:,.1f}", "")
    out.print(grid)
    if found.cost is None:
        out.print(shown("The price is unknown: add --price MODEL=IN,OUT."))
    out.print(shown(found.how))


def judged_document(
    run: JudgeRunRow,
    judge: Judge,
    field: JudgeField,
    scores: JudgeScores,
    done: JudgeRunSummary,
    notes: Sequence[str],
    truth: KnownTruth | None,
) -> dict[str, Any]:
    document = results_document(scores)
    return {
        **document,
        "headline": judge_verdict(scores),
        "truth": None if truth is None else truth_document(truth, scores),
        "warnings": [*document.get("warnings", []), *notes],
        "not_run": not_run_document(field.not_run),
        "run_id": run.run_id,
        "name": run.name,
        "state": run.state,
        "judge": {
            **asdict(judge.settings),
            "judge_key": judge.judge_key,
            "prompt_hash": prompt_hash(judge.prompt),
            "rubric": judge.rubric.name,
            "shown_max": judge.rubric.shown_max,
            "is_language_model": judge.settings.model != DEMO_MODEL,
        },
        "asked": {
            "n_asked": done.n_asked,
            "n_calls": done.n_calls,
            "n_known": done.n_known,
            "failures": dict(done.failures),
        },
    }


def print_judged(run: JudgeRunRow, judge: Judge, scores: JudgeScores, truth: KnownTruth | None) -> None:
    out = results()
    rubric = judge.rubric
    lowest = rubric.shown(rubric.points[0])
    title = f"{run.name}: graded {lowest:g} to {rubric.shown_max:g} by {judge.settings.model}"
    columns = (
        "Engine",
        "Mean, all",
        "95 % interval",
        "Mean, answered",
        "Answered",
        "Graded",
        f"{scores.cut} or better",
    )
    grid = table(title, *columns, right=(1, 3, 4, 5, 6))
    for each in scores.engines:
        row(
            grid,
            each.engine,
            _over(each.mean_all, each.n_asked),
            _interval(each.mean_all.interval),
            _over(each.mean, each.n_queries),
            f"{each.n_queries:,} of {each.n_asked:,} queries",
            f"{each.n_valid:,} of {each.n:,}",
            _share(each.share_at_cut_all.value),
        )
    out.print(grid)
    out.print(
        shown(f"All: 0 for an unanswered query, in {scores.cut} or better too. Answered: only queries with an answer.")
    )
    out.print(shown(judge_verdict(scores)))
    for line in truth_sentences(truth, scores) if truth is not None else ():
        out.print(shown(line))
    _print_dimensions(scores)
    _print_comparisons(scores)
    _print_statuses(scores.overall.statuses)
    out.print(shown(f"Run {run.run_id[:16]}: {run.state}."))


def _print_dimensions(scores: JudgeScores) -> None:
    out = results()
    for name, values in scores.dimensions.items():
        engines = [each.engine for each in scores.engines]
        out.print()
        grid = table(f"By {name}, over answered queries", "", "Queries", *engines, right=range(1, len(engines) + 2))
        for value, cells in list(values.items())[:MOST_VALUES]:
            n = max((cells[engine].n_queries for engine in engines), default=0)
            row(grid, value, f"{n:,}", *(_cell(cells[engine]) for engine in engines))
        out.print(grid)
        if len(values) > MOST_VALUES:
            out.print(shown(f"and {len(values) - MOST_VALUES:,} more values; use --json to list all"))
    there = [cell for values in scores.dimensions.values() for cells in values.values() for cell in cells.values()]
    if any(cell.is_small for cell in there):
        out.print(shown("In brackets: too few queries for a reliable value."))
    if any(_is_in_part(cell) for cell in there):
        out.print(shown("With a percentage: only that share has a grade, and the mean is based on it."))
    if any(_is_silent(cell) for cell in there):
        out.print(shown("With a number of queries: the others are unanswered; --json has the means with 0 for them."))


def _print_comparisons(scores: JudgeScores) -> None:
    if not scores.comparisons:
        return
    if not scores.has_silence:
        _print_pairs("Differences", scores.comparisons)
    else:
        _print_pairs("Differences over all queries, 0 for unanswered ones", scores.comparisons_all)
        _print_pairs("Differences over shared queries, answered by both", scores.comparisons)
    results().print(shown(f"Clear for this judge: the interval excludes 0, and p after Holm is below {ALPHA:g}."))


def _print_pairs(title: str, comparisons: Sequence[JudgeComparison]) -> None:
    out = results()
    out.print()
    grid = table(title, "Compared", "Difference", "95 % interval", "p (Holm)", "Queries", "", right=(1, 3, 4))
    for c in comparisons:
        text = CLEAR if c.is_clear else "not clear"
        p = NONE if c.p_holm is None else f"{c.p_holm:.4f}"
        row(grid, f"{c.b} minus {c.a}", _number(c.difference), _interval(c.interval), p, f"{c.n_queries:,}", text)
    out.print(grid)


def _print_statuses(statuses: Mapping[Any, int]) -> None:
    if not any(n for status, n in statuses.items() if status != "ok"):
        return
    out = results()
    out.print()
    grid = table("Answers", "Outcome", "Publications", right=(1,))
    for status, n in statuses.items():
        if n:
            row(grid, STATUS_WORDS[status], f"{n:,}")
    out.print(grid)


def _cell(cell: GradeCell) -> str:
    text = _number(cell.mean.value)
    if cell.mean.value is None:
        return text
    text = f"({text})" if cell.is_small else text
    text = f"{text} {_share(cell.coverage)}" if _is_in_part(cell) else text
    return f"{text} of {cell.n_answered:,}" if _is_silent(cell) else text


def _is_silent(cell: GradeCell) -> bool:
    return cell.mean.value is not None and cell.n_answered < cell.n_queries


def _over(mean: Estimate, n: int) -> str:
    """Format a mean, with its number of queries if these are not all."""
    return _number(mean.value) + (f" ({mean.n:,} queries)" if mean.value is not None and mean.n < n else "")


def _is_in_part(cell: GradeCell) -> bool:
    return cell.mean.value is not None and cell.coverage is not None and cell.coverage < 1


def _number(value: float | None) -> str:
    return NONE if value is None else f"{value:.1f}"


def _interval(pair: Interval | None) -> str:
    return f"{pair.low:.1f} to {pair.high:.1f}" if pair else NONE


def _share(value: float | None) -> str:
    return NONE if value is None else f"{value:.1%}"


# `judge`: publications graded by a language model, with conclusions from the grades.

DEMO_SECONDS = 0.004
"""Duration of one answer of the demo judge."""

_FLAGS = (
    *ITEM_FLAGS,
    *MODEL_FLAGS,
    click.option("--workers", type=int, default=16, show_default=True, help="Maximum concurrent requests."),
    click.option("--per-minute", type=float, default=None, help="Maximum requests per minute. [default: no limit]"),
    click.option("--price", "prices", multiple=True, metavar="MODEL=IN,OUT", help="Dollars per million tokens."),
    click.option(
        "--budget",
        type=click.FloatRange(min=0),
        default=None,
        help="Maximum cost in dollars; runs that could cost more are not started.",
    ),
    click.option("--name", default=None, help="Name of the run."),
    click.option(
        "--dry-run", "only_plan", is_flag=True, help="Count calls, tokens, dollars and minutes; send nothing."
    ),
    click.option("--yes", is_flag=True, help=f"Confirm more than {MOST_UNASKED:,} calls."),
    click.option("--resume", default=None, metavar="RUN", help="Resume a run, by its name or ID."),
    click.option("--again", is_flag=True, help="Retry all ungraded items."),
    click.option("--judge-alone", is_flag=True, help="Exclude grades given by people."),
    click.option(
        "--cut", type=int, default=None, help="Lowest points that count as relevant. [default: the upper half]"
    ),
    click.option(
        "--out", type=click.Path(path_type=Path, dir_okay=False), default=None, help="Write all judgments to a file."
    ),
    click.option(
        "--format",
        "form",
        type=click.Choice(list(FORMS)),
        default=None,
        help="Format of --out. [default: by file ending]",
    ),
)


def _flags(command: Any) -> Any:
    for option in reversed(_FLAGS):
        command = option(command)
    return command


@dataclass(frozen=True, eq=False)
class JudgeStart:
    judge: Judge
    field: JudgeField
    model: JsonModel
    document: dict[str, Any]
    """The choice, as a run stores it."""
    name: str
    run_id: str | None = None
    """None: not stored yet."""


@click.command(epilog=SYNTAX)
@click.argument("more", nargs=-1)
@_flags
@options.data_dir
@options.as_json
def judge(more: tuple[str, ...], data_dir: Path | None, as_json: bool, **given: Any) -> None:
    """Grade the results of retrievers, query versions or search engines, by a language model and a rubric.

    Every answer is stored at once, and none is paid for twice: the same command resumes where it stopped. Keys come
    from the environment (OPENAI_API_KEY, GEMINI_API_KEY). Preview the cost with --dry-run. A retriever that can't run
    here is listed with its requirements, and the results of the others are judged.
    """
    what, who = read_what(given, more), read_who(given)
    prices = read_prices(given.pop("prices"))
    only_plan, resume, out = given["only_plan"], given["resume"], given["out"]
    if out is not None:  # checked before anything is paid for
        form_named(given["form"], out.name)
    with Workspace.open(data_dir) as workspace, waiting("Judging") as on_stage:
        begun = (
            _resumed(workspace, resume, given["name"], only_plan=only_plan)
            if resume
            else _begun(workspace, what, who, given["name"], on_stage, only_plan=only_plan)
        )
        check_cut(begun.judge, given["cut"])
        planned = _planned(workspace, begun, given, prices)
        if not only_plan:
            check_budget(planned.cost, given["budget"], [begun.judge.settings.model])
            _confirm(planned, yes=given["yes"])
            if planned.n_calls and begun.judge.settings.model != DEMO_MODEL:
                goes = sends_to(begun.document.get("preset"), begun.document.get("base_url")).words
                text = f"Making {planned.n_calls:,} calls, {_dollars(planned)}. Every answer is stored at once. {goes}"
                say(f"{text} {price_note(begun.judge.settings.model, planned.price)}".rstrip())
            run_id, done = _judged(workspace, begun, given, on_stage)
            _finish(workspace, begun, run_id, done, given, seed=what.seed, as_json=as_json)
    if only_plan:
        show_plan(planned, begun.field, as_json=as_json)
        check_budget(planned.cost, given["budget"], [begun.judge.settings.model])
        if begun.judge.settings.model != DEMO_MODEL:
            say(sends_to(begun.document.get("preset"), begun.document.get("base_url")).words)
        warn([] if as_json else [note.rstrip(".") for note in begun.field.notes])


def _begun(
    workspace: Workspace, what: ItemFlags, who: JudgeFlags, name: str | None, on_stage: OnStage, *, only_plan: bool
) -> JudgeStart:
    name = None if name is None else checked_name(name)
    judge, model = opened(workspace.store, who, only_plan=only_plan)
    field, document = gathered(workspace, what, on_stage)
    called = name or " ".join(f"{field.name}, {judge.settings.model}".split())[:LONGEST_NAME]
    return JudgeStart(judge, field, model, {**document, **who.document}, called)


def _resumed(workspace: Workspace, resume: str, name: str | None, *, only_plan: bool) -> JudgeStart:
    if _is_given(*JudgeFlags.__slots__, *(each for each in ItemFlags.__slots__ if each != "seed")) or name:
        raise InputError("--resume continues an existing run: drop its name and the options for items and judge")
    store = workspace.store
    row = find_judge_run(store, resume)
    model = reopened(row, only_plan=only_plan)
    return JudgeStart(
        load_judge(store, row.judge_key), load_field(store, row), model, dict(row.document), row.name, row.run_id
    )


def _is_given(*names: str) -> bool:
    """Return True if any of these options is on the command line; most have a default."""
    source = click.get_current_context().get_parameter_source
    return any(source(name) is ParameterSource.COMMANDLINE for name in names)


def _planned(
    workspace: Workspace, begun: JudgeStart, given: dict[str, Any], prices: dict[str, TokenPrice]
) -> JudgePlan:
    store, model = workspace.store, begun.judge.settings.model
    is_demo = model == DEMO_MODEL
    is_local = find_preset(begun.document.get("preset")).is_local and not begun.document.get("base_url")
    known = {model: FREE} if is_local else load_prices(store)
    return plan(
        store,
        begun.judge,
        begun.field,
        price=find_price(model, known | prices),
        per_minute=given["per_minute"],
        n_workers=1 if is_demo else given["workers"],
        seconds_per_call=DEMO_SECONDS if is_demo else None,
        again=given["again"],
    )


def check_cut(judge: Judge, cut: int | None) -> None:
    points = judge.rubric.points
    if cut is not None and cut not in points:
        raise InputError(f"--cut must be a grade of the rubric, {points[0]} to {points[-1]}, got {cut}")


def _confirm(planned: JudgePlan, *, yes: bool) -> None:
    if planned.is_large and not yes:
        raise InputError(
            f"this needs {planned.n_calls:,} calls, {_dollars(planned)}: check with --dry-run, judge fewer with "
            "--sample or --k, or confirm with --yes"
        )


def _dollars(planned: JudgePlan) -> str:
    return "at an unknown price" if planned.cost is None else f"about ${planned.cost[0]:,.2f}"


def _judged(
    workspace: Workspace, begun: JudgeStart, given: dict[str, Any], on_stage: OnStage
) -> tuple[str, JudgeRunSummary]:
    store = workspace.store
    run_id = begun.run_id or save_run(store, begun.name, begun.judge, begun.field, begun.document)
    done = judge_run(
        store,
        run_id,
        begun.model,
        n_workers=given["workers"],
        per_minute=given["per_minute"],
        on_stage=on_stage,
        again=given["again"],
    )
    if done.failures and set(done.statuses) == {"http_error"}:
        raise ServiceError(f"nothing was graded: {done.notes[0]}")
    return run_id, done


def _finish(
    workspace: Workspace,
    begun: JudgeStart,
    run_id: str,
    done: JudgeRunSummary,
    given: dict[str, Any],
    *,
    seed: int,
    as_json: bool,
) -> None:
    store = workspace.store
    row = find_judge_run(store, run_id)
    judged = load_judged(store, row, begun.field)
    scores = engine_scores(
        begun.field, judged, begun.judge.rubric, cut=given["cut"], judge_alone=given["judge_alone"], seed=seed
    )
    notes = [*([NOT_A_MODEL] if begun.judge.settings.model == DEMO_MODEL else []), *begun.field.notes, *done.notes]
    if given["out"] is not None:
        write_export(store, row, given["out"], form_id=given["form"])
    truth = truth_of(workspace, row, begun.field, judged, begun.judge.rubric, cut=scores.cut)
    if as_json:
        print_json(judged_document(row, begun.judge, begun.field, scores, done, notes, truth))
        return
    print_judged(row, begun.judge, scores, truth)
    warn([note.rstrip(".") for note in dict.fromkeys((*scores.warnings, *notes))])
    if given["out"] is not None:
        say(f"All judgments were written to {given['out']}.")
