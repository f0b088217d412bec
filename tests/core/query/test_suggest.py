"""Suggestions against counting and scoring in plain Python."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.query.explanations import Rescuer, says_something
from core.query.match import match, rows_of
from core.query.suggestions import (
    Snippet,
    Stretches,
    counted,
    first_place,
    in_context,
    n_publications_with,
    packed,
    priced,
    runs_in,
    suggest,
    worth_a_look,
)
from core.query.tree import Group
from tests.core.query_scenes import (
    FIELDS,
    all_of_these,
    asked_about,
    one_of_these,
    term,
    texts_of,
    titles,
)

keywords = st.lists(titles, max_size=3).map("; ".join)
corpora = st.lists(
    st.fixed_dictionaries({"title": titles, "abstract": titles, "keywords": keywords}), min_size=1, max_size=14
)


def parts_of(publication):
    """The words of each field, and of each keyword."""
    return [part.split() for field in FIELDS for part in publication.get(field, "").split(";")]


def has(publication, run):
    """Whether the run stands inside one field."""
    return any(
        tuple(words[i : i + len(run)]) == run
        for words in parts_of(publication)
        for i in range(len(words) - len(run) + 1)
    )


def runs_of(publication):
    return {
        tuple(words[i : i + n]) for words in parts_of(publication) for n in (1, 2, 3) for i in range(len(words) - n + 1)
    }


def z_slowly(y, n, y_all, n_all):
    """Monroe, Colaresi and Quinn, equations 16 to 22, for one term."""
    prior, prior_all = 10 * y_all / n_all, 10
    odds = log((y + prior) / (n + prior_all - y - prior)) - log((y_all + prior) / (n_all + prior_all - y_all - prior))
    return odds / sqrt(1 / (y + prior) + 1 / (y_all + prior))


@settings(deadline=None)
@given(corpora, st.data())
def test_suggestions_are_those_of_a_plain_count(publications, data):
    texts = texts_of(publications)
    target = sorted(data.draw(st.sets(st.integers(0, len(publications) - 1))))
    expected = {}
    for run in set().union(*map(runs_of, publications)):
        y, y_all = sum(has(publications[r], run) for r in target), sum(has(p, run) for p in publications)
        if y_all < len(publications) and says_something(run[0]) and says_something(run[-1]):
            z = z_slowly(y, len(target), y_all, len(publications))
            if z > 0:
                in_keywords = sum(has({"keywords": publications[r]["keywords"]}, run) for r in target) >= 2
                kind = "keyword" if in_keywords else "word" if len(run) == 1 else "phrase"
                expected[" ".join(run)] = (kind, pytest.approx(z), y, y_all)
    found = suggest(texts, np.array(target, dtype=np.intp), most=10_000)
    clear = {text: row for text, row in expected.items() if row[1] != pytest.approx(0, abs=1e-9)}
    assert {s.text: (s.kind, s.z, s.n_target, s.n_corpus) for s in found if s.z > 1e-9} == clear
    assert [s.z for s in found] == sorted((s.z for s in found), reverse=True)


@given(corpora, st.integers(1, 3))
def test_runs_are_counted_by_publication_and_never_across_fields(publications, n):
    texts = texts_of(publications)
    runs = runs_in(texts, np.arange(texts.n), n)
    numbers, n_publications = counted(packed(texts, runs.starts, n), runs.rows)
    assert n_publications_with(texts, Stretches.of(texts), numbers, n).tolist() == n_publications.tolist()
    distinct = {run for p in publications for run in runs_of(p) if len(run) == n}
    assert len(numbers) == len(distinct)
    assert sorted(n_publications.tolist()) == sorted(sum(has(p, run) for p in publications) for run in distinct)


PUBLICATIONS = [
    *({"title": "a petri net of workflow", "abstract": "adaptive control"} for _ in range(4)),
    *({"title": "heat in a graph", "abstract": "control"} for _ in range(19)),
    {"title": "heat", "abstract": "workflows of control"},
]


def texts_suggested(query=None, semantics="literal"):
    texts = texts_of(PUBLICATIONS)
    return [s.text for s in suggest(texts, np.arange(4), query=query, semantics=semantics)]


def test_phrases_neither_begin_nor_end_with_small_words():
    found = texts_suggested()
    assert {"petri", "net", "petri net", "net of workflow", "adaptive control"} <= set(found)
    assert {"petri net of", "of workflow", "a petri", "of"} & set(found) == set()
    assert "control" not in found


def test_what_the_query_has_is_left_out():
    query = all_of_these(one_of_these("adapt*", '"petri net"'), "workflows")
    found = texts_suggested(query)
    assert {"adaptive", "petri net"} & set(found) == set()
    assert {"petri", "net", "workflow"} <= set(found)
    assert "workflow" not in texts_suggested(query, "stemmed")


@pytest.mark.parametrize(("n", "is_suggested"), [(49, True), (50, False)])
def test_a_word_of_one_publication_is_suggested_in_a_small_corpus_only(n, is_suggested):
    texts = texts_of(["bushfire smoke", *["smoke of wildfires"] * (n - 1)])
    assert ("bushfire" in {each.text for each in suggest(texts, np.array([0]))}) == is_suggested


def test_nothing_to_look_at_suggests_nothing():
    texts = texts_of(PUBLICATIONS)
    assert suggest(texts, np.zeros(0, dtype=np.intp)) == ()
    assert suggest(texts_of([""]), np.array([0])) == ()


def test_each_suggestion_is_priced_as_an_alternative_to_the_block():
    query = all_of_these(one_of_these("heat", "cat"), "control*")
    asked = asked_about(query, PUBLICATIONS, {0, 1, 4}, accepted=[0, 1, 2, 4, 5])
    root, corpus = asked.matched.nodes[0], asked.corpus
    assert rows_of(worth_a_look(asked)).tolist() == [0, 1, 2]
    found = priced(suggest(corpus.texts, rows_of(worth_a_look(asked)), query=root), Rescuer(asked), 1)
    assert found
    for each in found:
        block = root.parts[0]
        added = term(f'"{each.text}"' if " " in each.text else each.text)
        edited = Group("AND", (Group("OR", (*block.parts, added)), root.parts[1]))
        after = match(edited, corpus, "literal").root
        assert each.if_added.n_added == len(rows_of(after & ~asked.retrieved))
        assert each.if_added.core_gained == ("p0", "p1")
        assert each.if_added.semantic_precision_added == 3 / 4
        assert each.if_added.f_beta == asked.stakes.f_beta(after)


def test_words_in_context():
    texts = texts_of([{"title": "one two three", "abstract": "a b petri net c d e"}])
    place = first_place(texts, 0, term('"petri net*"'))
    assert place == ("abstract", 2, 3)
    assert in_context(texts, 0, *place, width=1) == Snippet("… b", "petri net", "c …")
    assert in_context(texts, 0, "title", 0, 0) == Snippet("", "one", "two three")
    assert first_place(texts, 0, term("four")) is None


NOTICES = [
    "© 2019 Elsevier Ltd. All rights reserved.",
    "Copyright © 2020 The Authors. Published by Elsevier B.V. All rights reserved.",
    "(c) 2011 Wiley Periodicals, Inc.",
    "Published by Oxford University Press on behalf of the Society for Shade.",
    "© The Author(s) 2021. Copyright 2021 the authors.",
    "Copyright (c) 2024 The Shade Company.",
]


@pytest.mark.parametrize("notice", NOTICES)
def test_words_of_copyright_notices_are_never_suggested(notice: str) -> None:
    subject = "The gardens were cooled by moss."
    with_notice = [{"title": f"Roofs {n}", "abstract": f"{subject} {notice}"} for n in range(6)]
    others = [{"title": "Roofs", "abstract": "Nothing grows there."} for _ in range(30)]
    texts = texts_of([*with_notice, *others])
    suggested = {each.text for each in suggest(texts, np.arange(6))}
    plain = texts_of([{**each, "abstract": subject} for each in with_notice] + others)
    assert suggested == {each.text for each in suggest(plain, np.arange(6))} > {"moss", "gardens"}


def test_the_same_words_elsewhere_are_still_suggested() -> None:
    subject = "Copyright law and human rights were studied, and rights of authors published by the press."
    texts = texts_of([*({"title": "Law", "abstract": subject} for _ in range(6)), *["heat"] * 30])
    assert {"copyright", "rights", "copyright law"} <= {each.text for each in suggest(texts, np.arange(6))}
