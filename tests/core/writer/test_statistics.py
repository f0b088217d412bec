"""What is counted in the corpus against counting it again, and what is never proposed."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.writer.keywords import proposals_from_corpus
from core.writer.sheets import STATISTICS, Brief
from tests.core.query_scenes import texts_of

CORE = (
    "Street trees cool the city at night",
    "Shade of street trees in a heat wave",
    "A heat wave under street trees: this study shows shade",
    "Canopy shade in a heat wave",
)
NEAR = ("Canopy cover of parks", "Canopy cover and shade of parks", "Canopy of the city")
FAR = (
    "Traffic in the city at night",
    "This study shows traffic noise",
    "Noise of trains at night: this study shows",
    "Trains of the north",
    "Freight trains",
    "Freight of the north",
) * 3
TEXTS = texts_of((*CORE, *NEAR, *FAR))
ROWS, CLOSE = np.arange(len(CORE)), np.arange(len(CORE) + len(NEAR))
TOPIC = Brief("Street trees")


def proposed(brief=TOPIC, rows=ROWS, near=None, **options):
    return proposals_from_corpus(TEXTS, rows, brief=brief, near=near, **options)


def texts_in(proposals):
    return [each.keyword.text for each in proposals]


def has(row, text):
    return f" {text} " in f" {' '.join(TEXTS.words_of(row, 'title'))} "


@settings(max_examples=25, deadline=None)
@given(st.sets(st.integers(0, TEXTS.n - 1), min_size=1), st.none() | st.sets(st.integers(0, TEXTS.n - 1)))
def test_reasons_say_what_counting_again_says(rows, near):
    close = None if near is None else np.array(sorted(near), dtype=np.int64)
    found = proposed(rows=np.array(sorted(rows)), near=close)
    assert len({each.keyword.key for each in found}) == len(found)
    for each in found:
        n_here, n_target, what, n_all, n = re.fullmatch(
            r"In (\d+) of (\d+) (.+) and in (\d+) of (\d+) publications\.", each.reason
        ).groups()
        target = rows if what == "core publications in use" else near
        text = each.keyword.text
        assert (int(n_here), int(n_target)) == (sum(has(row, text) for row in target), len(target))
        assert (int(n_all), int(n)) == (sum(has(row, text) for row in range(TEXTS.n)), TEXTS.n)
        assert (each.reading, each.model) == (STATISTICS, "")


def test_what_sets_the_core_apart_comes_first_and_what_says_little_never():
    found = texts_in(proposed())
    assert found[0] == "heat wave"
    assert {"street trees", "shade"} <= set(found)
    assert not {"study", "shows", "this study", "study shows"} & set(found)


def test_of_a_phrase_and_a_part_that_occurs_nowhere_else_only_the_shorter_is_proposed():
    found = texts_in(proposed(near=CLOSE))
    assert "cover" in found
    assert "canopy cover" not in found


def test_of_two_words_that_occur_only_side_by_side_the_phrase_is_proposed():
    found = texts_in(proposed())
    assert "heat wave" in found
    assert not {"heat", "wave"} & set(found)


def test_what_is_close_to_the_core_brings_terms_of_its_own_unless_the_mode_is_strict():
    assert "parks" not in texts_in(proposed())
    (parks,) = (each for each in proposed(near=CLOSE) if each.keyword.text == "parks")
    assert re.fullmatch(r"In 2 of 7 publications .+ and in 2 of 25 publications\.", parks.reason)
    strict = proposed(Brief("Street trees", mode="strict"), near=CLOSE)
    assert "parks" not in texts_in(strict)
    assert all(int(each.reason.split()[1]) >= 3 for each in strict)


def test_without_core_publications_those_with_the_topics_words_stand_in():
    found = proposed(Brief("Freight trains"), rows=np.zeros(0, dtype=np.int64))
    assert {"freight", "trains"} & set(texts_in(found))
    assert "topic's words" in found[0].reason


@pytest.mark.parametrize("topic", ["Zymurgy", "of the", "§"])
def test_a_topic_that_matches_nothing_and_has_no_core_publications_brings_nothing(topic):
    brief = Brief(topic) if topic != "§" else Brief("7")
    assert proposed(brief, rows=np.zeros(0, dtype=np.int64)) == ()


def test_what_is_not_wanted_is_not_proposed_even_inside_a_phrase():
    assert not any("shade" in text.split() for text in texts_in(proposed(Brief("Trees", negative=("Shade",)))))


def test_a_word_of_most_of_the_corpus_is_proposed_only_if_the_topics_name_has_it():
    texts = texts_of([f"Sleep of nurses {word}" for word in ("one", "two", "six")] + ["Sleep of dogs"] * 2 + ["Cats"])
    found = {topic: proposals_from_corpus(texts, np.arange(3), brief=Brief(topic)) for topic in ("Nurses", "Sleep")}
    assert "sleep" not in texts_in(found["Nurses"])
    assert "sleep" in texts_in(found["Sleep"])


def test_no_more_are_proposed_than_wanted():
    assert texts_in(proposed(near=CLOSE, most=3)) == texts_in(proposed(near=CLOSE))[:3]


def test_nothing_tells_a_publication_that_is_held_out_from_any_other():
    """Only rows and near decide: the same call gives the same keywords, whatever else the core set holds."""
    assert proposed(near=CLOSE) == proposed(near=CLOSE[::-1], rows=ROWS[::-1])


def test_without_core_publications_the_order_of_the_corpus_decides_nothing():
    """Core publications come first in it, and more have the topic's words than can stand in."""
    said = [
        f"Trees of street {chr(97 + i)}{chr(97 + j)} and {word}"
        for i in range(10)
        for j, word in enumerate(("shade", "shade", "canopy", "canopy", "roots", "roots", "heat", "leaves"))
    ] + [f"Freight train {i}" for i in range(80)]
    there, back = (
        proposals_from_corpus(texts_of(tuple(each)), np.array([], dtype=np.int64), brief=Brief("Trees"))
        for each in (said, said[::-1])
    )
    assert there
    assert there == back
