"""Write single terms, headings, and years in a dialect, with its field tags and wildcards."""

from __future__ import annotations

import re
import string
from bisect import bisect_left, bisect_right
from calendar import monthrange
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from core.query.dialects import DIALECTS, tag_named
from core.query.dialects.base import JOURNAL_NAMES, NAME_FIELDS, Dialect, Tag
from core.query.equivalence import MAYBE_ONE, MOST_SPELLED, formula_of
from core.query.lexer import EARLIEST, LATEST, cleaned
from core.query.reader import read
from core.query.spelling import other_english, plural
from core.query.tree import (
    ANY_ENDING,
    EVERY_FIELD,
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
    has_unknown,
    in_order,
    written,
)
from core.text import listed, words

Status = Literal["exact", "widened", "narrowed", "unsupported"]
Fields = tuple[str, ...]
MOST_BESIDE = 3
"""Maximum number of tags with which a term is repeated if one tag is not enough."""
_NAMES = {
    "doi": "DOI",
    "pmid": "PMID",
    "pmcid": "PMCID",
    "eid": "EID",
    "issn": "ISSN",
    "isbn": "ISBN",
    "orcid": "ORCID",
    "other": "other things",
    "publication_type_only": "publication type",
    "subheading_below": "narrower subheadings",
    "wos_id": "accession number of Web of Science",
}


_ABOUT_TOO = """
subject major_subject subheading_words substance rare_substance trade_name candidate_term keywords_plus concept
original_title transliterated_title full_text other ovid_population ovid_location ovid_method ovid_test ebsco_population
ebsco_location ebsco_method ebsco_test proquest_location openalex_keyword
"""
_ABOUT = frozenset((*TEXT_FIELDS, *_ABOUT_TOO.split()))
"""Fields whose words describe the topic of a work, so that they can be searched in other fields too."""
_JOURNALS = ("journal", "wos_publication_title", "journal_word")
"""From the whole title of a journal to single words of it: each may find more than the previous one."""
_JOURNAL_NAMES = frozenset(JOURNAL_NAMES)
_SERIAL_NUMBERS = frozenset(("issn", "isbn"))
"""Numbers that are never confused, so that each can be searched among the others."""


@dataclass(frozen=True, slots=True)
class FieldChoice:
    """The fields to write for a term, one tag per option; a match in any of them counts."""

    options: tuple[Fields, ...]
    """Empty: the dialect has no such field."""
    status: Status = "exact"
    message: str = ""


def in_words(fields: Fields) -> str:
    """Return the names of fields for use in a sentence.

    >>> in_words(("title", "abstract")), in_words(("ovid_entry_date",))
    ('title and abstract', 'entry date of Ovid')
    """
    if not fields or len(fields) == len(EVERY_FIELD):
        return "all fields"
    names = [_name_of(field) for field in fields]
    return listed(names)


def _name_of(field: str) -> str:
    owner, _, name = field.partition("_")
    label = next((dialect.label for dialect in DIALECTS.values() if dialect.id == owner), "")
    return _NAMES.get(field) or (f"{name.replace('_', ' ')} of {label}" if label else field.replace("_", " "))


@lru_cache(maxsize=4096)
def _choose(fields: Fields, dialect_id: DialectId, own: bool, near: bool, bare: bool) -> FieldChoice:
    dialect = DIALECTS[dialect_id]
    return _Chooser(without_fields(dialect) if bare else dialect, own, near).choose(fields)


def choose(fields: Fields, dialect: Dialect, *, own: bool = False, near: bool = False) -> FieldChoice:
    """Choose the tags for these fields. `own`: the query comes from this dialect. `near`: for words in a Near."""
    return _choose(fields, dialect.id, own, near, not any(tag.kind == "text" for tag in dialect.tags.values()))


def without_fields(dialect: Dialect) -> Dialect:
    """Return the dialect without its text fields."""
    return replace(dialect, tags={name: tag for name, tag in dialect.tags.items() if tag.kind != "text"})


class _Chooser:
    def __init__(self, dialect: Dialect, own: bool, near: bool) -> None:
        self.dialect = dialect
        tags = {name: tag for name, tag in dialect.tags.items() if tag.kind == "text"}
        texts = {name: tag.fields for name, tag in tags.items() if own or not tag.read_only}
        if near and dialect.window == "tag":  # the only fields in which PubMed counts a distance
            texts = {name: texts[name] for name in ("tiab", "ti", "ad") if name in texts}
        known: dict[frozenset[str], Fields] = {}
        for tagged in texts.values():
            if tagged and (dialect.id == "plain" or tagged != ("other",)):
                known.setdefault(frozenset(tagged), tagged)
        self.known = known
        self.may_be_bare = not (near and dialect.window == "tag")
        self.own = own

    def choose(self, fields: Fields) -> FieldChoice:
        wanted = frozenset(fields or EVERY_FIELD)
        if not fields and self.may_be_bare:
            return FieldChoice(((),))
        if len(wanted) == len(EVERY_FIELD) and self.may_be_bare:
            return self.everywhere()
        if exact := self.exact(wanted):
            return FieldChoice(exact)
        label, told = self.dialect.label, in_words(fields)
        if wanted < _JOURNAL_NAMES and (both := self.known.get(_JOURNAL_NAMES)):
            return FieldChoice((both,), "widened", f"{label} searches full and abbreviated journal names.")
        if len(wanted) == 1 and (journal := self.journal(*wanted)):
            return journal
        if wanted == _JOURNAL_NAMES and (names := self.whole_name()):
            return names
        no_full_text = "full_text" in wanted and not self.dialect.holds_full_text
        label += " has one field for a whole search and" if self.dialect.tag_covers_rest and not self.known else ""
        wider = [f for f in self.all_known() if self.meant(f) > wanted]
        close = [f for f in wider if self.meant(f) <= set(TEXT_FIELDS)]
        if not any(close) and not self.dialect.tag_covers_rest and (beside := self.beside(wanted)):
            return FieldChoice(beside)
        if around := self.around(wanted):
            return FieldChoice(
                (around,), "widened", f"{label} can't search {told} alone: searched in {self.told(around)}."
            )
        if wanted == set(TEXT_FIELDS) and not any(close) and (inside := self.without_keywords()):
            return FieldChoice(inside, "narrowed", f"{label} has no field for keywords: title and abstract only.")
        if wanted < _SERIAL_NUMBERS and (both := self.known.get(_SERIAL_NUMBERS)):
            return FieldChoice((both,), "widened", f"{label} can't search {told} alone: searched in {in_words(both)}.")
        if not wanted & _ABOUT:
            return FieldChoice((), "unsupported", f"{label} has no field for {told}")
        if wider:
            chosen = min(close or wider, key=lambda f: len(self.meant(f)))
            if no_full_text:
                message = f"{label} has no full texts: searched in {self.told(chosen)}."
                return FieldChoice((chosen,), "unsupported", message)
            return FieldChoice(
                (chosen,), "widened", f"{label} can't search {told} alone: searched in {self.told(chosen)}."
            )
        if narrower := self.narrower(wanted):
            searched = self.told(in_order(frozenset().union(*narrower)))
            return FieldChoice(
                narrower, "narrowed", f"{label} can't search {told} together: searched in {searched} only."
            )
        return FieldChoice((), "unsupported", f"{label} has no field for {told}")

    def journal(self, name: str) -> FieldChoice | None:
        """Return the closest way to search for a journal; None: it is another field, or the dialect has none."""
        at = _JOURNALS.index(name) if name in _JOURNALS else len(_JOURNALS)
        places = {other: self.known.get(frozenset((other,))) for other in _JOURNALS}
        places["journal"] = places["journal"] or self.known.get(_JOURNAL_NAMES)
        known = [fields for fields in places.values() if fields]
        if at == len(_JOURNALS) or not known:
            return None
        label = self.dialect.label
        if wider := [fields for other, fields in places.items() if fields and _JOURNALS.index(other) > at]:
            return FieldChoice((wider[0],), "widened", f"{label} searches for words in journal names.")
        return FieldChoice((known[-1],), "narrowed", f"{label} searches for whole journal names.")

    def whole_name(self) -> FieldChoice | None:
        """Choose a field for a journal name that may be abbreviated, if the dialect has no field for that."""
        whole = self.known.get(frozenset(("journal",)))
        choice = FieldChoice((whole,)) if whole else self.journal("journal")
        if choice is None:
            return None
        message = f"{self.dialect.label} has no abbreviated journal names here: write the full name."
        return FieldChoice(choice.options, "unsupported", message)

    def without_keywords(self) -> tuple[Fields, ...]:
        wanted = frozenset(("title", "abstract"))
        return self.exact(wanted) or (() if self.dialect.tag_covers_rest else self.beside(wanted))

    def around(self, wanted: frozenset[str]) -> Fields:
        """Return slightly more than these fields, if tags can be combined; empty: there is no such set."""
        if self.dialect.tag_style not in ("suffix", "codes") or not wanted <= set(TEXT_FIELDS):
            return ()
        close = [f for f in self.known.values() if wanted.intersection(f) and len(set(f) - wanted) <= 1]
        union = frozenset().union(*close)
        return in_order(union) if union > wanted else ()

    def everywhere(self) -> FieldChoice:
        """Choose all fields, or the fields of a term without a field."""
        untagged = self.dialect.untagged
        if untagged == EVERY_FIELD or self.dialect.all_tag or self.own:
            return FieldChoice(((),))
        message = f"{self.dialect.label} can't search all fields: searched in {in_words(untagged)}."
        return FieldChoice(((),), "narrowed", message)

    def told(self, fields: Fields) -> str:
        """Name the searched fields for use in a sentence."""
        everywhere = self.dialect.untagged
        return in_words(fields or (() if everywhere == EVERY_FIELD else everywhere))

    def meant(self, fields: Fields) -> frozenset[str]:
        if fields:
            return frozenset(fields)
        has_full_text = any("full_text" in tagged for tagged in self.known.values())
        return frozenset(self.dialect.untagged) - (frozenset() if has_full_text else {"full_text"})

    def all_known(self) -> list[Fields]:
        bare: list[Fields] = [()] if self.may_be_bare else []
        return list(self.known.values()) + bare

    def exact(self, wanted: frozenset[str]) -> tuple[Fields, ...]:
        if wanted in self.known:
            return (self.known[wanted],)
        if self.dialect.tag_style in ("suffix", "codes") and (codes := self.cover(wanted)):
            return (in_order(frozenset().union(*codes)),)
        if wanted == set(self.dialect.untagged) and self.may_be_bare:
            return ((),)
        if self.dialect.id == "plain":
            return self.cover(wanted)
        return ()

    def beside(self, wanted: frozenset[str]) -> tuple[Fields, ...]:
        """Return one option per field, if a few are enough."""
        cover = self.cover(wanted)
        return cover if len(cover) <= MOST_BESIDE else ()

    def cover(self, wanted: frozenset[str]) -> tuple[Fields, ...]:
        """Return a few tags that together cover exactly these fields; empty: there are none."""
        inside = sorted((f for f in self.known.values() if wanted.issuperset(f)), key=len, reverse=True)
        chosen: list[Fields] = []
        for fields in inside:
            if not set(fields) <= set().union(*chosen):
                chosen.append(fields)
        kept = [f for f in chosen if not set(f) <= set().union(*(g for g in chosen if g is not f))]
        order = {name: i for i, name in enumerate((*TEXT_FIELDS, *OTHER_FIELDS))}
        kept.sort(key=lambda f: order.get(f[0], 99))
        return tuple(kept) if set().union(*kept) == wanted else ()

    def narrower(self, wanted: frozenset[str]) -> tuple[Fields, ...]:
        inside = [f for f in self.all_known() if self.meant(f) < wanted]
        if not inside:
            return ()
        every = frozenset().union(*inside)
        if self.dialect.tag_style in ("suffix", "codes") and wanted != set(EVERY_FIELD):
            return (in_order(every),)
        best = max(inside, key=lambda f: (len(self.meant(f) & set(TEXT_FIELDS)), len(f)))
        beside = () if self.dialect.tag_covers_rest else self.beside(every)
        return beside if len(beside) > 1 and every > self.meant(best) else (best,)


# Wildcards of a term in another dialect, or the closest equivalent.

Note = tuple[Status, str]
Vocabulary = Collection[str]
"""The words of a corpus, in lower case."""
MOST_WORDS = 60
"""Maximum number of words that replace a stem."""
LAST_LETTER = "\U0010ffff"
LONGEST_COUNT = 999
LONGEST_LIMIT = 20
"""The largest number that ProQuest accepts in square brackets."""
ONE = Gap(1, 1)
_IRREGULAR = (("man", "men"), ("analysis", "analyses"), ("crisis", "crises"), ("diagnosis", "diagnoses"))
"""Endings of words whose plural differs in one letter."""


@dataclass(frozen=True, slots=True)
class Endings:
    variants: tuple[Pieces, ...]
    """More than one: an alternative for each letter or word."""
    notes: tuple[Note, ...]


def sign_of(gap: Gap, dialect: Dialect) -> str | None:
    """Return the dialect's sign for a gap; None: it has none.

    >>> from core.query.dialects import DIALECTS
    >>> sign_of(Gap(0, 3), DIALECTS["ovid"]), sign_of(Gap(0, 1), DIALECTS["wos"])
    ('$3', '$')
    """
    for sign, meant in dialect.wildcards.items():
        if meant == gap:
            return sign
    if dialect.counted_wildcards and gap.least == 0 and gap.most is not None and 0 < gap.most <= LONGEST_COUNT:
        return f"${gap.most}"
    if dialect.limited_wildcards and gap.least == 0 and gap.most is not None and 0 < gap.most <= LONGEST_LIMIT:
        return f"[*{gap.most}]"
    if dialect.id == "plain" and gap.least <= 9999 and (gap.most or 0) <= 9999 and gap != Gap(0, 0):
        return f"{{{gap.least},{'' if gap.most is None else gap.most}}}"
    return None


def adapted(pieces: Pieces, dialect: Dialect, *, strict: bool, vocabulary: Vocabulary = ()) -> Endings:
    """Replace gaps with those that the dialect has. `strict`: only where it allows them."""
    if strict and (spelled := _spelled(pieces, dialect, vocabulary)):
        return spelled
    if strict and (refused := _refused(pieces, dialect)):
        return _written_out(pieces, refused, dialect, vocabulary)
    variants: list[list[str | Gap]] = [[]]
    notes: list[Note] = []
    before = 0  # letters of the word so far
    for i, piece in enumerate(pieces):
        if isinstance(piece, str):
            for variant in variants:
                variant.append(piece)
            before = _letters_at_end(piece, before)
            continue
        is_alone = not any(isinstance(beside, Gap) for beside in (*pieces[max(i - 1, 0) : i], *pieces[i + 1 : i + 2]))
        if strict and is_alone and before >= dialect.shortest_stem and _takes_letter(piece, dialect, len(variants)):
            options: list[list[str | Gap]] = [[], [ONE]]
            note: Note | None = None
        else:
            options, note = _options(piece, before, dialect, strict, single=len(variants) == 1)
        variants = [[*variant, *option] for variant in variants for option in options]
        before += piece.least
        if note and note not in notes:
            notes.append(note)
    return Endings(tuple(joined_pieces(variant) for variant in variants), tuple(notes))


def _refused(pieces: Pieces, dialect: Dialect) -> str:
    """Explain why the dialect does not allow a wildcard at its place; empty: it does, or can spell it out."""
    before = 0
    for i, piece in enumerate(pieces):
        if isinstance(piece, str):
            before = _letters_at_end(piece, before)
            continue
        if before == 0 and not dialect.leading_wildcard:
            return f"{dialect.label} allows no wildcard at the beginning of a word"
        is_one_letter = piece.most == 1 and not any(isinstance(p, Gap) and p.most == 1 for p in pieces[:i])
        if 0 < before < dialect.shortest_stem and not is_one_letter and piece != Gap(0, 0):
            return f"{dialect.label} needs {dialect.shortest_stem} letters before a wildcard"
        before += piece.least
    return ""


def _written_out(pieces: Pieces, refused: str, dialect: Dialect, vocabulary: Vocabulary) -> Endings:
    """Replace a stem with the words of a corpus: cut short, it would find something else."""
    if len(pieces) == 0 or not vocabulary or any(isinstance(p, str) and len(words(p)) > 1 for p in pieces):
        note = f"{refused}: left out, because the stem alone finds something else. Write out the words that you need."
        return Endings((), (("unsupported", note),))
    found = _words_like(pieces, vocabulary)
    if not found or len(found) > MOST_WORDS:
        how = "no word of the corpus begins like this" if not found else f"{len(found):,} words of the corpus match"
        return Endings((), (("unsupported", f"{refused}, and {how}: left out. Write out the words that you need."),))
    note = f"{refused}: written out with the words of the corpus: {', '.join(found)}."
    return Endings(tuple((word,) for word in found), (("narrowed", note),))


def _words_like(pieces: Pieces, vocabulary: Vocabulary) -> list[str]:
    """Return the words of the vocabulary that a stem stands for, in order."""
    stem = pieces[0].strip().lower() if isinstance(pieces[0], str) else ""
    in_sequence = _sorted(vocabulary) if isinstance(vocabulary, tuple) else sorted(vocabulary)
    pattern = re.compile("".join(_pattern(piece) for piece in pieces), re.IGNORECASE)
    low, high = bisect_left(in_sequence, stem), bisect_right(in_sequence, stem + LAST_LETTER)
    return [word for word in in_sequence[low:high] if pattern.fullmatch(word)]


@lru_cache(maxsize=4)
def _sorted(vocabulary: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(vocabulary))


def _pattern(piece: str | Gap) -> str:
    if isinstance(piece, str):
        return re.escape(piece.strip())
    return rf"\w{{{piece.least},{'' if piece.most is None else piece.most}}}"


def _takes_letter(gap: Gap, dialect: Dialect, n_variants: int) -> bool:
    """Return True if an optional letter can be written as two alternatives: behavior, behavio?r."""
    signs = dialect.wildcards.values()
    return gap == MAYBE_ONE and gap not in signs and ONE in signs and n_variants * 2 <= MOST_SPELLED


def _spelled(pieces: Pieces, dialect: Dialect, vocabulary: Vocabulary) -> Endings | None:
    """Replace a single letter that the dialect has no wildcard for with known words: woman, women.

    A short stem is replaced by the words of the corpus, if given: the dialect takes no wildcard there at all.
    """
    places = [i for i, piece in enumerate(pieces) if isinstance(piece, Gap) and piece.most == 1]
    if len(places) != 1 or not places[0] or not isinstance(pieces[places[0] - 1], str):
        return None
    gap, before = pieces[places[0]], pieces[places[0] - 1]
    assert isinstance(gap, Gap)
    assert isinstance(before, str)
    n_before = _letters_at_end(before, 0)
    is_short = n_before < dialect.shortest_stem
    if not n_before or (not is_short and {ONE, MAYBE_ONE}.intersection(dialect.wildcards.values())):
        return None
    need = f"{dialect.label} needs {dialect.shortest_stem} letters before a wildcard"
    why = need if is_short else f"{dialect.label} has no wildcard for {_told(gap)}"
    is_one_word = all(isinstance(piece, Gap) or len(words(piece)) < 2 for piece in pieces)
    if is_short and vocabulary and is_one_word and 0 < len(found := _words_like(pieces, vocabulary)) <= MOST_WORDS:
        note = f"{why}: written out with the words of the corpus: {', '.join(found)}."
        return Endings(tuple((word,) for word in found), (("narrowed", note),))
    letters = _letters_between(pieces, places[0])
    if not letters:
        return None
    variants = [joined_pieces([*pieces[: places[0]], letter, *pieces[places[0] + 1 :]]) for letter in letters]
    rest = [adapted(variant, dialect, strict=True, vocabulary=vocabulary) for variant in variants]
    shown = ", ".join(written(variant) for variant in variants)
    notes = dict.fromkeys(note for endings in rest for note in endings.notes)
    note = f"{why}: written in the forms {shown}."
    return Endings(tuple(made for endings in rest for made in endings.variants), (("narrowed", note), *notes))


def _letters_between(pieces: Pieces, at: int) -> tuple[str, ...]:
    """Return the letters, or no letter, that give two known forms of a word; empty: there are no such forms."""
    before, gap, behind = pieces[at - 1], pieces[at], pieces[at + 1] if at + 1 < len(pieces) else ""
    assert isinstance(gap, Gap)
    assert isinstance(before, str)
    if isinstance(behind, Gap):
        end, is_open = "", behind == ANY_ENDING
    else:
        found = _BEGINNING.match(behind)
        end = found.group().lower() if found else ""
        is_open = behind.isalnum() and pieces[at + 2 : at + 3] == (ANY_ENDING,)
        if behind.isalnum() and at + 2 < len(pieces) and not is_open:
            return ()
    first = before[len(before) - _letters_at_end(before, 0) :].lower()
    letters = [*([""] if not gap.least else []), *string.ascii_lowercase]
    for ending in ("", "e", "ation") if is_open else ("",):
        forms = {f"{first}{letter}{end}{ending}": letter for letter in letters}
        known = [(one, other) for one in forms for other in _other_forms(one, gap) if other in forms]
        if known:
            return tuple(dict.fromkeys(forms[word] for pair in known for word in pair))
    return ()


def _other_forms(word: str, gap: Gap) -> Iterator[str]:
    if (other := other_english(word)) is not None:
        yield other
    if not gap.least and (more := plural(word)) is not None:
        yield more
    for one, several in _IRREGULAR:
        if word.endswith(one):
            yield word[: -len(one)] + several


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
    if strict and 0 < before < dialect.shortest_stem:
        need = f"{label} needs {dialect.shortest_stem} letters before a wildcard"
        if gap.most == 1 and single:
            none: list[list[str | Gap]] = [[]] if gap.least == 0 else []
            letters: list[list[str | Gap]] = [[letter] for letter in string.ascii_lowercase]
            return none + letters, ("narrowed", f"{need}: written out with each letter from a to z.")
    if known:
        return [[gap]], None
    if gap == Gap(0, 0):
        return [[]], None
    if gap == ONE and (sign := sign_of(MAYBE_ONE, dialect)):
        return [[MAYBE_ONE]], ("widened", f"In {label}, {sign} stands for one letter or none.")
    own = dialect.wildcards.get("*", ANY_ENDING)
    if own.most is not None:
        more = f": [*{LONGEST_LIMIT}] stands for up to {LONGEST_LIMIT}" if dialect.limited_wildcards else ""
        fits = gap.most is not None and gap.most <= own.most
        status: Status = "widened" if fits else "unsupported" if gap.least else "narrowed"
        return [[own]], (status, f"In {label}, * stands for {_told(own)}{more}.")
    return [[ANY_ENDING]], ("widened", f"{label} has no wildcard for {_told(gap)}: * stands for any number.")


def _told(gap: Gap) -> str:
    if gap.most is None:
        return f"{gap.least} or more characters"
    if gap.least == gap.most:
        return "exactly one character" if gap.least == 1 else f"exactly {gap.least} characters"
    return f"{'at most' if not gap.least else f'{gap.least} to'} {gap.most} character{'s' if gap.most > 1 else ''}"


def joined_pieces(pieces: Sequence[str | Gap]) -> Pieces:
    """Join adjacent letters into one piece, and drop repeated wildcards."""
    out: list[str | Gap] = []
    for piece in pieces:
        last = out[-1] if out else None
        if isinstance(piece, str) and isinstance(last, str):
            out[-1] = last + piece
        elif not (piece == ANY_ENDING and last == ANY_ENDING):
            out.append(piece)
    return tuple(out)


# Single terms, headings and years as text. Each is read again before it is used, so that no word turns into an
# operator, a tag or a bracket.

_SHOWN = {"mesh": "Mesh", "mesh:noexp": "Mesh:NoExp", "majr": "Majr", "majr:noexp": "Majr:NoExp"}
_QUOTES = "'\""
_OF_DISEASES = frozenset(["cn", "co", "di", "dm", "dr", "dt", "ep", "et", "pc", "rh", "rt", "si", "su", "th"])
"""Subheadings of diseases in Emtree; the others belong to drugs."""
_BRACKETS = re.compile(r"[()\[\]{}]")
_BEGINNING = re.compile(r"[^\W_]*")
_COMPARED = re.compile(r"\s*(?:(?:AFT|BEF|IS)\b|[<>=])", re.IGNORECASE)
"""The beginning of a date's comparison, which has no brackets."""
_ONE_TOKEN = re.compile(r'"[^"]*"|\{[^{}]*\}|[^\s"()]+')


def leaf_text(node: Node, dialect: Dialect, *, tagged: bool) -> str:
    """Write a term, a heading or years. `tagged`: with the field, if there is one."""
    if isinstance(node, Heading):
        return heading_text(node, dialect)
    if isinstance(node, Range):
        return years_text(node, dialect)
    assert isinstance(node, Term)
    name = tag_of(node, dialect) if tagged else ""
    node = replace(node, tag=name) if tagged else replace(node, fields=(), tag="")
    return _term_text(node, name, dialect.id) or wrapped(quoted_words(node), name, dialect)


def is_writable(term: Term, dialect: Dialect) -> bool:
    """Return True if a term can be written so that it is read back with the same meaning, apart from its field."""
    return bool(_term_text(replace(term, fields=(), tag=""), "", dialect.id))


def as_words(term: Term) -> Term:
    """Return the term with its letters and digits only."""
    return replace(term, pieces=(quoted_words(term).strip('"'),), quoted=True, exact=False)


@lru_cache(maxsize=20_000)
def _term_text(node: Term, name: str, dialect_id: DialectId) -> str:
    dialect = DIALECTS[dialect_id]
    wanted = formula_of(node)
    close = ""
    for inside in _candidates(node, dialect):
        text = wrapped(inside, name, dialect)
        found = read(text, dialect).root
        if found == node:
            return text
        if not close and found is not None and formula_of(found) == wanted:
            close = f"({text})" if isinstance(found, Group) and not _is_one(text, node, dialect) else text
    return close


def _is_one(text: str, node: Term, dialect: Dialect) -> bool:
    """Return True if several words stay together in any context: brackets or a field hold them."""
    return text.startswith("(") or bool(node.fields and dialect.tag_style not in ("brackets", "suffix", "codes"))


def _candidates(node: Term, dialect: Dialect) -> Iterator[str]:
    """Yield ways to write a term without its field, the closest first."""
    raw = cleaned(signed(node.pieces, dialect)).replace("\n", " ").strip()
    letters = cleaned("".join(piece for piece in node.pieces if isinstance(piece, str)))
    runs = [_run(run, dialect) for run in node.chunks]
    whole = '"' not in letters and "/*" not in letters  # else the context decides
    if dialect.id == "embase" and whole and node.quoted and "'" not in letters:
        yield f"'{raw}'"
    if node.exact and dialect.exact_braces:
        if whole and not _BRACKETS.search(letters):
            yield f"{{{raw}}}"
        yield f"{{{' '.join(runs)}}}"
    is_line = re.fullmatch(rf"{dialect.line_mark}#?\d{{1,5}}", raw, re.IGNORECASE)  # refers to a line without quotes
    is_name = bool(node.fields) and NAME_FIELDS.issuperset(node.fields)
    if whole and (not node.quoted or is_name) and not is_line and not _BRACKETS.search(letters):
        yield raw.removesuffix("*") if dialect.open_names and is_name and " " in raw else raw
    if whole:
        yield f'"{raw}"'
    yield f'"{" ".join(runs)}"'
    bare = " ".join(f'"{run}"' if " " in run else run for run in runs)
    if not is_line:
        yield bare
    yield "(" + " AND ".join(f'"{run}"' for run in runs) + ")"


def _run(run: tuple[object, ...], dialect: Dialect) -> str:
    return " ".join(signed(word.pieces, dialect) for word in run)  # type: ignore[attr-defined]


def signed(pieces: Pieces, dialect: Dialect) -> str:
    return "".join((sign_of(piece, dialect) or "*") if isinstance(piece, Gap) else piece for piece in pieces)


def quoted_words(node: Node) -> str:
    """Return the words of a leaf, without anything that could be read as something else."""
    if isinstance(node, Heading):
        node = Term((node.name,), True)
    if isinstance(node, Near):
        return " AND ".join(filter(None, map(quoted_words, node.parts)))
    if not isinstance(node, Term):
        return ""
    letters = ("".join(p for p in word.pieces if isinstance(p, str)) for run in node.chunks for word in run)
    text = " ".join(letter for letter in letters if letter)
    return f'"{text}"' if text else ""


def tag_of(term: Term, dialect: Dialect) -> str:
    """Return the tag to write: the original one, if it means the same in this dialect."""
    if term.tag in dialect.limit_tags:
        return term.tag
    if term.tag:
        if has_unknown(term.fields):
            return term.tag
        known = tag_named(term.tag.removeprefix("/"), dialect.id)
        if known is not None and known.kind == "text" and set(known.fields) == set(term.fields):
            return term.tag
    return field_name(term.fields, dialect)


def wrapped(inside: str, name: str, dialect: Dialect) -> str:
    """Add a field tag to the text."""
    style = dialect.tag_style
    if not name or not inside:
        return inside
    if style == "brackets":
        return f"{inside}[{name}]"
    if style == "suffix":
        codes, sign, often = name.partition("/freq=")
        return f"{inside}.{codes}.{sign}{often}"
    if name in dialect.limit_tags:
        return f"[{inside.strip(_QUOTES)}]/{name}"
    if style == "codes":
        return f"{inside}{name}" if name.startswith("/") else f"{inside}:{name}"
    held = inside if inside.startswith("(") and inside.endswith(")") else f"({inside})"
    if style == "call" and name.endswith("load-date") and _COMPARED.match(inside):
        return f"{name.upper()} {inside.strip(_QUOTES)}"
    if style == "call":
        return f"{name.upper()}{held}"
    one = inside if _ONE_TOKEN.fullmatch(inside) or inside.startswith("(") or '"~' in inside else held
    return {"equals": f"{name.upper()}={one}", "space": f"{name.upper()} {one}"}.get(style, f"{name}:{one}")


@lru_cache(maxsize=4096)
def _field_name(fields: Fields, dialect_id: DialectId) -> str:
    dialect = DIALECTS[dialect_id]
    wanted = set(fields)
    tags = sorted(dialect.tags.items(), key=lambda item: item[1].read_only)
    texts = {name: tag.fields for name, tag in tags if tag.kind == "text" and tag.fields}
    for name, tagged in texts.items():
        if set(tagged) == wanted:
            return name
    if dialect.tag_style not in ("suffix", "codes"):
        return ""
    chosen: dict[str, None] = {}
    for one in fields:
        inside = [name for name, tagged in texts.items() if one in tagged and wanted.issuperset(tagged)]
        inside = [name for name in inside if "," not in name] or inside
        if inside:
            chosen[min(inside, key=lambda name: len(texts[name]))] = None
    covered = {name for name in chosen if any(set(texts[name]) < set(texts[other]) for other in chosen)}
    return ",".join(sorted(chosen.keys() - covered, key=lambda name: fields.index(texts[name][0])))


def field_name(fields: Fields, dialect: Dialect) -> str:
    """Return the tag, or several with commas if the dialect combines them; empty: none is needed, or there is none."""
    return _field_name(fields, dialect.id) if fields else ""


def heading_text(node: Heading, dialect: Dialect) -> str:
    name = " ".join(node.name.replace('"', " ").split())
    below = f"/{','.join(node.subheadings)}" if node.subheadings else ""
    capitals = below.upper()
    if dialect.slash_headings and node.tag not in dialect.tags:
        before = f"{'exp ' if node.explode else ''}{'*' if node.major else ''}"
        text = f"{before}{name}{below or '/'}"
        return text if read(text, dialect).root == node else f'{before}"{name}"{below or "/"}'
    if dialect.id == "cochrane":
        return f'[mh {"" if node.explode else "^"}"{name}"{capitals}]'
    if dialect.id == "embase":
        signs = f"/{'exp' if node.explode else 'mj' if node.major else 'de'}"
        signs += "/mj" if node.major and node.explode else ""
        return f"'{name}'{signs}{''.join(map(_linked, node.subheadings))}"
    tag_name = heading_tag(node, dialect)
    if dialect.tag_style == "brackets":
        return f'"{name}{below}"[{_SHOWN.get(tag_name, tag_name)}]'
    if dialect.tag_style == "suffix":
        return f"{name}.{tag_name}."
    if dialect.tag_style == "space":
        return f'({tag_name.upper()} "{name}{"+" if node.explode else ""}{capitals.replace(",", "/")}")'
    if dialect.tag_style == "call":
        return f'{tag_name.upper()}("{name}{below.replace("/", " -- ", 1)}")'
    return f'{tag_name}:"{name}{below}"'


def _linked(code: str) -> str:
    """Write a subheading as Embase.com links it: of a disease, or of a drug or device."""
    if "_" in code:
        return f"/{code}"
    return f"/{'dm' if code in _OF_DISEASES else 'dd'}_{code}"


def heading_tag(node: Heading, dialect: Dialect) -> str:
    """Return the tag for this kind of heading: the original one, if it fits."""
    own = dialect.tags.get(node.tag)
    if own is not None and _fits(own, node, dialect):
        return node.tag
    return next((n for n, tag in dialect.tags.items() if _fits(tag, node, dialect)), "")


def _fits(tag: Tag, node: Heading, dialect: Dialect) -> bool:
    explode = tag.explode or (dialect.tag_style == "space" and node.explode)  # here a plus after the name means explode
    return tag.kind == "heading" and (explode, tag.major, tag.thesaurus) == (node.explode, node.major, node.thesaurus)


def years_text(node: Range, dialect: Dialect) -> str:
    """Write years from and to; an open end in the notation of the dialect."""
    low, high = node.low, node.high
    first, last = (EARLIEST if low is None else low), (LATEST if high is None else high)
    is_one = low == high and node.low_day == node.high_day
    name = years_tag(node, dialect)
    tag = name.upper()
    since, until = ("" if low is None else f"{low}{_slashed(node.low_day)}"), f"{high}{_slashed(node.high_day)}"
    if dialect.id == "pubmed":
        text = since if is_one else f"{since or '0001'}:{3000 if high is None else until}"
        return f"{text}[{name}]"
    if dialect.id == "wos":
        if tag == "DOP":
            return f"DOP={_full(first, node.low_day, '01-01')}/{_full(last, node.high_day, '12-31')}"
        return f"{tag}={low}" if is_one else f"{tag}={first}-{last}"
    if dialect.id == "ebsco":
        if tag == "PY":
            return f"PY {low}" if is_one else f"PY {low or ''}-{high or ''}"
        return f"{tag} {_compact(low, node.low_day, '0101')}-{_compact(high, node.high_day, '1231')}"
    if dialect.id == "proquest":
        if tag == "PD":
            if low is None or high is None:
                since, until = _compact(low, node.low_day, "0101"), _compact(high, node.high_day, "1231")
                return f"PD(>={since})" if since else f"PD(<={until})"
            return f"PD({_compact(first, node.low_day, '0101')}-{_compact(last, node.high_day, '1231')})"
        if low is None or high is None:
            tag = tag if node.tag == name else "YR"
            return f"{tag}(<={high})" if low is None else f"{tag}(>={low})"
        return f"{tag}({low})" if is_one else f"{tag}({low}-{high})"
    if dialect.id == "scopus":
        return f"PUBYEAR = {low}" if is_one else f"PUBYEAR > {low - 1}" if low else f"PUBYEAR < {last + 1}"
    if dialect.id == "embase":
        return f"[{low}-{high}]/py" if low is not None and high is not None else f"[{first}-{last}]/py"
    if dialect.id == "ovid":
        if name == "dp" and is_one and not node.has_days:
            return f"{low}*.dp."
        if name == "dp":
            return f"{_compact(first, node.low_day, '0101')}-{_compact(last, node.high_day, '1231')}.dp."
        shown = str(low) if is_one else f"{first}-{high or 'Current'}"
        return f"{shown}.{name}."
    if name.startswith(("from_", "to_")):
        year, day = (low, node.low_day) if low is not None else (high, node.high_day)
        return f"{name}:{_full(year or first, day, '01-01' if low is not None else '12-31')}"
    if low is not None and high is not None:
        return f"{name}:{since}" if is_one else f"{name}:{since}-{until}"
    if dialect.id == "plain":
        return f"{name}:>={since}" if low is not None else f"{name}:<={until}"
    return f"{name}:>{low - 1}" if low is not None else f"{name}:<{last + 1}"


def years_tag(node: Range, dialect: Dialect) -> str:
    """Return the tag for these years: the original one, if it can express them."""
    tags = {name: tag for name, tag in dialect.tags.items() if tag.kind == "years"}
    own = tags.get(node.tag)
    if own is not None and (own.days or not node.has_days) and _says_open_end(node.tag, node):
        return node.tag
    chosen = [name for name, tag in tags.items() if not tag.read_only]
    return next((name for name in chosen if tags[name].days), "") if node.has_days else next(iter(chosen), "")


def _says_open_end(name: str, node: Range) -> bool:
    is_from, is_to = name.startswith("from_"), name.startswith("to_")
    return not (is_from or is_to) or (is_from and node.high is None) or (is_to and node.low is None)


def _slashed(day: str) -> str:
    return f"/{day}" if day else ""


def _full(year: int, day: str, missing: str) -> str:
    """Write 2010-03-01."""
    return f"{year}-{_whole(year, day, missing)}"


def _compact(year: int | None, day: str, missing: str) -> str:
    """Write 20100301; empty for an open end."""
    return "" if year is None else f"{year}{_whole(year, day, missing).replace('-', '')}"


def _whole(year: int, day: str, missing: str) -> str:
    if not day:
        return f"{missing[:2]}-{missing[-2:]}"
    month, _, rest = day.partition("/")
    return f"{month}-{rest or ('01' if missing.endswith('01') else monthrange(year, int(month))[1])}"
