"""Where keywords stand at first, and which core publications negative ones remove."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from core.query.match import of_rows
from core.writer.sheet_search import excluded_core, sort
from core.writer.sheets import LISTS, Brief, Keyword
from tests.core.writer.writer_sets import looked_up, stakes_on

N = 60
CORE, NEAR = set(range(6)), set(range(20))
KNOWN = {
    "trees": NEAR | set(range(20, 30)),
    "street trees": set(range(15)),
    "heat": set(range(50)),
    "canopy": set(range(18)),
    "fluke of one": {3},
    "never near": set(range(40, 60)),
    "half and half": set(range(10)) | set(range(40, 50)),
}


def lists_of(keywords, topic="Trees", *, accepted=NEAR, core=CORE, **options):
    sheet = sort(
        tuple(map(Keyword, keywords)), looked_up(N, KNOWN), stakes_on(N, core, accepted), Brief(topic, **options)
    )
    return {k.text: name for name in LISTS for k in sheet.of(name)}


def test_every_list_gets_what_belongs_there():
    found = lists_of(("street trees", "canopy", "heat", "fluke of one", "never near", "unheard of"))
    assert found == {
        "trees": "overarching",
        "street trees": "specific",
        "canopy": "general",  # precise, but a single word that the topic's name does not have
        "heat": "general",
        "fluke of one": "aside",
        "never near": "aside",
        "unheard of": "aside",
    }


def test_a_word_of_the_topic_in_another_form_says_enough_to_stand_alone():
    assert lists_of(("canopy",), topic="Canopies")["canopy"] == "specific"


def test_a_word_of_the_topic_that_the_corpus_does_not_have_stands_aside():
    assert lists_of((), topic="Trees of Arden") == {"trees": "overarching", "arden": "aside"}


def test_how_precise_a_keyword_has_to_be_depends_on_the_mode():
    found = {
        mode: lists_of(("half and half",), mode=mode)["half and half"] for mode in ("strict", "moderate", "creative")
    }
    assert found == {"strict": "general", "moderate": "specific", "creative": "specific"}


def test_what_is_not_wanted_is_excluded_whoever_proposed_it():
    assert lists_of(("street trees",), negative=(" Street trees ", "trees", " "))["Street trees"] == "excluded"
    assert lists_of((), negative=("trees",)) == {"trees": "excluded"}


def test_without_core_publications_all_that_matches_is_general():
    assert lists_of(("street trees", "unheard of"), core=(), accepted=()) == {
        "trees": "overarching",
        "street trees": "general",
        "unheard of": "aside",
    }


texts = st.sampled_from((*KNOWN, "TREES", "street-trees", "Heat", "§", "no such"))


@settings(max_examples=60, deadline=None)
@given(st.lists(texts), st.lists(texts, max_size=3))
def test_no_keyword_is_lost_and_none_stands_twice(keywords, negative):
    found = lists_of(keywords, negative=tuple(negative))
    assert {Keyword(text).key for text in found} == {Keyword(text).key for text in (*keywords, *negative, "trees")}
    assert len(found) == len({Keyword(text).key for text in found})


def test_which_core_publications_a_negative_keyword_removes():
    negative = (Keyword("fluke of one"), Keyword("never near"), Keyword("heat"), Keyword("unheard of"))
    found = excluded_core(negative, looked_up(N, KNOWN), of_rows(sorted(CORE), N))
    assert [each.keyword for each in found] == list(negative)
    assert [each.core_rows for each in found] == [(3,), (), tuple(sorted(CORE)), ()]
