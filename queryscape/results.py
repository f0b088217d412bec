"""Results of the library: a short repr, a table for notebooks, a frame, a document and the app's figures."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from core.errors import InputError
from core.text import listed, many

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

    from core.explore.compare import Comparison
    from core.explore.evaluate import Evaluation
    from core.explore.landscape import Landscape
    from core.retrieval.leaderboard import Leaderboard
    from core.settings import EvaluationSettings
    from core.stats import Interval
    from core.types import Points, RegionKind

Document = dict[str, Any]
Theme = Literal["light", "dark"]
NONE = "–"
LONGEST = 70
"""Characters of a search string or a name in a repr."""
MOST_ROWS = 20
"""Rows of a table in a notebook; `to_frame` has all."""


def check_theme(theme: str) -> None:
    if theme not in (known := get_args(Theme)):
        raise InputError(f'no theme "{theme}": choose {" or ".join(known)}')


def plain_document(document: Document) -> Document:
    """Return the document as it reads after a round trip through JSON, which is what `--json` prints."""
    import json

    from dashboard.kit.output import plain_json

    read: Document = json.loads(json.dumps(plain_json(document)))
    return read


def shortened(text: str) -> str:
    """Return a text on one line, shortened.

    >>> shortened("tea\\n OR  leaf")
    'tea OR leaf'
    """
    flat = "".join(sign if sign.isprintable() else " " for sign in text)
    flat = " ".join(flat.split())
    return flat if len(flat) <= LONGEST else f"{flat[: LONGEST - 1]}…"


def number(value: float | None) -> str:
    """Format a score with three digits; a dash for none.

    >>> number(0.5), number(None)
    ('0.500', '–')
    """
    return NONE if value is None else f"{value:.3f}"


def shown_value(value: object) -> str:
    """Format a value of a document for a cell.

    >>> shown_value(None), shown_value(1234), shown_value(0.123456)
    ('', '1,234', '0.1235')
    """
    if isinstance(value, float):
        return f"{value:,.4g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "" if value is None else str(value)


# Tables for notebooks. Colours are those of the notebook, so that they read in light and dark; all text is escaped.

WIDTH, TALL = 120, 12
"""Pixels of a whisker."""


def whisker(value: float | None, ends: Sequence[float] | None, span: tuple[float, float] = (0.0, 1.0)) -> str:
    """Draw a value as a dot, with its interval as a line, in the notebook's own text colour.

    >>> whisker(None, None)
    ''
    >>> whisker(0.5, (0.4, 0.6)).count("<line"), whisker(0.5, None).count("<line")
    (2, 1)
    """
    if value is None:
        return ""
    low, high = span
    width = (high - low) or 1.0

    def along(at: float) -> float:
        return 4 + (WIDTH - 8) * min(max((at - low) / width, 0.0), 1.0)

    middle = TALL / 2
    track = f'<line x1="4" x2="{WIDTH - 4}" y1="{middle}" y2="{middle}" stroke-opacity="0.2"/>'
    words = number(value)
    if ends is not None:
        track += f'<line x1="{along(ends[0]):.1f}" x2="{along(ends[1]):.1f}" y1="{middle}" y2="{middle}"/>'
        words += f", {number(ends[0])} to {number(ends[1])}"
    return (
        f'<svg width="{WIDTH}" height="{TALL}" role="img" aria-label="{words}" stroke="currentColor" '
        f'fill="currentColor">{track}<circle cx="{along(value):.1f}" cy="{middle}" r="3.5"/></svg>'
    )


@dataclass(frozen=True, slots=True)
class SafeHtml:
    """A cell that holds HTML of our own; every other cell is escaped."""

    html: str


Cell = str | SafeHtml
_CELL = "padding:2px 12px 2px 0;font-variant-numeric:tabular-nums;text-align:"


def _is_number(value: Cell) -> bool:
    return isinstance(value, str) and (
        value == NONE or value.lstrip("+-−").replace(",", "").replace(".", "").isdecimal()
    )


def table_html(
    title: str, heads: Sequence[str], rows: Sequence[Sequence[Cell]], notes: Sequence[str] = (), *, above: str = ""
) -> str:
    """Build a table; all texts are escaped. `above`: HTML of our own between title and table.

    >>> "&lt;b&gt;" in table_html("<b>", ["A"], [["1"]])
    True
    """
    columns = [[row[place] for row in rows] for place in range(len(heads))]
    sides = ["right" if any(map(_is_number, column)) else "left" for column in columns]

    def line(cells: Sequence[Cell], tag: str) -> str:
        html = [value.html if isinstance(value, SafeHtml) else escape(value) for value in cells]
        return "".join(f'<{tag} style="{_CELL}{side}">{text}</{tag}>' for text, side in zip(html, sides, strict=True))

    more = [f"and {len(rows) - MOST_ROWS:,} more: to_frame() has all"] if len(rows) > MOST_ROWS else []
    body = "".join(f"<tr>{line(row, 'td')}</tr>" for row in rows[:MOST_ROWS])
    below = "".join(f"<div><small>{escape(note)}</small></div>" for note in (*more, *notes))
    return (
        f'<div class="queryscape" style="overflow-x:auto;margin:4px 0">'
        f"<div><strong>{escape(title)}</strong></div>{above}"
        f'<table style="color:inherit;border-collapse:collapse;margin:4px 0"><thead><tr>{line(list(heads), "th")}</tr>'
        f"</thead><tbody>{body}</tbody></table>{below}</div>"
    )


# The common shape of all results.


class LibraryResult(ABC):
    """A result: `to_dict` has the keys of the command's `--json`, `to_frame` is a pandas table."""

    _columns: ClassVar[tuple[str, ...]] = ()
    """The columns of a table without rows."""

    @property
    @abstractmethod
    def summary(self) -> str:
        """The result in a sentence or two, as one line."""

    @abstractmethod
    def to_dict(self) -> Document:
        """Return the document that the command prints with `--json`."""

    @abstractmethod
    def _rows(self) -> list[dict[str, Any]]:
        """Return the rows of the table."""

    @abstractmethod
    def _repr_html_(self) -> str: ...

    def to_frame(self) -> pd.DataFrame:
        """Return the main table of the result as a pandas DataFrame."""
        import pandas as pd

        rows = self._rows()
        return pd.DataFrame(rows, columns=list(rows[0] if rows else self._columns))

    def __repr__(self) -> str:
        return f"<{self.summary}>"

    def __str__(self) -> str:
        return "\n".join((self.summary, *(f"Warning: {caution.rstrip('.')}." for caution in self._cautions)))

    @property
    def _cautions(self) -> Sequence[str]:
        """Cautions, which `print` shows."""
        return ()


# The scores of one set of publications.


@dataclass(frozen=True, eq=False)
class DrawnScene:
    """All that a picture of an evaluation needs."""

    landscape: Landscape
    outlines: dict[RegionKind, Points]
    titles: Sequence[str]
    years: Sequence[int | None]
    made_up: bool


@dataclass(frozen=True, eq=False, repr=False)
class EvaluationResult(LibraryResult):
    """The scores of one query version, or of any set of retrieved publications.

    `evaluation` holds everything that was computed, such as the publications that each region accepts.
    """

    evaluation: Evaluation
    label: str
    intervals: bool
    _scene: Callable[[], DrawnScene] = field(repr=False)

    @property
    def recall(self) -> float:
        """The share of core publications that were retrieved."""
        return self.evaluation.recall

    @property
    def recall_interval(self) -> Interval:
        """The 95 % interval of the recall (Wilson): `low` and `high`."""
        return self.evaluation.recall_interval

    @property
    def settings(self) -> EvaluationSettings:
        """The settings in use, with the resolved mode of the similarity threshold."""
        return self.evaluation.settings

    @property
    def found(self) -> tuple[str, ...]:
        """Ids of the core publications that were retrieved."""
        return self.evaluation.found_core_ids

    @property
    def missed(self) -> tuple[str, ...]:
        """Ids of the core publications that were not retrieved."""
        return self.evaluation.missed_core_ids

    @property
    def warnings(self) -> tuple[str, ...]:
        """Cautions for reading the scores."""
        return self.evaluation.warnings

    @property
    def summary(self) -> str:
        e = self.evaluation
        low, high = e.recall_interval
        interval = f", 95 % interval {low:.3f} to {high:.3f}" if self.intervals else ""
        return (
            f"{shortened(e.topic_id)} · {shortened(self.label)}: {len(e.found_core_ids):,} of {len(e.core_ids):,} core "
            f"publications found (recall {e.recall:.3f}{interval}), {e.n_retrieved:,} retrieved; "
            f"F{e.settings.beta:g}: {self._f_betas}"
        )

    @property
    def _f_betas(self) -> str:
        """The score of each region; those that are not defined come last, with the reason."""
        regions = self.evaluation.regions.items()
        parts = [f"{_region_label(kind)} {number(s.f_beta)}" for kind, s in regions if s.status == "ok"]
        for reason in dict.fromkeys(s.status for _, s in regions if s.status != "ok"):
            kinds = [_region_label(kind) for kind, s in regions if s.status == reason]
            parts.append(f"{' and '.join(kinds) if len(kinds) < len(regions) else ''} {NONE} ({reason})".strip())
        return ", ".join(parts)

    @property
    def _cautions(self) -> Sequence[str]:
        return self.warnings

    def to_dict(self) -> Document:
        """Return the document of `queryscape evaluate --json`."""
        from dashboard.explore.commands import evaluation_document

        return plain_document(evaluation_document(self.evaluation, self.label, intervals=self.intervals))

    def _rows(self) -> list[dict[str, Any]]:
        document, regions = self.to_dict(), []
        for kind, scores in document["regions"].items():
            row = {"region": kind, "n_retrieved": document["n_retrieved"], "recall": document["recall"]}
            if self.intervals:
                row |= dict(zip(("recall_low", "recall_high"), document["recall_interval"], strict=True))
            names = ("status", "n_relevant", "n_accepted_core", "semantic_precision", "decay", "core_accepted")
            row |= {name: scores[name] for name in (*names, "recall_used", "f_beta", "degenerate")}
            for name in ("semantic_precision_range", "f_beta_range"):
                if self.intervals:
                    row |= {f"{name}_low": (scores[name] or [None])[0], f"{name}_high": (scores[name] or [None])[-1]}
            regions.append(row)
        return regions

    def _repr_html_(self) -> str:
        e = self.evaluation
        score = f"F{e.settings.beta:g}"
        rows: list[list[Cell]] = []
        for kind, scores in e.regions.items():
            varied = e.sensitivity.get(kind)
            precision = SafeHtml(
                whisker(scores.semantic_precision, varied.semantic_precision_range if varied else None)
            )
            f_beta = SafeHtml(whisker(scores.f_beta, varied.f_beta_range if varied else None))
            if scores.status != "ok":
                rows.append([_region_label(kind), NONE, scores.status, NONE, NONE, ""])
                continue
            shown: Cell = number(scores.f_beta)
            if scores.degenerate:
                shown = SafeHtml(f'<s title="{escape(scores.degenerate)}">{escape(number(scores.f_beta))}</s>')
            relevant = f"{scores.n_relevant:,}"
            rows.append([_region_label(kind), number(scores.semantic_precision), precision, relevant, shown, f_beta])
        title = f"{e.topic_id} · {self.label}"
        n_found, n_core = len(e.found_core_ids), len(e.core_ids)
        notes = [
            f"{n_found:,} of {n_core:,} core publications found, {many(e.n_retrieved, 'publication')} retrieved; "
            f"vectors of {e.model_id}.",
            *(f"{warning}." for warning in e.warnings),
        ]
        heads = ("Region", "Semantic precision", "", "Relevant", score, "")
        recall = f"<div>Core recall {number(e.recall)} {whisker(e.recall, e.recall_interval)}</div>"
        return table_html(title, heads, rows, notes, above=recall)

    def landscape(self, region: RegionKind | None = None, *, theme: Theme = "light") -> go.Figure:
        """Draw the publications on the landscape, as the app does. `region`: the one that decides on relevance."""
        from dashboard.explore.figures.landscape import landscape_figure

        check_theme(theme)
        kind = next(iter(self.evaluation.regions)) if region is None else region
        if kind not in self.evaluation.regions:
            raise InputError(f'"{kind}" was not evaluated: choose one of {", ".join(self.evaluation.regions)}')
        scene = self._scene()
        mask = self.evaluation.regions[kind].relevant_mask
        return landscape_figure(
            scene.landscape,
            None if mask is None else scene.landscape.in_order(mask),
            titles=scene.titles,
            years=scene.years,
            outlines=scene.outlines,
            kind=kind,
            theme=theme,
            made_up=scene.made_up,
            topic=self.evaluation.topic_id,
            version=self.label,
            n_found=len(self.evaluation.found_core_ids),
        )

    def figure(self, *, theme: Theme = "light") -> go.Figure:
        """Draw F-beta over the similarity threshold, as the app does."""
        from core.explore.landscape import split_curve
        from dashboard.explore.figures.thresholds import f_beta_curve_figure

        check_theme(theme)
        cosine = self.evaluation.regions.get("cosine")
        at = None if cosine is None else cosine.defines.get("min_similarity")
        if at is None:
            why = cosine.status if cosine else "it was not evaluated"
            raise InputError(f"the curve needs the region cosine ({why}): evaluate it too")
        landscape = self._scene().landscape
        curve = split_curve(landscape, self.settings)
        core = landscape.similarities[landscape.core_mask]
        best = curve.best
        return f_beta_curve_figure(
            curve,
            current=float(at),
            least_similar_core=float(core.min()) if len(core) else None,
            best=float(curve.min_similarity[best]) if curve.f_beta[best] > 0 else None,
            beta=self.settings.beta,
            theme=theme,
        )


def _region_label(kind: RegionKind) -> str:
    from core.explore.regions import REGION_LABELS

    return REGION_LABELS[kind]


# Several versions of one topic.


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonResult(LibraryResult):
    """Versions of a topic side by side. A difference is the later version minus the earlier."""

    comparison: Comparison
    labels: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def topic(self) -> str:
        """The topic's name."""
        return self.comparison.versions[0].topic_id

    @property
    def sentences(self) -> tuple[str, ...]:
        """Every difference in words."""
        return tuple(dict.fromkeys(d.sentence for d in self.comparison.differences))

    @property
    def summary(self) -> str:
        recalls = [
            f"{shortened(label)} {number(e.recall)}"
            for label, e in zip(self.labels, self.comparison.versions, strict=True)
        ]
        n_clear = sum(d.is_clear is True for d in self.comparison.differences)
        n = len(self.comparison.differences)
        return f"{shortened(self.topic)}: recall {', '.join(recalls)}; {n_clear:,} of {n:,} differences are clear"

    @property
    def _cautions(self) -> Sequence[str]:
        return self.notes

    def to_dict(self) -> Document:
        """Return the document of `queryscape compare --json`."""
        from dashboard.explore.commands import comparison_document

        return plain_document(comparison_document(self.comparison, self.labels, self.notes))

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "a": d.a,
                "b": d.b,
                "metric": d.metric,
                "region": d.region,
                "difference": d.difference,
                "low": d.interval.low if d.interval else None,
                "high": d.interval.high if d.interval else None,
                "is_clear": d.is_clear,
                "sentence": d.sentence,
            }
            for d in self.comparison.differences
        ]

    def _repr_html_(self) -> str:
        from core.metrics import METRICS

        span = max(
            (abs(end) for d in self.comparison.differences for end in (*(d.interval or ()), d.difference or 0.0)),
            default=1.0,
        )
        rows: list[list[Cell]] = [
            [
                f"{_region_label(d.region) if d.region else 'All'}: {METRICS[d.metric].label}",
                f"{d.b} minus {d.a}",
                NONE if d.difference is None else f"{d.difference:+.3f}",
                SafeHtml(whisker(d.difference, d.interval, (-span, span))),
                "clear" if d.is_clear else "not clear" if d.is_clear is False else "",
            ]
            for d in self.comparison.differences
        ]
        return table_html(self.summary, ("Score", "Versions", "Difference", "", ""), rows, self.notes)

    def figure(self, *, theme: Theme = "light") -> go.Figure:
        """Draw the differences between the first version and the last, as the app does."""
        from dashboard.explore.figures.versions import differences_figure

        check_theme(theme)
        a, b = self.labels[0], self.labels[-1]
        return differences_figure(
            [d for d in self.comparison.differences if (d.a, d.b) == (a, b)],
            names=(a, b),
            positions=(0, len(self.labels) - 1),
            theme=theme,
        )


# A search string: the problems in it, its translation, and the core publications that it misses.


@dataclass(frozen=True, eq=False, repr=False)
class DocumentResult(LibraryResult):
    """A result that is a document: `to_dict` returns it, and items are read with `result["key"]`."""

    _document: Document
    _text: str

    def to_dict(self) -> Document:
        """Return the document of the command's `--json`."""
        return plain_document(self._document)

    def __getitem__(self, key: str) -> Any:
        return self.to_dict()[key]

    def _repr_html_(self) -> str:
        rows = self._rows()
        heads = list(rows[0]) if rows else []
        cells = [[shown_value(value) for value in row.values()] for row in rows]
        return table_html(self.summary, heads, cells)


class QueryCheck(DocumentResult):
    """The parts of a search string and the problems found in it."""

    _columns = ("severity", "rule", "text", "message", "fix")

    @property
    def dialect(self) -> str:
        """The dialect in which it was read."""
        return str(self._document["dialect"])

    @property
    def findings(self) -> list[Document]:
        """The problems, each with rule, severity, place, message and fixes."""
        found: list[Document] = self.to_dict()["findings"]
        return found

    @property
    def summary(self) -> str:
        counts = [f["severity"] for f in self._document["findings"]]
        problems = [many(counts.count(kind), kind) for kind in ("error", "warning", "hint") if kind in counts]
        return f"{shortened(self._text)} · {self.dialect}: {listed(problems) if problems else 'no problems found'}"

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "severity": f["severity"],
                "rule": f["rule"],
                "text": self._text[f["start"] : f["end"]],
                "message": f["message"],
                "fix": f["fix"] and f["fix"]["label"],
            }
            for f in self._document["findings"]
        ]


class QueryTranslation(DocumentResult):
    """A search string in another dialect, and what the translation loses."""

    _columns = ("status", "text", "message")

    @property
    def text(self) -> str:
        """The translated search string."""
        return str(self._document["text"])

    @property
    def losses(self) -> list[Document]:
        """Parts that mean something else in the target, or are left out."""
        found: list[Document] = self.to_dict()["losses"]
        return found

    @property
    def summary(self) -> str:
        n = len(self._document["losses"])
        lost = "exact" if not n else many(n, "loss")
        return f"{self._document['from']} to {self._document['to']}, {lost}: {shortened(self.text)}"

    def __str__(self) -> str:
        return self.text

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"status": x["status"], "text": self._text[x["start"] : x["end"]], "message": x["message"]}
            for x in self._document["losses"]
        ]


class QueryExplanation(DocumentResult):
    """The core publications that a search string misses, with the reasons and the edits that find them."""

    _columns = ("publication_id", "title", "verdict", "sentence", "rescue")

    @property
    def summary(self) -> str:
        n_found, missed = self._document["n_found"], self._document["missed"]
        return f"{shortened(self._text)}: {n_found:,} of {n_found + len(missed):,} core publications found"

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "publication_id": each["publication_id"],
                "title": each["title"],
                "verdict": each["verdict"],
                "sentence": each["sentence"],
                "rescue": each["rescues"][0]["edit"] if each["rescues"] else None,
            }
            for each in self._document["missed"]
        ]


class TopicSearches(DocumentResult):
    """The searches of a topic, and what each brought."""

    _columns = ("number", "search", "date", "hits")

    @property
    def summary(self) -> str:
        return f"{shortened(self._text)}: {many(len(self._document['searches']), 'search')}"

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "number": each["number"],
                "search": each["name"],
                "date": each["searched_on"],
                "hits": each["n_hits"],
                **{name: value for name, value in (each["brought"] or {}).items() if name.startswith("n_")},
            }
            for each in self._document["searches"]
        ]


class ImportedFiles(DocumentResult):
    """The files of one import: records read, rejected, new and known."""

    @property
    def summary(self) -> str:
        d = self._document
        return (
            f"{shortened(self._text)}: {many(len(d['files']), 'file')}, {d['n_new']:,} new and {d['n_merged']:,} known "
            f"records; {many(d['n_publications'], 'publication')} now"
        )

    def _rows(self) -> list[dict[str, Any]]:
        names = ("file", "format", "records_in_file", "parsed", "n_new", "n_merged")
        return [{name: f[name] for name in names} | {"rejected": len(f["rejected"])} for f in self._document["files"]]


class ExportedFiles(DocumentResult):
    """The files of one export for evaluation programs, and notes on them."""

    @property
    def files(self) -> list[Path]:
        """The files that were written."""
        d = self._document
        return [Path(file) for file in (d["files"] if "files" in d else [run["file"] for run in d["runs"]])]

    @property
    def notes(self) -> list[str]:
        """Remarks on the files, such as ids that were percent-encoded."""
        return list(self._document["notes"])

    @property
    def summary(self) -> str:
        notes = f"; {'; '.join(self.notes)}" if self.notes else ""
        return f"{shortened(self._text)}: {many(len(self.files), 'file')} written{notes}"

    def _rows(self) -> list[dict[str, Any]]:
        return [dict(run) for run in self._document.get("runs", ())] or [{"file": str(file)} for file in self.files]


class ReproducedTables(DocumentResult):
    """Published numbers beside ours, each with the result of the comparison."""

    @property
    def summary(self) -> str:
        groups = self._document["groups"]
        n, n_equal = (sum(group[name] for group in groups) for name in ("n", "equal"))
        return f"{self._text}: {n_equal:,} of {many(n, 'published number')} equal"

    def groups_frame(self) -> pd.DataFrame:
        """Return one row for each published table, with its counts of results, as a pandas DataFrame."""
        import pandas as pd

        return pd.DataFrame(self.to_dict()["groups"])

    def _rows(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.to_dict()["numbers"]
        return rows


# Retrievers over a collection.


@dataclass(frozen=True, eq=False, repr=False)
class BenchmarkResult(LibraryResult):
    """Retrievers over a collection with known judgments."""

    board: Leaderboard
    _document: Document

    @property
    def summary(self) -> str:
        first = next(iter(self.board.scores), None)
        metric = next(iter(first.values), None) if first else None
        scores = [f"{shortened(s.name)} {number(s.values[metric])}" for s in self.board.scores if metric]
        name = shortened(str(self._document["collection"]))
        return f"{name}: {many(len(self.board.query_ids), 'query')}; {metric}: {', '.join(scores)}"

    def to_dict(self) -> Document:
        """Return the document of `queryscape benchmark --json`."""
        return plain_document(self._document)

    def _rows(self) -> list[dict[str, Any]]:
        return [{"retriever": s.name, **s.values, "answered": s.answered} for s in self.board.scores]

    def _repr_html_(self) -> str:
        metrics = list(self.board.scores[0].values) if self.board.scores else []
        rows: list[list[Cell]] = []
        for scores in self.board.scores:
            row: list[Cell] = [scores.name]
            for metric in metrics:
                row += [number(scores.values[metric])]
                row += [SafeHtml(whisker(scores.values[metric], scores.intervals.get(metric)))]
            rows.append(row)
        heads = ["Retriever", *(head for metric in metrics for head in (metric, ""))]
        not_run = [f"Not run: {each['retriever']}, {each['needs']}" for each in self._document["not_run"]]
        return table_html(self.summary, heads, rows, [*not_run, *map(str, self._document["warnings"])])

    def figure(self, metric: str | None = None, *, theme: Theme = "light") -> go.Figure:
        """Draw the value of a metric against the time per query, as the app does; only retrievers with times."""
        from dashboard.retrieval.figures import QualitySpot, quality_figure

        check_theme(theme)
        names = [scores.name for scores in self.board.scores]
        known = list(self.board.scores[0].values) if self.board.scores else []
        chosen = metric or next(iter(known), "")
        if chosen not in known:
            raise InputError(f'no metric "{chosen}" here: choose one of {", ".join(known)}')
        spots = []
        for scores in self.board.scores:
            took = self._document["retrievers"][scores.name]["latency_ms"]
            value = scores.values[chosen]
            if took["p50"] is not None and value is not None:
                spots.append(QualitySpot(scores.name, value, scores.intervals.get(chosen), took["p50"], took["p95"]))
        return quality_figure(spots, names=names, metric=chosen, theme=theme)
