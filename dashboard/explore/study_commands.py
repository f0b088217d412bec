"""The commands `studies facts`, `studies scores`, `studies strata` and `studies thresholds`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

import click

from core.errors import InputError
from core.explore.regions import REGION_LABELS
from core.explore.studies import (
    FEWEST_TOPICS,
    ORIGIN_LABELS,
    STUDY_METRICS,
    SURVEY_KINDS,
    CoreSetFacts,
    Correlations,
    StudyScore,
    ThresholdCurve,
    ThresholdStudy,
    TopicCore,
    TopicScoreColumn,
    TopicScores,
    change,
    column_label,
    columns_of,
    correlate,
    facts_by_kind,
    facts_of,
    in_several,
    study_thresholds,
)
from core.settings import EvaluationSettings
from core.types import Origin, RegionKind
from dashboard.explore.strata import pooled_document, print_pooled
from dashboard.kit import options, scoring
from dashboard.kit.output import NONE, number, print_json, results, row, shown, table
from dashboard.kit.progress import waiting
from data.explore.studies import (
    ORIGINS,
    core_sets,
    known_curves,
    known_scores,
    left_out_of_curves,
    left_out_of_scores,
    load_published_curves,
    make_curves,
    make_scores,
    origins_there,
    pooled_strata,
    set_survey_kind,
    want,
    without_origin,
)
from data.explore.workspace import Workspace

# `studies facts`: the profile of the core publications of many topics.

UNKNOWN = "unknown"
FACTS: Mapping[str, str] = {
    "n_topics": "Topics",
    "n_entries": "Core publications, counted for each of their topics",
    "n_publications": "The same, each counted once",
    "n_in_several": "In several of these topics",
    "n_without_abstract": "Without an abstract",
    "n_without_metadata": "Without year and citations",
    "n_never_cited": "Never cited",
    "median_times_cited": "Median of citations, where known",
    "median_years_before_survey": "Median age when the survey appeared, in years",
}


@click.command()
@scoring.topics
@click.option(
    "--set-kind",
    nargs=2,
    metavar="TOPIC KIND",
    help=f"Set what kind of survey a topic's core publications come from: {', '.join(SURVEY_KINDS)} or {UNKNOWN}.",
)
@options.data_dir
@options.as_json
def facts(
    first: str,
    others: tuple[str, ...],
    set_kind: tuple[str, str] | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Summarise core publications of many topics: counts, years, citations, and kinds of surveys that list them."""
    with Workspace.open(data_dir) as workspace:
        if set_kind is not None:
            set_survey_kind(workspace, set_kind[0], None if set_kind[1] == UNKNOWN else set_kind[1])  # type: ignore[arg-type]
        topics = core_sets(workspace, scoring.read_topics(workspace, first, others))
    if as_json:
        print_json(facts_document(topics))
    else:
        _print_facts(topics)


def facts_document(topics: Sequence[TopicCore]) -> dict[str, Any]:
    """Build the document of `studies facts --json`.

    `all`, and `by_kind` of survey (`unknown`: not known): numbers of these core sets together. `topics`: each with its
    survey and its core publications. `in_several`: publications that are core in more than one topic.
    """
    return {
        "all": asdict(facts_of(topics)),
        "by_kind": {kind or UNKNOWN: asdict(found) for kind, found in facts_by_kind(topics).items()},
        "topics": [_topic_document(topic) for topic in topics],
        "in_several": {publication_id: list(of) for publication_id, of in in_several(topics).items()},
    }


def _topic_document(topic: TopicCore) -> dict[str, Any]:
    return {
        "topic": topic.topic_id,
        "made_up": topic.made_up,
        "survey_kind": topic.survey_kind,
        "survey_id": topic.survey_id,
        "survey_title": topic.survey_title or None,
        "survey_year": topic.survey_year,
        "n_core": len(topic),
        "n_without_abstract": topic.n_without_abstract,
        "n_without_metadata": topic.n_without_metadata,
        "core": [
            asdict(publication) | {"years_before_survey": age}
            for publication, age in zip(topic.publications, topic.years_before_survey, strict=True)
        ],
    }


def _print_facts(topics: Sequence[TopicCore]) -> None:
    out = results()
    columns: dict[str, CoreSetFacts] = {"All": facts_of(topics)}
    columns |= {(kind or UNKNOWN).capitalize(): found for kind, found in facts_by_kind(topics).items()}
    grid = table("Core publications", "", *columns, right=range(1, len(columns) + 1))
    for name, label in FACTS.items():
        row(grid, label, *(_count(getattr(found, name)) for found in columns.values()))
    out.print(grid)
    out.print()
    heads = ("Topic", "Kind of survey", "Survey year", "Core", "Without abstract", "Without year and citations")
    grid = table("Topics", *heads, right=(2, 3, 4, 5))
    for topic in sorted(topics, key=lambda topic: -len(topic)):
        year = NONE if topic.survey_year is None else str(topic.survey_year)
        numbers = (len(topic), topic.n_without_abstract, topic.n_without_metadata)
        row(grid, topic.topic_id, topic.survey_kind or UNKNOWN, year, *(f"{n:,}" for n in numbers))
    out.print(grid)
    title_of = {p.publication_id: p.title or p.publication_id for topic in topics for p in topic.publications}
    for publication_id, of in in_several(topics).items():
        out.print(shown(f"In several topics: {title_of[publication_id]} ({', '.join(of)})"))


def _count(value: float | None) -> str:
    return NONE if value is None else f"{value:,.1f}".removesuffix(".0")


# `studies scores`: every score of every topic, for one origin or two.


@click.command()
@scoring.topics
@click.option(
    "--origin",
    "named",
    type=click.Choice(ORIGINS),
    multiple=True,
    help="Origin of the versions, the latest of each topic; repeat to compare two. [default: the two most frequent]",
)
@options.embedder
@scoring.regions
@scoring.settings
@options.data_dir
@options.as_json
def scores(
    first: str,
    others: tuple[str, ...],
    named: tuple[Origin, ...],
    embedder: str | None,
    regions: str,
    data_dir: Path | None,
    as_json: bool,
    **flags: Any,
) -> None:
    """Score every topic for one or two origins of versions, with differences and correlations.

    Only topics that have a version of every origin and core publications are included; the others are listed. Without
    vectors there are recall and sizes.
    """
    settings, kinds = scoring.read_settings(flags), scoring.read_regions(regions)
    if len(named) > 2:
        raise InputError(f"--origin can be given once or twice, got {len(named)}")
    with Workspace.open(data_dir) as workspace:
        topics = scoring.read_topics(workspace, first, others)
        origins = tuple(dict.fromkeys(named)) or _usual_origins(workspace, topics)
        chosen = scoring.read_embedder(workspace, topics, embedder)
        wanted = want(workspace, topics, origins, chosen)
        with waiting("Evaluating topics") as on_stage:
            make_scores(workspace, wanted, settings, kinds, on_stage=on_stage)
        known = known_scores(workspace, wanted, settings, kinds)
        left_out = left_out_of_scores(workspace, topics, origins, wanted, chosen)
    sides = {o: tuple(s for w, s in known.items() if w.origin == o and s is not None) for o in origins}
    if as_json:
        print_json(scores_document(sides, kinds, embedder=chosen, left_out=left_out))
    else:
        _print_scores(sides, kinds, settings)
        _print_left_out(left_out)


def _usual_origins(workspace: Workspace, topics: Sequence[str]) -> tuple[Origin, ...]:
    """Return the defaults of the page Studies: the most frequent origin, and the one most often combined with it."""
    first = next(iter(origins_there(workspace, topics)), None)
    if first is None:
        raise InputError("no version of these topics was run yet: run a query, or import a result list, first")
    return tuple(dict.fromkeys((first, next(iter(origins_there(workspace, topics, beside=first))))))


Sides = Mapping[Origin, Sequence[TopicScores]]


def scores_document(
    sides: Sides, regions: Sequence[RegionKind], *, embedder: str | None, left_out: Sequence[tuple[str, str]]
) -> dict[str, Any]:
    """Build the document of `studies scores --json`.

    `scores`: by origin, each topic with its version, counts, recall and `regions`. `differences`: the second origin
    minus the first, topic by topic; `why`: the reason why one is undefined or degenerate. `correlations`: by origin, of
    every pair of scores over the topics that have both (`n_topics`); null below 4. `left_out`: topics and reasons.
    """
    columns = columns_of(STUDY_METRICS, regions)
    return {
        "origins": list(sides),
        "embedder": embedder,
        "regions": list(regions),
        "scores": {origin: [asdict(s) | {"recall": s.recall} for s in of] for origin, of in sides.items()},
        "differences": _differences(sides, columns),
        "correlations": {
            origin: _correlations(found) for origin, of in sides.items() if (found := _correlated(of, regions))
        },
        "left_out": [{"topic": topic, "reason": reason} for topic, reason in left_out],
    }


def _differences(sides: Sides, columns: Sequence[TopicScoreColumn]) -> list[dict[str, Any]]:
    if len(sides) < 2:
        return []
    a, b = sides.values()
    of_b = {s.topic_id: s for s in b}
    return [
        {"topic": s.topic_id, "metric": c.metric, "region": c.region, "difference": moved.value, "why": moved.why}
        for s in a
        if s.topic_id in of_b
        for c in columns
        for moved in [change(s, of_b[s.topic_id], c)]
    ]


def _correlated(of: Sequence[TopicScores], regions: Sequence[RegionKind]) -> Correlations | None:
    columns = columns_of(("recall", "semantic_precision", "f_beta"), regions)
    return correlate(of, columns) if len(of) >= FEWEST_TOPICS else None


def _correlations(found: Correlations) -> list[dict[str, Any]]:
    columns = found.columns
    return [
        {
            "a": asdict(columns[i]),
            "b": asdict(columns[j]),
            "n_topics": int(found.n[i, j]),
            "spearman": float(found.spearman[i, j]),
            "pearson": float(found.pearson[i, j]),
        }
        for i in range(len(columns))
        for j in range(i + 1, len(columns))
    ]


def _print_scores(sides: Sides, regions: Sequence[RegionKind], settings: EvaluationSettings) -> None:
    out = results()
    metrics = (TopicScoreColumn("recall"), *(TopicScoreColumn(m, regions[0]) for m in ("semantic_precision", "f_beta")))
    heads = [column_label(c, settings.beta) for c in metrics]
    columns = ("Topic", "Origin", "Version", "Core found", "Retrieved", *heads)
    grid = table("Scores of topics", *columns, right=range(3, len(columns)))
    topics = sorted({s.topic_id for of in sides.values() for s in of})
    for topic in topics:
        for origin, of in sides.items():
            s = next(s for s in of if s.topic_id == topic)
            name = topic if origin == next(iter(sides)) else ""
            cells = [number(s.value(c), "strike" if s.degenerate(c) else "") for c in metrics]
            row(grid, name, ORIGIN_LABELS[origin], s.label, f"{s.n_found}/{s.n_core}", f"{s.n_retrieved:,}", *cells)
    out.print(grid)
    for origin, of in sides.items():
        if found := _correlated(of, regions):
            out.print()
            _print_correlations(found, ORIGIN_LABELS[origin].lower(), settings.beta)
    if len(regions) > 1:
        others = ", ".join(REGION_LABELS[kind].lower() for kind in regions[1:])
        out.print(shown(f"\nThe table shows one region; --json has {others} too, and every difference."))


def _print_correlations(found: Correlations, origin: str, beta: float) -> None:
    heads = ("Score", "And", "Topics", "Spearman", "Pearson")
    grid = table(f"Correlations of scores, {origin}", *heads, right=(2, 3, 4))
    for pair in _correlations(found):
        a, b = (column_label(TopicScoreColumn(**pair[name]), beta) for name in ("a", "b"))
        values = [pair[name] if pair[name] == pair[name] else None for name in ("spearman", "pearson")]
        row(grid, a, b, str(pair["n_topics"]), *map(number, values))
    results().print(grid)


def _print_left_out(reasons: Sequence[tuple[str, str]]) -> None:
    for why in dict.fromkeys(why for _, why in reasons):
        results().print(shown(f"Left out: {', '.join(topic for topic, of in reasons if of == why)}. Why: {why}."))


# `studies strata`: core found by citations, year and kind of survey.


@click.command()
@scoring.topics
@click.option(
    "--origin",
    type=click.Choice(ORIGINS),
    default=None,
    help=("Origin of the versions, the latest of each topic. [default: the most frequent]"),
)
@options.data_dir
@options.as_json
def strata(first: str, others: tuple[str, ...], origin: Origin | None, data_dir: Path | None, as_json: bool) -> None:
    """Compute core recall by citations, year and kind of survey, summed over topics."""
    with Workspace.open(data_dir) as workspace:
        topics = scoring.read_topics(workspace, first, others)
        chosen = origin or _usual_origins(workspace, topics)[0]
        wanted = want(workspace, topics, (chosen,), None)
        found = pooled_strata(workspace, wanted)
        left_out = without_origin(workspace, topics, (chosen,))
    if as_json:
        versions = [{"topic": w.topic_id, "version": w.row.version.label} for w in wanted]
        listed = [{"topic": topic, "reason": reason} for topic, reason in left_out]
        print_json({"origin": chosen, "versions": versions, "strata": pooled_document(found), "left_out": listed})
        return
    results().print(shown(f"Versions: the latest of origin {chosen} of each topic.", "dim"))
    print_pooled(found)
    _print_left_out(left_out)


# `studies thresholds`: one similarity threshold for many topics.

SCORES: tuple[StudyScore, ...] = get_args(StudyScore)


@click.command()
@scoring.topics
@click.option(
    "--curves",
    type=click.Choice(("published", "own")),
    default=None,
    help="Curves published by LitQEval, or computed from your vectors. [default: published, if loaded]",
)
@click.option(
    "--score",
    type=click.Choice(SCORES),
    default=SCORES[0],
    show_default=True,
    help="source: what LitQEval maximised (F2 of inverse precision, scaled to 0 to 1). ours: F2 with decay.",
)
@click.option(
    "--origin",
    type=click.Choice(ORIGINS),
    default=None,
    help=("For own curves: origin of the versions, the latest of each topic."),
)
@click.option(
    "--at", type=click.FloatRange(-1, 1), default=None, help=("Also show the cost of this threshold for each topic.")
)
@click.option("--points", is_flag=True, help="With --json: include every point of every curve.")
@options.embedder
@options.data_dir
@options.as_json
def thresholds(
    first: str,
    others: tuple[str, ...],
    curves: str | None,
    score: StudyScore,
    origin: Origin | None,
    at: float | None,
    points: bool,
    embedder: str | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Find the best similarity threshold of each topic, the best one for all, and its cost for each topic."""
    with Workspace.open(data_dir) as workspace:
        topics = scoring.read_topics(workspace, first, others)
        published = [p.curve for p in load_published_curves(workspace.store, topics)]
        if curves == "published" and not published:
            raise InputError('no published curves of these topics are loaded: load them with "get litqeval"')
        if curves == "published" or (curves is None and published and origin is None and embedder is None):
            of: dict[str, Any] = {"curves": "published", "origin": None, "embedder": None}
            found, there = published, {curve.topic_id for curve in published}
            left_out = tuple((topic, "without a published curve") for topic in topics if topic not in there)
        else:
            found, of, left_out = _own_curves(workspace, topics, origin, embedder)
    studies = {each: study_thresholds(found, score=each, settings=EvaluationSettings()) for each in SCORES}
    if as_json:
        print_json(of | thresholds_document(studies, score, at=at, points=points, left_out=left_out))
    else:
        _print_thresholds(studies, score, at)
        _print_left_out(left_out)


def _own_curves(
    workspace: Workspace, topics: Sequence[str], origin: Origin | None, embedder: str | None
) -> tuple[list[ThresholdCurve], dict[str, Any], tuple[tuple[str, str], ...]]:
    origin = origin or next(iter(origins_there(workspace, topics)), None)
    chosen = scoring.read_embedder(workspace, topics, embedder)
    if origin is None:
        raise InputError("no version of these topics was run yet: run a query, or import a result list, first")
    if chosen is None:
        raise InputError('your own curves need vectors: create some with "embed"')
    wanted = want(workspace, topics, [origin], chosen)
    with waiting("Computing threshold curves") as on_stage:
        make_curves(workspace, wanted, on_stage=on_stage)
    found = [curve for curve in known_curves(workspace, wanted).values() if curve is not None]
    if not found:
        raise InputError(f"no topic here has core publications and a {origin} version with vectors of {chosen}")
    of = {"curves": "own", "origin": origin, "embedder": chosen}
    return found, of, left_out_of_curves(workspace, topics, origin, wanted, chosen)


def thresholds_document(
    studies: Mapping[StudyScore, ThresholdStudy],
    score: StudyScore,
    *,
    at: float | None,
    points: bool,
    left_out: Sequence[tuple[str, str]],
) -> dict[str, Any]:
    """Build the document of `studies thresholds --json`.

    `mean_of_best`: of both scores, the mean of the topics' best thresholds. `single`: the threshold with the highest
    mean score. `topics`: each with its best threshold. `costs`: the cost of one threshold for all to each topic, at the
    single one, at the mean of the best and, if requested, `at`. `no_core_accepted`: topics of which no threshold
    accepts any core publication.
    """
    study = studies[score]
    return {
        "score": score,
        "mean_of_best": {name: of.mean_of_best for name, of in studies.items()},
        "single": study.single,
        "topics": [
            {
                "topic": topic.topic_id,
                "best_threshold": topic.best_threshold,
                "best_score": topic.best_score,
                "n_core": topic.curve.n_core,
                "n_retrieved": topic.curve.n_retrieved,
                "n_scorable": topic.curve.n_scorable,
                **(_points(topic.curve, topic.scores.tolist()) if points else {}),
            }
            for topic in study.topics
        ],
        "costs": [
            {
                "at": name,
                "threshold": threshold,
                "mean_score": study.mean_score_at(threshold),
                "topics": [
                    {"topic": cost.topic_id, "score": cost.score, "cost": cost.cost} for cost in study.costs(threshold)
                ],
            }
            for name, threshold in _places(study, at).items()
        ],
        "no_core_accepted": list(study.left_out),
        "left_out": [{"topic": topic, "reason": reason} for topic, reason in left_out],
    }


def _points(curve: ThresholdCurve, scores: Sequence[float]) -> dict[str, Any]:
    return {
        "min_similarity": curve.min_similarity.tolist(),
        "n_relevant": curve.n_relevant.tolist(),
        "n_accepted_core": curve.n_accepted_core.tolist(),
        "scores": list(scores),
    }


def _places(study: ThresholdStudy, at: float | None) -> dict[str, float]:
    places = {"single": study.single, "mean_of_best": study.mean_of_best, "asked": at}
    return {name: threshold for name, threshold in places.items() if threshold is not None}


def _print_thresholds(studies: Mapping[StudyScore, ThresholdStudy], score: StudyScore, at: float | None) -> None:
    study, out = studies[score], results()
    places = _places(study, at)
    labels = {
        "single": "Cost at the best single",
        "mean_of_best": "Cost at the mean of the best",
        "asked": f"Cost at {at}",
    }
    columns = ("Topic", "Core", "Best threshold", "Score there", *(labels[name] for name in places))
    grid = table(f"Similarity thresholds, score: {score}", *columns, right=range(1, len(columns)))
    costs = {name: {cost.topic_id: cost.cost for cost in study.costs(value)} for name, value in places.items()}
    for topic in study.topics:
        cells = [number(costs[name].get(topic.topic_id)) for name in places]
        row(
            grid,
            topic.topic_id,
            str(topic.curve.n_core),
            number(topic.best_threshold),
            number(topic.best_score),
            *cells,
        )
    out.print(grid)
    means = [f"{name} {of.mean_of_best:.5f}" for name, of in studies.items() if of.mean_of_best is not None]
    out.print(shown(f"\nMean of the topics' best thresholds: {', '.join(means)}."))
    if study.single is not None:
        mean = study.mean_score_at(study.single)
        out.print(shown(f"Best single threshold: {study.single:.4f}, with a mean score of {mean:.3f}."))
    if study.left_out:
        out.print(
            shown(f"No threshold accepts a core publication of {', '.join(study.left_out)}: left out of every mean.")
        )
