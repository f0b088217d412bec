"""`benchmark`: several retrievers over a collection with given truth."""

from __future__ import annotations

from pathlib import Path

import click

from core.errors import InputError
from core.ranking.check import Run
from core.ranking.metrics import COMPATS, DEFAULT_METRICS, Compat, read_metric
from core.ranking.report import Leaderboard, score_runs
from core.retrieval.spec import Spec
from dashboard.commands import options
from dashboard.commands.benchmark_tables import benchmark_document, print_benchmark
from dashboard.commands.output import print_json, say, waiting
from dashboard.commands.retrievers import spec_named
from data.collections.bringing import OpenedCollection, open_collection
from data.collections.run_files import DEPTH, read_run, run_retriever, write_run
from data.collections.stored import SavedRun
from data.retrieval.opening import needs, settled
from data.workspace import Workspace


@click.command()
@click.option("--collection", required=True, help="A collection's name, topic:NAME, or a folder.")
@click.option("--retrievers", "first", default=None, help="One or more: --retrievers bm25 dense ...")
@click.argument("others", nargs=-1)
@click.option("--split", default=None, help="Only the queries of this part. [default: all]")
@click.option("--metrics", default=",".join(DEFAULT_METRICS), show_default=True, help="With commas, such as ndcg@20.")
@click.option("--depth", type=int, default=DEPTH, show_default=True, help="Documents of each ranking.")
@click.option("--compat", type=click.Choice(COMPATS), default=None, help="STaRK's evaluator, to reproduce.")
@click.option("--run", "files", multiple=True, type=click.Path(path_type=Path), help="A TREC run to compare with.")
@click.option("--export-run", type=click.Path(path_type=Path), default=None, help="Write the run as a TREC file.")
@click.option("--again", is_flag=True, help="Ask anew where candidates failed before.")
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Of the resampling.")
@options.embedder
@options.data_dir
@options.as_json
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
    embedder: str | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Run retrievers over a collection, and say which differences are clear.

    What is answered is kept: the same command goes on where it was stopped.
    """
    names = tuple(dict.fromkeys([*([first] if first else []), *others]))
    if not names and not files:
        raise InputError("name at least one retriever: --retrievers bm25 dense, or a run: --run FILE")
    if export_run is not None and len(names) != 1:
        raise InputError(f"--export-run writes one run: name one retriever, not {len(names)}")
    specs, twice = _read_specs(names, embedder)
    metric_ids = _read_metrics(metrics)
    with Workspace.open(data_dir) as workspace, waiting(f"Benchmark on {collection}") as on_stage:
        opened = open_collection(workspace, collection)
        _check_relations(specs, opened)
        read, notes = _read(files, opened, tuple(specs))
        saved = {
            name: run_retriever(workspace, opened, spec, split, depth=depth, again=again, on_stage=on_stage)
            for name, spec in specs.items()
        }
        if export_run is not None:
            write_run(_called(names[0], saved[names[0]].run), export_run)
        runs = [_called(name, one.run) for name, one in saved.items()]
        on_stage("scoring")
        board = score_runs(
            [*runs, *read], opened.collection, split=split, metric_ids=metric_ids, compat=compat, seed=seed
        )
    _show(opened, board, saved, (*twice, *notes), as_json)


def _read_specs(names: tuple[str, ...], embedder: str | None) -> tuple[dict[str, Spec], list[str]]:
    """Each retriever once, since a run against itself would count among those compared; and which came twice."""
    specs: dict[str, Spec] = {}
    by_text: dict[str, str] = {}
    notes = []
    for name in names:
        spec = settled(spec_named(name), embedder)
        if lacking := needs(spec):
            raise InputError(f"{name} needs {lacking}")
        first = by_text.setdefault(spec.text, name)
        if first == name:
            specs[name] = spec
        else:
            notes.append(f"{name} is the same as {first}: it was run once")
    return specs, notes


def _check_relations(specs: dict[str, Spec], opened: OpenedCollection) -> None:
    """Before anything is run: what a graph needs of the collection."""
    for name, spec in specs.items():
        if lacking := needs(spec, opened.holders):
            raise InputError(f"{name} needs {lacking}")


def _read_metrics(metrics: str) -> tuple[str, ...]:
    """Checked before anything is run, which may take hours."""
    named = [read_metric(part).metric_id for part in metrics.split(",") if part.strip()]
    if not named:
        raise InputError(f"name at least one metric: --metrics {','.join(DEFAULT_METRICS)}")
    return tuple(dict.fromkeys(named))


def _called(name: str, run: Run) -> Run:
    return Run(name, run.query_ids, run.doc_ids, run.starts, run.rows, run.scores)


def _read(files: tuple[Path, ...], opened: OpenedCollection, taken: tuple[str, ...]) -> tuple[list[Run], list[str]]:
    """Others' runs; one whose name is taken goes by its file's."""
    runs: list[Run] = []
    notes: list[str] = []
    names = set(taken)
    for file in files:
        run, said = read_run(file, opened.collection)
        name = run.name if run.name not in names else file.name
        if name in names:
            raise InputError(f'two runs are called "{name}": rename the file {file}')
        names.add(name)
        runs.append(_called(name, run))
        notes += said
    return runs, notes


def _show(
    opened: OpenedCollection, board: Leaderboard, saved: dict[str, SavedRun], notes: tuple[str, ...], as_json: bool
) -> None:
    odd = [f"{o.sentence} To mend it: {o.fix}" if o.fix else o.sentence for o in opened.oddities]
    warnings = (*odd, *opened.notes, *notes, *board.warnings)
    if as_json:
        print_json(benchmark_document(opened.collection.name, board, saved, warnings))
        return
    print_benchmark(opened.collection, board, saved)
    for warning in warnings:
        say(f"Note: {warning.rstrip('.')}.", "yellow")
