"""The command `query batch`, also called `studies strings`: strings of several origins over many topics."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, get_args

import click

from core.errors import FileError, InputError
from core.explore.regions import REGION_LABELS
from core.explore.studies import ORIGIN_LABELS, TopicScoreColumn, TopicScores, metric_label
from core.report import csv_text
from core.settings import EvaluationSettings
from core.stats import Interval
from core.text import signed
from core.types import Origin, RegionKind
from core.writer.sheets import Gain
from core.writer.string_study import (
    EXPERIMENTS,
    PairedComparison,
    TopicStrings,
    mean_gain,
    mean_of,
    result_columns,
    sentence_of,
)
from dashboard.kit import options, scoring
from dashboard.kit.output import NONE, interval, number, print_json, results, row, say, shown, table
from dashboard.kit.progress import waiting
from data.audit.markdown import markdown
from data.explore.studies import known_scores, make_scores, want
from data.explore.workspace import Workspace
from data.files import written_aside
from data.writer.string_study import (
    WAYS,
    MissingString,
    PublishedPair,
    StringMakingResult,
    StringMakingSettings,
    StringStudy,
    Way,
    lacking,
    make_missing,
    report_of,
    whole,
)


def print_study(study: StringStudy, whats: Sequence[TopicScoreColumn]) -> None:
    out = results()
    named = ", ".join(ORIGIN_LABELS[origin].lower() for origin in study.origins)
    if not study.rows:
        out.print(shown(f"No topic has core publications and retrieved publications for each origin: {named}."))
        for sentence in study.published_sentences(whats):
            out.print(shown(sentence))
        out.print()
        return
    region = study.regions[0]
    first = (
        TopicScoreColumn("n_retrieved"),
        TopicScoreColumn("recall"),
        *(TopicScoreColumn(m, region) for m in ("semantic_precision", "f_beta")),
    )
    heads = ["Retrieved", "Recall", "Precision", f"F{study.beta:g}"]
    title = f"{named.capitalize()}, region {REGION_LABELS[region]}"
    grid = table(title, "Topic", "Origin", "Version", *heads, "Held-out gain", right=(3, 4, 5, 6, 7))
    for of in study.rows:
        for origin in study.origins:
            scores = of.scores[origin]
            name = of.topic_id if origin == study.origins[0] else ""
            gain = _gain(of.gain) if origin == "generated" else ""
            row(grid, name, ORIGIN_LABELS[origin], scores.label, *(_cell(scores, what) for what in first), gain)
    _print_means(grid, study, first)
    out.print(grid)
    out.print()
    _print_pairs(study)
    for sentence in study.sentences(whats):
        out.print(shown(sentence))
    _print_reasons("Left out", study.left_out)
    _print_reasons("Read with care", study.beware)
    out.print()


def _print_reasons(head: str, reasons: Sequence[tuple[str, str]]) -> None:
    for why in dict.fromkeys(why for _, why in reasons):
        named = ", ".join(topic for topic, of in reasons if of == why)
        results().print(shown(f"{head}: {named}. Reason: {why}."))


def _cell(scores: TopicScores, what: TopicScoreColumn) -> Any:
    if what.metric == "n_retrieved":
        return f"{scores.n_retrieved:,}"
    return number(scores.value(what), "strike" if scores.degenerate(what) else "")


def _gain(gain: Gain | None) -> str:
    if gain is None or gain.value is None:
        return NONE
    return signed(gain.value) + (f" ({interval(gain.interval)})" if gain.interval else "")


def _print_means(grid: Any, study: StringStudy, whats: Sequence[TopicScoreColumn]) -> None:
    for origin in study.origins:
        means = [mean_of(study.rows, study.origins, what) for what in whats]
        cells = [number(mean.values.get(origin)) for mean in means]
        if means[0].values:
            cells[0] = f"{means[0].values[origin]:,.0f}"  # type: ignore[call-overload]
        name = "Mean" if origin == study.origins[0] else ""
        gain = _gain(mean_gain(study.rows)[0]) if origin == "generated" else ""
        row(grid, name, ORIGIN_LABELS[origin], "", *cells, gain)


def _print_pairs(study: StringStudy) -> None:
    right = (2, 3, 4, 5, 6)
    heads = ("Number", "Difference", "Topics", "Higher", "Lower", "Mean", "Interval, 95 %", "")
    grid = table("Differences over topics", *heads, right=right)
    for p in study.pairs:
        if p.column.metric != "n_retrieved":
            region = f", {REGION_LABELS[p.column.region].lower()}" if p.column.region else ""
            name = metric_label(p.column.metric, study.beta) + region
            clear = "clear" if p.is_clear else "not clear" if p.n_topics else ""
            counts = (str(n) for n in (p.n_topics, p.wins, p.losses))
            row(grid, name, f"{p.b} minus {p.a}", *counts, number(p.mean), interval(p.interval), clear)
    results().print(grid)


def batch_document(
    embedder: str | None,
    made: Sequence[StringMakingResult],
    missing: Sequence[MissingString],
    studies: Sequence[StringStudy],
) -> dict[str, Any]:
    """Return `query batch --json`.

    `embedder`. `made`: topic, version, writing and problem of each string written or run now. `missing`: topics without
    a generated string that was run, each with what it lacks (string, run, corpus, core). `experiments`, each with
    `origins`, `regions`, `topics` (n_core, `versions` by origin with version, n_retrieved, n_core_found, recall and
    `regions`, and `held_out_gain`), `means` (over the topics in which every origin has the number), `differences` (B
    minus A over topics: wins, losses, ties, n_left_out for numbers that are undefined or meaningless, mean_difference,
    interval or null below 6 topics, is_clear, sentence), `held_out_gain` over topics, `published` (the same differences
    as published, n_here and n_same of the topics with both), `left_out` and `beware` (topic, reason).
    """
    return {
        "embedder": embedder,
        "made": [
            {"topic": m.topic_id, "version": m.label, "writing": m.writing_id, "problem": m.problem} for m in made
        ],
        "missing": [{"topic": each.topic_id, "lacks": each.lack} for each in missing],
        "experiments": [_study(study) for study in studies],
    }


def _study(study: StringStudy) -> dict[str, Any]:
    gain, n_topics = mean_gain(study.rows)
    return {
        "origins": list(study.origins),
        "regions": list(study.regions),
        "topics": [_topic(of, study.origins) for of in study.rows],
        "means": [_mean(study, what) for what in result_columns(study.regions)],
        "differences": [_difference(p, study.beta) for p in study.pairs],
        "held_out_gain": {**_gain_document(gain), "n_topics": n_topics},
        "published": [_published(p, study.beta) for p in study.published],
        "left_out": [{"topic": topic, "reason": why} for topic, why in study.left_out],
        "beware": [{"topic": topic, "reason": why} for topic, why in study.beware],
    }


def _topic(of: TopicStrings, origins: Sequence[Origin]) -> dict[str, Any]:
    return {
        "topic": of.topic_id,
        "n_core": of.scores[origins[0]].n_core,
        "versions": {origin: _version(of.scores[origin]) for origin in origins},
        "held_out_gain": None if of.gain is None else _gain_document(of.gain),
    }


def _version(scores: TopicScores) -> dict[str, Any]:
    return {
        "version": scores.label,
        "n_retrieved": scores.n_retrieved,
        "n_core_found": scores.n_found,
        "recall": scores.recall,
        "regions": {kind: asdict(numbers) for kind, numbers in scores.regions.items()},
    }


def _mean(study: StringStudy, what: TopicScoreColumn) -> dict[str, Any]:
    mean = mean_of(study.rows, study.origins, what)
    return {"metric": what.metric, "region": what.region, "n_topics": mean.n_topics, "values": dict(mean.values)}


def _difference(p: PairedComparison, beta: float) -> dict[str, Any]:
    return {
        "a": p.a,
        "b": p.b,
        "metric": p.column.metric,
        "region": p.column.region,
        "n_topics": p.n_topics,
        "wins": p.wins,
        "losses": p.losses,
        "ties": p.ties,
        "n_left_out": p.n_left_out,
        "mean_difference": p.mean,
        "interval": _ends(p.interval),
        "is_clear": p.is_clear,
        "sentence": sentence_of(p, beta=beta),
    }


def _published(p: PublishedPair, beta: float) -> dict[str, Any]:
    return {**_difference(p.paired, beta), "n_here": p.n_here, "n_same": p.n_same}


def _gain_document(gain: Gain) -> dict[str, Any]:
    return {"value": gain.value, "interval": _ends(gain.interval), "is_clear": gain.is_clear}


def _ends(pair: Interval | None) -> list[float] | None:
    return None if pair is None else [pair.low, pair.high]


ENDINGS = (".csv", ".md")


@dataclass(frozen=True, slots=True)
class _Asked:
    topics: tuple[str, ...]
    embedder: str | None
    settings: EvaluationSettings
    regions: tuple[RegionKind, ...]
    experiments: tuple[tuple[Origin, ...], ...]


@click.command("batch")
@scoring.topics
@click.option("--origins", default=None, help="Two or more, separated by commas. [default: LitQEval's two experiments]")
@click.option("--write", "way", type=click.Choice(WAYS), default=None, help="How to write missing search strings.")
@click.option("--anew", "again", is_flag=True, help="With --write: also topics that have a generated string.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=None,
    help="Also write a file: .md for everything, .csv for results.",
)
@options.embedder
@scoring.regions
@scoring.settings
@options.data_dir
@options.as_json
def batch_command(
    first: str,
    others: tuple[str, ...],
    origins: str | None,
    way: Way | None,
    again: bool,
    out: Path | None,
    embedder: str | None,
    regions: str,
    data_dir: Path | None,
    as_json: bool,
    **flags: Any,
) -> None:
    """Compare baseline, generated and review strings over topics; --write makes missing ones.

    Both methods work without a key: "statistics" counts keywords in the corpus, "demo" is a script and not a language
    model. --out FILE.csv writes a file per experiment, named by its origins.
    """
    settings, kinds, experiments = scoring.read_settings(flags), scoring.read_regions(regions), _origins(origins)
    if again and way is None:
        raise InputError("--anew needs a method: add --write statistics or --write demo")
    if out is not None and out.suffix.lower() not in ENDINGS:
        raise FileError(f"{out} has no known file ending: use {' or '.join(ENDINGS)}")
    with Workspace.open(data_dir) as workspace:
        topics = scoring.read_topics(workspace, first, others)
        asked = _Asked(topics, scoring.read_embedder(workspace, topics, embedder), settings, kinds, experiments)
        made = _write(workspace, asked, way, again=again) if way is not None else ()
        studies = _studies(workspace, asked)
        missing = lacking(workspace, topics)
    if out is not None:
        _save([study for study in studies if study.rows], out)
    if as_json:
        print_json(batch_document(asked.embedder, made, missing, studies))
    else:
        for study in studies:
            print_study(study, _whats(study))
        _say_missing(made, missing, way)


def _origins(text: str | None) -> tuple[tuple[Origin, ...], ...]:
    if text is None:
        return EXPERIMENTS
    known: dict[str, Origin] = {origin: origin for origin in get_args(Origin)}
    named = list(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    if unknown := [name for name in named if name not in known]:
        raise InputError(f"unknown origin {', '.join(unknown)}: choose from {', '.join(known)}")
    if len(named) < 2:
        raise InputError("--origins needs two or more, separated by commas: --origins baseline,generated")
    return (tuple(known[name] for name in named),)


def _write(workspace: Workspace, asked: _Asked, way: Way, *, again: bool) -> tuple[StringMakingResult, ...]:
    missing = lacking(workspace, asked.topics, again=again)
    if asked.embedder is None and any(each.lack == "string" for each in missing):
        raise InputError('scoring a search string needs vectors, and these topics have none: create them with "embed"')
    with waiting("Writing search strings") as on_stage:
        return make_missing(workspace, missing, StringMakingSettings(way, asked.embedder), on_stage=on_stage)


def _studies(workspace: Workspace, asked: _Asked) -> tuple[StringStudy, ...]:
    found = []
    for origins in asked.experiments:
        wanted = want(workspace, asked.topics, origins, asked.embedder)
        with waiting("Evaluating topics") as on_stage:
            make_scores(workspace, wanted, asked.settings, asked.regions, on_stage=on_stage)
        known = known_scores(workspace, wanted, asked.settings, asked.regions)
        scores = {w: s for w, s in known.items() if s is not None}
        kept = [w for w in wanted if w in scores]
        found.append(whole(workspace, asked.topics, origins, kept, scores, asked.regions, beta=asked.settings.beta))
    return tuple(found)


def _whats(study: StringStudy) -> tuple[TopicScoreColumn, ...]:
    return (TopicScoreColumn("recall"), TopicScoreColumn("f_beta", study.regions[0]))


def _save(studies: Sequence[StringStudy], out: Path) -> None:
    if not studies:
        raise InputError("there is nothing to write to a file: no topic has retrieved publications for each origin")
    if out.suffix.lower() != ".csv":
        files = {out: "\n".join(markdown(report_of(study, _whats(study))) for study in studies)}
    elif len(studies) == 1:
        files = {out: csv_text(studies[0].tables[0])}
    else:  # one table per file: tables with different columns in one file could not be read back
        files = {out.with_stem("-".join((out.stem, *s.origins))): csv_text(s.tables[0]) for s in studies}
    for path, text in files.items():
        with written_aside(path) as file:
            file.write(text.encode())
        say(f"Written to {path}.")


def _say_missing(made: Sequence[StringMakingResult], missing: Sequence[MissingString], way: Way | None) -> None:
    printed = results()
    for each in made:
        printed.print(shown(f"{each.topic_id}: version {each.label}." + (f" {each.problem}" if each.problem else "")))
    can_be = [each.topic_id for each in missing if each.can_be_made]
    if can_be and way is None:
        many = f"{len(can_be)} topics have" if len(can_be) > 1 else "1 topic has"
        way_out = "add --write statistics to write it or run the existing one"
        printed.print(shown(f"{many} no generated string that was run: {way_out}."))


strings_command = copy(batch_command)
"""`studies strings`: the same command, named after its part of the page Studies."""
strings_command.name = "strings"
