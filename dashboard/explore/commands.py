"""The commands `project`, `evaluate`, `compare`, `versions` and `studies`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

import click
from rich.text import Text

from core.explore.compare import SHARED_AREAS, Comparison, Difference
from core.explore.evaluate import Evaluation, RegionScores
from core.explore.regions import REGION_LABELS
from core.explore.robustness import (
    EXTREMES,
    JOINT,
    ChoiceOutcome,
    Robustness,
    SettingChoice,
    order_sentences,
    special_sentences,
    turns_order,
)
from core.explore.studies import SURVEY_TEMPLATES, SurveyTemplate, survey_query
from core.metrics import METRICS
from core.query.dialects import DIALECTS
from core.query.parser import parse
from core.query.translation import translate
from core.query.tree import DialectId
from core.settings import ProjectionMethod, ProjectionSettings
from core.types import RegionKind
from dashboard.explore.strata import print_strata, strata_document
from dashboard.kit import options, scoring
from dashboard.kit.lazy_commands import LazyCommand, LazyGroup
from dashboard.kit.output import NONE, few, interval, number, print_json, results, row, say, shown, table, warn
from dashboard.kit.progress import progress, waiting
from dashboard.kit.search_strings import version_query, warn_of_errors
from data.explore.studies import strata_of
from data.explore.versions import (
    HistoryEntry,
    bring_back,
    comment,
    comparability,
    compare_in_full,
    delete_version,
    history,
    name_version,
    robustness_of,
    run_again,
)
from data.explore.workspace import Workspace

# Results as JSON documents. The keys are stable: other programs read them.


def region_document(evaluation: Evaluation, kind: RegionKind) -> dict[str, Any]:
    """Build the document of one region of `evaluate --json`."""
    scores: RegionScores = evaluation.regions[kind]
    document = {
        "status": scores.status,
        "degenerate": scores.degenerate is not None,
        "n_relevant": scores.n_relevant,
        "n_accepted_core": len(scores.accepted_core_ids) if scores.status == "ok" else None,
        "semantic_precision": scores.semantic_precision,
        "decay": scores.decay,
        "core_accepted": evaluation.core_accepted(kind),
        "recall_used": scores.recall_used,
        "f_beta": scores.f_beta,
        **scores.defines,
    }
    if kind in evaluation.sensitivity:
        document |= asdict(evaluation.sensitivity[kind])
    return document


def evaluation_document(evaluation: Evaluation, label: str, *, intervals: bool = False) -> dict[str, Any]:
    """Build the document of `evaluate --json`."""
    regions = {kind: region_document(evaluation, kind) for kind in evaluation.regions}
    if intervals:
        for region in regions.values():
            region.setdefault("semantic_precision_range", None)
            region.setdefault("f_beta_range", None)
    return {
        "topic": evaluation.topic_id,
        "version": label,
        "embedder": evaluation.model_id,
        "projection_id": evaluation.projection_id,
        "n_retrieved": evaluation.n_retrieved,
        "n_scorable": evaluation.n_scorable,
        "n_unscorable": evaluation.n_unscorable,
        "n_core": len(evaluation.core_ids),
        "n_core_with_vectors": evaluation.n_core_with_vectors,
        "n_found": len(evaluation.found_core_ids),
        "found_core_ids": list(evaluation.found_core_ids),
        "missed_core_ids": list(evaluation.missed_core_ids),
        "recall": evaluation.recall,
        "recall_interval": list(evaluation.recall_interval),
        "attainable_recall": evaluation.attainable_recall,
        "warnings": list(evaluation.warnings),
        "settings": asdict(evaluation.settings),
        "regions": regions,
    }


def _difference(d: Difference) -> dict[str, Any]:
    return asdict(d) | {"interval": list(d.interval) if d.interval else None}


def comparison_document(comparison: Comparison, labels: tuple[str, ...], notes: tuple[str, ...] = ()) -> dict[str, Any]:
    """Build the document of `compare --json`.

    A difference is B minus A; core gained and lost: the last version against the first. `notes`: cautions for the
    comparison, such as versions that were run over different publications.
    """
    ends = next(p for p in comparison.pairs if p.a == labels[0] and p.b == labels[-1])
    return {
        "versions": [evaluation_document(e, label) for e, label in zip(comparison.versions, labels, strict=True)],
        "differences": [_difference(d) for d in comparison.differences],
        "core_gained": list(ends.core_gained),
        "core_lost": list(ends.core_lost),
        "pairs": [asdict(p) for p in comparison.pairs],
        "notes": list(notes),
    }


# `evaluate`: the scores of one query version.

_strata_option = click.option(
    "--strata", is_flag=True, help="Also core recall and scores by citations, year, kind of survey and year limits."
)


def print_evaluation(evaluation: Evaluation, label: str) -> None:
    """Print scores as a table for people, with each region's definition in lines below."""
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
        out.print(shown(line))
    columns = ("Region", "Relevant", "Core accepted", "Semantic precision", "Decay", "Recall in F-beta", "F-beta")
    grid = table("Regions", *columns, right=range(1, len(columns)))
    grid.columns[0].no_wrap = True  # so that 80 columns are enough for a region in one line
    for kind in evaluation.regions:
        row(grid, *_cells(evaluation, kind))
    out.print(grid)
    out.print()
    for scores in evaluation.regions.values():
        out.print(shown(_about(scores)))
    _print_ranges(evaluation)
    warn(evaluation.warnings)


def _print_ranges(evaluation: Evaluation) -> None:
    """Print a table of the ranges of scores; a region without any has no row."""
    ranges = {
        kind: (found.semantic_precision_range, found.f_beta_range)
        for kind, found in evaluation.sensitivity.items()
        if found.semantic_precision_range or found.f_beta_range
    }
    if not ranges:
        return
    out, columns = results(), ("Region", "Semantic precision", "Range", "F-beta", "Range")
    grid = table("Ranges over resampled core sets", *columns, right=range(1, len(columns)))
    for kind, (precision, f_beta) in ranges.items():
        cells = _cells(evaluation, kind)
        row(grid, cells[0], cells[3], interval(precision), cells[-1], interval(f_beta))
    out.print()
    out.print(grid)
    out.print(shown("They show how scores move with the core set. They are not confidence intervals."))


def _cells(evaluation: Evaluation, kind: RegionKind) -> list[str | Text]:
    scores = evaluation.regions[kind]
    return [
        REGION_LABELS[scores.kind],
        f"{scores.n_relevant:,}" if scores.n_relevant is not None else NONE,
        _accepted(evaluation, kind),
        number(scores.semantic_precision),
        number(scores.decay),
        number(scores.recall_used),
        number(scores.f_beta, "strike" if scores.degenerate else "bold"),
    ]


def _accepted(evaluation: Evaluation, kind: RegionKind) -> str:
    share = evaluation.core_accepted(kind)
    return NONE if share is None else f"{len(evaluation.regions[kind].accepted_core_ids)} ({number(share)})"


def _about(scores: RegionScores) -> str:
    parts = [f"{k} {v:.3g}" if isinstance(v, float) else f"{k} {v}" for k, v in scores.defines.items()]
    if scores.status != "ok":
        parts = [scores.status]
    if scores.degenerate:
        parts.append(f"says nothing: {scores.degenerate}")
    return f"{REGION_LABELS[scores.kind]}: {', '.join(parts)}"


@click.command(
    epilog=options.examples(
        "evaluate --topic masks --version v1",
        "evaluate --topic masks --version v1 --intervals --json",
        "evaluate --topic masks --version v1 --settings mine.toml",
    )
)
@options.topic
@click.option("--version", "label", required=True, help="The version's label.")
@options.embedder
@scoring.regions
@click.option("--intervals", is_flag=True, help="Also show the range of scores over resampled core sets.")
@_strata_option
@scoring.settings
@click.option(
    "--points",
    "points_file",
    type=click.Path(path_type=Path),
    default=None,
    help="Coordinates to use in place of the topic's landscape: an .npz with the arrays ids and points, such as "
    "published ones.",
)
@options.data_dir
@options.as_json
def evaluate(
    topic: str,
    label: str,
    embedder: str | None,
    regions: str,
    intervals: bool,
    points_file: Path | None,
    strata: bool,
    data_dir: Path | None,
    as_json: bool,
    **flags: Any,
) -> None:
    """Score one query version: recall, semantic precision, decay and F-beta for every region."""
    settings, kinds = scoring.read_settings(flags), scoring.read_regions(regions)
    points = None
    if points_file is not None:
        from data.library.reproduction import read_points

        points = read_points(points_file, topic, label)
    with Workspace.open(data_dir) as workspace, waiting(f"Evaluating {topic} · {label}") as on_stage:
        evaluation = workspace.evaluate(
            topic,
            label,
            embedder=embedder,
            settings=settings,
            regions=kinds,
            intervals=intervals,
            points=points,
            on_stage=on_stage,
        )
        split = {label: strata_of(workspace, workspace.version(topic, label), evaluation)} if strata else {}
    if as_json:
        document = evaluation_document(evaluation, label, intervals=intervals)
        print_json(document | ({"strata": strata_document(split[label])} if strata else {}))
        return
    print_evaluation(evaluation, label)
    if strata:
        print_strata(split, kinds[0], evaluation.settings.beta)


# The sensitivity report of `compare --sensitivity`: as tables and as a document.

WIDTH = 80


def print_sensitivity(report: Robustness) -> None:
    """Print the range of F-beta, every choice with the versions' scores, and the choices that change the order.

    Lines have 80 columns.
    """
    out = results()
    out.print()
    title = f"Range of F-beta under other choices ({REGION_LABELS[report.region]})"
    grid = table(title, "Version", "As set", "Lowest", "under", "Highest", "under", right=(1, 2, 4))
    for span in report.spans:
        under = [choice.label if choice else NONE for choice in (span.lowest_under, span.highest_under)]
        row(
            grid,
            span.label,
            number(span.as_set),
            number(span.lowest),
            under[0],
            number(span.highest),
            under[1],
        )
    out.print(grid, width=WIDTH)
    for span in report.spans:
        if span.joint_lowest is not None and span.joint_highest is not None:
            ends = f"{span.joint_lowest:.3f} to {span.joint_highest:.3f}"
            text = f"{span.label}: {ends} {EXTREMES}."
            out.print(shown(text), width=WIDTH)
    out.print()
    _print_choices(report)
    for sentence in (*order_sentences(report), *special_sentences(report)):
        out.print(shown(sentence), width=WIDTH)
    if report.left_out:
        out.print(shown(f"Left out: {'; '.join(report.left_out)}."), width=WIDTH)


def _print_choices(report: Robustness) -> None:
    right = tuple(range(1, 1 + len(report.labels)))
    grid = table("F-beta, one choice at a time", "Choice", *report.labels, "", right=right)
    for outcome in report.outcomes:
        if outcome.choice.setting == JOINT:
            continue
        mark = (
            "order changes"
            if turns_order(report, outcome.choice)
            else "degenerate *"
            if _is_degenerate(outcome)
            else ""
        )
        cells = [
            number(value, "strike" if problem else "")
            for value, problem in zip(outcome.f_beta, outcome.problem, strict=True)
        ]
        row(grid, outcome.choice.label, *cells, mark)
    results().print(grid, width=WIDTH)
    if any(map(_is_degenerate, report.outcomes)):
        results().print(shown("* a meaningless value, not counted; listed below"))


def _is_degenerate(outcome: ChoiceOutcome) -> bool:
    pairs = zip(outcome.f_beta, outcome.problem, strict=True)
    return any(value is not None and problem is not None for value, problem in pairs)


def _choice(choice: SettingChoice | None) -> dict[str, Any] | None:
    if choice is None:
        return None
    return {
        "label": choice.label,
        "setting": choice.setting,
        "region": choice.region,
        "changes": dict(choice.changes),
    }


def _outcome(outcome: ChoiceOutcome, labels: tuple[str, ...]) -> dict[str, Any]:
    columns = {"f_beta": outcome.f_beta, "problem": outcome.problem, "rank": outcome.rank}
    by_version = {name: dict(zip(labels, values, strict=True)) for name, values in columns.items()}
    return {"choice": _choice(outcome.choice), **by_version}


def sensitivity_document(report: Robustness) -> dict[str, Any]:
    """Build `sensitivity` of `compare --sensitivity --json`.

    `region`: the one that settings are varied around. `versions`: F-beta as set, its lowest and highest with one choice
    changed, and with decay and beta at the ends of their ranges at once (`joint_lowest`, `joint_highest`). `choices`:
    each with F-beta, rank (1 is best) and problem of every version; a choice names its `setting`, the `region` it is
    read from and the settings it `changes`. `orders`: for every pair of versions the difference as set (B minus A), the
    choices that reverse their order, and in `turns` the smallest change of one setting that does. `special`: undefined
    and degenerate cases. `left_out`: cases not examined, and the reasons.
    """
    spans = [
        {"version": s.label, "f_beta": s.as_set}
        | {name: value for name, value in asdict(s).items() if name not in ("label", "as_set")}
        | {"lowest_under": _choice(s.lowest_under), "highest_under": _choice(s.highest_under)}
        for s in report.spans
    ]
    orders = [asdict(o) | {"turned_by": [_choice(c) for c in o.turned_by]} for o in report.orders]
    special = [
        {"version": s.label} | {name: value for name, value in asdict(s).items() if name != "label"}
        for s in report.special
    ]
    return {
        "region": report.region,
        "versions": spans,
        "choices": [_outcome(outcome, report.labels) for outcome in report.outcomes],
        "orders": orders,
        "special": special,
        "left_out": list(report.left_out),
    }


# `compare`: versions of one topic side by side.


def print_comparison(comparison: Comparison, labels: tuple[str, ...]) -> None:
    out = results()
    grid = table("Scores", "Score", *labels, right=tuple(range(1, len(labels) + 1)))
    row(grid, "Retrieved", *(f"{e.n_retrieved:,}" for e in comparison.versions))
    row(grid, METRICS["recall"].label, *(number(e.recall) for e in comparison.versions))
    for kind in comparison.versions[0].regions:
        of_kind = [e.regions[kind] for e in comparison.versions]
        row(grid, f"{REGION_LABELS[kind]}: semantic precision", *(number(s.semantic_precision) for s in of_kind))
        row(
            grid,
            f"{REGION_LABELS[kind]}: {METRICS['core_accepted'].label.lower()}",
            *(_accepted(evaluation, kind) for evaluation in comparison.versions),
        )
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


@click.command(
    epilog=options.examples(
        "compare --topic masks --versions v1 v2", "compare --topic masks --versions v1 v2 v3 --sensitivity"
    )
)
@options.topic
@click.option("--versions", "first", required=True, help="Two or more labels: --versions A B ...")
@click.argument("others", nargs=-1)
@options.embedder
@scoring.regions
@scoring.settings
@_strata_option
@click.option("--sensitivity", is_flag=True, help="Also show scores under other reasonable settings.")
@options.data_dir
@options.as_json
def compare(
    topic: str,
    first: str,
    others: tuple[str, ...],
    embedder: str | None,
    regions: str,
    strata: bool,
    sensitivity: bool,
    data_dir: Path | None,
    as_json: bool,
    **flags: Any,
) -> None:
    """Compare versions: --versions A B. A difference is the later one minus the earlier."""
    settings, kinds = scoring.read_settings(flags), scoring.read_regions(regions)
    labels = (first, *others)
    with Workspace.open(data_dir) as workspace, waiting(f"Comparing {', '.join(labels)}") as on_stage:
        comparison = compare_in_full(
            workspace, topic, labels, embedder=embedder, settings=settings, regions=kinds, on_stage=on_stage
        )
        rows = [workspace.version(topic, label) for label in labels]
        evaluations = dict(zip(labels, comparison.versions, strict=True))
        split = {r.version.label: strata_of(workspace, r, evaluations[r.version.label]) for r in rows if strata}
        report = None
        if sensitivity:
            around: RegionKind = "cosine" if "cosine" in kinds else kinds[0]
            report = robustness_of(
                workspace, topic, labels, embedder=embedder, settings=settings, region=around, on_stage=on_stage
            )
    told = comparability(rows, comparison.pairs).notes
    if as_json:
        document = comparison_document(comparison, labels, told)
        document |= {"strata": {label: strata_document(found) for label, found in split.items()}} if strata else {}
        print_json(document | ({"sensitivity": sensitivity_document(report)} if report else {}))
        return
    print_comparison(comparison, labels)
    if strata:
        print_strata(split, kinds[0], comparison.versions[0].settings.beta)
    if report:
        print_sensitivity(report)
    warn(told + tuple(dict.fromkeys(w for e in comparison.versions for w in e.warnings)))


# `project`: the landscape of a topic, and its reliability.


@click.command()
@options.topic
@options.embedder
@click.option("--refit", is_flag=True, help="Recompute the layout; existing scores keep the old one.")
@click.option(
    "--method",
    type=click.Choice(get_args(ProjectionMethod)),
    help="umap keeps neighbours together, pca is linear. [default: umap]",
)
@click.option("--seed", type=int, help="Seed of the layout. [default: 0]")
@click.option(
    "--version", "label", default=None, help=("Also show how this version's scores depend on the layout (slow).")
)
@options.data_dir
@options.as_json
def project(
    topic: str,
    embedder: str | None,
    refit: bool,
    method: ProjectionMethod | None,
    seed: int | None,
    label: str | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Fit a topic's landscape if it has none, and assess its reliability."""
    flags: dict[str, Any] = {"method": method, "seed": seed}
    given = {name: value for name, value in flags.items() if value is not None}
    settings = ProjectionSettings(**given) if given else None
    with Workspace.open(data_dir) as workspace:
        with waiting(topic) as on_stage:
            projection_id = workspace.project(topic, embedder, settings=settings, refit=refit, on_stage=on_stage)
            honesty = workspace.honesty(topic, embedder)
        effect = None
        if label:
            with progress("Computing layouts with other seeds") as report:
                effect = workspace.landscape_effect(topic, label, embedder=embedder, on_progress=report)
    if as_json:
        extra = asdict(effect) if effect else {}
        print_json({"topic": topic, "projection_id": projection_id, **asdict(honesty), **extra})
        return
    out = table(f"{topic} · {projection_id}", "Landscape distortion", "", right=(1,))
    row(out, "Trustworthiness (neighbours seen are neighbours)", number(honesty.trustworthiness))
    row(out, "Continuity (neighbours are seen as neighbours)", number(honesty.continuity))
    row(out, "Variance explained (linear; favours PCA)", number(honesty.variance_explained))
    for kind, ends in (effect.seed_ranges if effect else {}).items():
        row(out, f"{REGION_LABELS[kind]}: semantic precision over six seeds", interval(ends))
    for kind, n in (effect.changed_decisions if effect else {}).items():
        row(out, f"{REGION_LABELS[kind]}: decided differently in the embedding space", f"{n:,}")
    results().print(out)


# `versions`: the history of a topic's query, and changes to a version.

Change = Callable[..., Any]


@click.command()
@options.topic
@click.option("--name", nargs=2, metavar="LABEL NAME", help='Name a version; "" removes the name.')
@click.option("--note", nargs=2, metavar="LABEL TEXT", help='Add a note to a version; "" removes it.')
@click.option(
    "--run-again", metavar="LABEL", help=("Run its text over the topic's current publications, as a new version.")
)
@click.option("--delete", metavar="LABEL", help="Hide a version; nothing else changes.")
@click.option("--restore", metavar="LABEL", help="Restore a deleted version.")
@options.data_dir
@options.as_json
def versions(topic: str, data_dir: Path | None, as_json: bool, **wishes: Any) -> None:
    """List the versions of a topic's query, with their origin and results."""
    with Workspace.open(data_dir) as workspace:
        if (label := wishes["run_again"]) is not None:
            warn_of_errors(version_query(workspace.store, topic, label, None))
        for change, asked in (
            (name_version, wishes["name"]),
            (comment, wishes["note"]),
            (run_again, wishes["run_again"]),
            (delete_version, wishes["delete"]),
            (bring_back, wishes["restore"]),
        ):
            if asked is not None:
                _do(change, workspace, topic, asked)
        entries = history(workspace, topic, deleted=True)
    if as_json:
        print_json({"topic": topic, "versions": [_document(entry) for entry in entries]})
    else:
        _print(topic, entries)


def _do(change: Change, workspace: Workspace, topic: str, asked: str | tuple[str, str]) -> None:
    change(workspace, topic, *([asked] if isinstance(asked, str) else asked))


def _document(entry: HistoryEntry) -> dict[str, Any]:
    """Build one of `versions` of `versions --json`; null is unknown.

    `n_searched`: number of publications over which it was run; `same_corpus_today`: true if they are the current ones;
    `made_from`: the version whose text was changed; `deleted`: hidden; --restore shows it again.
    """
    version = entry.row.version
    return {
        "version": version.label,
        "name": version.name,
        "note": version.note,
        "origin": version.origin,
        "made_at": version.made_at,
        "made_by": entry.row.made_by,
        "made_from": entry.made_from,
        "dialect": version.dialect,
        "semantics": version.semantics,
        "n_searched": entry.row.n_searched,
        "n_retrieved": entry.row.n_retrieved,
        "n_core_found": entry.n_core_found if entry.row.n_retrieved is not None else None,
        "same_corpus_today": entry.is_current,
        "text": version.text,
        "deleted": entry.row.deleted_at is not None,
    }


def _print(topic: str, entries: tuple[HistoryEntry, ...]) -> None:
    shown = [entry for entry in entries if entry.row.deleted_at is None]
    out = table(topic, "Version", "Name", "Origin", "Made", "From", "Retrieved", "Core", "Note", right=(5, 6))
    for entry in shown:
        version, n = entry.row.version, entry.row.n_retrieved
        row(
            out,
            version.label,
            version.name or NONE,
            version.origin,
            (version.made_at or NONE)[:16].replace("T", " "),
            entry.made_from or NONE,
            NONE if n is None else f"{n:,}",
            NONE if n is None else f"{entry.n_core_found}/{entry.n_core}",
            version.note or NONE,
        )
    results().print(out)
    if gone := [entry.row.version.label for entry in entries if entry.row.deleted_at is not None]:
        say(f"Deleted: {', '.join(gone)}; restore one with --restore {gone[0]}.")


# `studies`: many topics at once.


@click.group(cls=LazyGroup)
def studies() -> None:
    """Study many topics at once: core publications, scores, thresholds, search strings, and surveys of a field."""


@studies.command()
@click.argument("field")
@click.option(
    "--template",
    type=click.Choice(SURVEY_TEMPLATES),
    default=SURVEY_TEMPLATES[0],
    show_default=True,
    help="Words for surveys: as used by the authors of LitQEval, or more words for one kind.",
)
@click.option("--to", type=click.Choice([*DIALECTS]), default=None, help="Dialect. [default: all]")
@options.data_dir
@options.as_json
def surveys(field: str, template: SurveyTemplate, to: DialectId | None, data_dir: Path | None, as_json: bool) -> None:
    """Build a query for surveys of a field, which core publications come from.

    FIELD is some words, or a search string of any dialect. Surveys that are in the workspace already are listed.
    """
    from data.explore.core_sets import candidates

    parsed = parse(survey_query(field, template), "plain")
    written = {dialect: translate(parsed, dialect) for dialect in ([to] if to else DIALECTS)}
    with Workspace.open(data_dir) as workspace:
        here = candidates(workspace, [row.topic_id for row in workspace.store.topics()], template)
    if as_json:
        queries = {dialect: translation.as_document() for dialect, translation in written.items()}
        found = [{"id": c.publication.publication_id, "title": c.publication.title, "topics": c.topics} for c in here]
        print_json({"field": field, "template": template, "queries": queries, "surveys_here": found})
        return
    for dialect, translation in written.items():
        if to is None:
            results().print(Text(DIALECTS[dialect].label, style="bold"))
        results().print(Text(translation.text), soft_wrap=True)
        warn(list(dict.fromkeys(loss.message.rstrip(".") for loss in translation.losses)))
    if here:
        say(f"In this workspace, {len(here):,} titles have words of the template:")
        for candidate in here:
            results().print(Text(candidate.publication.title))


for command in (
    LazyCommand(
        "facts",
        "explore.study_commands:facts",
        "Summarise core publications of many topics: counts, years, citations, and kinds of surveys that list them.",
    ),
    LazyCommand(
        "scores",
        "explore.study_commands:scores",
        "Score every topic for one or two origins of versions, with differences and correlations.",
    ),
    LazyCommand(
        "strata",
        "explore.study_commands:strata",
        "Compute core recall by citations, year and kind of survey, summed over topics.",
    ),
    LazyCommand(
        "thresholds",
        "explore.study_commands:thresholds",
        "Find the best similarity threshold of each topic, the best one for all, and its cost for each topic.",
    ),
    LazyCommand(
        "strings",
        "query.batch:strings_command",
        "Compare baseline, generated and review strings over topics; --write makes missing ones.",
    ),
):
    studies.add_command(command)
