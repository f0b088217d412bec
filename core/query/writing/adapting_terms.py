"""Terms as a dialect can say them."""

from __future__ import annotations

from dataclasses import replace

from core.query.dialects.base import Dialect
from core.query.tree import TEXT_FIELDS, Gap, Group, Node, Pieces, Term
from core.query.writing.choosing import choose
from core.query.writing.endings import Note, adapted, sign_of
from core.query.writing.leaf_texts import as_words, can_be_said
from core.text import words

NOT_SAYABLE = "These signs would be read as something else: written as words only."


def adapted_term(node: Term, dialect: Dialect, *, strict: bool, drop: bool) -> tuple[Node | None, list[Note]]:
    """What the term becomes, and what that costs. `drop`: without a fitting field it is left out."""
    if not has_words(node):
        return None, [("unsupported", "There is no word to look for: left out.")]
    choice = choose(node.fields, dialect, own=not strict)
    notes: list[Note] = []
    options = choice.options
    if not options:
        if drop and not set(node.fields) & set(TEXT_FIELDS):
            return None, [("unsupported", f"{choice.message}: left out.")]
        notes.append(("unsupported", f"{choice.message}: written as words without a field."))
        options = ((),)
    elif choice.status != "exact":
        notes.append((choice.status, choice.message))
    if node.exact and not may_be_exact(node, dialect):
        notes.append(("widened", f"{dialect.label} may look for other forms of these words too."))
        node = replace(node, exact=False, quoted=True)
    endings = adapted(node.pieces, dialect, strict=strict)
    notes += endings.notes
    variants = [replace(node, pieces=pieces) for pieces in endings.variants]
    alternatives: list[Node] = []
    for fields in options:
        for variant in variants:
            one, more = _said(replace(variant, fields=fields, span=node.span), dialect, strict=strict)
            if one is None:
                continue
            alternatives.append(one)
            notes += [note for note in more if note not in notes]
    if not alternatives:
        return None, [*notes, ("unsupported", "No word is left of it: left out.")]
    return alternatives[0] if len(alternatives) == 1 else _each_run(node, alternatives), notes


def _each_run(node: Term, alternatives: list[Node]) -> Node:
    """In several fields, each of its words may stand in another one."""
    if not all(isinstance(one, Group) for one in alternatives):
        if len(node.chunks) == 1 or not all(isinstance(one, Term) for one in alternatives):
            return Group("OR", tuple(alternatives))
        alternatives = [Group("AND", tuple(runs_of(one))) for one in alternatives if isinstance(one, Term)]
    columns = zip(*(one.parts for one in alternatives if isinstance(one, Group)), strict=True)
    return Group("AND", tuple(_any_of(list(dict.fromkeys(column))) for column in columns))


def _any_of(parts: list[Node]) -> Node:
    return parts[0] if len(parts) == 1 else Group("OR", tuple(parts))


def _said(term: Term, dialect: Dialect, *, strict: bool) -> tuple[Node | None, list[Note]]:
    """One variant in one field."""
    if not has_words(term):
        return None, []
    has_gaps = any(isinstance(piece, Gap) for piece in term.pieces)
    side_by_side = any(len(chunk) > 1 for chunk in term.chunks)
    if strict and has_gaps and side_by_side and not dialect.wildcard_in_phrase:
        message = f"{dialect.label} allows no wildcard in a phrase: its words may stand anywhere."
        return all_of(words_of(term)), [("widened", message)]
    if strict and has_gaps and term.quoted and not term.exact and not dialect.wildcard_in_phrase:
        term = replace(term, quoted=False)  # quotes around one word mean nothing, but that * is no wildcard
    if len(term.chunks) > 1 and not term.quoted and splits_runs(dialect, term):
        runs = runs_of(term)
        said = [run if can_be_said(run, dialect) else as_words(run) for run in runs]
        return all_of(said), [] if said == runs else [("unsupported", NOT_SAYABLE)]
    if not can_be_said(term, dialect):
        return as_words(term), [("unsupported", NOT_SAYABLE)]
    return term, []


def splits_runs(dialect: Dialect, term: Term) -> bool:
    """Whether bare words side by side would be read as a phrase."""
    return dialect.run_is_phrase or (dialect.tagged_run_is_phrase and bool(term.fields)) or term.exact


def all_of(parts: list[Term]) -> Node:
    """One term, or several that must all occur."""
    return parts[0] if len(parts) == 1 else Group("AND", tuple(parts))


def runs_of(term: Term) -> list[Term]:
    """Each run of words of a bare term as a term of its own."""
    out = []
    for pieces in apart(term.pieces):
        one = replace(term, pieces=pieces)
        if has_words(one):
            out.append(one)
    return out


def has_words(term: Term) -> bool:
    """Whether there is anything to look for besides wildcards."""
    return any(isinstance(piece, str) and words(piece) for piece in term.pieces)


def may_be_exact(term: Term, dialect: Dialect) -> bool:
    """Whether it can stand in {braces}; a count of characters, which has braces of its own, can't."""
    signs = [sign_of(piece, dialect) or "" for piece in term.pieces if isinstance(piece, Gap)]
    return dialect.exact_braces and not any("{" in sign for sign in signs)


def words_of(term: Term) -> list[Term]:
    """Each word as a term of its own."""
    each = [replace(term, pieces=word.pieces, quoted=False) for chunk in term.chunks for word in chunk]
    return [one for one in each if has_words(one)]


def apart(pieces: Pieces) -> list[Pieces]:
    """The pieces cut at white space."""
    out: list[list[str | Gap]] = [[]]
    for piece in pieces:
        if isinstance(piece, Gap):
            out[-1].append(piece)
            continue
        first, *rest = "".join(" " if c.isspace() else c for c in piece).split(" ")
        out[-1].append(first)
        out += [[part] for part in rest]
    return [tuple(piece for piece in chunk if piece != "") for chunk in out if any(piece != "" for piece in chunk)]
