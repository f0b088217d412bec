"""What `query batch` says: to people as tables, to programs as one document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from core.comparing.compare import REGION_LABELS
from core.judging.agreement import Interval
from core.studies.core_sets import ORIGIN_LABELS, Column, TopicScores, metric_label
from core.studies.strings import Paired, TopicStrings, mean_gain, mean_of, result_columns, sentence_of
from core.types import Origin
from core.writer.types import Gain
from dashboard.commands.output import NONE, interval, number, results, row, shown, table
from data.studies.strings import Lacking, Made, PublishedPair, StringStudy


def print_study(study: StringStudy, whats: Sequence[Column]) -> None:
    """Topics with their strings, the means, and what differs, in numbers and in words."""
    out = results()
    named = ", ".join(ORIGIN_LABELS[origin].lower() for origin in study.origins)
    if not study.rows:
        out.print(shown(f"No topic has core publications and lists of each origin: {named}."))
        for sentence in study.published_sentences(whats):
            out.print(shown(sentence))
        out.print()
        return
    region = study.regions[0]
    first = (Column("n_retrieved"), Column("recall"), *(Column(m, region) for m in ("semantic_precision", "f_beta")))
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
        results().print(shown(f"{head}: {named}. Why: {why}."))


def _cell(scores: TopicScores, what: Column) -> Any:
    if what.metric == "n_retrieved":
        return f"{scores.n_retrieved:,}"
    return number(scores.value(what), "strike" if scores.degenerate(what) else "")


def _gain(gain: Gain | None) -> str:
    if gain is None or gain.value is None:
        return NONE
    return f"{gain.value:+.3f}" + (f" ({interval(gain.interval)})" if gain.interval else "")


def _print_means(grid: Any, study: StringStudy, whats: Sequence[Column]) -> None:
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
    heads = ("Number", "Difference", "Topics", "Higher", "Lower", "Mean", "Fits, 95 %", "")
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
    embedder: str | None, made: Sequence[Made], missing: Sequence[Lacking], studies: Sequence[StringStudy]
) -> dict[str, Any]:
    """`query batch --json`.

    `embedder`. `made`: topic, version, writing and problem of each string that was written or run now. `missing`:
    topics without a generated string that was run, each with what it lacks (string, run, corpus, core). `experiments`,
    each with `origins`, `regions`, `topics` (n_core, `versions` by origin with version, n_retrieved, n_core_found,
    recall and `regions`, and `held_out_gain`), `means` (over the topics in which every origin has the number),
    `differences` (B minus A over topics: wins, losses, ties, n_left_out where a number is undefined or says
    nothing, mean_difference, interval or null below 6 topics, is_clear, sentence), `held_out_gain` over topics,
    `published` (the same differences as published, n_here and n_same of the topics that both have), `left_out` and
    `beware` (topic, reason).
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


def _mean(study: StringStudy, what: Column) -> dict[str, Any]:
    mean = mean_of(study.rows, study.origins, what)
    return {"metric": what.metric, "region": what.region, "n_topics": mean.n_topics, "values": dict(mean.values)}


def _difference(p: Paired, beta: float) -> dict[str, Any]:
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
