"""Single terms, headings and years as text. Each is read again before it is taken, so that no word turns into an
operator, a tag or a bracket."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from core.query.dialects import DIALECTS
from core.query.dialects.base import Dialect
from core.query.reading.lexer import cleaned
from core.query.reading.operands import EARLIEST, LATEST
from core.query.reading.parser import read
from core.query.tree import Gap, Group, Heading, Near, Node, Pieces, Range, Term
from core.query.writing.choosing import Fields
from core.query.writing.endings import sign_of
from core.query.writing.truth_table import formula_of

_SHOWN = {"mesh": "Mesh", "mesh:noexp": "Mesh:NoExp", "majr": "Majr", "majr:noexp": "Majr:NoExp"}
_BRACKETS = re.compile(r"[()\[\]{}]")
_ONE_TOKEN = re.compile(r'"[^"]*"|\{[^{}]*\}|[^\s"()]+')


def leaf_text(node: Node, dialect: Dialect, *, tagged: bool, source: str = "") -> str:
    """A term, a heading or years. `tagged`: with the field, if there is one."""
    if isinstance(node, Heading):
        return heading_text(node, dialect)
    if isinstance(node, Range):
        return years_text(node, dialect)
    assert isinstance(node, Term)
    if source and node.fields == ("other",):  # many tags mean other, so take the one that was there
        kept = node.span.of(source)
        if node.span.end > node.span.start and read(kept, dialect).root == node:
            return kept
    node = node if tagged else replace(node, fields=())
    return _term_text(node, dialect.id) or wrapped(quoted_words(node), node.fields, dialect)


def can_be_said(term: Term, dialect: Dialect) -> bool:
    """Whether a term can be written so that it is read as it is meant, leaving its field aside."""
    return bool(_term_text(replace(term, fields=()), dialect.id))


def as_words(term: Term) -> Term:
    """The term with its letters and digits only."""
    return replace(term, pieces=(quoted_words(term).strip('"'),), quoted=True, exact=False)


@lru_cache(maxsize=20_000)
def _term_text(node: Term, dialect_id: str) -> str:
    dialect = next(d for d in DIALECTS.values() if d.id == dialect_id)
    wanted = formula_of(node)
    close = ""
    for inside in _candidates(node, dialect):
        text = wrapped(inside, node.fields, dialect) if node.fields else inside
        found = read(text, dialect).root
        if found == node:
            return text
        if not close and found is not None and formula_of(found) == wanted:
            close = f"({text})" if isinstance(found, Group) and not _is_one(text, node, dialect) else text
    return close


def _is_one(text: str, node: Term, dialect: Dialect) -> bool:
    """Whether several words stay together whatever stands beside them: brackets or a field hold them."""
    return text.startswith("(") or bool(node.fields and dialect.tag_style not in ("brackets", "suffix"))


def _candidates(node: Term, dialect: Dialect) -> Iterator[str]:
    """Ways of writing a term without its field, the closest first."""
    raw = cleaned(signed(node.pieces, dialect)).replace("\n", " ").strip()
    letters = cleaned("".join(piece for piece in node.pieces if isinstance(piece, str)))
    runs = [_run(run, dialect) for run in node.chunks]
    whole = '"' not in letters and "/*" not in letters  # else it depends on what stands around it
    if node.exact and dialect.exact_braces:
        if whole and not _BRACKETS.search(letters):
            yield f"{{{raw}}}"
        yield f"{{{' '.join(runs)}}}"
    if whole and not node.quoted and not _BRACKETS.search(letters):
        yield raw
    if whole:
        yield f'"{raw}"'
    yield f'"{" ".join(runs)}"'
    bare = " ".join(f'"{run}"' if " " in run else run for run in runs)
    yield bare
    yield "(" + " AND ".join(f'"{run}"' for run in runs) + ")"


def _run(run: tuple[object, ...], dialect: Dialect) -> str:
    return " ".join(signed(word.pieces, dialect) for word in run)  # type: ignore[attr-defined]


def signed(pieces: Pieces, dialect: Dialect) -> str:
    """The pieces with the dialect's own wildcards."""
    return "".join((sign_of(piece, dialect) or "*") if isinstance(piece, Gap) else piece for piece in pieces)


def quoted_words(node: Node) -> str:
    """The words of a leaf, without anything that could be read as something else."""
    if isinstance(node, Heading):
        node = Term((node.name,), True)
    if isinstance(node, Near):
        return " AND ".join(filter(None, map(quoted_words, node.parts)))
    if not isinstance(node, Term):
        return ""
    letters = ("".join(p for p in word.pieces if isinstance(p, str)) for run in node.chunks for word in run)
    text = " ".join(letter for letter in letters if letter)
    return f'"{text}"' if text else ""


def wrapped(inside: str, fields: Fields, dialect: Dialect) -> str:
    """A text with its field tag, before or behind it."""
    name = field_name(fields, dialect)
    style = dialect.tag_style
    if not name or not inside:
        return inside
    if style == "brackets":
        return f"{inside}[{name}]"
    if style == "suffix":
        return f"{inside}.{name}."
    held = inside if inside.startswith("(") and inside.endswith(")") else f"({inside})"
    if style == "call":
        return f"{name.upper()}{held}"
    one = inside if _ONE_TOKEN.fullmatch(inside) or inside.startswith("(") or '"~' in inside else held
    return {"equals": f"{name.upper()}={one}", "space": f"{name.upper()} {one}"}.get(style, f"{name}:{one}")


@lru_cache(maxsize=4096)
def _field_name(fields: Fields, dialect_id: str) -> str:
    dialect = next(d for d in DIALECTS.values() if d.id == dialect_id)
    wanted = set(fields)
    texts = {name: tag.fields for name, tag in dialect.tags.items() if tag.kind == "text" and tag.fields}
    for name, tagged in texts.items():
        if set(tagged) == wanted:
            return name
    if dialect.tag_style != "suffix":
        return ""
    chosen: dict[str, None] = {}
    for one in fields:
        inside = [name for name, tagged in texts.items() if one in tagged and wanted.issuperset(tagged)]
        if inside:
            chosen[min(inside, key=lambda name: len(texts[name]))] = None
    return ",".join(chosen)


def field_name(fields: Fields, dialect: Dialect) -> str:
    """The tag, or several with commas where the dialect combines them; empty: none is needed, or there is none."""
    return _field_name(fields, dialect.id) if fields else ""


def heading_text(node: Heading, dialect: Dialect) -> str:
    """A subject heading with what is asked of it."""
    name = " ".join(node.name.replace('"', " ").split())
    below = f"/{','.join(node.subheadings)}" if node.subheadings else ""
    if dialect.slash_headings:
        before = f"{'exp ' if node.explode else ''}{'*' if node.major else ''}"
        text = f"{before}{name}{below or '/'}"
        return text if read(text, dialect).root == node else f'{before}"{name}"{below or "/"}'
    marks = [(n, tag) for n, tag in dialect.tags.items() if tag.kind == "heading" and tag.major == node.major]
    tag_name = next((n for n, tag in marks if tag.explode == node.explode), marks[0][0] if marks else "")
    if dialect.tag_style == "brackets":
        return f'"{name}{below}"[{_SHOWN.get(tag_name, tag_name)}]'
    if dialect.tag_style == "space":
        return f'({tag_name.upper()} "{name}{"+" if node.explode else ""}{below}")'
    return f'{tag_name}:"{name}{below}"'


def years_text(node: Range, dialect: Dialect) -> str:
    """Years from and to; where an end is open, the dialect's way of saying so."""
    low, high = node.low, node.high
    first, last = (EARLIEST if low is None else low), (LATEST if high is None else high)
    if dialect.id == "pubmed":
        return f"{low}[dp]" if low == high else f"{low or 1800}:{high or 3000}[dp]" if low else f"0001:{high}[dp]"
    if dialect.id == "wos":
        return f"PY={low}" if low == high else f"PY={first}-{last}"
    if dialect.id == "ebsco":
        return f"DT {f'{low}0101' if low else ''}-{f'{high}1231' if high else ''}"
    if dialect.id == "scopus":
        return f"PUBYEAR = {low}" if low == high else f"PUBYEAR > {low - 1}" if low else f"PUBYEAR < {last + 1}"
    if dialect.id == "ovid":
        shown = str(low) if low == high else f"{first}-{high or 'Current'}"
        return f"{shown}.yr."
    name = "publication_year" if dialect.id == "openalex" else "year"
    if low is not None and high is not None:
        return f"{name}:{low}" if low == high else f"{name}:{low}-{high}"
    if dialect.id == "plain":
        return f"{name}:>={low}" if low is not None else f"{name}:<={high}"
    return f"{name}:>{low - 1}" if low is not None else f"{name}:<{last + 1}"
