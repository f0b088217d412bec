"""Retracted publications of a topic, and the command `get retractions`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import streamlit as st

from core.protocols import OnProgress
from core.text import first_of, many
from dashboard import cache
from dashboard.kit import options
from dashboard.kit.output import print_json, results, row, say, table, tell
from dashboard.kit.progress import waiting
from dashboard.kit.publication_lists import ListedRow, PublicationGroup, draw_group
from dashboard.library.reference_files import ReferenceFile, ReferenceImport, draw_reference_upload
from dashboard.words import plain
from data.explore.workspace import Workspace
from data.files import WorkspacePaths
from data.library.records import RetractionStatus, retraction_statuses
from data.library.retractions import RetractionImport, bring_retractions, load_retractions

NO_FILE = "Only records were checked. Load the CSV of Retraction Watch here or with `get retractions --from FILE`."


def status_counts(statuses: Mapping[str, RetractionStatus]) -> tuple[int, int]:
    """Return the number of retracted publications, and of those with an expression of concern."""
    n_retracted = sum(status.is_retracted for status in statuses.values())
    return n_retracted, len(statuses) - n_retracted


def status_words(statuses: Mapping[str, RetractionStatus]) -> str:
    n_retracted, n_concern = status_counts(statuses)
    parts = [many(n_retracted, "retracted publication")] if n_retracted else []
    parts += [f"{n_concern:,} with an expression of concern"] if parts and n_concern else []
    return ", ".join(parts) or f"{many(n_concern, 'publication')} with an expression of concern"


def status_rows(statuses: Mapping[str, RetractionStatus]) -> tuple[ListedRow, ...]:
    """Return a row for each publication with its status and where that is stated, the newest first."""
    heads = cache.workspace().store.headlines(tuple(statuses))
    rows: list[dict[str, Any]] = [
        {
            "Title": heads.titles[at] or publication_id,
            "Year": int(heads.years[at]) or None,
            "Status": status.label,
            "Stated by": " and ".join(
                ["Record"] * status.in_record + ["Retraction Watch"] * (status.notice is not None)
            ),
            "Notice": status.notice.text if status.notice else None,
            "DOI": f"https://doi.org/{heads.dois[at]}" if heads.dois[at] else None,
        }
        for at, (publication_id, status) in enumerate(statuses.items())
    ]
    return tuple(sorted(rows, key=lambda each: (-(each["Year"] or 0), each["Title"])))


def draw_retracted(topic_id: str) -> None:
    statuses = cache.retraction_statuses(topic_id)
    if not statuses:
        return
    with st.expander(status_words(statuses), icon=":material/block:"):
        group = PublicationGroup("Retracted, or with an expression of concern", rows=status_rows(statuses))
        draw_group(group, key=f"retracted-{topic_id}")


def _checked_against() -> str:
    known = load_retractions(cache.workspace().paths)
    latest = f", newest notice {known.latest}" if known and known.latest else ""
    return f"Checked against the records and {plain(known.source)}{latest}." if known else NO_FILE


def _bring(paths: WorkspacePaths, file: Path, _may_replace: bool, _on_progress: OnProgress) -> ReferenceImport:
    brought = bring_retractions(paths, str(file))
    return ReferenceImport(" ".join(import_lines(brought)), brought.retractions.notes)


RETRACTION_WATCH = ReferenceFile(
    "retractions",
    "Check against Retraction Watch",
    "CSV of Retraction Watch",
    "Choose retraction_watch.csv, which Crossref publishes. Publications of all topics match by DOI or PMID. A newer "
    "file replaces the one before.",
    _bring,
)


def draw_retraction_watch() -> None:
    draw_reference_upload(RETRACTION_WATCH, _checked_against())


@click.command("retractions")
@click.option(
    "--from", "where", required=True, metavar="FILE_OR_ADDRESS", help="CSV of Retraction Watch, or its web address."
)
@options.output
def get_retractions_command(where: str, data_dir: Path | None, as_json: bool) -> None:
    """Load the notices of Retraction Watch, and list the publications that they flag.

    Publications match by DOI or PMID. Retractions and expressions of concern flag a publication; corrections do not,
    and a later reinstatement removes the flag. A newer file replaces the one before.
    """
    with Workspace.open(data_dir) as workspace, waiting("Reading Retraction Watch"):
        brought = bring_retractions(workspace.paths, where)
        found = {
            topic.topic_id: statuses
            for topic in workspace.topics()
            if (statuses := retraction_statuses(workspace.store, workspace.store.topic_publication_ids(topic.topic_id)))
        }
    if as_json:
        print_json(_import_document(brought, found))
    else:
        _print_import(brought, found)


def _import_document(brought: RetractionImport, found: Mapping[str, Mapping[str, RetractionStatus]]) -> dict[str, Any]:
    known = brought.retractions
    return {
        "source": known.source,
        "n_notices": len(known.notices),
        "by_nature": known.counts,
        "n_without_id": known.n_without_id,
        "latest": known.latest or None,
        "replaced": brought.replaced or None,
        "notes": list(known.notes),
        "topics": [
            {
                "topic": topic_id,
                "n_retracted": status_counts(statuses)[0],
                "n_concern": status_counts(statuses)[1],
                "publications": [
                    {
                        "publication_id": publication_id,
                        "status": status.label.lower(),
                        "in_record": status.in_record,
                        "notice": status.notice.text if status.notice else None,
                    }
                    for publication_id, status in statuses.items()
                ],
            }
            for topic_id, statuses in found.items()
        ],
    }


def import_lines(brought: RetractionImport) -> Iterator[str]:
    """Yield sentences on the file that was loaded."""
    known = brought.retractions
    counts = ", ".join(f"{nature} {n:,}" for nature, n in known.counts.items() if n)
    latest = f"; newest {known.latest}" if known.latest else ""
    yield f"{known.source}: {many(len(known.notices), 'notice')} ({counts}){latest}."
    if known.n_without_id:
        yield f"{many(known.n_without_id, 'notice')} without a DOI and PMID can't be matched and were left out."
    if brought.replaced:
        yield f"{brought.replaced} was replaced."


def _print_import(brought: RetractionImport, found: Mapping[str, Mapping[str, RetractionStatus]]) -> None:
    for line in import_lines(brought):
        tell(line)
    for note in brought.retractions.notes:
        say(note, "yellow")
    if not found:
        tell("No publication of this workspace is retracted or has an expression of concern.")
        return
    grid = table("\nFlagged publications", "Topic", "Retracted", "Expression of concern", "Publications", right=(1, 2))
    for topic_id, statuses in found.items():
        n_retracted, n_concern = status_counts(statuses)
        row(grid, topic_id, str(n_retracted), str(n_concern), first_of(tuple(statuses), 3))
    results().print(grid)
