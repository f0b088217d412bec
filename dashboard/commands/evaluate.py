"""`evaluate`: the scores of one query version."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.text import Text

from core.compare import REGION_LABELS
from core.evaluate import Evaluation, RegionScores
from core.types import RegionKind
from dashboard.commands import options
from dashboard.commands.documents import evaluation_document
from dashboard.commands.output import few, interval, number, print_json, results, row, table, waiting, warn
from data.workspace import Workspace


def print_evaluation(evaluation: Evaluation, label: str, *, intervals: bool = False) -> None:
    """Scores as a table for people."""
    out = results()
    n_found, n_core = len(evaluation.found_core_ids), len(evaluation.core_ids)
    attainable = evaluation.attainable_recall
    lines = [
        f"{evaluation.topic_id} · {label} · {evaluation.model_id}",
        f"Retrieved {evaluation.n_retrieved:,}"
        + (f", {evaluation.n_unscorable:,} of them without a vector" if evaluation.n_unscorable else ""),
        f"Core recall {evaluation.recall:.3f} ({interval(evaluation.recall_interval)}): {n_found} of {n_core} found"
        + (f"; attainable {attainable:.3f}" if attainable is not None and attainable != evaluation.recall else ""),
        f"Core missed: {few(evaluation.missed_core_ids)}",
        "",
    ]
    for line in lines:
        out.print(Text(line))
    columns = ["Region", "Relevant", "Core accepted", "Semantic precision", "Decay", "Recall used", "F-beta"]
    if intervals:
        columns += ["Semantic precision range", "F-beta range"]
    grid = table("Regions", *columns, "What defines it", right=tuple(range(1, len(columns))))
    for kind in evaluation.regions:
        row(grid, *_cells(evaluation, kind, intervals))
    out.print(grid)
    if intervals:
        out.print(Text("Ranges: sensitivity to the core set (resampled), not confidence intervals."))
    for scores in evaluation.regions.values():
        if scores.degenerate:
            out.print(Text(f"{REGION_LABELS[scores.kind]}: {scores.degenerate}."))
    warn(evaluation.warnings)


def _cells(evaluation: Evaluation, kind: RegionKind, intervals: bool) -> list[str | Text]:
    scores: RegionScores = evaluation.regions[kind]
    defined = scores.status == "ok"
    cells: list[str | Text] = [
        REGION_LABELS[kind],
        f"{scores.n_relevant:,}" if scores.n_relevant is not None else "–",
        str(len(scores.accepted_core_ids)) if defined else "–",
        number(scores.semantic_precision),
        number(scores.decay),
        number(scores.recall_used),
        number(scores.f_beta, "strike" if scores.degenerate else "bold"),
    ]
    if intervals:
        s = evaluation.sensitivity.get(kind)
        cells += [interval(s.semantic_precision_range if s else None), interval(s.f_beta_range if s else None)]
    defines = ", ".join(f"{k} {v:.3g}" if isinstance(v, float) else f"{k} {v}" for k, v in scores.defines.items())
    return [*cells, defines if defined else scores.status]


@click.command()
@options.topic
@click.option("--version", "label", required=True, help="The version's label.")
@options.embedder
@options.regions
@click.option("--intervals", is_flag=True, help="Also how far scores move with the core set.")
@options.settings
@options.data_dir
@options.as_json
def evaluate(
    topic: str,
    label: str,
    embedder: str | None,
    regions: str,
    intervals: bool,
    data_dir: Path | None,
    as_json: bool,
    **flags: Any,
) -> None:
    """Score one query version: recall, semantic precision, decay and F-beta for every region."""
    settings, kinds = options.read_settings(flags), options.read_regions(regions)
    with Workspace.open(data_dir) as workspace, waiting(f"Evaluating {topic} · {label}") as on_stage:
        evaluation = workspace.evaluate(
            topic,
            label,
            embedder=embedder,
            settings=settings,
            regions=kinds,
            intervals=intervals,
            on_stage=on_stage,
        )
    if as_json:
        print_json(evaluation_document(evaluation, label, intervals=intervals))
    else:
        print_evaluation(evaluation, label, intervals=intervals)
