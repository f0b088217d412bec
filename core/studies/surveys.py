"""The query template that finds surveys of a field: surveys are where core publications come from.

It is written in this project's own dialect, and translated from there.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from core.errors import InputError
from core.query.dialects import DIALECTS
from core.query.reading.operands import with_tag
from core.query.reading.parse import parse
from core.query.tree import Group, Node, Not, Range, Term, parts_of, terms_in
from core.query.writing.printing import write
from core.studies.core_sets import SurveyKind
from core.text import STOP_WORDS, words

LONGEST_FIELD = 4_000
"""Letters. A field is named in a few words; a whole search string is longer than any of them needs."""

SURVEY_WORDS: Mapping[SurveyKind, str] = MappingProxyType(
    {
        "bibliometric": (
            'bibliometric* OR scientometric* OR informetric* OR "science mapping" OR "citation analysis" OR '
            '"co-citation" OR "bibliographic coupling" OR "most cited" OR "most influential" OR '
            '"influential publications" OR "scientific landscape" OR "research landscape"'
        ),
        "systematic review": (
            '"systematic review" OR "systematic literature review" OR "systematic mapping" OR "mapping study" OR '
            '"scoping review" OR "literature review" OR "state of the art review" OR "meta-analysis"'
        ),
    }
)
"""What such a survey calls itself in its title."""

USABLE = (
    "It names its core publications one by one, in a table or list. Counts and clusters alone are of no use.",
    "It says how it chose them (citations, or criteria and people), and not by the query that you want to test.",
    "Each can be identified: a DOI, or title, year and first author.",
    "There are enough: below 10 every number is wide open, 20 to 50 are usual.",
    "Its year is known. What appeared later can't be in it: search up to that year, or recall is judged unfairly.",
    "Its field is the field of your query, not one that holds it or lies beside it.",
)
"""What makes a survey usable as a source of core publications."""


def survey_words(kind: SurveyKind) -> Node:
    """The half of the template that is the same for every field."""
    root = parse(f"title:({SURVEY_WORDS[kind]})", "plain").root
    if root is None:
        raise InputError(f'the template for "{kind}" is empty')
    return root


def survey_query(field: str, kind: SurveyKind) -> str:
    """The template filled with a field, in this project's own dialect.

    The field is some words, or a search string of any dialect. It is read first and written anew, so that nothing in it
    can get out of its half.

    >>> survey_query('soft robot* OR "soft actuator"', "systematic review")[-42:]
    'AND topic:(soft robot* OR "soft actuator")'
    """
    written = write(Group("AND", (survey_words(kind), *_side_by_side(field_of(field)))), "plain")
    if written.losses or not written.text:
        why = written.losses[0].message if written.losses else "it is too involved"
        raise InputError(f"this field can't be put into the template: {why}")
    return written.text


def field_of(text: str) -> Node:
    """A field as a tree, looked for in title, abstract and keywords where it does not say otherwise."""
    if not text.strip():
        raise InputError("name a field: some words, or a search string")
    if len(text) > LONGEST_FIELD:
        raise InputError(f"a field has at most {LONGEST_FIELD:,} letters here, this has {len(text):,}: name it shortly")
    parsed = parse(text)
    root = parsed.root
    if parsed.kind == "question":
        asked = dict.fromkeys(word for word in words(text) if word not in STOP_WORDS)
        terms = tuple(Term((word,)) for word in asked)
        root = Group("AND", terms) if len(terms) > 1 else next(iter(terms), None)
    if root is None:
        raise InputError("there is no word in this field to look for: name it in some words")
    if all(isinstance(part, Range) for part in _wanted(root)):
        raise InputError("this says only what the field is not, or when: add words that name it")
    return with_tag(root, DIALECTS["plain"].tags["topic"])


def _wanted(root: Node) -> list[Node]:
    """The leaves that ask for something, so that nothing inside a NOT counts."""
    found: list[Node] = []
    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, Group):
            stack.extend(parts_of(node))
        elif not isinstance(node, Not):
            found.append(node)
    return found


def _side_by_side(root: Node) -> tuple[Node, ...]:
    """The parts of an AND, so that no AND stands in another."""
    return root.parts if isinstance(root, Group) and root.operator == "AND" else (root,)


def needles(root: Node) -> tuple[str, ...]:
    """Of each term, the longest piece of a word: a text without any of them can't match an OR of these terms.

    >>> needles(survey_words("bibliometric"))[:3]
    ('bibliometric', 'scientometric', 'informetric')
    """
    found = []
    for term in terms_in(root):
        pieces = [p for chunk in term.chunks for word in chunk for p in word.pieces if isinstance(p, str)]
        found.append(max(pieces, key=len, default=""))
    return tuple(dict.fromkeys(found))
