"""A report as one HTML file that opens without Queryscape and asks nobody for anything.

Its Content-Security-Policy allows the one script and the one style sheet that it carries, by their hashes, and nothing
else: no address is loaded, and no text of a publication can run.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256

from core.audit.whole import MADE_UP, Document, made
from dashboard.components.bundle import report_code
from dashboard.reports.blocks import body, contents, heading_ids
from dashboard.reports.landscape import LiveLandscape
from dashboard.reports.style import page_style
from dashboard.reports.text import said

SMALLEST = 9
"""gzip at its smallest, with no time in its head: the same report is the same file."""


def html(document: Document, *, live: Sequence[LiveLandscape] = ()) -> bytes:
    """The whole file, UTF-8. Each landscape in `live` takes the place of the figure of its name, if there is one."""
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
        f"<footer>{said(document.title)} · {said(made(document))}</footer>",
        "</div>",
        *(block for landscape in drawn for block in _carried(landscape)),
        *([f'<script type="module">{code}</script>'] if drawn else []),
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(written).encode("utf-8", "replace")


def _head(document: Document, style: str, code: str) -> list[str]:
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
        f'<meta name="generator" content="{said(document.made_with)}">',
        f"<title>{said(document.title)}</title>",
        f"<style>{style}</style>",
        "</head>",
    ]


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode("ascii")


def _title(document: Document, listed: str) -> list[str]:
    stamp = f'<p class="made-up" role="note">{MADE_UP}</p>' if document.made_up else ""
    subtitle = f'<p class="subtitle">{said(document.subtitle)}</p>' if document.subtitle else ""
    head = (
        f'<header>{stamp}<h1>{said(document.title)}</h1>{subtitle}<p class="made">{said(made(document))}</p></header>'
    )
    return [head, listed]


def _carried(landscape: LiveLandscape) -> list[str]:
    """What the browser draws from: blocks of data, which no browser runs."""
    name = said(landscape.figure)
    told = json.dumps(landscape.document, ensure_ascii=True).replace("<", "\\u003c")
    blocks = [f'<script type="application/json" data-of="{name}" data-kind="document">{told}</script>']
    for kind, payload in landscape.payloads.items():
        packed = b64encode(gzip.compress(payload, SMALLEST, mtime=0)).decode("ascii")
        blocks.append(f'<script type="application/octet-stream" data-of="{name}" data-kind="{kind}">{packed}</script>')
    return blocks
