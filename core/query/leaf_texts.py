"""Write single terms, headings, and years in a dialect, with its field tags and wildcards."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from core.query.dialects import DIALECTS
from core.query.dialects.base import Dialect
from core.query.equivalence import formula_of
from core.query.lexer import EARLIEST, LATEST, cleaned
from core.query.reader import read
from core.query.tree import (
    ANY_ENDING,
    OTHER_FIELDS,
    TEXT_FIELDS,
    DialectId,
    Gap,
    Group,
    Heading,
    Near,
    Node,
    Pieces,
    Range,
    Term,
    in_order,
)

Status = Literal["exact", "widened", "narrowed", "unsupported"]
Fields = tuple[str, ...]
MOST_BESIDE = 3
"""Tags that a term is repeated with where one tag does not do."""
_NAMES = {"publication_type": "publication type", "full_text": "full text", "doi": "DOI", "other": "other things"}


@dataclass(frozen=True, slots=True)
class Choice:
    """The fields of one tag each; a match in any of them counts."""

    options: tuple[Fields, ...]
    """None: the dialect has no such field."""
    status: Status = "exact"
    message: str = ""


def in_words(fields: Fields) -> str:
    """The names as a sentence has them.

    >>> in_words(("title", "abstract"))
    'title and abstract'
    """
    names = [_NAMES.get(name, name) for name in fields or TEXT_FIELDS]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


@lru_cache(maxsize=4096)
def _choose(fields: Fields, dialect_id: DialectId, own: bool, near: bool, bare: bool) -> Choice:
    dialect = DIALECTS[dialect_id]
    return _Chooser(without_fields(dialect) if bare else dialect, own, near).choose(fields)


def choose(fields: Fields, dialect: Dialect, *, own: bool = False, near: bool = False) -> Choice:
    """The tags for these fields. `own`: the query comes from this dialect. `near`: for words that stand close."""
    return _choose(fields, dialect.id, own, near, not any(tag.kind == "text" for tag in dialect.tags.values()))


def without_fields(dialect: Dialect) -> Dialect:
    """The dialect where no field can be written."""
    return replace(dialect, tags={name: tag for name, tag in dialect.tags.items() if tag.kind != "text"})


class _Chooser:
    def __init__(self, dialect: Dialect, own: bool, near: bool) -> None:
        self.dialect = dialect
        texts = {name: tag.fields for name, tag in dialect.tags.items() if tag.kind == "text"}
        if near and dialect.window == "tag":  # the only fields in which PubMed counts a distance
            texts = {name: texts[name] for name in ("tiab", "ti", "ad") if name in texts}
        known: dict[frozenset[str], Fields] = {}
        for tagged in texts.values():
            if tagged and (own or dialect.id == "plain" or tagged != ("other",)):
                known.setdefault(frozenset(tagged), tagged)
        self.known = known
        self.may_be_bare = not (near and dialect.window == "tag")
        self.own = own

    def choose(self, fields: Fields) -> Choice:
        wanted = frozenset(fields or TEXT_FIELDS)
        if not fields and self.may_be_bare:
            return Choice(((),))
        if exact := self.exact(wanted):
            return Choice(exact)
        label, told = self.dialect.label, in_words(fields)
        label += " has one field for a whole search and" if self.dialect.tag_covers_rest and not self.known else ""
        wider = [f for f in self.all_known() if frozenset(f or TEXT_FIELDS) > wanted]
        close = [f for f in wider if set(f) <= set(TEXT_FIELDS)]
        if not any(close) and not self.dialect.tag_covers_rest and (beside := self.beside(wanted)):
            return Choice(beside)
        if wider:
            chosen = min(close or wider, key=lambda f: len(f or TEXT_FIELDS))
            return Choice((chosen,), "widened", f"{label} can't search {told} alone: looked for in {in_words(chosen)}.")
        if (narrower := self.narrower(wanted)) is not None:
            message = f"{label} can't search {told} together: looked for in {in_words(narrower)} only."
            return Choice((narrower,), "narrowed", message)
        return Choice((), "unsupported", f"{label} has no field for {told}")

    def all_known(self) -> list[Fields]:
        bare: list[Fields] = [()] if self.may_be_bare else []
        return list(self.known.values()) + bare

    def exact(self, wanted: frozenset[str]) -> tuple[Fields, ...]:
        if wanted in self.known:
            return (self.known[wanted],)
        if self.dialect.tag_style == "suffix" and (codes := self.cover(wanted)):
            return (in_order(frozenset().union(*codes)),)
        if wanted == set(TEXT_FIELDS) and self.may_be_bare:
            return ((),)
        if self.dialect.id == "plain":
            return self.cover(wanted)
        return ()

    def beside(self, wanted: frozenset[str]) -> tuple[Fields, ...]:
        """A term once for each field, where a few times are enough."""
        cover = self.cover(wanted)
        return cover if len(cover) <= MOST_BESIDE else ()

    def cover(self, wanted: frozenset[str]) -> tuple[Fields, ...]:
        """Few tags that together are these fields; none if there are no such tags."""
        inside = sorted((f for f in self.known.values() if wanted.issuperset(f)), key=len, reverse=True)
        chosen: list[Fields] = []
        for fields in inside:
            if not set(fields) <= set().union(*chosen):
                chosen.append(fields)
        kept = [f for f in chosen if not set(f) <= set().union(*(g for g in chosen if g is not f))]
        order = {name: i for i, name in enumerate((*TEXT_FIELDS, *OTHER_FIELDS))}
        kept.sort(key=lambda f: order.get(f[0], 99))
        return tuple(kept) if set().union(*kept) == wanted else ()

    def narrower(self, wanted: frozenset[str]) -> Fields | None:
        inside = [f for f in self.all_known() if frozenset(f or TEXT_FIELDS) < wanted]
        if not inside:
            return None
        if self.dialect.tag_style == "suffix":
            return in_order(frozenset().union(*inside))
        return max(inside, key=lambda f: (len(set(f or TEXT_FIELDS) & set(TEXT_FIELDS)), len(f)))


# Wildcards of a term as another dialect has them, or what comes closest.

Note = tuple[Status, str]
LONGEST_COUNT = 999


@dataclass(frozen=True, slots=True)
class Endings:
    variants: tuple[Pieces, ...]
    """More than one: an alternative for each letter."""
    notes: tuple[Note, ...]


def sign_of(gap: Gap, dialect: Dialect) -> str | None:
    """How the dialect writes a gap; None: it can't.

    >>> from core.query.dialects import DIALECTS
    >>> sign_of(Gap(0, 3), DIALECTS["ovid"]), sign_of(Gap(0, 1), DIALECTS["wos"])
    ('$3', '$')
    """
    for sign, meant in dialect.wildcards.items():
        if meant == gap:
            return sign
    if dialect.counted_wildcards and gap.least == 0 and gap.most is not None and 0 < gap.most <= LONGEST_COUNT:
        return f"${gap.most}"
    if dialect.id == "plain" and gap.least <= 9999 and (gap.most or 0) <= 9999 and gap != Gap(0, 0):
        return f"{{{gap.least},{'' if gap.most is None else gap.most}}}"
    return None


def adapted(pieces: Pieces, dialect: Dialect, *, strict: bool) -> Endings:
    """The pieces with gaps that the dialect has. `strict`: only where it allows them."""
    variants: list[list[str | Gap]] = [[]]
    notes: list[Note] = []
    before = 0  # letters of the word so far
    for piece in pieces:
        if isinstance(piece, str):
            for variant in variants:
                variant.append(piece)
            before = _letters_at_end(piece, before)
            continue
        options, note = _options(piece, before, dialect, strict, single=len(variants) == 1)
        variants = [[*variant, *option] for variant in variants for option in options]
        before += piece.least
        if note and note not in notes:
            notes.append(note)
    return Endings(tuple(tuple(_without_repeats(variant)) for variant in variants), tuple(notes))


def _letters_at_end(piece: str, before: int) -> int:
    n = 0
    for character in reversed(piece):
        if not character.isalnum():
            return n
        n += 1
    return n + before


def _options(
    gap: Gap, before: int, dialect: Dialect, strict: bool, *, single: bool
) -> tuple[list[list[str | Gap]], Note | None]:
    label = dialect.label
    known = sign_of(gap, dialect) is not None
    if strict and before == 0 and not dialect.leading_wildcard:
        return [[]], ("unsupported", f"{label} allows no wildcard at the beginning of a word: written without it.")
    if strict and 0 < before < dialect.shortest_stem:
        need = f"{label} needs {dialect.shortest_stem} letters before a wildcard"
        if gap.most == 1 and single:
            none: list[list[str | Gap]] = [[]] if gap.least == 0 else []
            letters: list[list[str | Gap]] = [[letter] for letter in string.ascii_lowercase]
            return none + letters, ("narrowed", f"{need}: written out with each letter from a to z.")
        return [[]], ("narrowed", f"{need}: written without it. Add the endings that you need.")
    if known:
        return [[gap]], None
    if gap == Gap(0, 0):
        return [[]], None
    return [[ANY_ENDING]], ("widened", f"{label} has no wildcard for {_told(gap)}: * stands for any number.")


def _told(gap: Gap) -> str:
    if gap.most is None:
        return f"{gap.least} or more characters"
    if gap.least == gap.most:
        return "exactly one character" if gap.least == 1 else f"exactly {gap.least} characters"
    return f"{'at most' if not gap.least else f'{gap.least} to'} {gap.most} character{'s' if gap.most > 1 else ''}"


def _without_repeats(pieces: list[str | Gap]) -> list[str | Gap]:
    out: list[str | Gap] = []
    for piece in pieces:
        last = out[-1] if out else None
        if isinstance(piece, str) and isinstance(last, str):
            out[-1] = last + piece
        elif not (piece == ANY_ENDING and last == ANY_ENDING):
            out.append(piece)
    return out


# Single terms, headings and years as text. Each is read again before it is taken, so that no word turns into an
# operator, a tag or a bracket.

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
