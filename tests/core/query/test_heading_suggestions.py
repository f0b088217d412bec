"""Headings that records carry, suggested for a query and as a rescue of a missed publication."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.library.headings import HeadingIndex
from core.library.mesh import MeshHeading, MeshThesaurus, heading_key
from core.query.contributions import MatchedQuery
from core.query.evidence import CarriedHeadings, takes_headings
from core.query.explanations import Rescuer
from core.query.match import match, rows_of
from core.query.parser import parse
from core.query.suggestions import priced, suggest_carried
from core.query.translation import DialectWriter
from core.query.tree import DialectId, apply_edits
from core.types import Publication
from data.query.index import CorpusIndex, in_memory
from tests.core.query_scenes import stakes_of

MESH = MeshThesaurus(
    (
        MeshHeading("Soups", ("J01.100",), ("Broths",)),
        MeshHeading("Lentil Soups", ("J01.100.010",)),
        MeshHeading("Stones", ("J02.100",)),
        MeshHeading("Ovens", ("J03.100",)),
    )
)
TITLES = (
    "broths and stones",
    "lentils and stones",
    "lentils by stones",
    "rivers",
    "kettles",
    "broths",
    *["spoons"] * 14,
)
CARRIED = (["Stones"], ["*Lentil Soups", "Humans"], ["Soups/history"], ["Humans"], ["Ovens"], [], *[["Humans"]] * 14)


def _asked(
    text: str,
    titles: tuple[str, ...] = TITLES,
    carried: tuple[list[str], ...] = CARRIED,
    *,
    core: tuple[int, ...] = (0, 1, 2),
    mesh: MeshThesaurus | None = MESH,
    dialect: DialectId = "pubmed",
) -> MatchedQuery:
    parsed = parse(text, dialect)
    assert parsed.root is not None
    index = HeadingIndex.of(carried)
    publications = [Publication(f"p{i}", title, None, 2000, None) for i, title in enumerate(titles)]
    corpus = CorpusIndex(in_memory(publications), lambda: index, lambda: mesh)
    return MatchedQuery(
        text,
        match(parsed.root, corpus, "literal"),
        corpus,
        corpus.texts,
        "literal",
        stakes_of(len(titles), core, accepted=core),
        DialectWriter(dialect),
        read_headings=(lambda: CarriedHeadings(index, mesh)) if takes_headings(parsed) else None,
    )


@pytest.mark.parametrize(
    ("dialect", "text", "written"),
    [
        ("pubmed", "broths[tiab] AND stones[tiab]", '(broths[tiab] OR "Soups"[Mesh]) AND stones[tiab]'),
        ("ovid", "broths.ti,ab. and stones.ti,ab.", "(broths.ti,ab. OR exp Soups/) and stones.ti,ab."),
    ],
)
def test_a_heading_that_a_term_names_is_suggested_and_written(dialect: DialectId, text: str, written: str) -> None:
    asked = _asked(text, dialect=dialect)
    block = asked.matched.children[0][0]
    (found,) = [s for s in priced(suggest_carried(asked, block), Rescuer(asked), block) if s.text == "Soups"]
    assert (found.kind, found.n_target, found.n_corpus) == ("heading", 2, 2)
    assert found.if_added is not None
    assert set(found.if_added.core_gained) == {"p1", "p2"}
    assert apply_edits(text, found.if_added.edits) == written


def test_no_heading_is_suggested_where_none_fits() -> None:
    for asked in (
        _asked("broths AND stones", dialect="wos"),
        _asked("broths[tiab]", carried=tuple([] for _ in TITLES)),
        _asked('broths[tiab] OR "Soups"[mh]', core=(0, 1, 2)),
    ):
        assert [s.text for s in suggest_carried(asked, 0) if s.text in ("Soups", "Humans")] == []
    assert _asked("broths AND stones", dialect="wos").headings is None
    assert _asked('broths AND mesh:"Stones"', dialect="plain").headings is not None


def test_without_a_thesaurus_headings_are_found_by_name() -> None:
    asked = _asked("ovens[tiab] OR stones[tiab]", core=(0, 3, 4), mesh=None)
    assert [s.text for s in suggest_carried(asked, 0)] == ["Ovens"]


def test_a_heading_of_a_missed_publication_rescues_it_and_says_its_price() -> None:
    asked = _asked("broths[tiab] AND stones[tiab]")
    rescues = {rescue.label: rescue for rescue in Rescuer(asked).rescues(1)}
    label = next(label for label in rescues if "heading" in label)
    assert "Soups" in label  # what its own heading is narrower than
    assert (rescues[label].n_added, rescues[label].core_gained) == (2, ("p1", "p2"))
    assert not any("Humans" in label for label in rescues)
    (guess,) = [
        r for r in Rescuer(_asked("rivers[tiab] AND stones[tiab]", core=(1, 2))).rescues(2) if "heading" in r.label
    ]
    assert "Soups" in guess.label  # carried, and named by no term


NAMES = ("Soups", "Lentil Soups", "Stones", "Ovens", "Humans", "*Soups/history")
WORDS = ("broths", "stones", "lentils", "rivers")
publications = st.lists(
    st.tuples(
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join),
        st.lists(st.sampled_from(NAMES), max_size=3, unique=True),
    ),
    min_size=4,
    max_size=20,
)


@given(publications, st.sampled_from([MESH, None]), st.data())
def test_an_added_heading_does_what_it_says(
    found: list[tuple[str, list[str]]], mesh: MeshThesaurus | None, data: st.DataObject
) -> None:
    titles, carried = tuple(title for title, _ in found), tuple(headings for _, headings in found)
    core = tuple(sorted(data.draw(st.sets(st.integers(0, len(found) - 1), min_size=1))))
    text = data.draw(st.sampled_from(("broths[tiab] AND stones[tiab]", "broths[tiab] OR rivers[ti]", "lentils[ti]")))
    asked = _asked(text, titles, carried, core=core, mesh=mesh)
    block = asked.matched.children[0][0] if " AND " in text else 0
    rescuer = Rescuer(asked)
    target = [row for row in core if row not in rows_of(asked.matches)]
    for suggestion in priced(suggest_carried(asked, block), rescuer, block):
        keys = mesh.exploded(suggestion.text) if mesh else {heading_key(suggestion.text)}
        having = {
            row
            for row, headings in enumerate(carried)
            if any(heading_key(h.removeprefix("*").partition("/")[0]) in keys for h in headings)
        }
        assert (suggestion.n_target, suggestion.n_corpus) == (len(having.intersection(target)), len(having))
        if suggestion.if_added is not None:
            again = _asked(apply_edits(text, suggestion.if_added.edits), titles, carried, core=core, mesh=mesh)
            assert len(rows_of(again.matches & ~asked.matches)) == suggestion.if_added.n_added
    for row in target:
        for rescue in rescuer.rescues(row):
            again = _asked(apply_edits(text, rescue.edits), titles, carried, core=core, mesh=mesh)
            assert row in rows_of(again.matches)
            assert len(rows_of(again.matches & ~asked.matches)) == rescue.n_added
