"""The `search`, `benchmark` and `get` commands."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from core.collections import Collection, Oddity, Query, Run
from core.errors import FileError, InputError
from core.knowledge.templates import GIVEN
from core.retrieval.leaderboard import ALPHA, Leaderboard, score_runs
from core.retrieval.metrics import COMPATS, DEFAULT_METRICS, Compat, read_metric
from core.retrieval.retriever import Hits
from core.retrieval.specs import Spec, preset_named, spec_named
from dashboard.kit import options
from dashboard.kit.lazy_commands import LazyCommand, LazyGroup
from dashboard.kit.output import NONE, interval, number, print_json, results, row, say, shown, table, tell, warn
from dashboard.kit.progress import progress, waiting
from dashboard.kit.retriever_syntax import SYNTAX
from data.collections import TOPIC_PREFIX, WHOLE, SavedRun, latency
from data.demo.loading import Intake, bring_litqeval
from data.explore.workspace import Workspace
from data.http.download import DownloadProgress
from data.knowledge.base import KnowledgeBase
from data.knowledge.loaders import ImportedBase, bring_knowledge
from data.knowledge.synthesis import read_prices
from data.retrieval.collections import (
    SHAPES,
    CollectionImport,
    CollectionImportOptions,
    OpenedCollection,
    RetrievalCorpus,
    bring_collection,
    open_collection,
)
from data.retrieval.plan import HOW, RetrieverPlan, check_budget, plan_benchmark, price_notes, total_cost, unpriced
from data.retrieval.retrievers import destination_of, needs, open_retriever, settled
from data.retrieval.runs import (
    DEPTH,
    NEEDS,
    not_run_document,
    nothing_runs,
    read_run,
    run_each,
    run_retriever,
    write_run,
)

# `search`: the best documents of one retriever for one query.

MOST_RESULTS = 10_000


@click.command(epilog=SYNTAX)
@click.argument("text", metavar="QUERY")
@click.option("--topic", default=None, help="Search the documents of this topic.")
@click.option("--collection", default=None, help="Search the documents of a collection (name or folder).")
@click.option("--retriever", default="bm25", show_default=True, help="bm25, dense:lsa, hybrid, ... or a known name.")
@click.option("--k", "k", type=int, default=20, show_default=True, help="Number of documents.")
@options.embedder
@options.output
def search(
    text: str,
    topic: str | None,
    collection: str | None,
    retriever: str,
    k: int,
    embedder: str | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Rank the documents of a topic or a collection for one query."""
    if (topic is None) == (collection is None):
        raise InputError("choose what to search: --topic NAME or --collection NAME_OR_FOLDER")
    if not 1 <= k <= MOST_RESULTS:
        raise InputError(f"--k must be from 1 to {MOST_RESULTS:,}, got {k:,}")
    spec = settled(spec_named(retriever), embedder)
    with Workspace.open(data_dir) as workspace, waiting(f"Searching with {retriever}") as on_stage:
        where = f"{TOPIC_PREFIX}{topic}" if topic is not None else str(collection)
        opened = open_collection(workspace, where)
        corpus = RetrievalCorpus.of(opened.collection, workspace.paths, opened.holders)
        if (place := destination_of(spec)) is not None:
            say(place.words)
        ready = open_retriever(corpus, spec, on_stage, answers=workspace.store)
        on_stage("searching")
        start = time.perf_counter()
        hits = ready.retriever.search(Query("", text), k)
        elapsed_ms = 1000.0 * (time.perf_counter() - start)
    if as_json:
        print_json(_search_document(retriever, opened, hits, elapsed_ms, ready.notes))
    else:
        _print_search(retriever, opened, hits, elapsed_ms, ready.notes)


def _search_document(
    retriever: str, opened: OpenedCollection, hits: Hits, elapsed_ms: float, notes: tuple[str, ...]
) -> dict[str, Any]:
    documents = opened.collection.documents
    return {
        "retriever": retriever,
        "results": [
            {"rank": rank, "doc_id": documents[r].doc_id, "score": float(score), "title": documents[r].title}
            for rank, (r, score) in enumerate(zip(hits.rows, hits.scores, strict=True), start=1)
        ],
        "elapsed_ms": elapsed_ms,
        "notes": [*notes, *hits.notes],
    }


def _print_search(
    retriever: str, opened: OpenedCollection, hits: Hits, elapsed_ms: float, notes: tuple[str, ...]
) -> None:
    grid = table(f"{retriever} over {opened.collection.name}", "Rank", "Score", "Document", "Title", right=(0, 1))
    for rank, (r, score) in enumerate(zip(hits.rows, hits.scores, strict=True), start=1):
        document = opened.collection.documents[r]
        row(grid, str(rank), f"{score:.4g}", document.doc_id, document.title or document.text[:80])
    results().print(grid if len(hits) else shown("No documents found."))
    tell(f"\n{len(hits):,} of {len(opened.collection.documents):,} documents, in {elapsed_ms:,.1f} ms")
    warn([note.rstrip(".") for note in (*notes, *hits.notes)])


# A benchmark as a table for people, and as the document that programs read.

UNTIMED: Mapping[str, float | None] = {"p50": None, "p95": None}


def _percentiles(saved: SavedRun | None, stage: str = WHOLE) -> Mapping[str, float | None]:
    took = latency(saved.stages_ms[stage]) if saved and stage in saved.stages_ms else None
    return took._asdict() if took else UNTIMED


def _latency(saved: SavedRun) -> dict[str, Any]:
    return {**_percentiles(saved), "stages": {s: _percentiles(saved, s) for s in saved.stages_ms if s != WHOLE}}


def benchmark_document(
    collection: str,
    board: Leaderboard,
    saved: Mapping[str, SavedRun],
    warnings: Sequence[str],
    not_run: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Any]:
    retrievers: dict[str, dict[str, Any]] = {}
    for scores in board.scores:
        entry: dict[str, Any] = dict(scores.values)
        entry["intervals"] = {metric: [pair.low, pair.high] for metric, pair in scores.intervals.items()}
        entry["n_unanswered"] = scores.n_unanswered
        entry["n_answered"], entry["answered"] = scores.n_answered, scores.answered
        entry["over_answered"] = dict(scores.over_answered)
        if (run := saved.get(scores.name)) is not None:
            entry["latency_ms"] = _latency(run)
            entry["index_seconds"], entry["index_bytes"] = run.index_seconds, run.index_bytes
            entry["n_failed"], entry["notes"] = run.n_failed, list(run.notes)
            entry["spec"] = run.spec_text
        else:
            entry["latency_ms"] = dict(UNTIMED)
        retrievers[scores.name] = entry
    return {
        "collection": collection,
        "n_queries": board.n_queries,
        "n_scored": len(board.query_ids),
        "n_without_judgments": board.n_without_judgments,
        "warnings": list(warnings),
        "retrievers": retrievers,
        "not_run": not_run_document(not_run),
        "ceilings": dict(board.ceilings),
        "comparisons": [
            {
                "a": c.a,
                "b": c.b,
                "metric": c.metric,
                "difference": c.difference,
                "interval": [c.interval.low, c.interval.high],
                "p": c.p,
                "p_holm": c.p_holm,
                "over": "all queries",
                "n": len(board.query_ids),
            }
            for c in board.comparisons
        ],
    }


def print_benchmark(
    collection: Collection, board: Leaderboard, saved: Mapping[str, SavedRun], not_run: Mapping[str, str]
) -> None:
    metrics = tuple(board.scores[0].values) if board.scores else ()
    labels = [read_metric(metric).label for metric in metrics]
    made_up = " (demo data)" if collection.made_up else ""
    title = f"{collection.name}{made_up}: {len(board.query_ids):,} of {board.n_queries:,} queries scored"
    heads = ("Retriever", "Answered", *labels, "p50 ms", "p95 ms", "Index s")
    grid = table(title, *heads, right=range(1, len(heads)))
    for scores in board.scores:
        run = saved.get(scores.name)
        took = [NONE if ms is None else f"{ms:,.1f}" for ms in _percentiles(run).values()]
        index = f"{run.index_seconds:,.1f}" if run and run.index_seconds is not None else NONE
        answered = NONE if scores.answered is None else f"{scores.answered:.0%}"
        row(grid, scores.name, answered, *(number(scores.values[metric]) for metric in metrics), *took, index)
        if scores.n_unanswered:
            over = [number(scores.over_answered[metric]) for metric in metrics]
            row(grid, f"  over its {scores.n_answered:,} answered", "", *over, "", "", "")
    if board.ceilings:
        row(grid, "highest possible", "", *(number(board.ceilings.get(metric)) for metric in metrics), "", "", "")
    results().print(grid)
    for name, why in not_run.items():
        tell(f"Not run: {name} {why.rstrip('.')}.", "yellow")
    if board.ceilings:
        tell("Highest possible: the first k hold k relevant documents at most (k / relevant).")
    if any(scores.n_unanswered for scores in board.scores):
        tell(f"Means and differences are over all {len(board.query_ids):,} queries, 0 for unanswered ones.")
    if board.comparisons:
        results().print()
        _print_comparisons(board)
    for name, run in saved.items():
        failed = f"; {run.n_failed:,} candidates could not be scored" if run.n_failed else ""
        if run.notes or failed:
            tell(f"{name}: {'; '.join(note.rstrip('.') for note in run.notes)}{failed}.")


def _print_comparisons(board: Leaderboard) -> None:
    columns = ("Metric", "Compared", "Difference", "95 % interval", "p", "p (Holm)", "")
    grid = table("Differences", *columns, right=(2, 4, 5))
    for c in board.comparisons:
        text = "clear" if c.p_holm < ALPHA else "not clear"
        row(
            grid,
            read_metric(c.metric).label,
            f"{c.b} minus {c.a}",
            number(c.difference),
            interval(c.interval),
            f"{c.p:.4f}",
            f"{c.p_holm:.4f}",
            text,
        )
    results().print(grid)


# `benchmark`: several retrievers over a collection with known judgments.


@click.command(epilog=SYNTAX)
@click.option("--collection", required=True, help="A collection's name, topic:NAME, or a folder.")
@click.option("--retrievers", "first", default=None, help="One or more: --retrievers bm25 dense ... (see below)")
@click.argument("others", nargs=-1)
@click.option("--split", default=None, help="Only the queries of this split. [default: all]")
@click.option(
    "--metrics",
    default=",".join(DEFAULT_METRICS),
    show_default=True,
    help="Separated by commas, such as ndcg@20; names of ir_measures, such as P@5 and AP, are known, too.",
)
@click.option("--depth", type=int, default=DEPTH, show_default=True, help="Documents per ranking.")
@click.option(
    "--compat",
    type=click.Choice(COMPATS),
    default=None,
    help="Reproduce STaRK's evaluator.",
)
@click.option("--run", "files", multiple=True, type=click.Path(path_type=Path), help="A TREC run to compare with.")
@click.option(
    "--export-run",
    type=click.Path(path_type=Path),
    default=None,
    help="Write each run as a TREC file: a file for one retriever, a folder with one file each for several.",
)
@click.option("--again", is_flag=True, help="Retry candidates that failed before.")
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Seed of the resampling.")
@click.option("--price", "prices", multiple=True, metavar="MODEL=IN,OUT", help="Price in dollars per million tokens.")
@click.option(
    "--budget",
    type=click.FloatRange(min=0),
    default=None,
    help="Maximum dollars: runs that could cost more are not started.",
)
@click.option(
    "--dry-run", "only_plan", is_flag=True, help="Count calls, tokens and dollars of paid retrievers; send nothing."
)
@options.embedder
@options.output
def benchmark(
    collection: str,
    first: str | None,
    others: tuple[str, ...],
    split: str | None,
    metrics: str,
    depth: int,
    compat: Compat | None,
    files: tuple[Path, ...],
    export_run: Path | None,
    again: bool,
    seed: int,
    prices: tuple[str, ...],
    budget: float | None,
    only_plan: bool,
    embedder: str | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Run retrievers over a collection, and report clear differences.

    Answers are stored: the same command resumes where it stopped. A retriever that can't run here is listed with its
    requirements, and the others run.
    """
    names = tuple(dict.fromkeys([*([first] if first else []), *others]))
    if not names and not files:
        raise InputError("name at least one retriever: --retrievers bm25 dense, or a run: --run FILE")
    specs, twice, not_run = read_specs(names, embedder)
    if export_run is not None:
        _check_export(export_run, len(specs))
    metric_ids, known_prices = read_metrics(metrics), read_prices(prices)
    with Workspace.open(data_dir) as workspace, waiting(f"Benchmark on {collection}") as on_stage:
        opened = open_collection(workspace, collection)
        wanted = specs if only_plan else runnable_specs(specs, opened, not_run, any_file=bool(files))
        plans = plan_benchmark(workspace, opened, wanted, split, depth=depth, again=again, prices=known_prices)
        if only_plan:
            lacking = {name: needs(spec, opened.holders) for name, spec in specs.items()}
            _show_plan(opened.collection.name, plans, lacking, not_run, as_json=as_json)
            check_budget(total_cost(plans), budget, unpriced(plans))
            return
        check_budget(total_cost(plans), budget, unpriced(plans))
        if n_calls := sum(plan.n_calls for plan in plans.values()):
            text = f"Sending {n_calls:,} requests, {_dollars(total_cost(plans))}. Answers are stored as they arrive."
            goes = dict.fromkeys(place.words for place in map(destination_of, wanted.values()) if place is not None)
            say(" ".join((text, *goes, *price_notes(plans))))
        read, notes = _read(files, opened, tuple(wanted))
        run = partial(run_retriever, workspace, opened, split=split, depth=depth, again=again, on_stage=on_stage)
        saved = run_each(wanted, run, opened.holders, not_run, any_file=bool(files))
        exported, notes_on_ids = ([], []) if export_run is None else _export(saved, export_run)
        runs = [renamed_run(name, one.run) for name, one in saved.items()]
        on_stage("scoring")
        board = score_runs(
            [*runs, *read], opened.collection, split=split, metric_ids=metric_ids, compat=compat, seed=seed
        )
    _show(opened, board, saved, (*twice, *notes, *notes_on_ids), not_run, as_json)
    for path in exported:
        say(f"Run written to {path}.")


def _dollars(cost: tuple[float, float] | None) -> str:
    return "at an unknown price" if cost is None else f"about ${cost[0]:,.2f}, at most ${cost[1]:,.2f}"


def read_specs(names: tuple[str, ...], embedder: str | None) -> tuple[dict[str, Spec], list[str], dict[str, str]]:
    """Return the distinct specs, notes on duplicates, and the requirements of retrievers that are only published."""
    specs: dict[str, Spec] = {}
    by_text: dict[str, str] = {}
    notes, not_run = [], {}
    for name in names:
        preset = preset_named(name)
        if preset is not None and preset.spec is None:
            not_run[name] = f"{NEEDS}{preset.needs}"
            continue
        spec = settled(spec_named(name), embedder)
        first = by_text.setdefault(spec.text, name)
        if first == name:
            specs[name] = spec
        else:
            notes.append(f"{name} is the same as {first}: it runs only once")
    return specs, notes, not_run


def runnable_specs(
    specs: Mapping[str, Spec], opened: OpenedCollection, not_run: dict[str, str], *, any_file: bool
) -> dict[str, Spec]:
    """Return the retrievers that can run here; the requirements of the others are added to `not_run`."""
    found = {}
    for name, spec in specs.items():
        if lacking := needs(spec, opened.holders):
            not_run[name] = f"{NEEDS}{lacking}"
        else:
            found[name] = spec
    if not found and not any_file:
        raise InputError(nothing_runs(not_run))
    return found


def _check_export(path: Path, n: int) -> None:
    """Check the export path before anything runs."""
    if n > 1 and path.exists() and not path.is_dir():
        raise InputError(f"--export-run writes one file for each of {n} retrievers: name a folder, not the file {path}")


def _export(saved: Mapping[str, SavedRun], path: Path) -> tuple[list[Path], list[str]]:
    """Write one file per retriever; return the files, and notes on their ids."""
    places = run_places(saved, path)
    notes = [note for name, place in places.items() for note in write_run(renamed_run(name, saved[name].run), place)]
    return list(places.values()), list(dict.fromkeys(notes))


def run_places(names: Iterable[str], path: Path, *, in_folder: bool = False) -> dict[str, Path]:
    """Return the file of each run: `path` itself for one, unless it is a folder, else files in the folder `path`."""
    names = list(names)
    if len(names) == 1 and not in_folder and not path.is_dir():
        return dict.fromkeys(names, path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise FileError(f"can't make the folder {path} ({e.strerror or e}): choose another place") from e
    return dict(zip(names, (path / f"{stem}.run" for stem in _stems(names)), strict=True))


def _stems(names: Iterable[str]) -> list[str]:
    found: list[str] = []
    for name in names:
        stem = re.sub(r"[^\w.=-]+", "-", name).strip("-.")[:80] or "run"
        same = sum(each == stem or each.startswith(f"{stem}_") for each in found)
        found.append(f"{stem}_{same + 1}" if same else stem)
    return found


def _show_plan(
    collection: str,
    plans: Mapping[str, RetrieverPlan],
    lacking: Mapping[str, str | None],
    not_run: Mapping[str, str],
    *,
    as_json: bool,
) -> None:
    """Show the planned requests of paid retrievers. Nothing is sent."""
    cost = total_cost(plans)
    if as_json:
        print_json(
            {
                "dry_run": True,
                "collection": collection,
                "retrievers": {name: _plan_document(plan, lacking[name]) for name, plan in plans.items()},
                "not_run": not_run_document(not_run),
                "dollars": _cost_document(cost),
                "notes": price_notes(plans),
                "how": HOW,
            }
        )
        return
    heads = ("Retriever", "Queries to ask", "Model", "Calls", "Prompt tokens", "Answer tokens", "Dollars", "At most")
    grid = table("Dry run: nothing was sent", *heads, right=(1, 3, 4, 5, 6, 7))
    for name, plan in plans.items():
        waiting = f"{plan.n_queries - plan.n_known:,} of {plan.n_queries:,}"
        if not plan.paid:
            row(grid, name, waiting, "free: nothing is sent", "0", "0", "0", "0.00", "0.00")
        for paid in plan.paid:
            dollars = (NONE, NONE) if paid.cost is None else tuple(f"{each:,.2f}" for each in paid.cost)
            tokens = (f"{paid.n_prompt_tokens:,}", f"{paid.n_answer_tokens:,}")
            row(grid, name, waiting, paid.model, f"{paid.n_calls:,}", *tokens, *dollars)
    results().print(grid)
    for name, why in {**not_run, **{name: f"{NEEDS}{needed}" for name, needed in lacking.items() if needed}}.items():
        tell(f"Can't run yet: {name} {why.rstrip('.')}.", "yellow")
    for note in price_notes(plans):
        tell(note)
    for model in unpriced(plans):
        tell(f"{model} has no known price. Add one with --price MODEL=IN,OUT.")
    if cost is not None:
        tell(f"Total: ${cost[0]:,.2f} expected, ${cost[1]:,.2f} at most.")
    tell(HOW)


def _plan_document(plan: RetrieverPlan, lacking: str | None) -> dict[str, Any]:
    return {
        "n_queries": plan.n_queries,
        "n_known": plan.n_known,
        "needs": lacking,
        "n_calls": plan.n_calls,
        "models": [{**asdict(paid), "dollars": _cost_document(paid.cost)} for paid in plan.paid],
        "dollars": _cost_document(plan.cost),
    }


def _cost_document(cost: tuple[float, float] | None) -> dict[str, float] | None:
    return None if cost is None else {"expected": cost[0], "most": cost[1]}


def read_metrics(metrics: str) -> tuple[str, ...]:
    named = [read_metric(part).metric_id for part in metrics.split(",") if part.strip()]
    if not named:
        raise InputError(f"name at least one metric: --metrics {','.join(DEFAULT_METRICS)}")
    return tuple(dict.fromkeys(named))


def renamed_run(name: str, run: Run) -> Run:
    return Run(name, run.query_ids, run.doc_ids, run.starts, run.rows, run.scores)


def _read(files: tuple[Path, ...], opened: OpenedCollection, taken: tuple[str, ...]) -> tuple[list[Run], list[str]]:
    """Read external runs; one with a duplicate name is renamed to its file name."""
    runs: list[Run] = []
    notes: list[str] = []
    names = set(taken)
    for file in files:
        run, its_notes = read_run(file, opened.collection)
        name = run.name if run.name not in names else file.name
        if name in names:
            raise InputError(f'two runs are called "{name}": rename the file {file}')
        names.add(name)
        runs.append(renamed_run(name, run))
        notes += its_notes
    return runs, notes


def benchmark_warnings(opened: OpenedCollection, board: Leaderboard, notes: Sequence[str]) -> tuple[str, ...]:
    odd = [f"{o.sentence} Fix: {o.fix}" if o.fix else o.sentence for o in opened.oddities]
    return (*odd, *opened.notes, *notes, *board.warnings)


def _show(
    opened: OpenedCollection,
    board: Leaderboard,
    saved: dict[str, SavedRun],
    notes: tuple[str, ...],
    not_run: Mapping[str, str],
    as_json: bool,
) -> None:
    warnings = benchmark_warnings(opened, board, notes)
    if as_json:
        print_json(benchmark_document(opened.collection.name, board, saved, warnings, not_run))
        return
    print_benchmark(opened.collection, board, saved, not_run)
    for warning in warnings:
        say(f"Note: {warning.rstrip('.')}.", "yellow")


# `get collection` and similar: documents, queries and judgments to run retrievers over.

SHOWN = 10
"""Number of rejected lines to print; --json lists all."""

_collection_options = options.together(
    click.option("--name", default=None, help="Name. [default: the folder or collection name]"),
    click.option("--renumber", is_flag=True, help="Renumber the queries to match the judgments."),
    click.option(
        "--documents",
        default=None,
        help="Add the documents of a collection, topic:NAME, a folder or knowledge:NAME; knowledge:NAME+relations "
        "adds entities with their relations in words.",
    ),
    click.option("--replace", is_flag=True, help="Overwrite a collection with the same name."),
    options.output,
)


def _collection_document(brought: CollectionImport) -> dict[str, Any]:
    row, splits = brought.row, brought.collection.splits
    return {
        "collection": row.name,
        "folder": str(brought.where),
        "n_documents": row.n_documents,
        "n_queries": row.n_queries,
        "n_judgments": row.n_judgments,
        "n_judged_queries": row.n_judged_queries,
        "splits": [{"split": split, "n_queries": len(ids)} for split, ids in splits.items()],
        "labels": list(row.labels),
        "notes": list(brought.notes),
        "rejected": [asdict(line) for line in brought.rejected],
        "oddities": [asdict(oddity) for oddity in brought.oddities],
        "renumbered": brought.oddities_after is not None,
        "oddities_after": None
        if brought.oddities_after is None
        else [asdict(oddity) for oddity in brought.oddities_after],
    }


def _print_collection(brought: CollectionImport) -> None:
    row = brought.row
    counts = f"{row.n_documents:,} documents, {row.n_queries:,} queries, {row.n_judgments:,} judgments"
    results().print(shown(row.name, "bold"), shown(f"{counts}, from {brought.where}"))
    for split, ids in brought.collection.splits.items():
        tell(f"Split {split}: {len(ids):,} queries")
    if labels := [label for label in row.labels if label != GIVEN]:
        tell(f"Queries are labelled by {', '.join(labels)}")
    for note in brought.notes:
        tell(f"Note: {note}")
    _print_rejected(brought.rejected)
    _print_oddities("Problems found:", brought.oddities)
    if brought.oddities_after is not None:
        _print_oddities("Problems after renumbering:", brought.oddities_after)
    tell(f"\n{_next(brought)}")


def _print_rejected(lines: Sequence[Any]) -> None:
    if not lines:
        return
    tell(f"{len(lines):,} {'line was' if len(lines) == 1 else 'lines were'} left out:")
    for line in lines[:SHOWN]:
        tell(f"  {line}")
    if len(lines) > SHOWN:
        tell("  ...")


def _print_oddities(head: str, oddities: Sequence[Oddity]) -> None:
    tell(f"\n{head}" if oddities else f"\n{head} none.")
    for oddity in oddities:
        examples = f" For example {', '.join(oddity.examples[:3])}." if oddity.examples else ""
        tell(f"- {oddity.sentence}{examples}", "yellow" if oddity.fix else "")
        if oddity.fix:
            tell(f"  Fix: {oddity.fix} (--renumber)")


def _next(brought: CollectionImport) -> str:
    row = brought.row
    if not row.n_documents:
        return (
            "It has no documents, so it can't be searched yet. Run this again with --replace and --documents "
            "FOLDER, COLLECTION, topic:NAME or knowledge:NAME"
        )
    name = row.name if row.name.isalnum() else f'"{row.name}"'
    benchmark = f"Next: queryscape benchmark --collection {name} --retrievers bm25"
    if brought.oddities_after is None and any(oddity.fix for oddity in brought.oddities):
        return f"Fix it first: run this again with --replace --renumber. {benchmark}"
    return benchmark


def _say_downloaded(file: DownloadProgress) -> None:
    if file.total_bytes and file.done_bytes >= file.total_bytes:
        say(f"{file.name} ({file.total_bytes:,} bytes)", "dim")


def _bring(
    where: str, shape_id: str | None, wanted: CollectionImportOptions, data_dir: Path | None, as_json: bool
) -> None:
    with Workspace.open(data_dir) as workspace, waiting("Loading the collection") as on_stage:
        brought = bring_collection(
            workspace, where, wanted, shape_id=shape_id, on_stage=on_stage, on_download=_say_downloaded
        )
    if as_json:
        print_json(_collection_document(brought))
    else:
        _print_collection(brought)


def _place(path: str | None, where: str | None, name: str) -> str:
    """Return the path from the argument or from --from."""
    if (path is None) == (where is None):
        text = f"get {name} PATH (or --from PATH)"
        raise InputError(f"give a path: {text}" if path is None else f"give the path only once: {text}")
    return str(path or where)


@click.command()
@click.argument("path", required=False)
@click.option("--from", "where", default=None, help="The same as PATH.")
@_collection_options
def collection(path: str | None, where: str | None, data_dir: Path | None, as_json: bool, **wanted: Any) -> None:
    """Load your own documents, queries and judgments.

    PATH is a folder or a file, in any layout: TREC, SMART, BEIR, STaRK or Paper Lantern. Problems found in them are
    shown.
    """
    _bring(_place(path, where, "collection"), None, CollectionImportOptions(**wanted), data_dir, as_json)


def _of_shape(shape_id: str) -> click.Command:
    @click.command(shape_id, help=f"{SHAPES[shape_id].sentence} PATH is a folder, or a web address of the files.")
    @click.argument("path", required=False)
    @click.option("--from", "where", default=None, help="The same as PATH.")
    @_collection_options
    def command(path: str | None, where: str | None, data_dir: Path | None, as_json: bool, **wanted: Any) -> None:
        _bring(_place(path, where, shape_id), shape_id, CollectionImportOptions(**wanted), data_dir, as_json)

    return command


COMMANDS = (collection, *map(_of_shape, SHAPES))


# `get knowledge`: entities, their texts and their relations.


def _knowledge_document(brought: ImportedBase, base: KnowledgeBase) -> dict[str, Any]:
    about, built = brought.about, brought.built
    return {
        "knowledge_base": about.name,
        "folder": about.origin,
        "n_entities": about.n_entities,
        "n_relations": about.n_relations,
        "templates": about.templates,
        "types": [{"type": k.name, "n": k.n, "is_answer": k.is_answer} for k in base.types.values()],
        "relations": [
            {"relation": r.name, "source": r.source, "target": r.target, "n": r.n} for r in base.relation_types
        ],
        "n_dangling": built.n_dangling,
        "n_twice": built.n_twice,
        "n_same_id": built.n_same_id,
        "notes": list(brought.notes),
        "rejected": [asdict(line) for line in brought.rejected],
    }


def _print_knowledge(brought: ImportedBase, base: KnowledgeBase) -> None:
    about = brought.about
    counts = f"{about.n_entities:,} entities, {about.n_relations:,} relations, from {about.origin}"
    results().print(shown(about.name, "bold"), shown(counts))
    types = table("Entities", "Type", "Number", "Answer type", right=(1,))
    for kind in base.types.values():
        row(types, kind.name, f"{kind.n:,}", "yes" if kind.is_answer else "no")
    results().print(types)
    relations = table("Relations", "Relation", "From", "To", "Number", right=(3,))
    for relation in base.relation_types:
        row(relations, relation.name, relation.source, relation.target, f"{relation.n:,}")
    results().print(relations)
    for note in brought.notes:
        tell(f"Note: {note}")
    _print_rejected(brought.rejected)
    tell("\nNext: queryscape, page Knowledge")


@click.command()
@click.option("--from", "where", default=None, help="The same as PATH.")
@click.option("--name", default=None, help="Name. [default: the folder name]")
@click.option("--replace", is_flag=True, help="Overwrite a knowledge base with the same name.")
@click.option("--answers", "first", default=None, help="Types that can be answers: --answers A B ... [default: all]")
@click.argument("others", nargs=-1, metavar="[PATH]")
@options.output
def knowledge(
    where: str | None,
    name: str | None,
    replace: bool,
    first: str | None,
    others: tuple[str, ...],
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Load a knowledge base: STaRK's MAG, Amazon or Prime, tables of your own, or works of OpenAlex.

    PATH is a folder, an archive or a file. Tables are entities.csv (id, type, title, text, ...) and relations.csv
    (source, relation, target). Omitted parts are reported.
    """
    if where is None and others:
        where, others = others[0], others[1:]
    where = _place(None, where, "knowledge")
    if first is None and others:
        raise InputError(f'"{others[0]}" is unexpected: give one path, and types with --answers')
    answers = (first, *others) if first is not None else ()
    with Workspace.open(data_dir) as workspace, waiting("Loading the knowledge base") as on_stage:
        brought = bring_knowledge(
            workspace.knowledge, where, name=name, replace=replace, answers=answers, on_stage=on_stage
        )
        base = workspace.knowledge.open(brought.about.name)
        if as_json:
            print_json(_knowledge_document(brought, base))
        else:
            _print_knowledge(brought, base)


# `get`: load a public collection in its own layout.


@click.group(cls=LazyGroup)
def get() -> None:
    """Load a public collection in its own layout."""


def _litqeval_document(intake: Intake) -> dict[str, Any]:
    return {
        "collection": "litqeval",
        "folder": str(intake.folder),
        "n_topics": len(intake.collection.topics),
        "n_publications": len(intake.collection.publications),
        "topics": [
            {
                "topic": t.topic_id,
                "n_core": len(t.core_ids),
                "versions": [
                    {"version": v.label, "origin": v.origin, "n_retrieved": len(v.retrieved_ids)}
                    for v in t.versions
                    if v.retrieved_ids is not None
                ],
                "versions_not_run": [v.label for v in t.versions if v.retrieved_ids is None],
            }
            for t in intake.collection.topics
        ],
        "missing_files": list(intake.missing_files),
        "notes": [*intake.collection.notes, *intake.published.notes],
        "published": {
            "files": list(intake.published.files),
            "n_scores": len(intake.published.scores),
            "n_topics_with_scores": len({score.topic_id for score in intake.published.scores}),
            "n_curves": len(intake.published.curves),
        },
    }


def _print_litqeval(intake: Intake) -> None:
    grid = table("LitQEval", "Topic", "Core", "Versions (retrieved)", right=(1,))
    for t in intake.collection.topics:
        run = [f"{v.label} ({len(v.retrieved_ids):,})" for v in t.versions if v.retrieved_ids is not None]
        row(grid, t.topic_id, str(len(t.core_ids)), ", ".join(run) or "–")
    results().print(grid)
    n = f"{len(intake.collection.publications):,} publications, {len(intake.collection.topics)} topics"
    tell(f"\n{n}, from {intake.folder}")
    if intake.published.files:
        scores, curves = intake.published.scores, intake.published.curves
        n_topics = len({score.topic_id for score in scores})
        text = f"{len(scores):,} published scores of {n_topics} topics, threshold curves of {len(curves)}"
        tell(f"{text}, from {', '.join(intake.published.files)}")
    for note in (*intake.collection.notes, *intake.published.notes):
        tell(f"Note: {note}")
    if intake.missing_files:
        tell(f"{len(intake.missing_files)} files are missing, so their content is left out:")
        for name in intake.missing_files:
            tell(f"  {name}")
    tell(
        '\nNext: queryscape embed --topic TOPIC --embedder lsa, or "vectors FILE.npz --model NAME"; then '
        "queryscape evaluate --topic TOPIC --version VERSION"
    )


@get.command()
@click.argument("path", required=False)
@click.option("--from", "where", default=None, help="The same as PATH.")
@options.output
def litqeval(path: str | None, where: str | None, data_dir: Path | None, as_json: bool) -> None:
    """Load LitQEval: 21 topics with core publications and query versions.

    PATH is a folder, or the base web address of the files.
    """
    where = _place(path, where, "litqeval")
    with Workspace.open(data_dir) as workspace, progress("Loading LitQEval") as report:

        def on_download(p: DownloadProgress) -> None:
            _say_downloaded(p)
            report(p.file_number, p.n_files)

        intake = bring_litqeval(
            workspace, where, on_download=on_download, on_load=lambda done, total, _name: report(done, total)
        )
    if as_json:
        print_json(_litqeval_document(intake))
    else:
        _print_litqeval(intake)


get_mesh = LazyCommand(
    "mesh", "query.mesh:get_mesh_command", "Load NLM's MeSH: tree file, descriptor XML or ASCII, also as .gz."
)
get_retractions = LazyCommand(
    "retractions",
    "library.retractions:get_retractions_command",
    "Load the notices of Retraction Watch, and list the publications that they flag.",
)
for command in (*COMMANDS, knowledge, get_mesh, get_retractions):
    get.add_command(command)
