"""What a comparison of strings over topics says, as tables: on a page, in a terminal, in a file."""

from __future__ import annotations

from collections.abc import Sequence

from core.audit.document import Column as TableColumn
from core.audit.document import Table, Value
from core.comparing.compare import REGION_LABELS
from core.studies.scores import ORIGIN_LABELS, SIZES, Column, metric_label
from core.studies.strings import Paired, TopicStrings, mean_gain, mean_of
from core.types import Origin, RegionKind

BOTH_METRICS = ("semantic_precision", "f_beta")


def result_columns(regions: Sequence[RegionKind]) -> tuple[Column, ...]:
    """What the result table holds of each string."""
    first = (Column("n_retrieved"), Column("recall"))
    return (*first, *(Column(metric, region) for region in regions for metric in BOTH_METRICS))


def column_title(what: Column, origin: Origin, beta: float = 2.0) -> str:
    """A number of one origin, over a column.

    >>> column_title(Column("f_beta", "cosine"), "review")
    'F2 (with decay), cosine: review'
    """
    region = "" if what.region is None else f", {REGION_LABELS[what.region].lower()}"
    name = "Retrieved" if what.metric == "n_retrieved" else metric_label(what.metric, beta)
    return f"{name}{region}: {ORIGIN_LABELS[origin].lower()}"


def result_table(
    rows: Sequence[TopicStrings], origins: Sequence[Origin], regions: Sequence[RegionKind], *, beta: float = 2.0
) -> Table:
    """A row for each topic, and at the end the means over the topics that have a number for every origin."""
    whats = result_columns(regions)
    columns = [TableColumn("Topic"), TableColumn("Core publications", "count")]
    columns += [TableColumn(f"Version: {ORIGIN_LABELS[origin].lower()}") for origin in origins]
    columns += [
        TableColumn(column_title(what, origin, beta), "count" if what.metric in SIZES else "number")
        for what in whats
        for origin in origins
    ]
    columns += [TableColumn("Held-out gain", "number"), TableColumn("Remarks")]
    lines = [_line(row, origins, whats) for row in rows]
    if rows:
        lines.append(_means(rows, origins, whats))
    return Table(
        name="strings",
        caption="Strings of each topic, by origin",
        columns=tuple(columns),
        rows=tuple(lines),
        note=(
            "Means are over the topics in which every origin has the number and it says something. Held-out gain: "
            f"F{beta:g} (cosine) of the generated string minus that of the topic's name, on core publications that "
            "nobody who wrote it has seen; the other scores count all core publications."
        ),
    )


def _line(row: TopicStrings, origins: Sequence[Origin], whats: Sequence[Column]) -> tuple[Value, ...]:
    of = [row.scores[origin] for origin in origins]
    values = [_whole(s.value(what), what) for what in whats for s in of]
    said = dict.fromkeys(
        f"{s.label}: {REGION_LABELS[what.region].lower()}, {why}"
        for what in whats
        if what.region is not None
        for s in of
        if (why := s.reason(what) or s.degenerate(what))
    )
    gain = None if row.gain is None else row.gain.value
    return (row.topic_id, of[0].n_core, *(s.label for s in of), *values, gain, "; ".join(said) or None)


def _whole(value: float | None, what: Column) -> Value:
    return int(value) if value is not None and what.metric in SIZES else value


def _means(rows: Sequence[TopicStrings], origins: Sequence[Origin], whats: Sequence[Column]) -> tuple[Value, ...]:
    values: list[Value] = []
    fewest = len(rows)
    for what in whats:
        mean = mean_of(rows, origins, what)
        fewest = min(fewest, mean.n_topics)
        means = [mean.values.get(origin) for origin in origins]
        values += [round(m) if m is not None and what.metric in SIZES else m for m in means]
    remark = None if fewest == len(rows) else f"some over {fewest} topics only"
    gain, _ = mean_gain(rows)
    return (f"Mean over {len(rows)} topics", None, *([None] * len(origins)), *values, gain.value, remark)


def pairs_table(found: Sequence[Paired], *, beta: float = 2.0) -> Table:
    """A row for each number of each two origins: who is higher where, and by how much on average."""
    titles = ("Higher", "Lower", "As high")
    heads = ("Number", "Region", "Of", "Against")
    return Table(
        name="differences",
        caption="Differences over topics",
        columns=(
            *(TableColumn(title) for title in heads),
            *(TableColumn(title, "count") for title in ("Topics", *titles)),
            *(TableColumn(title, "number") for title in ("Mean difference", "From", "To")),
            TableColumn("Clear"),
        ),
        rows=tuple(
            (
                metric_label(p.column.metric, beta),
                None if p.column.region is None else REGION_LABELS[p.column.region],
                p.b,
                p.a,
                p.n_topics,
                *(p.wins, p.losses, p.ties),
                p.mean,
                p.interval.low if p.interval else None,
                p.interval.high if p.interval else None,
                "clear" if p.is_clear else "not clear" if p.n_topics else None,
            )
            for p in found
        ),
        note=(
            "From, To: mean differences that fit, 95 %, by sign flips over topics; none below 6 topics. Each is for "
            "its number alone: of twenty such, one leaves out 0 by chance."
        ),
    )
