"""Which field tags of a dialect say where a term is looked for, and how far off they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from core.query.dialects import DIALECTS
from core.query.dialects.base import Dialect
from core.query.tree import OTHER_FIELDS, TEXT_FIELDS, DialectId, in_order

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
