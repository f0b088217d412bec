"""The same strings, read by the search-query library: both trees in one plain form."""

from __future__ import annotations

import contextlib
import io
import json
import logging
from collections.abc import Iterator

import pytest
from search_query.exception import QuerySyntaxError
from search_query.parser import parse as peer_parse

from core.query.dialects import DIALECTS
from core.query.lexer import cleaned, heading_of, pieces_of, years_of
from core.query.parser import parse
from core.query.tree import NOWHERE, Group, Heading, Near, Not, Range, Term, written
from tests.core.query.query_shapes import shape

PLATFORMS = {"pubmed": "pubmed", "wos": "wos", "ebsco": "ebscohost"}


@pytest.fixture(autouse=True)
def silent() -> Iterator[None]:
    """The library prints and logs what it notices."""
    logging.disable(logging.CRITICAL)
    with contextlib.redirect_stdout(io.StringIO()):
        yield
    logging.disable(logging.NOTSET)


def joined(operator, parts):
    """A group without groups of the same operator in it."""
    flat = [p for part in parts for p in (part[1:] if part[0] == operator else (part,))]
    return (operator, *flat)


def ours(node):
    if isinstance(node, Group):
        return joined(node.operator, [ours(part) for part in node.parts])
    if isinstance(node, Not):
        return ("NOT", ours(node.part))
    if isinstance(node, Near):
        return ("NEAR", node.distance, *map(ours, node.parts))
    if isinstance(node, Heading):
        return ("heading", "/".join([node.name, *node.subheadings]).lower(), node.explode, node.major)
    if isinstance(node, Range):
        return ("years", node.low, node.high)
    assert isinstance(node, Term)
    return ("term", written(node.pieces).lower(), node.fields)


def theirs(query, dialect, field=None):
    """Their tree; a field holds for all below it."""
    field = query.field.value if query.field else field
    if query.value in ("AND", "OR"):
        return joined(query.value, [theirs(child, dialect, field) for child in query.children])
    if query.value == "NOT":
        first, *others = (theirs(child, dialect, field) for child in query.children)
        return joined("AND", [first, *(("NOT", other) for other in others)])
    if query.value == "NEAR":
        parts = [theirs(child, dialect, field) for child in query.children]
        if len(parts) == 1:  # PubMed's phrase with a distance
            kind, text, fields = parts[0]
            parts = [(kind, word, fields) for word in text.split()]
        return ("NEAR", query.distance, *parts)
    return leaf(query.value, field, dialect)


def leaf(value, field, dialect):
    text = cleaned(value).strip('"')
    name = (field or "").strip("[]=").lower()
    tag = DIALECTS[dialect].tags.get(name)
    if tag is None or tag.kind == "text":
        return ("term", written(pieces_of(text, DIALECTS[dialect])).lower(), tag.fields if tag else ())
    if tag.kind == "heading":
        return ours(heading_of(text, NOWHERE, tag))
    return ours(years_of(text, NOWHERE))


STRINGS = {
    "pubmed": [
        'heat[ti] AND (cold[tiab] OR "heat wave"[tiab]) NOT Malaria[mh]',
        "heat[ti] OR cold[ti] AND snow[ti]",
        "heat[ti] NOT cold[ti] OR snow[ti]",
        "2010:2020[dp] AND heat[ti]",
        '"heat wave"[tiab:~3]',
        "heat and cold",
        "heat OR cold OR snow",
        '"Masks/adverse effects"[MAJR] AND Malaria[mesh:noexp]',
        "adapt*[tiab] AND letter[pt]",
        "((heat[ti] OR cold[ti]) AND snow[tiab])",
        "(a[ti] NOT b[ti]) NOT (c[ti] NOT (d[ti] NOT e[ti]))",
        "heat wave[tiab] AND snow[ti]",
        "Humans[mesh] NOT (Animals[mesh] NOT Humans[mesh])",
        '"COVID-19"[Supplementary Concept] OR COVID19[tiab]',
    ],
    "wos": [
        "TS=(heat AND tree*) NOT TI=bird",
        "TI=(heat NEAR/2 wave)",
        "TS=(heat OR cold AND snow)",
        "TS=(heat AND cold OR snow)",
        "TS=heat AND LA=English",
        'TS="heat wave" OR (AB=cold AND (TI=a OR TI=b))',
        "TI=(wom?n OR colo$r OR *ology)",
        "TS=(heat NEAR wave)",
        "TS=(a NOT (b NOT c))",
        "TS=a OR TS=b NOT TS=c",
        "LA=English AND (TS=a OR TS=b)",
        "TS=heat wave",
        "TI=heat OR AB=heat OR AK=heat",
        'TS=((heat OR "cold spell") AND (city OR town))',
        "TS=(heat NOT cold)",
        "AU=Smith AND SO=Nature",
    ],
    "ebsco": [
        "TI heat AND AB trees",
        "TI (heat OR cold)",
        "(TI heat OR AB cold) NOT TI snow",
        "TI heat N3 AB wave",
        'TI "heat wave" OR MH "Stress+"',
        "TI a OR TI b AND TI c",
        "TI a AND TI b OR TI c",
        "SU stress AND (TI heat OR TI cold)",
        'TI ("heat wave" OR adapt*) AND AB snow',
        "AB colo#r OR AB wom?n",
        "AB heat N3 AB wave",
        "KW heat OR KW cold",
        "(TI heat OR AB cold) AND LA English AND SU stress",
        "TI (a NOT (b NOT c))",
    ],
}


@pytest.mark.parametrize(("dialect", "text"), [(d, text) for d, texts in STRINGS.items() for text in texts])
def test_both_read_the_same(dialect, text):
    assert ours(parse(text, dialect).root) == theirs(peer_parse(text, platform=PLATFORMS[dialect]), dialect)


REFUSED = [
    ("pubmed", "(heat OR cold)[tiab]", "(heat@topic | cold@topic)", "a field behind brackets holds for all in them"),
    ("pubmed", "heat[ti] AND snow[ab]", "(heat@title & snow@abstract)", "[ab] is a field of PubMed"),
    ("pubmed", "a AND b AND NOT c", "(a & b & !c)", "AND NOT is what NOT is"),
    ("wos", "TS=(heat NEAR/5 (wave OR sun))", "near5(heat@topic, (wave@topic | sun@topic))", "NEAR takes an OR"),
    ("wos", "TI=(a NEAR/2 b NEAR/2 c)", "near2(a@title, b@title, c@title)", "NEAR can be chained"),
]


@pytest.mark.parametrize(("dialect", "text", "expected", "why"), REFUSED, ids=[why for *_, why in REFUSED])
def test_what_the_library_refuses_is_read_here(dialect, text, expected, why):
    assert shape(parse(text, dialect).root) == expected
    with pytest.raises((QuerySyntaxError, ValueError)):
        peer_parse(text, platform=PLATFORMS[dialect])


@pytest.mark.collections
def test_both_read_the_published_strings_alike(collections_dir):
    lines = (collections_dir / "ielab_seed" / "topics.jsonl").read_text("utf-8").splitlines()
    refused, different = [], []
    for topic in map(json.loads, lines):
        root = parse(topic["query"], "pubmed").root
        assert root is not None
        try:
            peer = peer_parse(topic["query"], platform="pubmed")
        except QuerySyntaxError:
            refused.append(topic["id"])
            continue
        if ours(root) != theirs(peer, "pubmed"):
            different.append(topic["id"])
    assert refused == ["39"]  # Atonic[tiab] Impaired[tiab]: PubMed reads AND between them, and so do we
    assert different == []
