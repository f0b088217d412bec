"""Write a report as a file: a self-contained HTML page with a live landscape, and other formats."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path, PurePath
from typing import Any

import numpy as np
import numpy.typing as npt

from core.audit.quality_facts import LandscapeRows, QualityFacts, VersionFacts
from core.errors import InputError
from core.explore.landscape import Landscape, split_curve
from core.explore.regions import DEFAULT_REGIONS
from core.pictures import Box, Dots, TextShape, VectorPicture, svg
from core.pictures import Path as Line
from core.report import (
    BEWARE,
    MADE_UP,
    NO_ROWS,
    NOTE,
    TO_ANSWER,
    AnswerPrompt,
    Block,
    Figure,
    Listing,
    Paragraph,
    Remark,
    ReportColumn,
    ReportDocument,
    ReportHeading,
    Strategy,
    Table,
    Value,
    made,
    shown,
)
from core.text import REPLACEMENT, for_xml
from core.types import Points
from dashboard.controls import Tuning, browser_values
from dashboard.explore.payloads import curve_payload, masks_payload, points_payload, scores_document, threshold_marks
from dashboard.kit.browser import finite, report_code
from dashboard.kit.theme import COLOURS, FONT, Role, Theme
from data.audit.reports import FileFormat, FinishedReport, document_bytes, file_bytes
from data.store import Headlines

# Plain text as HTML: text from people or sources stays text, whatever characters it contains.

_UNSEEN = re.compile("[\x7f-\x9f\ufdd0-\ufdef]")
"""Characters allowed in XML but not in HTML."""
_DOI = re.compile(r"10\.\d{4,9}/[^\s<>\"']{1,200}")


def escaped(text: str) -> str:
    """Escape a text for HTML, or for an attribute value in double quotes.

    >>> escaped('<b> & "quoted"')
    '&lt;b&gt; &amp; &quot;quoted&quot;'
    """
    return escape(_UNSEEN.sub(REPLACEMENT, for_xml(text)), quote=True)


def linked(text: str) -> str:
    """Return a text; if it is exactly a DOI, as a link. Nothing is requested before the link is followed.

    >>> linked("10.5555/12345")
    '<a href="https://doi.org/10.5555/12345" rel="noopener noreferrer" target="_blank">10.5555/12345</a>'
    >>> linked("javascript:alert(1)")
    'javascript:alert(1)'
    """
    if not _DOI.fullmatch(text):
        return escaped(text)
    address = "https://doi.org/" + "".join(_of_address(sign) for sign in text)
    return f'<a href="{escaped(address)}" rel="noopener noreferrer" target="_blank">{escaped(text)}</a>'


def _of_address(sign: str) -> str:
    plain = sign.isascii() and (sign.isalnum() or sign in "-._~/:;()+")
    return sign if plain else "".join(f"%{byte:02X}" for byte in sign.encode("utf-8", "replace"))


# The style of a report: rules from page.css, colours from the same table as in the app.

PAGE = Path(__file__).parent / "page.css"
VARIABLES: dict[str, Role] = {
    "--st-text-color": "text",
    "--st-background-color": "background",
    "--st-secondary-background-color": "panel",
    "--st-primary-color": "accent",
    "--st-border-color": "border",
    "--faint": "faint",
    "--grid": "grid",
    "--warning": "warning",
}
"""CSS variables used by parts of the app, and a few for the page itself."""


@cache
def page_style() -> str:
    """Return all rules of the page. It is dark only on a screen whose reader prefers that: paper is light."""
    light, dark = _variables("light"), _variables("dark")
    return "\n".join(
        (
            f":root {{ color-scheme: light; --st-font: {FONT}; {light} }}",
            PAGE.read_text(encoding="utf-8"),
            "@media screen and (prefers-color-scheme: dark) {",
            f":root {{ color-scheme: dark; {dark} }}",
            *_recoloured(),
            "}\n",
        )
    )


def in_role_colours(picture: VectorPicture) -> bool:
    """Return True if all colours of a picture are role colours; others would stay light in the dark theme."""
    known = set(COLOURS["light"].values())
    return _colours(picture) <= known


def _colours(picture: VectorPicture) -> set[str]:
    found: set[str | None] = {picture.ground}
    for shape in picture.shapes:
        match shape:
            case TextShape():
                found.add(shape.colour)
            case Dots() | Line() | Box():
                found |= {shape.fill, shape.line}
    return {colour.lower() for colour in found if colour}


def _variables(theme: Theme) -> str:
    return " ".join(f"{name}: {COLOURS[theme][role]};" for name, role in VARIABLES.items())


def _recoloured() -> list[str]:
    pairs = {COLOURS["light"][role]: COLOURS["dark"][role] for role in COLOURS["light"]}
    return [
        f'.roles svg [{name}="{light}"] {{ {name}: {dark}; }}'
        for light, dark in pairs.items()
        for name in ("fill", "stroke")
    ]


# The blocks of a report as HTML: real headings, lists and tables, with all text escaped.

LONG = 20
"""Number of rows above which a table scrolls inside its own box on screen."""
SHORT = 8
"""Most rows of a table that is kept on one sheet of paper, so that its header is never alone at the foot of one."""
WIDE = 7
"""Number of columns above which a table is printed smaller."""
IN_CONTENTS = (2, 3)
"""Heading levels in the table of contents."""
_NUMBERS = frozenset({"count", "number"})


def heading_ids(document: ReportDocument) -> dict[int, str]:
    """Return a readable, unique anchor for every heading, by its index among the blocks."""
    taken: dict[str, int] = {}
    ids: dict[int, str] = {}
    for place, block in enumerate(document.blocks):
        if isinstance(block, ReportHeading):
            plain = re.sub(r"[^a-z0-9]+", "-", block.text.lower()).strip("-")[:60] or "part"
            taken[plain] = taken.get(plain, 0) + 1
            ids[place] = f"part-{plain}" if taken[plain] == 1 else f"part-{plain}-{taken[plain]}"
    return ids


def contents(document: ReportDocument, ids: Mapping[int, str]) -> str:
    """Return the table of contents: parts and their sections. Empty for fewer than two headings."""
    listed = [
        (block, ids[place])
        for place, block in enumerate(document.blocks)
        if isinstance(block, ReportHeading) and block.level in IN_CONTENTS
    ]
    if len(listed) < 2:
        return ""
    entries = "".join(
        f'<li class="level-{block.level}"><a href="#{anchor}">{escaped(block.text)}</a></li>'
        for block, anchor in listed
    )
    return f'<nav class="contents" aria-labelledby="contents"><h2 id="contents">Contents</h2><ul>{entries}</ul></nav>'


def body(document: ReportDocument, ids: Mapping[int, str], live: Set[str]) -> Iterator[str]:
    """Yield every block in order. `live`: names of figures that the browser draws."""
    for place, block in enumerate(document.blocks):
        yield _block(block, ids.get(place, ""), live)


def _block(block: Block, anchor: str, live: Set[str]) -> str:
    match block:
        case ReportHeading():
            level = min(max(block.level, 2), 4)
            return f'<h{level} id="{anchor}">{escaped(block.text)}</h{level}>'
        case Paragraph():
            look = ' class="lead"' if block.is_lead else ""
            return f"<p{look}>{escaped(block.text)}</p>"
        case Listing():
            tag = "ol" if block.is_numbered else "ul"
            return f"<{tag}>{''.join(f'<li>{escaped(item)}</li>' for item in block.items)}</{tag}>"
        case Strategy():
            return _strategy(block)
        case Table():
            return _table(block)
        case Figure():
            return _figure(block, is_live=block.name in live)
        case AnswerPrompt():
            return f'<div class="prompt" role="note"><b>{TO_ANSWER}</b><p>{escaped(block.text)}</p></div>'
        case Remark():
            word, look = (BEWARE, "remark warning") if block.is_warning else (NOTE, "remark")
            return f'<div class="{look}" role="note"><b>{word}</b><p>{escaped(block.text)}</p></div>'


def _strategy(strategy: Strategy) -> str:
    caption = f"<figcaption>{escaped(strategy.caption)}</figcaption>" if strategy.caption else ""
    # A parser drops the first line break of a <pre>, so an extra one is written.
    return f'<figure class="strategy">{caption}<pre>\n<code>{escaped(strategy.text)}</code></pre></figure>'


def _figure(figure: Figure, *, is_live: bool) -> str:
    picture = svg(figure.picture, alternative=figure.alternative).strip()
    live = f' data-live="{escaped(figure.name)}"' if is_live else ""
    caption = f"<figcaption>{escaped(figure.caption)}</figcaption>"
    name = escaped(figure.name)
    look = "still roles" if in_role_colours(figure.picture) else "still"
    return f'<figure class="picture" id="{name}"{live}>{caption}<div class="{look}">{picture}</div></figure>'


def _table(table: Table) -> str:
    n_rows, is_wide = len(table.rows), len(table.columns) > WIDE
    length = ["long"] if n_rows > LONG else ["short"] if n_rows <= SHORT else []
    looks = ["table", *length, *(["wide"] if is_wide else [])]
    # Only tables that scroll need keyboard focus.
    scrolls = n_rows > LONG or is_wide
    reach = f' tabindex="0" role="region" aria-label="{escaped(table.caption)}"' if scrolls else ""
    head = "".join(f'<th scope="col"{_look(column)}>{escaped(column.title)}</th>' for column in table.columns)
    rows = "".join(f"<tr>{''.join(_cells(table.columns, row))}</tr>" for row in table.rows)
    if not table.rows:
        rows = f'<tr><td class="none" colspan="{max(len(table.columns), 1)}">{NO_ROWS}</td></tr>'
    note = f'<p class="note">{escaped(table.note)}</p>' if table.note else ""
    return (
        f'<div class="{" ".join(looks)}" id="table-{escaped(table.name)}"><div class="scroll"{reach}><table>'
        f"<caption><span>{escaped(table.caption)}</span></caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody>"
        f"</table></div>{note}</div>"
    )


def _cells(columns: Iterable[ReportColumn], row: tuple[Value, ...]) -> Iterator[str]:
    """Yield the cells of a row. The first one is the row's header if it is text."""
    for place, (column, value) in enumerate(zip(columns, row, strict=True)):
        text = shown(value, column.kind)
        written = escaped(text) if column.kind in _NUMBERS else linked(text)
        if column.kind == "code":
            written = f"<code>{written}</code>"
        is_head = place == 0 and column.kind == "text"
        tag, scope = ("th", ' scope="row"') if is_head else ("td", "")
        yield f"<{tag}{scope}{_look(column)}>{written}</{tag}>"


def _look(column: ReportColumn) -> str:
    return ' class="n"' if column.kind in _NUMBERS else ' class="c"' if column.kind == "code" else ""


# The live landscape of a report: all data the browser needs to move the similarity threshold offline.
#
# Everything that the app would ask of Python during a drag is included, computed at every threshold.

HEIGHT = 640
GRID = 2**13
"""Points are rounded to this many steps per side, which is invisible and halves their size."""
MOST_SOURCES = 8
"""Most versions distinguished by "found by"."""


@dataclass(frozen=True, slots=True)
class LiveLandscape:
    """One landscape that the browser draws in place of the picture of the same name."""

    figure: str
    """Name of the figure it replaces: "landscape-1" for version number 1."""
    payloads: dict[str, bytes]
    """Points, curve and regions by these names, in the format of the app's landscape."""
    document: dict[str, Any]
    """Parameters of each part: the initial region and threshold, and the reported scores."""


def live_landscape(version: VersionFacts, facts: QualityFacts) -> LiveLandscape:
    """Build the landscape of one version, with every number it can show."""
    figure = f"landscape-{version.number}"
    landscape = _landscape(version)
    named: dict[str, Any] = {"payload_id": figure, "scape": figure}
    settings = version.evaluation.settings
    curve = split_curve(landscape, settings)
    points = points_payload(
        landscape,
        Headlines(version.rows.titles, version.rows.years, version.rows.dois),
        version.rows.groups,
        _found_by(version.rows, facts.versions),
        {},
        topic=facts.topic_id,
        version=version.label,
        embedder=facts.embedder.embedder,
        made_up=facts.made_up,
        **named,
    )
    payloads = {
        "points": points,
        "curve": curve_payload(curve, **named),
        "regions": masks_payload(version.evaluation, version.rows.masks, version.rows.outlines, **named),
    }
    marks = threshold_marks(landscape, curve)
    return LiveLandscape(figure, payloads, _document(version, facts, figure, marks))


def _landscape(version: VersionFacts) -> Landscape:
    """Convert the rows to a landscape of the app; they are already in its order."""
    rows = version.rows
    return Landscape(
        ids=rows.ids,
        n_retrieved=rows.n_retrieved,
        n_core=len(version.evaluation.core_ids),
        order=np.arange(rows.n_retrieved, dtype=np.intp),
        similarities=rows.similarities,
        points=None if rows.points is None else _rounded(rows.points),
        core_mask=rows.core_mask,
    )


def _rounded(points: Points) -> Points:
    """Round points to a grid whose step is a power of two, so that most bits of each number are zero."""
    extent = float(np.ptp(points, axis=0).max()) if len(points) else 0.0
    if not extent:
        return points
    step = 2.0 ** np.floor(np.log2(extent / GRID))
    rounded: Points = np.round(points / step) * step
    return rounded


def _found_by(rows: LandscapeRows, versions: tuple[VersionFacts, ...]) -> tuple[tuple[str, ...], npt.NDArray[np.uint8]]:
    """Return the labels of the versions, and for each row one bit per version that retrieves it."""
    told_apart = versions[:MOST_SOURCES]
    bits = np.zeros(len(rows.ids), dtype=np.uint8)
    for place, version in enumerate(told_apart):
        retrieved = {*version.rows.ids[: version.rows.n_retrieved], *version.unscored_ids}
        bits |= np.array([i in retrieved for i in rows.ids], dtype=np.uint8) << place
    return tuple(version.label for version in told_apart), bits


def _document(version: VersionFacts, facts: QualityFacts, figure: str, marks: list[dict[str, Any]]) -> dict[str, Any]:
    evaluation = version.evaluation
    kinds = [kind for kind in DEFAULT_REGIONS if kind in evaluation.regions]
    cosine = evaluation.regions.get("cosine")
    threshold = cosine.defines.get("min_similarity") if cosine is not None else None
    in_force = float(threshold) if threshold is not None else None
    region = facts.region if facts.region in kinds else kinds[0] if kinds else "cosine"
    values = browser_values(Tuning(region, evaluation.settings), min_similarity=in_force)
    reported = [{"at": in_force, "label": "As reported"}] if in_force is not None else []
    landscape = {
        "scape": figure,
        "dataset": {"points": figure, "curve": figure, "regions": figure},
        "echo": 0,
        "tuning": values,
        "defaults": values,
        "marks": [*reported, *marks],
        "height": HEIGHT,
        "no_landscape": None if version.rows.points is not None else "This version has no landscape.",
    }
    scores = scores_document(evaluation, kinds, waiting={}, ranges=evaluation.sensitivity)
    table = {"n_without_vector": evaluation.n_unscorable}
    payload: dict[str, Any] = finite({"landscape": landscape, "scores": {**scores, "echo": 0}, "table": table})
    return payload


# A report as one HTML file that opens without Queryscape and makes no requests.
#
# Its Content-Security-Policy allows only the script and the style sheet inside it, by their hashes: no address is
# loaded, and no text of a publication can run.

SMALLEST = 9
"""Compression level of gzip, the highest; the header has no time, so that the same report is the same file."""


def html(document: ReportDocument, *, live: Sequence[LiveLandscape] = ()) -> bytes:
    """Return the whole file in UTF-8. Each landscape in `live` replaces the figure of its name, if there is one."""
    figures = {figure.name for figure in document.figures}
    drawn = [landscape for landscape in live if landscape.figure in figures]
    ids = heading_ids(document)
    style = page_style()
    code = f"\n{report_code()}\n" if drawn else ""
    written = [
        "<!doctype html>",
        '<html lang="en">',
        *_head(document, style, code),
        "<body>",
        f'<div class="page {document.kind}">',
        *_title(document, contents(document, ids)),
        "<main>",
        *body(document, ids, {landscape.figure for landscape in drawn}),
        "</main>",
        f"<footer>{escaped(document.title)} · {escaped(made(document))}</footer>",
        "</div>",
        *(block for landscape in drawn for block in _carried(landscape)),
        *([f'<script type="module">{code}</script>'] if drawn else []),
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(written).encode("utf-8", "replace")


def _head(document: ReportDocument, style: str, code: str) -> list[str]:
    scripts = f"'sha256-{_hash(code)}'" if code else "'none'"
    policy = (
        f"default-src 'none'; script-src {scripts}; style-src 'sha256-{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return [
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        '<meta name="referrer" content="no-referrer">',
        f'<meta name="generator" content="{escaped(document.made_with)}">',
        f"<title>{escaped(document.title)}</title>",
        f"<style>{style}</style>",
        "</head>",
    ]


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode("ascii")


def _title(document: ReportDocument, listed: str) -> list[str]:
    stamp = f'<p class="made-up" role="note">{MADE_UP}</p>' if document.made_up else ""
    subtitle = f'<p class="subtitle">{escaped(document.subtitle)}</p>' if document.subtitle else ""
    front = "".join(f'<p class="front"><b>{label}:</b> {escaped(text)}</p>' for label, text in document.front)
    origin = f'<p class="made">{escaped(made(document))}</p>'
    head = f"<header>{stamp}<h1>{escaped(document.title)}</h1>{subtitle}{front}{origin}</header>"
    return [head, listed]


def _carried(landscape: LiveLandscape) -> list[str]:
    """Return the data the browser draws from, as data blocks, which no browser runs."""
    name = escaped(landscape.figure)
    told = json.dumps(landscape.document, ensure_ascii=True).replace("<", "\\u003c")
    blocks = [f'<script type="application/json" data-of="{name}" data-kind="document">{told}</script>']
    for kind, payload in landscape.payloads.items():
        packed = b64encode(gzip.compress(payload, SMALLEST, mtime=0)).decode("ascii")
        blocks.append(f'<script type="application/octet-stream" data-of="{name}" data-kind="{kind}">{packed}</script>')
    return blocks


# A report as a file: the formats, and how each is written.


@dataclass(frozen=True, slots=True)
class ReportFormat:
    ending: str
    """File name extension, without its dot."""
    label: str
    mime: str
    form: FileFormat | None
    """Format written by `data.audit.reports`; None: written here."""


REPORT_FORMATS: dict[str, ReportFormat] = {
    one.ending: one
    for one in (
        ReportFormat("html", "HTML", "text/html", None),
        ReportFormat(
            "docx", "Word (DOCX)", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"
        ),
        ReportFormat("md", "Markdown", "text/markdown", "md"),
        ReportFormat("json", "JSON", "application/json", "json"),
        ReportFormat("zip", "Bundle (ZIP)", "application/zip", "zip"),
    )
}
"""By file name extension."""


def format_of(name: str) -> ReportFormat:
    """Return the format of the file name's extension."""
    ending = PurePath(name).suffix.lower().lstrip(".")
    if ending == "htm":
        ending = "html"
    if ending in REPORT_FORMATS:
        return REPORT_FORMATS[ending]
    there = ", ".join(f".{known}" for known in REPORT_FORMATS)
    if ending == "pdf":
        raise InputError(
            "PDF can't be written directly: write the report as .html, open it in a browser and print it to a file"
        )
    if ending == "doc":
        raise InputError(f".doc is not supported: choose .docx (available: {there})")
    what = f'"{name}" ends in .{ending}' if ending else f'"{name}" has no file extension'
    raise InputError(f"{what}, which is not a report format: choose one of {there}")


def report_file(made: FinishedReport, form: ReportFormat) -> bytes:
    if form.form is None:
        return _html(made.document, made.quality)
    return file_bytes(made, form.form)


def document_file(document: ReportDocument, form: ReportFormat, quality: QualityFacts | None = None) -> bytes:
    """Write a single document. `quality`: facts of its landscapes, which are live in HTML."""
    if form.form is None:
        return _html(document, quality)
    return document_bytes(document, form.form)


def _html(document: ReportDocument, quality: QualityFacts | None) -> bytes:
    if quality is None:
        return html(document)
    pictures = {figure.name for figure in document.figures}
    shown = [version for version in quality.versions if f"landscape-{version.number}" in pictures]
    counted = [version for version in shown if version.rows.n_retrieved]
    return html(document, live=tuple(live_landscape(version, quality) for version in counted))
