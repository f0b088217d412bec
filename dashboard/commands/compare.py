"""`compare`: versions of one topic side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from core.comparing.compare import REGION_LABELS, SHARED_AREAS, Comparison
from core.metrics import METRICS
from core.types import RegionKind
from dashboard.commands import options
from dashboard.commands.documents import comparison_document
from dashboard.commands.output import few, interval, number, print_json, results, row, shown, table, waiting, warn
from dashboard.commands.sensitivity import print_sensitivity, sensitivity_document
from data.versions.comparing import comparability, compare_in_full, robustness_of
from data.workspace import Workspace


def print_comparison(comparison: Comparison, labels: tuple[str, ...]) -> None:
    """Scores side by side, then what differs between every two versions."""
    out = results()
    grid = table("Scores", "Score", *labels, right=tuple(range(1, len(labels) + 1)))
    row(grid, "Retrieved", *(f"{e.n_retrieved:,}" for e in comparison.versions))
    row(grid, METRICS["recall"].label, *(number(e.recall) for e in comparison.versions))
    for kind in comparison.versions[0].regions:
        of_kind = [e.regions[kind] for e in comparison.versions]
        row(grid, f"{REGION_LABELS[kind]}: semantic precision", *(number(s.semantic_precision) for s in of_kind))
        row(
            grid,
            f"{REGION_LABELS[kind]}: F-beta",
            *(number(s.f_beta, "strike" if s.degenerate else "bold") for s in of_kind),
        )
    out.print(grid)
    for label, evaluation in zip(labels, comparison.versions, strict=True):
        for scores in evaluation.regions.values():
            if scores.degenerate:
                out.print(shown(f"{REGION_LABELS[scores.kind]} of {label} says nothing: {scores.degenerate}."))
    for pair in comparison.pairs:
        out.print()
        title = f"{pair.b} minus {pair.a}"
        grid = table(title, "Region", "Metric", "Difference", "Range over core sets", right=(2,))
        differences = [d for d in comparison.differences if (d.a, d.b) == (pair.a, pair.b)]
        for d in differences:
            region = REGION_LABELS[d.region] + " *" * (d.region in SHARED_AREAS) if d.region else "All"
            row(grid, region, METRICS[d.metric].label, number(d.difference), interval(d.interval))
        out.print(grid)
        if any(d.region in SHARED_AREAS for d in differences):
            out.print(shown("* between areas around the full core set, so it can differ from the scores above"))
        sets = f"In both {pair.n_both:,}, only {pair.a} {pair.n_only_a:,}, only {pair.b} {pair.n_only_b:,}."
        out.print(shown(sets))
        out.print(shown(f"Core gained: {few(pair.core_gained)}. Core lost: {few(pair.core_lost)}."))
        for sentence in dict.fromkeys(d.sentence for d in differences):
            out.print(shown(sentence))


@click.command()
@options.topic
@click.option("--versions", "first", required=True, help="Two or more labels: --versions A B ...")
@click.argument("others", nargs=-1)
@options.embedder
@options.regions
@options.settings
@click.option("--sensitivity", is_flag=True, help="Also what other reasonable settings would give.")
@options.data_dir
@options.as_json
def compare(
    topic: str,
    first: str,
    others: tuple[str, ...],
    embedder: str | None,
    regions: str,
    sensitivity: bool,
    data_dir: Path | None,
    as_json: bool,
    **flags: Any,
) -> None:
    """Compare versions: --versions A B. A difference is the later one minus the earlier."""
    settings, kinds = options.read_settings(flags), options.read_regions(regions)
    labels = (first, *others)
    with Workspace.open(data_dir) as workspace, waiting(f"Comparing {', '.join(labels)}") as on_stage:
        comparison = compare_in_full(
            workspace, topic, labels, embedder=embedder, settings=settings, regions=kinds, on_stage=on_stage
        )
        rows = [workspace.version(topic, label) for label in labels]
        report = None
        if sensitivity:
            around: RegionKind = "cosine" if "cosine" in kinds else kinds[0]
            report = robustness_of(
                workspace, topic, labels, embedder=embedder, settings=settings, region=around, on_stage=on_stage
            )
    told = comparability(rows, comparison.pairs).notes
    if as_json:
        document = comparison_document(comparison, labels, told)
        print_json(document | ({"sensitivity": sensitivity_document(report)} if report else {}))
        return
    print_comparison(comparison, labels)
    if report:
        print_sensitivity(report)
    warn(told + tuple(dict.fromkeys(w for e in comparison.versions for w in e.warnings)))
