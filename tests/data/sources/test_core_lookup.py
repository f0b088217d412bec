"""Core publications looked up in a source: every verdict, what it says, what it costs, and that it is remembered."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import BudgetSpentError, EndsAllError, OutOfReachError, RefusedRequestError
from core.query.adaptation import Loss
from core.query.parser import parse
from core.sources.core_lookup import FailingPart, shortened, why_missed
from core.sources.preparation import clauses
from core.sources.source_forms import Form, PreparedSearch, SourceOptions
from data.explore.workspace import Workspace
from data.library.imports import FileUpload, ImportChoices, bring_files
from data.library.records import SourceRole
from data.sources.core_lookup import Lookup, look_up, remember_lookup, remembered_lookup, wanted_core
from data.sources.types import LookupTarget
from tests.data.tiny_source import TinySource, record
from tests.data.workspaces import TOPIC, fill

TEXT = "(heat[ti] OR warmth[ti]) AND (tree[ti] OR shade[ti]) NOT review[ti]"
RECORDS = {
    "1": record("Heat and shade", "10.1/a"),
    "2": record("Heat in cities", "10.1/b"),
    "3": record("Cities", "10.1/c"),
    "4": record("Heat and shade: a review", "10.1/d"),
}


def wanted(*dois: str) -> list[LookupTarget]:
    return [LookupTarget(doi[-1], f"Title {doi[-1]}", 2015, doi) for doi in dois]


ALL = wanted("10.1/a", "10.1/b", "10.1/c", "10.1/d", "10.1/x")


def asked(source: TinySource, core=ALL, text: str = TEXT, fetched=None, **how) -> Lookup:
    parsed = parse(text, "pubmed")
    prepared = source.prepare(parsed, SourceOptions())
    return look_up(
        source, core, prepared, clauses(parsed, "pubmed", SourceOptions()), fetched, clock=lambda: "now", **how
    )


WHOLE = ["found", "missed", "missed", "missed", "not indexed"]


def verdicts(found: Lookup) -> list[str]:
    return [item.verdict for item in found.items]


def stopped(at: int, **how) -> list[Lookup]:
    """What is kept of a lookup that somebody stops after so many publications."""
    kept: list[Lookup] = []

    def stop(done: int, total: int) -> None:
        if done == at:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asked(TinySource(RECORDS), on_progress=stop, keep=kept.append, **how)
    return kept


def test_every_publication_gets_its_verdict_and_its_reason() -> None:
    found = asked(TinySource(RECORDS))
    assert verdicts(found) == WHOLE
    assert [[clause.text for clause in item.failing] for item in found.items] == [
        [],
        ["(tree[ti] OR shade[ti])"],
        ["(heat[ti] OR warmth[ti])", "(tree[ti] OR shade[ti])"],
        ["review[ti]"],
        [],
    ]
    for item, fact in zip(found.items, ("(1)", "(2)", "(3)", "(4)", "Not indexed"), strict=True):
        assert fact in item.sentence
        assert all(clause.text in item.sentence for clause in item.failing)
        assert ("misses" in item.sentence) == (item.verdict == "missed")
        assert ("NOT excludes it" in item.sentence) == any(clause.is_excluded for clause in item.failing)
    assert (found.n_calls, found.is_cut, found.problem, found.at) == (1 + 3 * 4, False, "", "now")
    assert (found.n("missed"), found.n("unsure")) == (3, 0)


def test_the_span_of_a_failing_part_is_that_of_the_text() -> None:
    item = asked(TinySource(RECORDS), wanted("10.1/d")).items[0]
    assert item.failing[0].span.of(TEXT) == "review[ti]"
    assert item.as_document()["failing"] == [
        {"start": TEXT.index("review"), "end": len(TEXT), "text": "review[ti]", "is_excluded": True}
    ]


def test_a_part_that_means_less_to_the_source_is_not_blamed_alone() -> None:
    text = "heat*[ti] AND shade[ti]"
    plain = TinySource(RECORDS).prepare(parse(text, "pubmed"), SourceOptions())
    prepared = replace(plain, losses=(Loss(1, 0, 5, "narrowed", "the wildcard is left out"),))
    parts = clauses(parse(text, "pubmed"), "pubmed", SourceOptions())
    (b, c) = look_up(TinySource(RECORDS), wanted("10.1/b", "10.1/c"), prepared, parts, None).items
    assert "shade[ti]" in b.sentence
    assert "shade[ti]" in c.sentence
    assert "heat*" not in b.sentence
    assert "(heat* matches less" in c.sentence


def test_what_the_run_brought_is_not_asked_for_again() -> None:
    source = TinySource(RECORDS)
    found = asked(source, wanted("10.1/a", "10.1/b"), fetched={"a"})
    assert verdicts(found) == ["found", "missed"]
    assert "run fetched it" in found.items[0].sentence
    assert all(text.endswith("@2") for text in source.asked)
    assert found.n_calls == 3


def test_what_lies_beyond_the_cap_is_not_called_missed() -> None:
    (item,) = asked(TinySource(RECORDS), wanted("10.1/a"), fetched=set()).items
    assert (item.verdict, item.failing) == ("found", ())
    assert "did not fetch" in item.sentence


def test_the_budget_ends_the_asking_and_says_so() -> None:
    for most in range(12):
        source = TinySource(RECORDS)
        found = asked(source, most_calls=most)
        assert found.n_calls == len(source.asked) == most
        assert found.is_cut
        assert verdicts(found)[-1] == "not indexed"  # that costs nothing more
        assert all(verdict in (right, "not asked") for verdict, right in zip(verdicts(found), WHOLE, strict=True))
    assert not asked(TinySource(RECORDS), most_calls=13).is_cut


def test_a_budget_that_ends_between_two_parts_keeps_what_is_known() -> None:
    (item,) = asked(TinySource(RECORDS), wanted("10.1/c"), most_calls=2).items
    assert item.verdict == "missed"
    assert "(heat[ti] OR warmth[ti])" in item.sentence
    assert "(not all parts" in item.sentence
    (item,) = asked(TinySource(RECORDS), wanted("10.1/c"), most_calls=1).items
    assert (item.verdict, item.failing) == ("missed", ())
    assert "lookup stopped before" in item.sentence


@pytest.mark.parametrize("error", [BudgetSpentError("the day's credit is spent"), OutOfReachError("no connection")])
def test_an_end_in_between_keeps_what_was_asked_before(error) -> None:
    found = asked(TinySource(RECORDS, fails={3: error}))
    assert found.items[0].verdict == "found"
    assert [item.verdict for item in found.items[2:4]] == ["not asked", "not asked"]
    assert (found.is_cut, found.problem, found.n_calls) == (True, str(error), 3)


@pytest.mark.parametrize("most", range(13))
def test_what_was_cut_goes_on_to_the_same_end(most: int) -> None:
    """Nothing that is settled is asked again."""
    whole = asked(TinySource(RECORDS))
    first = asked(TinySource(RECORDS), most_calls=most)
    source = TinySource(RECORDS)
    found = asked(source, known=first)
    assert found.items == whole.items
    assert not found.is_cut
    settled = {item.located.key for item in first.items if item.is_settled}
    assert not settled & {text.partition(" @")[2] for text in source.asked}
    assert found.n_calls == first.n_calls + len(source.asked)


def test_a_whole_lookup_is_asked_anew() -> None:
    source = TinySource(RECORDS)
    assert asked(source, known=asked(TinySource(RECORDS))).n_calls == len(source.asked) == 13


@pytest.mark.parametrize("at", range(1, 6))
def test_whoever_stops_it_is_given_what_is_known(at: int) -> None:
    (found,) = stopped(at)
    assert (found.is_cut, found.problem) == (True, "it was stopped")
    rest = ["not asked"] * 4 + ["not indexed"]
    assert verdicts(found) == WHOLE[:at] + rest[at:]


def test_it_can_be_stopped_between_two_requests_that_find(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of those that were not looked for it is not said that it can't be told."""
    monkeypatch.setattr("data.sources.core_lookup.FOUND_AT_ONCE", 2)
    (kept,) = stopped(2, fetched={"d"})
    assert verdicts(kept) == ["found", "missed", "not asked", "found", "not asked"]
    assert "not checked whether" in kept.items[4].sentence
    whole = asked(TinySource(RECORDS), fetched={"d"})
    assert verdicts(asked(TinySource(RECORDS), fetched={"d"}, known=kept)) == verdicts(whole)


def test_nothing_is_kept_where_nothing_was_asked() -> None:
    assert stopped(0) == []


def test_a_source_that_fails_in_between_leaves_what_is_known() -> None:
    kept: list[Lookup] = []
    with pytest.raises(EndsAllError, match="key"):
        asked(TinySource(RECORDS, fails={2: EndsAllError("the key is refused")}), keep=kept.append)
    assert verdicts(kept[0]) == ["found", "not asked", "not asked", "not asked", "not indexed"]
    assert kept[0].problem == "the key is refused"


def test_a_part_that_the_source_refuses_alone_fails_nothing() -> None:
    """The second count is of the first part."""
    (item,) = asked(TinySource(RECORDS, fails={2: RefusedRequestError("too long")}), wanted("10.1/c")).items
    assert [clause.text for clause in item.failing] == ["(tree[ti] OR shade[ti])"]


def test_where_no_part_can_be_asked_it_is_missed_without_a_reason() -> None:
    text = "heat[ti] OR shade[ti]"
    prepared = TinySource(RECORDS).prepare(parse(text, "pubmed"), SourceOptions())
    found = look_up(TinySource(RECORDS), wanted("10.1/c"), prepared, (), None)
    assert (found.items[0].verdict, found.items[0].failing) == ("missed", ())


def test_where_each_part_finds_it_the_whole_is_asked() -> None:
    """Alone a part may mean something else; the run did not bring it because the string does not find it."""
    prepared = TinySource(RECORDS).prepare(parse("heat[ti] AND cities[ti]", "pubmed"), SourceOptions())
    parts = clauses(parse("heat[ti]", "pubmed"), "pubmed", SourceOptions())
    (item,) = look_up(TinySource(RECORDS), wanted("10.1/a"), prepared, parts, set()).items
    assert (item.verdict, item.failing) == ("missed", ())
    assert "every part" in item.sentence


def test_where_one_form_can_not_be_asked_nothing_is_called_missed() -> None:
    forms = (Form(0, "cities[ti]"), Form(1, "heat[ti]"))
    prepared = PreparedSearch("pubmed", "pubmed", "cities[ti] OR heat[ti]", forms)
    refused = TinySource(RECORDS, fails={2: RefusedRequestError("too long")})
    (item,) = look_up(refused, wanted("10.1/a"), prepared, (), None).items
    assert item.verdict == "unsure"


def test_lines_are_read_for_what_they_stand_for() -> None:
    """Alone, 1 or 2 would be two numbers to look for."""
    parsed = parse("1. heat.ti.\n2. warmth.ti.\n3. 1 or 2\n4. shade.ti.\n5. 3 and 4", "ovid")
    source = TinySource(RECORDS, explains=False)
    parts = clauses(parsed, "pubmed", SourceOptions())
    assert "1 or 2" in [clause.text for clause in parts]
    found = look_up(source, wanted("10.1/a", "10.1/b"), source.prepare(parsed, SourceOptions()), parts, None)
    assert verdicts(found) == ["found", "missed"]
    assert [clause.text for clause in found.items[1].failing] == ["shade.ti."]


def test_what_there_is_nothing_to_look_for_by_is_unsure() -> None:
    (item,) = asked(TinySource(RECORDS), [LookupTarget("z", "")]).items
    assert item.verdict == "unsure"
    assert item.sentence.endswith("no DOI, PMID or title.")


def test_a_source_that_can_not_explain_is_read_here_and_that_is_said() -> None:
    source = TinySource(RECORDS, explains=False)
    found = asked(source)
    assert verdicts(found) == WHOLE
    assert [item.is_our_reading for item in found.items] == [True, True, True, True, False]
    assert ["Matched locally" in item.sentence for item in found.items] == [True, True, True, True, False]
    assert "(tree[ti] OR shade[ti])" in found.items[1].sentence
    assert (source.asked, found.n_calls) == ([], 0)


def test_our_reading_does_not_decide_what_it_can_not_see() -> None:
    """A heading is in no title, and the run may have come by it."""
    source = TinySource(RECORDS, explains=False)
    (item,) = asked(source, wanted("10.1/b"), text="heat[ti] AND Climate[mh]").items
    assert (item.verdict, item.failing, item.is_our_reading) == ("unsure", (), True)
    (item,) = asked(source, wanted("10.1/a"), fetched=set()).items
    assert item.verdict == "unsure"
    assert "Matched locally" in item.sentence
    assert "did not fetch" in item.sentence


def test_a_record_that_was_not_given_can_not_be_read() -> None:
    class Silent(TinySource):
        def find(self, wanted):
            return tuple(replace(located, record=None) for located in super().find(wanted))

    (item,) = asked(Silent(RECORDS, explains=False), wanted("10.1/a")).items
    assert item.verdict == "unsure"
    assert "PubMed can't check" in item.sentence


def test_progress_comes_to_its_end() -> None:
    told: list[tuple[int, int]] = []
    asked(TinySource(RECORDS), on_progress=lambda done, total: told.append((done, total)))
    assert told == [(i, 5) for i in range(6)]


_WORDS = ("heat", "shade", "tree", "city", "review")


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(_WORDS), max_size=4).map(" ".join), min_size=1, max_size=4),
    st.lists(
        st.tuples(st.lists(st.sampled_from(_WORDS), min_size=1, max_size=3, unique=True), st.booleans()),
        min_size=1,
        max_size=4,
    ),
    st.booleans(),
)
def test_asking_and_reading_agree_where_titles_tell_all(titles, parts, explains) -> None:
    """Found iff no part fails, whether the source is asked or the record is read."""
    first, *rest = parts
    text = f"({' OR '.join(f'{w}[ti]' for w in first[0])})"
    for words, is_excluded in rest:
        text += f" {'NOT' if is_excluded else 'AND'} ({' OR '.join(f'{w}[ti]' for w in words)})"
    there = {str(i): record(f"x {title}", f"10.1/{i}") for i, title in enumerate(titles)}
    core = [LookupTarget(f"p{i}", "T", None, f"10.1/{i}") for i in range(len(titles))]
    found = asked(TinySource(there, explains=explains), core, text)
    for title, item in zip(titles, found.items, strict=True):
        held = [any(word in title.split() for word in words) for words, _ in parts]
        right = held[0] and all(is_in != is_out for is_in, (_, is_out) in zip(held[1:], rest, strict=True))
        assert item.verdict == ("found" if right else "missed")
        assert bool(item.failing) != right


# Words


def test_long_parts_are_cut_between_alternatives() -> None:
    long = "(" + " OR ".join(f"alternative{i}[tiab]" for i in range(40)) + ")"
    assert shortened(long) == "(alternative0[tiab] OR alternative1[tiab] OR …)"
    assert shortened("a" * 100) == "a" * 60 + " …"
    assert shortened("heat\n  OR   sun") == "heat OR sun"


def test_years_and_many_parts_in_words() -> None:
    year = why_missed([FailingPart("2010:2015[dp]", is_excluded=False)], "pubmed")
    assert year.startswith("its year ")
    assert year.endswith(" 2010:2015[dp]")
    many = [FailingPart(f"word{i}[ti]", is_excluded=False) for i in range(5)]
    said = why_missed(many, "pubmed")
    assert [f"word{i}[ti]" in said for i in range(5)] == [True, True, True, False, False]
    assert said.endswith("; and 2 more parts fail")


# The workspace


def test_a_lookup_is_remembered_for_its_core_set_text_and_run(tmp_path: Path) -> None:
    fill(tmp_path, models=())
    with Workspace.open(tmp_path) as workspace:
        core = wanted_core(workspace, TOPIC)
        assert [one.publication_id for one in core] == [f"p{i}" for i in range(8)]
        assert (core[0].title, core[0].year) == ("tea leaves", 1990)
        source = TinySource(RECORDS)
        found = asked(source)
        prepared = source.prepare(parse(TEXT, "pubmed"), SourceOptions())
        assert remembered_lookup(workspace, TOPIC, prepared, None) is None
        remember_lookup(workspace, TOPIC, prepared, None, found)
        assert remembered_lookup(workspace, TOPIC, prepared, None) == found
        assert remembered_lookup(workspace, TOPIC, prepared, "a run") is None
        other = source.prepare(parse("heat", "pubmed"), SourceOptions())
        assert remembered_lookup(workspace, TOPIC, other, None) is None
        json.dumps(found.as_document())
        with workspace.store.transaction():
            workspace.store.save_topic(TOPIC, ("p0", "p1"))
        assert remembered_lookup(workspace, TOPIC, prepared, None) is None


def test_a_topic_without_core_publications_has_no_lookup(tmp_path: Path) -> None:
    fill(tmp_path, models=())
    with Workspace.open(tmp_path) as workspace:
        workspace.store.save_topic(TOPIC, ())
        prepared = TinySource(RECORDS).prepare(parse(TEXT, "pubmed"), SourceOptions())
        assert remembered_lookup(workspace, TOPIC, prepared, None) is None


def test_a_core_publication_is_wanted_by_all_that_its_records_say(tmp_path: Path) -> None:
    """The number in PubMed stands in a record only."""
    text = (
        "TY  - JOUR\nTI  - Stirring with spoons\nPY  - 2021\nAN  - 35957633\nDB  - MEDLINE\nDO  - 10.1000/s\nER  - \n"
    )
    with Workspace.open(tmp_path) as workspace:
        bring_files(workspace, "tea", SourceRole("core"), [FileUpload("core.ris", text.encode())], ImportChoices())
        (one,) = wanted_core(workspace, "tea")
    assert (one.title, one.year, one.doi, one.pmid) == ("Stirring with spoons", 2021, "10.1000/s", "35957633")
