"""The commands `export collection` and `export run`: files for other evaluation programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from core.collections import Collection
from core.errors import InputError
from core.protocols import OnStage, silent
from core.text import many
from dashboard.completion import complete_topic
from dashboard.kit import options
from dashboard.kit.output import print_json, tell, warn
from dashboard.kit.progress import waiting
from dashboard.retrieval.commands import run_places
from data.explore.workspace import Workspace
from data.lookup import check_topic
from data.retrieval.collections import open_collection, topic_as_query, version_run
from data.retrieval.evaluation_files import (
    beir_files,
    check_file,
    check_folder,
    counted_judgments,
    judgment_notes,
    of_split,
    trec_qrels,
    write_beir,
    write_qrels,
)
from data.retrieval.runs import write_run

# `export collection`: documents, queries and judgments in the layout of BEIR, judgments as TREC's qrels.


@click.command(
    "export collection",
    epilog=options.examples(
        "export collection --collection demo --out demo-beir",
        "export collection --topic masks --out beir --qrels masks.qrels",
    ),
)
@click.option("--collection", default=None, help="A collection's name, topic:NAME, or a folder.")
@click.option(
    "--topic",
    default=None,
    shell_complete=complete_topic,
    help="A topic: its name is the one query, and its core publications are relevant.",
)
@click.option("--split", default=None, help="Only the queries of this split. [default: all]")
@click.option("--out", type=click.Path(path_type=Path), default=None, help="Folder for files in the layout of BEIR.")
@click.option("--qrels", type=click.Path(path_type=Path), default=None, help="File for the judgments as TREC qrels.")
@click.option(
    "--force", is_flag=True, help="Overwrite existing files, and delete the judgments of other splits in the folder."
)
@options.output
def export_collection(
    collection: str | None,
    topic: str | None,
    split: str | None,
    out: Path | None,
    qrels: Path | None,
    force: bool,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Write a collection or a topic for BEIR, ir_measures, trec_eval, ranx or Pyserini.

    --out gets corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv; "get collection" reads them back. --qrels gets the
    judgments in TREC's four columns. With --topic, the query's id is the topic's name in lower case with hyphens, as in
    the files of "export run"; --collection topic:NAME makes each version a query, as "benchmark" does.
    """
    with Workspace.open(data_dir) as workspace, waiting("Writing the collection") as on_stage:
        document = write_collection(
            workspace, collection, out, qrels, topic=topic, split=split, force=force, on_stage=on_stage
        )
    if as_json:
        print_json(document)
        return
    counts = [many(document[f"n_{what}s"], name) for what, name in (("document", "document"), ("judgment", "judgment"))]
    tell(f"{document['collection']}: {counts[0]}, {many(document['n_queries'], 'query')}, {counts[1]}")
    for file in document["files"]:
        tell(f"  {file}", soft_wrap=True)
    warn(document["notes"])


def write_collection(
    workspace: Workspace,
    collection: str | None,
    out: Path | None,
    qrels: Path | None,
    *,
    topic: str | None = None,
    split: str | None = None,
    force: bool = False,
    on_stage: OnStage = silent,
) -> dict[str, Any]:
    """Write the files; return `export collection --json`."""
    if (topic is None) == (collection is None):
        raise InputError("choose what to export: --collection NAME or --topic NAME")
    if out is None and qrels is None:
        raise InputError("choose where to: --out FOLDER for BEIR's layout, --qrels FILE for TREC judgments, or both")
    if out is not None:
        check_folder(out, force=force)
    if qrels is not None:
        check_file(qrels, force=force)
    on_stage("reading the collection")
    if topic is not None:
        whole = topic_as_query(workspace, topic)
    else:
        whole = open_collection(workspace, str(collection)).collection
    chosen = of_split(whole, split)
    if not whole.queries:
        raise InputError(f'"{whole.name}" has no queries: load it with queries, or take a topic with --topic')
    if qrels is not None and not chosen.judgments:
        raise InputError(_why_no_judgments(chosen, topic))
    on_stage("writing")
    judgments = None if qrels is None else trec_qrels(chosen.judgments)
    beir = None if out is None else beir_files(chosen)
    files: list[Path] = []
    if beir is not None and out is not None:
        files += write_beir(beir, out, force=force)
    if judgments is not None and qrels is not None:
        write_qrels(judgments, qrels, force=force)
        files.append(qrels)
    notes = [*(beir.notes if beir else judgment_notes(chosen)), *(judgments.notes if judgments else ())]
    if chosen.made_up:
        notes.append("demo data: nothing in it is real")
    counted = counted_judgments(chosen.judgments)
    return {
        "collection": whole.name,
        "topic": topic,
        "split": split,
        "folder": None if out is None else str(out),
        "qrels": None if qrels is None else str(qrels),
        "files": list(map(str, files)),
        "n_documents": len(chosen.documents),
        "n_queries": len(chosen.queries),
        "n_judgments": len(counted),
        "n_relevant": sum(judgment.relevance > 0 for judgment in counted),
        "notes": notes,
    }


def _why_no_judgments(collection: Collection, topic: str | None) -> str:
    if topic is not None:
        return f'"{topic}" has no core publications, so there are no judgments: import them with --as core'
    return f'"{collection.name}" has no judgments: import a file of them with the collection, or judge its results'


# `export run`: the results of query versions as TREC runs.


@click.command(
    "export run",
    epilog=options.examples(
        "export run --topic masks --version v1 --out v1.run", "export run --topic masks --out runs"
    ),
)
@options.topic
@click.option("--version", "versions", multiple=True, help="A version that was run (repeatable). [default: all]")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="A file for one --version, else a folder.")
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@options.output
def export_run(
    topic: str, versions: tuple[str, ...], out: Path, force: bool, data_dir: Path | None, as_json: bool
) -> None:
    """Write the results of query versions as TREC runs: query, Q0, document, rank, score, version.

    The query is the topic, with the id that "export collection --topic" gives it. A question is written as it was
    ranked; the score falls by 1 from rank to rank. All others are sets: every publication scores 1, in the order of the
    ids. Measure sets without ranks, for example with SetP and SetR of ir_measures.
    """
    with Workspace.open(data_dir) as workspace, waiting(f"Writing runs of {topic}"):
        document = write_version_runs(workspace, topic, versions, out, force=force)
    if as_json:
        print_json(document)
        return
    for each in document["runs"]:
        how = "ranked" if each["is_ranked"] else "a set without order"
        tell(f"{each['version']}: {many(each['n_retrieved'], 'publication')}, {how}: {each['file']}", soft_wrap=True)
    warn(document["notes"])


def write_version_runs(
    workspace: Workspace, topic: str, versions: Sequence[str], out: Path, *, force: bool
) -> dict[str, Any]:
    """Write the files; return `export run --json`. No version: all that were run."""
    check_topic(workspace.store, topic)
    labels = list(dict.fromkeys(versions)) or [
        row.version.label for row in workspace.store.versions(topic) if row.n_retrieved is not None
    ]
    if not labels:
        raise InputError(f'no version of "{topic}" has been run yet: run a search string, or import a result list')
    in_folder = len(versions) != 1
    if in_folder and out.exists() and not out.is_dir():
        raise InputError(f"several versions need a folder, and {out} is a file: name a folder, or one --version")
    runs = {label: version_run(workspace, topic, label) for label in labels}
    places = run_places(labels, out, in_folder=in_folder)
    for place in places.values():
        check_file(place, force=force)
    notes: dict[str, None] = {}
    for label, (run, is_ranked) in runs.items():
        notes |= dict.fromkeys(write_run(run, places[label], is_ranked=is_ranked))
        if not len(run.rows):
            notes[f"{label} retrieved nothing, so its file is empty"] = None
    return {
        "topic": topic,
        "query_id": next(iter(runs.values()))[0].query_ids[0],
        "runs": [
            {"version": label, "file": str(places[label]), "n_retrieved": len(run.rows), "is_ranked": is_ranked}
            for label, (run, is_ranked) in runs.items()
        ],
        "notes": list(notes),
    }
