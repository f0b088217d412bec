"""What a comparison of strings over topics says, as tables: on a page, in a terminal, in a file."""

from __future__ import annotations

from collections.abc import Sequence

from core.audit.document import Block, Document, Heading, Listing, Table, Value
from core.audit.document import Column as TableColumn
from core.comparing.compare import REGION_LABELS
from core.studies.scores import ORIGIN_LABELS, SIZES, Column, metric_label
from core.studies.strings import GAIN_BETA, Paired, TopicStrings, mean_gain, mean_of
from core.types import Origin, RegionKind
from core.writer.types import Gain

GAIN = "Held-out gain"
BOTH_METRICS = ("semantic_precision", "f_beta")


def result_columns(regions: Sequence[RegionKind]) -> tuple[Column, ...]:
    """What the result table holds of each string."""
    first = (Column("n_retrieved"), Column("recall"))
    return (*first, *(Column(metric, region) for region in regions for metric in BOTH_METRICS))


def column_title(what: Column, origin: Origin, beta: float = 2.0, *, with_region: bool = True) -> str:
    """A number of one origin, over a column.

    >>> column_title(Column("f_beta", "cosine"), "review"), column_title(Column("recall"), "baseline")
    ('F2, cosine: review', 'Recall: baseline')
    """
    names = {"n_retrieved": "Retrieved", "recall": "Recall", "f_beta": f"F{beta:g}"}
    region = f", {REGION_LABELS[what.region].lower()}" if what.region is not None and with_region else ""
    return f"{names.get(what.metric) or metric_label(what.metric, beta)}{region}: {ORIGIN_LABELS[origin].lower()}"


def result_table(
    rows: Sequence[TopicStrings], origins: Sequence[Origin], regions: Sequence[RegionKind], *, beta: float = 2.0
) -> Table:
    """A row for each topic, and at the end the means over the topics that have a number for every origin."""
    whats = result_columns(regions)
    columns = [TableColumn("Topic"), TableColumn("Core publications", "count")]
    columns += [TableColumn(f"Version: {ORIGIN_LABELS[origin].lower()}") for origin in origins]
    alone = REGION_LABELS[regions[0]] if len(regions) == 1 else None
    columns += [
        TableColumn(
            column_title(what, origin, beta, with_region=alone is None), "count" if what.metric in SIZES else "number"
        )
        for what in whats
        for origin in origins
    ]
    columns += [*(TableColumn(f"{GAIN}: {part}", "number") for part in ("value", "from", "to")), TableColumn("Remarks")]
    lines = [_line(row, origins, whats) for row in rows]
    if rows:
        lines.append(_means(rows, origins, whats))
    return Table(
        name="strings",
        caption="Strings of each topic, by origin" + (f"; semantic precision and F{beta:g}: {alone}" if alone else ""),
        columns=tuple(columns),
        rows=tuple(lines),
        note=(
            "Means are over the topics in which every origin has the number and it says something. Held-out gain: "
            f"F{GAIN_BETA:g} (cosine) of the generated string minus that of the topic's name, on core publications "
            "that nobody who wrote it knew to be core, with what fits, 95 %; other scores count all core publications."
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
    return (row.topic_id, of[0].n_core, *(s.label for s in of), *values, *_ends(row.gain), "; ".join(said) or None)


def _ends(gain: Gain | None) -> tuple[Value, Value, Value]:
    if gain is None or gain.value is None:
        return None, None, None
    return (gain.value, *(gain.interval or (None, None)))


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
    remarks = [f"some over {_topics(fewest)} only"] if fewest < len(rows) else []
    gain, n_gains = mean_gain(rows)
    remarks += [f"held-out gain over {_topics(n_gains)} only"] if 0 < n_gains < len(rows) else []
    return (
        f"Mean over {_topics(len(rows))}",
        None,
        *([None] * len(origins)),
        *values,
        *_ends(gain),
        "; ".join(remarks) or None,
    )


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
            *(TableColumn(title, "number") for title in ("Mean", "From", "To")),
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
            "Mean: of the differences. From, To: means that fit, 95 %, by sign flips over topics; none below 6 topics. "
            "Each is for its number alone: of twenty such, one leaves out 0 by chance."
        ),
    )


def published_table(found: Sequence[tuple[Paired, int, int]], *, beta: float = 2.0) -> Table:
    """What was published of the same pairs: the comparison, topics that are here too, and those that agree."""
    columns = (TableColumn("Here too", "count"), TableColumn("The same way", "count"))
    table = pairs_table([p for p, _, _ in found], beta=beta)
    return Table(
        name="published",
        caption="The same differences as they were published",
        columns=(*table.columns, *columns),
        rows=tuple((*row, *counts) for row, (_, *counts) in zip(table.rows, found, strict=True)),
        note=(
            "Published with other vectors and another landscape. Here too: topics that have both strings here. The "
            "same way: of these, those in which the same string is higher."
        ),
    )


def strings_report(
    tables: Sequence[Table],
    sentences: Sequence[str],
    left_out: Sequence[tuple[str, str]],
    *,
    made_at: str,
    made_with: str,
    made_up: bool,
) -> Document:
    """All of it as one document, for a file."""
    blocks: list[Block] = [Listing(tuple(sentences))] if sentences else []
    blocks += list(tables)
    if left_out:
        blocks += [Heading("Left out"), Listing(tuple(f"{topic}: {why}" for topic, why in left_out))]
    n = sum(row[1] is not None for row in tables[0].rows) if tables else 0
    return Document(
        kind="quality",
        title="Search strings compared over topics",
        subtitle=_topics(n),
        blocks=tuple(blocks),
        made_at=made_at,
        made_with=made_with,
        made_up=made_up,
    )


def _topics(n: int) -> str:
    return "1 topic" if n == 1 else f"{n:,} topics"
