"""Retracted publications are flagged, notices about them never; the latest notice of Retraction Watch decides."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.library.records import cleaned
from core.library.retractions import (
    NATURES,
    RetractionList,
    RetractionNotice,
    is_retraction_notice,
    notice_in_force,
    stated_retraction,
)

RETRACTED = [
    "RETRACTED: Soup and sleep",
    "Retracted: Soup and sleep",
    "[Retracted] Soup and sleep",
    "(Retracted) Soup and sleep",
    "RETRACTED ARTICLE: Soup and sleep",
    "Retracted Paper: Soup and sleep",
    "RETRACTED CHAPTER: Soup and sleep",
    "[RETRACTED ARTICLE] Soup and sleep",
    "RETRACTED — Soup and sleep",
    "Retracted - Soup and sleep",
    "Soup and sleep (Retracted article. See vol. 12, pg 3, 2010)",
    "Soup and sleep [Retracted]",
    "WITHDRAWN: Soup and sleep",
    "Withdrawn article: Soup and sleep",
]
NOTICES = [
    "Retraction: Soup and sleep",
    "RETRACTION",
    "Retraction notice to “Soup and sleep”",
    "Retraction Note: Soup and sleep",
    "Retraction note to: Soup and sleep",
    "Notice of Retraction: Soup and sleep",
    "Notice of retraction",
    "Statement of retraction: Soup and sleep",
    "Partial retraction: Soup and sleep",
    "Retraction of “Soup and sleep”",
    "Withdrawal notice: Soup and sleep",
]
NEITHER = [
    "Soup and sleep",
    "Retracted papers and soup",
    "Retraction of the tongue in sleep apnoea",
    "Why articles are retracted: a review",
    "Withdrawn behaviour in children",
    "Withdrawal from alcohol: a review",
    "Citations of articles (retracted or not) in reviews",
    "",
]


@pytest.mark.parametrize("title", RETRACTED)
def test_a_title_states_a_retraction(title: str) -> None:
    assert stated_retraction(title, (), None) is True
    assert stated_retraction(title, (), False) is True, "a source may learn of it later than the publisher"
    assert not is_retraction_notice(title)


@pytest.mark.parametrize("title", NOTICES)
def test_a_notice_is_never_retracted(title: str) -> None:
    assert is_retraction_notice(title)
    assert [stated_retraction(title, (), stated) for stated in (None, True, False)] == [None, None, None]


@pytest.mark.parametrize("title", NEITHER)
def test_other_titles_state_nothing(title: str) -> None:
    assert [stated_retraction(title, ("Journal Article",), stated) for stated in (None, True, False)] == [
        None,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        (("Journal Article", "Retracted Publication"), True),
        (("retracted publication",), True),
        (("Retraction of Publication",), None),
        (("Retraction Notice",), None),
        (("Published Erratum",), None),
    ],
)
def test_types_of_databases(types: tuple[str, ...], expected: bool | None) -> None:
    assert stated_retraction("Soup", types, None) is expected


def test_a_notice_may_repeat_the_title_of_what_it_retracts() -> None:
    assert stated_retraction("Retracted: Soup", ("Retraction of Publication",), None) is None


@pytest.mark.parametrize(
    ("title", "abstract", "expected"),
    [
        ("Soup and sleep", "Notice of Retraction After careful and considered review of this paper ...", True),
        ("Soup and sleep", "This article has been retracted: please see the policy on article withdrawal.", True),
        ("Retraction notice to “Soup and sleep”", "This article has been retracted at the authors' request.", None),
        ("Retracted: Soup and sleep", "[This retracts the article DOI: 10.1000/soup.].", None),
        ("Soup and sleep", "We study why an article has been retracted.", None),
        ("Soup and sleep", "", None),
    ],
)
def test_abstracts_that_state_it(title: str, abstract: str, expected: bool | None) -> None:
    assert stated_retraction(title, (), None, "", abstract) is expected


def test_a_withdrawn_review_of_cochrane_is_out_of_date_not_retracted() -> None:
    fields = {"title": "WITHDRAWN: Soup for sleep", "venue": "The Cochrane database of systematic reviews"}
    assert cleaned(1, 1, fields).is_retracted is None  # type: ignore[arg-type]
    assert cleaned(1, 1, fields | {"venue": "Journal of Soup"}).is_retracted is True  # type: ignore[arg-type]
    assert cleaned(1, 1, fields | {"types": ["Retracted Publication"]}).is_retracted is True  # type: ignore[arg-type]


def _notice(nature: str, date: str = "") -> RetractionNotice:
    return RetractionNotice("10.1000/x", "7", nature, date)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("notices", "expected"),
    [
        ([_notice("retraction", "2020-01-01")], "retraction"),
        ([_notice("expression of concern", "2020-01-01")], "expression of concern"),
        ([_notice("correction", "2020-01-01")], None),
        ([_notice("reinstatement", "2020-01-01")], None),
        ([_notice("expression of concern", "2019-01-01"), _notice("retraction", "2020-01-01")], "retraction"),
        ([_notice("retraction", "2019-01-01"), _notice("expression of concern", "2020-01-01")], "retraction"),
        ([_notice("retraction", "2019-01-01"), _notice("reinstatement", "2020-01-01")], None),
        ([_notice("reinstatement", "2019-01-01"), _notice("retraction", "2020-01-01")], "retraction"),
        ([_notice("retraction", "2020-01-01"), _notice("reinstatement", "2020-01-01")], None),
        ([_notice("retraction", "2020-01-01"), _notice("reinstatement")], "retraction"),
        ([_notice("retraction", "2020-01-01"), _notice("correction", "2021-01-01")], "retraction"),
    ],
)
def test_the_notice_in_force(notices: list[RetractionNotice], expected: str | None) -> None:
    for order in permutations(notices):
        found = notice_in_force(order)
        assert (found.nature if found else None) == expected


notice_lists = st.lists(
    st.builds(
        RetractionNotice,
        doi=st.sampled_from([None, "10.1/a", "10.1/b"]),
        pmid=st.sampled_from([None, "1", "2"]),
        nature=st.sampled_from(NATURES),
        date=st.sampled_from(["", "2019-01-01", "2020-01-01"]),
    ),
    max_size=8,
)


@given(notice_lists, st.sets(st.sampled_from(["10.1/a", "10.1/b"])), st.sets(st.sampled_from(["1", "2"])))
def test_a_look_up_uses_exactly_the_notices_with_one_of_the_identifiers(
    notices: list[RetractionNotice], dois: set[str], pmids: set[str]
) -> None:
    known = RetractionList(tuple(notices), "x.csv")
    naive = notice_in_force([n for n in notices if n.doi in dois or n.pmid in pmids])
    found = known.find(sorted(dois), sorted(pmids))
    assert (found and found.nature) == (naive and naive.nature)
    assert sum(known.counts.values()) == len(notices)
