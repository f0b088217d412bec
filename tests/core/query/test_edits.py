"""Edits of real search strings: the text read again asks for what was priced."""

from __future__ import annotations

import pytest

from core.query.explanations import Rescuer
from core.query.match import holds, match, rows_of
from core.query.parser import parse
from core.query.translation import DialectWriter
from core.query.tree import apply_edits
from tests.core.query_scenes import FakeCorpus, stakes_of, texts_of, weighed

PUBLICATIONS = [
    {"title": "Adaptive robots", "abstract": "heat in the graph"},
    {"title": "Robot plans", "abstract": "we adapt heat"},
    {"title": "Adapt a robot", "abstract": "heat"},
    {"title": "Robot heat", "abstract": "net of petri"},
    {"title": "Rabbit robot", "abstract": "adapt"},
    {"title": "Nothing of this", "abstract": "or of adaptive robots"},
    {"title": "heat plans of robots", "abstract": "net far of petri and robot with a b c adapt"},
    {"title": "reconfiguring adaptive planning", "abstract": "robot"},
    *({"title": "filler of the corpus"} for _ in range(25)),
]
QUERIES = [
    ("pubmed", "robot[ti] AND (adapt[ti] OR change[tiab])"),
    ("pubmed", '(robot[tiab] OR "petri net"[tiab]) AND adapt[ti] NOT rabbit[ti]'),
    ("pubmed", "robot AND heat AND plan NOT (rabbit OR filler)"),
    ("wos", "TI=(robot OR petri) AND TS=(adapt OR change)"),
    ("wos", "TS=(robot NEAR/1 adapt) AND TS=heat"),
    ("wos", "TS=(robot) NOT TI=(rabbit OR plan)"),
    ("wos", 'TI=(robot NEAR/1 adapt OR "petri net") AND TS=heat'),
    ("wos", "(TI=(adapt OR change) OR TI=(far)) AND TS=robot"),
    ("scopus", "TITLE-ABS(robot AND (adapt OR change))"),
    ("scopus", 'TITLE-ABS-KEY("petri net") AND NOT TITLE(rabbit)'),
    ("ovid", "robot.ti. and (adapt or change).ti,ab."),
    ("ovid", "(robot adj2 adapt).ti,ab. and heat.ab."),
    ("ovid", "1. (robot or petri).ti.\n2. adapt.ti.\n3. 1 and 2\n4. 1 and heat.ti,ab.\n5. 3 or 4"),
    ("ebsco", "TI (robot OR plan) AND AB adapt"),
    ("ebsco", "(robot N1 adapt) AND heat NOT TI rabbit"),
    ("dimensions", 'robot AND (adapt OR "petri net")'),
    ("openalex", 'robot AND (adapt OR "petri net")'),
]


CORPUS = FakeCorpus(texts_of(PUBLICATIONS))


def matched_as(dialect, text):
    return match(parse(text, dialect).root, CORPUS, "literal")


def rescuer_of(dialect, text):
    stakes = stakes_of(CORPUS.texts.n, range(8))
    return Rescuer(weighed(text, matched_as(dialect, text), CORPUS, stakes, DialectWriter(dialect)))


def edited_for(row, dialect, text):
    """Each edit that rescues a publication, by its label."""
    return {r.label: apply_edits(text, r.edits) for _, r in rescuer_of(dialect, text).working_edits(row)}


@pytest.mark.parametrize(("dialect", "text"), QUERIES)
def test_an_edited_search_string_retrieves_what_was_promised(dialect, text):
    rescuer, n_checked = rescuer_of(dialect, text), 0
    before = matched_as(dialect, text).root
    for row in range(8):
        for _, rescue in rescuer.working_edits(row):
            again = matched_as(dialect, apply_edits(text, rescue.edits)).root
            assert holds(again, row), rescue.label
            assert rescue.n_added == len(rows_of(again & ~before)), rescue.label
            n_checked += 1
    assert n_checked > 3


@pytest.mark.parametrize(
    ("dialect", "text", "label", "edited"),
    [
        ("wos", "TI=(robot OR cat) AND TS=heat", "add robots to block 1", "TI=(robot OR cat OR robots) AND TS=heat"),
        ("wos", "TI=robot AND TS=heat", "add robots to block 1", "(TI=robot OR TI=robots) AND TS=heat"),
        ("wos", "TI=robot AND TS=heat", "truncate robot to robot*", "TI=robot* AND TS=heat"),
        ("wos", "TI=(robot) AND TS=heat", "leave out block 1", "TS=heat"),
        ("pubmed", "robot[ti] AND heat", "add robots to block 1", "(robot[ti] OR robots[ti]) AND heat"),
        ("ovid", "(robot or cat).ti. and heat.ti,ab.", "leave out block 1", "heat.ti,ab."),
        ("scopus", "TITLE(robot OR cat) AND heat", "truncate robot to robot*", "TITLE(robot* OR cat) AND heat"),
    ],
)
def test_fields_stay_where_they_stand(dialect, text, label, edited):
    assert edited_for(0, dialect, text)[label] == edited


def test_fields_are_widened_only_where_the_term_has_its_own():
    own = edited_for(1, "pubmed", "robot AND (adapt[ti] OR cat[ti])")
    label = "search adapt in title, abstract and keywords instead of title"
    assert own[label] == "robot AND (adapt[tiab] OR cat[ti])"
    around = edited_for(1, "wos", "TS=robot AND TI=(adapt OR cat)")
    assert [label for label in around if label.startswith("search adapt in")] == []
