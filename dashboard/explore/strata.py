"""Core recall and scores by citations, year and kind of survey: documents, tables and the part of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from html import escape
from typing import Any

from core.explore.regions import REGION_LABELS
from core.explore.strata import (
    STRATA_LABELS,
    PooledStrata,
    PooledStratum,
    Strata,
    StrataKind,
    Stratum,
    strata_sentences,
)
from core.metrics import METRICS
from core.stats import Interval
from core.types import RegionKind
from dashboard.kit.output import NONE, interval, number, results, row, shown, table
from dashboard.kit.theme import Theme, score_table_style

# As JSON and as tables of the command line.


def strata_document(strata: Strata) -> dict[str, Any]:
    """Build `strata` of `evaluate --strata --json`.

    A list of strata for each kind; every core publication is in one of each list. `low` and `high`: fewest and most
    citations, or first and last year. `differences`: recall of the last quarter minus that of the first. `year_limits`:
    ranges of years that the search string includes, null if it includes any.
    """
    document: dict[str, Any] = {kind: [_stratum(s) for s in found] for kind, found in strata.partitions.items()}
    contrasts = {"citations": strata.contrast("citations"), "year": strata.contrast("year")}
    return {
        "n_core": strata.n_core,
        "n_found": strata.n_found,
        "strata": document,
        "differences": {
            kind: None if found is None else asdict(found) | {"is_clear": found.is_clear}
            for kind, found in contrasts.items()
        },
        "year_limits": None if strata.year_limits is None else strata.year_limits.spans,
        "n_core_outside_year_limits": strata.n_outside,
        "sentences": strata_sentences(strata),
    }


def _stratum(stratum: Stratum) -> dict[str, Any]:
    return {
        "stratum": stratum.name,
        "low": stratum.low,
        "high": stratum.high,
        "n_core": len(stratum),
        "n_found": stratum.n_found,
        "core_ids": stratum.core_ids,
        "recall": stratum.recall,
        "recall_interval": stratum.recall_interval,
        "regions": {
            kind: {"n_accepted_core" if name == "n_accepted" else name: value for name, value in asdict(s).items()}
            for kind, s in stratum.regions.items()
        },
    }


def print_strata(strata: Mapping[str, Strata], region: RegionKind, beta: float) -> None:
    """Print one version with the scores of a region, or the recall of several side by side."""
    if len(strata) == 1:
        ((_, found),) = strata.items()
        _print_one(found, region, beta)
    else:
        _print_several(strata)
    for label, found in strata.items():
        of = "" if len(strata) == 1 else f"{label}: "
        for sentence in strata_sentences(found):
            results().print(shown(f"{of}{sentence}"))


def _print_one(strata: Strata, region: RegionKind, beta: float) -> None:
    names = (METRICS["recall"].label, "95 % interval", METRICS["core_accepted"].label, f"F{beta:g}", "its interval")
    for kind, found in strata.partitions.items():
        results().print()
        scored = f"{METRICS['core_accepted'].label} and F{beta:g} by {REGION_LABELS[region]}"
        title = f"{STRATA_LABELS[kind]} · {scored}"
        grid = table(title, "Core publications", "", "Found", *names, right=(1, 2, 3, 5, 6))
        for stratum in found:
            scores = stratum.regions[region]
            row(
                grid,
                stratum.name,
                stratum.span,
                _of(stratum),
                number(stratum.recall),
                interval(stratum.recall_interval),
                number(scores.core_accepted),
                number(scores.f_beta),
                interval(scores.f_beta_interval),
            )
        results().print(grid)


def _print_several(strata: Mapping[str, Strata]) -> None:
    for kind in STRATA_LABELS:
        lines = _side_by_side(list(strata.values()), kind)
        if not lines:
            continue
        results().print()
        title = f"{METRICS['recall'].label} by {_lower(STRATA_LABELS[kind])}"
        grid = table(title, "Core publications", "", *strata, right=range(1, 2 + len(strata)))
        for name, span, cells in lines:
            row(grid, name, span, *(f"{s.recall:.3f} ({_of(s)})" if s else NONE for s in cells))
        results().print(grid)


Line = tuple[str, str, list[Stratum | None]]


def _side_by_side(strata: Sequence[Strata], kind: StrataKind) -> list[Line]:
    """Return each stratum of any version, with that of every version. Versions of a topic share all but year limits."""
    named = [{s.name: s for s in each.partitions.get(kind, ())} for each in strata]
    lines: list[Line] = []
    for name in dict.fromkeys(name for each in named for name in each):
        cells = [each.get(name) for each in named]
        lines.append((name, next(s.span for s in cells if s), cells))
    return lines


def _of(stratum: Stratum | PooledStratum) -> str:
    n_core = stratum.n_core if isinstance(stratum, PooledStratum) else len(stratum)
    return f"{stratum.n_found} of {n_core}"


def _lower(label: str) -> str:
    return f"{label[:1].lower()}{label[1:]}"


def pooled_document(pooled: PooledStrata) -> dict[str, Any]:
    """Build `strata` of `studies strata --json`: found and all core publications of each stratum, over all topics."""
    return {kind: [asdict(stratum) for stratum in found] for kind, found in pooled.items()}


def print_pooled(pooled: PooledStrata) -> None:
    for kind, found in pooled.items():
        columns = ("Topics", "Found", METRICS["recall"].label, "95 % of resampled topics")
        grid = table(STRATA_LABELS[kind], "Core publications", *columns, right=(1, 2, 3))
        for s in found:
            row(grid, s.name, f"{s.n_topics:,}", _of(s), number(s.recall), interval(s.interval))
        results().print(grid)


# As a table with bars, for one version or for several side by side.


def strata_html(strata: Mapping[str, Strata], theme: Theme) -> str:
    """Render the table with its style; names of versions are escaped."""
    heads = "".join(f'<th scope="col" class="difference">{escape(name)}</th>' for name in strata)
    if len(strata) == 1:
        heads = f'<th scope="col" class="difference">{METRICS["recall"].label}</th>'
    body = []
    for kind, label in STRATA_LABELS.items():
        lines = _side_by_side(list(strata.values()), kind)
        if not lines:
            continue
        body.append(f'<tr class="group"><th colspan="{len(strata) + 2}" scope="rowgroup">{label}</th></tr>')
        for name, span, found in lines:
            cells = "".join(_bar(s.recall, s.recall_interval, _of(s)) if s else f"<td>{NONE}</td>" for s in found)
            body.append(f'<tr><th scope="row">{escape(name)}</th><td>{span}</td>{cells}</tr>')
    return _html("Citations or years", heads, body, theme)


def pooled_html(pooled: PooledStrata, theme: Theme) -> str:
    body = []
    for kind, found in pooled.items():
        body.append(f'<tr class="group"><th colspan="3" scope="rowgroup">{STRATA_LABELS[kind]}</th></tr>')
        for s in found:
            cell = _bar(s.recall, s.interval, _of(s))
            body.append(f'<tr><th scope="row">{s.name}</th><td>{s.n_topics:,}</td>{cell}</tr>')
    return _html("Topics", f'<th scope="col" class="difference">{METRICS["recall"].label}</th>', body, theme)


def _html(second: str, heads: str, body: Sequence[str], theme: Theme) -> str:
    return (
        '<div class="qs-scores qs-strata" tabindex="0" role="region" aria-label="Core recall by strata">'
        '<table><thead><tr><th scope="col">Core publications</th>'
        f'<th scope="col">{second}</th>{heads}</tr></thead><tbody>{"".join(body)}</tbody></table></div>'
        f"{score_table_style(theme)}{_STYLE}"
    )


_STYLE = """<style>
.qs-strata .track { width: 130px; }
.qs-strata .difference small { min-width: 60px; }
@media (max-width: 640px) { .qs-strata .track { width: 52px; } }
</style>"""


def _bar(value: float, ends: Interval | None, words: str) -> str:
    whisker, text = "", ""
    if ends is not None:
        whisker = (
            f'<i class="whisker" style="left:{100 * ends.low:.1f}%;width:{100 * (ends.high - ends.low):.1f}%"></i>'
        )
        text = f'<span class="unseen">, {ends.low:.2f} to {ends.high:.2f}</span>'
    return (
        f'<td class="difference"><div><span>{value:.3f}</span><i class="track" role="presentation">'
        f'<i class="bar" style="width:{100 * value:.1f}%"></i>{whisker}</i><small>{words}{text}</small></div></td>'
    )
