"""The sixteen items: official titles, what is known, likely or open, and what becomes of what people say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.audit.prisma_items import FLOW_LABELS, ITEMS, checked_text, number_of, reasons_of
from core.audit.prisma_report import prisma_s
from core.audit.prisma_s import FilledItem, completeness, fill, filter_signs, what_changed
from core.audit.strategies import (
    AnswerState,
    AuditAnswer,
    AuditFacts,
    Deduplication,
    FileFacts,
    ReviewFacts,
    SearchFacts,
    StrategyLine,
    UnfinishedRun,
)
from core.errors import InputError, NotFoundError
from core.report import AnswerPrompt, Figure, Listing, Remark, ReportDocument, ReportHeading, Strategy
from tests.audit_cases import HOSTILE, audit_facts, search_facts
from tests.messages import assert_message

NOTHING = AuditFacts("Tea", False, 0, (), (), Deduplication(0, 0, (), 0, 0, 0))
LOCAL = SearchFacts(
    version="v1",
    source="the 800 publications of this topic",
    platform="Queryscape",
    how="local",
    text="heat AND trees",
    dialect="plain",
    sent=("heat AND trees",),
    lines=(StrategyLine(1, "heat", 448, "the 800 publications of this topic"),),
    limits=(),
    began="2026-05-04T08:00:00+00:00",
    ended="2026-05-04T08:00:00+00:00",
    n_total=None,
    n_records=None,
    n_publications=295,
)
BROUGHT = replace(
    LOCAL,
    version="From a file",
    source="scopus.csv",
    platform="",
    how="file",
    sent=(),
    began=None,
    ended=None,
    n_records=40,
    n_publications=38,
)
FILE = FileFacts("scopus.csv", "version", "From a file", "scopus_csv", 40, 0, 40, 38, "Scopus")


def of(facts: AuditFacts, number: int) -> FilledItem:
    return fill(facts)[number - 1]


def facts_of(*searches: SearchFacts, **more: object) -> AuditFacts:
    return replace(NOTHING, searches=searches, **more)  # type: ignore[arg-type]


def answered(facts: AuditFacts, number: int, state: AnswerState, text: str) -> FilledItem:
    """An item after somebody answered it."""
    answer = AuditAnswer(f"prisma-s:{number}", state, text, "A. Person", "2026-05-05T09:00:00+00:00")
    return of(replace(facts, answers={answer.item: answer}), number)


def report(facts: AuditFacts) -> ReportDocument:
    return prisma_s(facts, made_at="2026-05-05T00:00:00+00:00", made_with="Q")


def test_the_items_have_their_official_titles() -> None:
    assert_message(*(item.title for item in ITEMS))
    assert [item.number for item in ITEMS] == list(range(1, 17))
    assert [[i.number for i in ITEMS if i.part == part] for part in dict.fromkeys(i.part for i in ITEMS)] == [
        *([1, 2, 3, 4, 5, 6, 7], [8, 9, 10, 11, 12, 13], [14], [15, 16]),
    ]


def test_nothing_is_claimed_of_a_topic_without_searches() -> None:
    filled = fill(NOTHING)
    assert {one.state for one in filled} == {"open"}
    assert all(one.next_step for one in filled)
    counted = completeness(filled)
    assert (counted.n, counted.n_open) == (16, 16)
    assert "16 are open" in counted.sentence


def test_a_live_search_is_recorded() -> None:
    facts = facts_of(search_facts())
    for number in (1, 2, 8, 9, 13, 15):
        assert of(facts, number).state == "known", number
    assert "through NCBI E-utilities" in of(facts, 1).text
    assert "4 May 2026, 08:00 UTC+02:00" in of(facts, 13).text
    assert "231 records" in of(facts, 15).text
    strategies = [block for block in of(facts, 8).blocks if isinstance(block, Strategy)]
    assert [block.text for block in strategies] == [search_facts().text, *search_facts().sent]
    lines = of(facts, 8).tables[0]
    assert [row[2] for row in lines.rows] == [1_234, 98_765, None]


def test_a_run_over_the_topic_is_not_called_a_database() -> None:
    facts = facts_of(LOCAL)
    assert of(facts, 1).state == "open"
    assert "not over a" in of(facts, 1).text
    assert of(facts, 8).state == "known"
    assert of(facts, 13).state == "likely"
    assert of(facts, 15).state == "likely"
    assert of(facts, 2).state == "open"


def test_the_form_of_a_file_makes_its_database_likely() -> None:
    assert of(facts_of(BROUGHT, files=(FILE,)), 1).state == "likely"
    assert "export from Scopus" in of(facts_of(BROUGHT, files=(FILE,)), 1).text
    unknown = replace(FILE, provider="")
    assert of(facts_of(BROUGHT, files=(unknown,)), 1).state == "open"
    assert of(facts_of(BROUGHT), 1).state == "open"
    assert of(facts_of(BROUGHT, files=(FILE,)), 13).state == "open"  # when it was brought in is not when it was run
    core = replace(FILE, role="core", version=None)
    assert of(facts_of(LOCAL, files=(core,)), 1).state == "open"  # a list of core publications is no search


def test_a_wording_that_is_not_known_stays_open() -> None:
    facts = facts_of(replace(BROUGHT, text="", lines=()), files=(FILE,))
    assert of(facts, 8).state == "open"
    assert "“From a file” is not recorded" in of(facts, 8).text
    assert of(facts, 9).state == "open"
    assert of(facts, 10).state == "open"


def test_a_cut_search_says_so_loudly() -> None:
    facts = facts_of(replace(search_facts(), most=100, is_cut=True, advice="Of 231 publications 100 come."))
    for number in (9, 15):
        assert any("by its cap" in warning for warning in of(facts, number).warnings)
    assert any(isinstance(block, Remark) and block.is_warning for block in report(facts).blocks[:3])


def test_an_unfinished_run_is_named_and_not_counted() -> None:
    run = UnfinishedRun("PubMed", "paused", "tea", 20, "2031-01-05T09:30:00+00:00")
    one = of(facts_of(unfinished=(run,)), 15)
    assert one.state == "open"
    assert "is unfinished (paused, 20 records so far)" in one.warnings[0]


@pytest.mark.parametrize(
    ("search", "number", "words"),
    [
        (replace(LOCAL, origin="review"), 11, "that of an earlier review"),
        (replace(LOCAL, origin="generated"), 7, "generated, not written by hand"),
        (replace(LOCAL, is_ranked=True), 7, "the best of a ranking"),
        (replace(search_facts(), repeats="2026-01-04T08:00:00+00:00"), 12, "4 January 2026, 08:00 UTC was run again"),
        (replace(LOCAL, text="heat AND systematic[sb]"), 10, "systematic[sb]"),
    ],
)
def test_what_is_likely_names_its_evidence(search: SearchFacts, number: int, words: str) -> None:
    one = of(facts_of(search), number)
    assert one.state == "likely"
    assert words in one.text
    assert one.evidence
    assert one.next_step


def test_peer_review_is_known_when_signed_and_likely_when_begun() -> None:
    begun = ReviewFacts("v1", "", None)
    signed = ReviewFacts("v1", "A. Librarian", "2026-05-06T10:00:00+00:00", "suggested")
    assert of(facts_of(LOCAL), 14).state == "open"
    assert of(facts_of(LOCAL, reviews=(begun,)), 14).state == "likely"
    one = of(facts_of(LOCAL, reviews=(signed,), n_reviews_signed=1), 14)
    assert one.state == "known"
    assert "by A. Librarian, signed on 6 May 2026, 10:00 UTC; verdict: revision(s) suggested" in one.text
    other = replace(LOCAL, version="v2")
    assert "No review of version “v2”" in of(facts_of(LOCAL, other, reviews=(signed,), n_reviews_signed=1), 14).text


def test_reviews_of_recorded_searches_are_named_as_such_and_leave_versions_unreviewed() -> None:
    at = "2026-05-06T10:00:00+00:00"
    signed = ReviewFacts("MEDLINE (Ovid)", "A. Librarian", at, is_search=True)
    text = of(facts_of(LOCAL, reviews=(signed,), n_reviews_signed=1), 14).text
    assert text.startswith("The search “MEDLINE (Ovid)” was peer reviewed")
    assert "No review of version “v1”" in text
    begun = (
        ReviewFacts("v1", "", None),
        ReviewFacts("A", "", None, is_search=True),
        ReviewFacts("B", "", None, is_search=True),
    )
    assert "version “v1” and the searches “A” and “B”" in of(facts_of(LOCAL, reviews=begun), 14).text


def test_a_review_that_was_changed_after_signing_is_not_signed() -> None:
    edited = ReviewFacts("v1", "A. Librarian", None, "none", ("the overall comments",))
    one = of(facts_of(LOCAL, reviews=(edited,)), 14)
    assert one.state == "likely"
    assert "signed: the overall comments" in one.text
    assert "sign it again" in one.next_step
    assert "begun" not in one.text
    assert "begun" not in one.evidence
    assert "not signed" not in one.text


def test_deduplication_counts_by_rule_and_what_is_undecided() -> None:
    one = of(audit_facts(), 16)
    assert one.state == "known"
    assert "Of 248 records of the reported searches, 8 were" in one.text
    assert "6 by Same DOI and 2 by Same title and year" in one.text
    assert "kept 1 pair apart" in one.text
    assert "3 pairs" in one.text
    assert one.next_step
    assert of(NOTHING, 16).state == "open"


def test_deduplication_counts_works_with_two_versions_and_retractions_if_there_are_any() -> None:
    facts = audit_facts()
    assert "preprint" not in of(facts, 16).text
    assert "retracted" not in of(facts, 16).text
    one = of(replace(facts, deduplication=replace(facts.deduplication, n_two_versions=4, n_retracted=1)), 16)
    assert "4 publications have a record of the preprint" in one.text
    assert "1 publication was retracted" in one.text


def test_what_people_say_stands_and_what_has_changed_is_told() -> None:
    facts = facts_of(search_facts())
    recorded = of(facts, 15).recorded
    assert answered(facts, 15, "confirmed", recorded).state == "said"
    assert answered(facts, 15, "confirmed", recorded.replace(" ", "  ")).state == "said"
    old = answered(facts, 15, "confirmed", recorded.replace("231", "200"))
    assert old.state == "changed"
    assert "200" in old.change
    assert "231" in old.change
    assert old.text == recorded
    assert answered(facts, 3, "own", "Two registers were searched.").text == "Two registers were searched."
    not_done = answered(facts, 3, "not done", "")
    assert not_done.text.startswith("Not done:")
    assert not not_done.next_step


def test_a_text_in_another_order_has_changed_too() -> None:
    assert what_changed("a\nb", "b\na").startswith("Only the order")
    assert "No longer recorded: “b”" in what_changed("a\nb", "a")


def test_completeness_adds_up() -> None:
    facts = audit_facts()
    counted = completeness(fill(facts))
    parts = (counted.n_known, counted.n_likely, counted.n_open, counted.n_said, counted.n_changed)
    assert sum(parts) == counted.n == 16
    assert counted.n_said == 1
    every = {
        item.item: AuditAnswer(item.item, "own", "Said.", "", "2026-05-05T09:00:00+00:00")
        for item in ITEMS
        if item.number not in (1, 2, 8, 9, 13, 15, 16)
    }
    whole = completeness(fill(replace(facts, answers=every)))
    assert whole.sentence == "All 16 items are answered: 7 from the record, 9 by people."


def test_the_report_has_every_item_a_prompt_where_it_is_open_and_the_flow() -> None:
    document = report(audit_facts(("a", "b")))
    heads = [block.text for block in document.blocks if isinstance(block, ReportHeading) and block.level == 3]
    assert heads == [f"{item.number} {item.title}" for item in ITEMS]
    prompted = {block.item for block in document.blocks if isinstance(block, AnswerPrompt)}
    assert "prisma-s:6" in prompted
    assert "prisma-s:5" not in prompted  # somebody said
    figure = next(block for block in document.blocks if isinstance(block, Figure))
    assert "Records screened" in figure.alternative
    assert document.made_up


def test_hostile_words_stay_words() -> None:
    searches = tuple(replace(LOCAL, version=text, text=text, sent=(text,), source=text) for text in HOSTILE)
    answers = {"prisma-s:4": AuditAnswer("prisma-s:4", "own", "\n".join(HOSTILE), HOSTILE[0], "no time")}
    document = report(facts_of(*searches, answers=answers))
    texts = [block.text for block in document.blocks if isinstance(block, Strategy)]
    assert texts == list(HOSTILE)


@pytest.mark.parametrize(
    ("item", "state", "text", "words"),
    [
        ("prisma-s:99", "own", "x", "there is no item"),
        ("flow:nothing", "own", "1", "there is no item"),
        ("prisma-s:8", "not done", "", "part of every search"),
        ("prisma-s:4", "own", "  ", "is empty"),
        ("prisma-s:4", "own", "a\x00b", "control characters"),
        ("prisma-s:4", "own", "a" * 10_001, "up to 10,000"),
        *(("flow:screened", "own", text, "whole number") for text in ("about 5", "-5", "1.5", "9" * 12, "9" * 5000)),
        ("flow:reports-excluded", "own", f"A: {'9' * 5000}", "whole number"),
        ("prisma-s:4", "own", "a\u202eb", "control characters"),
        ("flow:screened", "not done", "", "enter 0"),
        ("flow:reports-excluded", "own", "Wrong population: many", "whole number"),
    ],
)
def test_what_can_not_be_said_is_refused(item: str, state: AnswerState, text: str, words: str) -> None:
    with pytest.raises((InputError, NotFoundError), match=words):
        checked_text(item, state, text)


def test_what_can_be_said_is_kept_as_it_is() -> None:
    assert checked_text("prisma-s:4", "own", " a\r\nb ") == "a\nb"
    assert checked_text("prisma-s:4", "not done", "") == ""
    assert checked_text("flow:screened", "own", " 1,234 ") == "1,234"
    assert checked_text("flow:reports-excluded", "own", "A: 1\nB (n = 2)") == "A: 1\nB (n = 2)"
    assert number_of("1 234") == number_of("1\u00a0234") == number_of("1\u202f234") == number_of("0001234") == 1234
    assert number_of("٣") is None
    pasted = "Web\u00a0of\u00a0Science, 12\u202f% of a soft\u00adware’s list\u200f"
    assert checked_text("prisma-s:4", "own", pasted) == pasted
    assert checked_text("prisma-s:4", "own", "a\u2028b") == "a\nb"
    assert checked_text("prisma-s:9", "confirmed", "a" * 10_001)
    assert reasons_of("A: 1\nnothing") == ()
    assert len(FLOW_LABELS) == 13


def test_that_something_is_missing_can_not_be_confirmed() -> None:
    missing = facts_of(BROUGHT, replace(BROUGHT, version="b", text=""))
    for number in (8, 9, 13):
        one = of(missing, number)
        assert (one.state, one.recorded) == ("open", "")
        again = answered(missing, number, "confirmed", one.text)
        assert (again.state, again.next_step) == ("open", one.next_step)
    after = answered(missing, 8, "confirmed", of(facts_of(BROUGHT), 8).recorded)
    assert (after.state, after.recorded) == ("changed", "")
    assert after.next_step.startswith("Copy the missing")


def test_own_words_do_not_hide_what_was_recorded() -> None:
    live = replace(LOCAL, how="live", source="PubMed", most=30, n_records=30, n_total=200, is_cut=True)
    said = AuditAnswer("prisma-s:9", "own", "Only English was read.", "", "2031-05-06T12:00:00+00:00")
    facts = facts_of(live, answers={said.item: said})
    one = of(facts, 9)
    assert one.text == said.text
    assert "Version “v1”: the cap was 30 records, and it cut the search." in one.set_aside
    assert Listing(one.set_aside) in report(facts).blocks
    assert answered(facts_of(live), 5, "own", said.text).set_aside == ()


def test_a_cut_search_is_said_where_its_string_and_its_date_stand() -> None:
    live = replace(LOCAL, how="live", source="PubMed", most=30, is_cut=True, advice="Raise the cap.")
    warning = "Version “v1” was cut by its cap. Raise the cap."
    assert Remark(warning, is_warning=True) in of(facts_of(live), 8).blocks
    assert all(warning in of(facts_of(live), number).warnings for number in (9, 13, 15))
    run = UnfinishedRun("PubMed", "failed", "tea", 3, "2031-05-06T12:00:00+00:00")
    assert "is unfinished" in of(facts_of(unfinished=(run,)), 13).warnings[0]


def test_another_wording_of_the_same_name_is_noticed() -> None:
    before = of(facts_of(BROUGHT), 8).recorded
    assert answered(facts_of(BROUGHT), 8, "confirmed", before).state == "said"
    after = answered(facts_of(replace(BROUGHT, text="heat AND treed")), 8, "confirmed", before)
    assert after.state == "changed"
    assert "14 signs" in after.change


def test_a_search_that_was_over_within_a_minute_has_one_moment() -> None:
    live = replace(LOCAL, how="live", source="PubMed", ended="2026-05-04T08:00:40+00:00")
    assert of(facts_of(live), 13).text == "Version “v1”: PubMed was searched on 4 May 2026, 08:00 UTC."


def test_filters_are_recognised_by_their_own_words() -> None:
    trials = "(randomized controlled trial[pt] OR controlled clinical trial[pt]) AND heat"
    assert "randomized trials" in filter_signs(trials)[0].name
    assert "animals" in filter_signs("heat NOT (animals[mh] NOT humans[mh])")[0].name
    assert filter_signs("randomized controlled trial[pt] AND heat") == ()
    assert filter_signs("filter* AND tea") == ()
