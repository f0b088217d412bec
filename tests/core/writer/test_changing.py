"""Single changes of a sheet: which there are, what each would do, and several at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.writer.keyword_effects import (
    LEAST,
    KeywordSuggestion,
    SheetChange,
    SheetCriteria,
    differences,
    exchanged,
    phrase_of,
    possible,
    priced,
)
from core.writer.sheets import IN_STRING, Brief, Keyword, Sheet, WriterBudget
from tests.core.writer.writer_sets import every_sheet, keywords_of, looked_up, sets, sets_by_chance, stakes_on

BRIEF = Brief("aaa bbb")
TEA, CUP, NETS, MUG = (Keyword(text) for text in ("tea", "cup", "nets", "mug"))


def scale_of(found, *, budget=None, n_core=None):
    n, known, core, accepted = found
    stakes = stakes_on(n, core, accepted, n_core=n_core)
    return SheetCriteria(looked_up(n, known), stakes, budget or WriterBudget(), BRIEF)


def small(*, budget=None, **known):
    """Forty publications, of which the first ten are core and the first twenty accepted."""
    rows = {"tea": range(8), "cup": range(6, 12), "nets": range(20, 40), "mug": (9,), **known}
    found = 40, {text: set(each) for text, each in rows.items()}, set(range(10)), set(range(20))
    return scale_of(found, budget=budget)


def sheet_of(keywords, places):
    lists = {name: tuple(k for k, place in zip(keywords, places, strict=True) if place == name) for name in places}
    return Sheet(**lists)


def test_what_is_possible() -> None:
    sheet = Sheet(specific=(TEA,), general=(CUP,), overarching=(NETS,), aside=(MUG,))
    found = possible(
        sheet, [KeywordSuggestion(Keyword("pot"), "It is missed.", "m"), KeywordSuggestion(TEA, "It is there already.")]
    )
    assert {each.phrase for each in found} == {
        *(f"adding {text} to {to}" for text in ("pot", "mug") for to in ("specific", "general")),
        "removing tea",
        "removing cup",
        "moving tea to general",
        "moving cup to specific",
    }
    assert {(each.reason, each.model) for each in found if each.keyword.text == "pot"} == {("It is missed.", "m")}


def test_nothing_goes_to_general_where_nothing_is_overarching() -> None:
    found = possible(Sheet(specific=(TEA,)), [KeywordSuggestion(CUP, "")])
    assert {each.phrase for each in found} == {"adding cup to specific", "removing tea"}


def test_who_wants_something_removed_is_named() -> None:
    (found,) = possible(Sheet(specific=(TEA,)), [], [KeywordSuggestion(TEA, "It is too wide.", "m")])
    assert (found.kind, found.reason, found.model) == ("remove", "It is too wide.", "m")


def test_the_best_change_comes_first_and_what_harms_is_not_better() -> None:
    scale = small()
    sheet = Sheet(specific=(TEA, NETS))
    best, *rest = priced(possible(sheet, [KeywordSuggestion(CUP, "")]), sheet, scale)
    assert (best.change.phrase, best.is_better) == ("removing nets", True)
    assert best.f_beta_change > LEAST
    assert next(each for each in rest if each.change.phrase == "removing tea").is_better is False


def test_a_keyword_with_one_core_publication_behind_it_is_not_added() -> None:
    sheet = Sheet(specific=(TEA,))
    found = {
        each.change.keyword.text: each for each in priced(possible(sheet, [KeywordSuggestion(MUG, "")]), sheet, small())
    }
    assert found["mug"].f_beta_change > LEAST
    assert not found["mug"].is_better


def test_what_retrieves_nothing_is_never_better() -> None:
    sheet = Sheet(specific=(NETS,))
    scale = small(budget=WriterBudget(most_publications=5))
    assert not any(each.is_better for each in priced(possible(sheet, []), sheet, scale))


def test_towards_the_budget_f_beta_may_fall() -> None:
    sheet = Sheet(specific=(TEA, CUP))
    scale = small(budget=WriterBudget(most_publications=8))
    best = priced(possible(sheet, []), sheet, scale)[0]
    assert (best.change.phrase, best.is_better) == ("removing cup", True)
    assert best.f_beta_change < 0


def test_below_the_floor_of_recall_nothing_is_better() -> None:
    sheet = Sheet(specific=(TEA, CUP, NETS))
    scale = small(budget=WriterBudget(min_recall=1.0))
    found = {each.change.phrase: each for each in priced(possible(sheet, []), sheet, scale)}
    assert found["removing nets"].is_better
    assert not found["removing cup"].is_better


@given(sets(), st.data())
def test_a_change_says_what_it_does(found, data) -> None:
    scale = scale_of(found)
    keywords = keywords_of(found[1])
    sheet = data.draw(st.sampled_from(list(every_sheet(keywords))))
    now = scale.stakes.f_beta(scale.look_up.retrieved(sheet)) or 0.0
    for each in priced(possible(sheet, []), sheet, scale):
        assert each.sheet == each.change.applied(sheet)
        then = scale.stakes.f_beta(scale.look_up.retrieved(each.sheet)) or 0.0
        assert each.f_beta_change == pytest.approx(then - now)
        assert not each.is_better or then >= now + LEAST


@given(sets(), st.data())
def test_differences_lead_from_one_sheet_to_the_other(found, data) -> None:
    sheets = st.sampled_from(list(every_sheet(keywords_of(found[1]))))
    before, after = data.draw(sheets), data.draw(sheets)
    sheet = before
    for change in differences(before, after):
        sheet = change.applied(sheet) or sheet
    for name in IN_STRING:
        assert {k.key for k in sheet.of(name)} == {k.key for k in after.of(name)}
    assert differences(before, before) == ()


@pytest.mark.parametrize("seed", range(6))
def test_several_changes_at_once_are_made_only_if_they_are_better(seed: int) -> None:
    scale = scale_of(sets_by_chance(seed, 6))
    first, *rest = keywords_of(sets_by_chance(seed, 6)[1])
    sheet = Sheet(specific=(first,))
    found = exchanged(sheet, [KeywordSuggestion(keyword, "") for keyword in rest], scale)
    if found is None:
        return
    now, then = scale.weighed([sheet, found.sheet])
    assert found.f_beta_change == pytest.approx(then.f_beta - now.f_beta)
    assert not found.is_better or (then.worth > now.worth and found.f_beta_change >= LEAST)
    assert {k.key for k in found.sheet.aside} <= {first.key}, "what was only offered stands nowhere"


def test_a_phrase_names_three_of_a_kind() -> None:
    added = [SheetChange("add", Keyword(text), "specific") for text in ("a", "b", "c", "d", "e")]
    assert phrase_of([*added, SheetChange("remove", TEA, "aside")]) == "adding a, b, c and 2 more, removing tea"
    assert phrase_of(added, most=None) == "adding a, b, c, d and e"
