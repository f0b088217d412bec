"""Signs that mean something to a source, taken out of what is looked for.

The words stay the same, and so does which of them stand side by side, so this changes nothing of what is found: sources
cut a text into words at these signs too.
"""

from __future__ import annotations

import re
from dataclasses import replace

from core.query.tree import Group, Near, Node, Not, Pieces, Term
from core.query.writing.adapting_terms import has_words, runs_of

_SIGNS = re.compile(r"""[,|!:;\\/^~<>=#@(){}\[\]*?+"“”„\x00-\x1f]|&&|(?<!\w)-|-(?!\w)""")

_SPACES = re.compile(r"\s+")


def is_plain(term: Term) -> bool:
    """Whether there is no such sign in it."""
    return not any(isinstance(piece, str) and _SIGNS.search(piece) for piece in term.pieces)


def with_plain_signs(node: Node) -> Node:
    """The tree with spaces where such signs stood.

    >>> with_plain_signs(Term(("1,25-dihydroxy",))).pieces
    ('1 25-dihydroxy',)
    """
    if isinstance(node, Group | Near):
        return replace(node, parts=tuple(with_plain_signs(part) for part in node.parts))
    if isinstance(node, Not):
        return replace(node, part=with_plain_signs(node.part))
    return _plain_term(node) if isinstance(node, Term) and not is_plain(node) else node


def _plain_term(term: Term) -> Node:
    plain = replace(term, pieces=_spaced(term.pieces))
    if not has_words(plain):
        return term
    if plain.quoted or plain.chunks == term.chunks:
        return plain
    if len(term.chunks) == 1:
        return replace(plain, quoted=True)
    return Group("AND", tuple(_plain_term(run) for run in runs_of(term)), span=term.span)


def _spaced(pieces: Pieces) -> Pieces:
    """Spaces for signs, one at a time and none at the ends."""
    out = [_SPACES.sub(" ", _SIGNS.sub(" ", piece)) if isinstance(piece, str) else piece for piece in pieces]
    if isinstance(out[0], str):
        out[0] = out[0].lstrip()
    if isinstance(out[-1], str):
        out[-1] = out[-1].rstrip()
    return tuple(piece for piece in out if piece != "")
