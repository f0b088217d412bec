"""The board against running the string of every sheet again, one move at a time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.query.contributions import contributions
from core.query.match import count, match, none_of, rows_of
from core.writer.keyword_effects import SheetEvaluator, all_but_one, without_harmful
from core.writer.sheets import IN_STRING, LISTS, Keyword, Sheet, WriterBudget, tree_of
from tests.core.query_scenes import FakeCorpus, corpora, stakes_of, texts_of
from tests.core.writer.writer_sheets import sheets

WORDS = ("adapt*", "robot", "robots", "graph", "heat", "plan*", "petri net", "net", "cat")


@st.composite
def scenes(draw):
    """A corpus, what its publications are worth, and a sheet; keywords may be untestable, for want of the field."""
    texts = texts_of(draw(corpora), fields=("title", "abstract"))
    rows = st.sets(st.integers(0, texts.n - 1))
    stakes = stakes_of(texts.n, draw(rows), accepted=draw(rows), unscorable=draw(rows), n_core=texts.n + 1, limit=50)
    return FakeCorpus(texts), stakes, draw(sheets(WORDS, most=7, most_words=1))


def run(sheet, corpus):
    """What the string of a sheet retrieves."""
    root = tree_of(sheet)
    found = None if root is None else match(root, corpus, "literal").root
    return none_of(len(corpus.ids)) if found is None else found


def rows(bits):
    return rows_of(bits).tolist()


@given(scenes())
def test_a_board_retrieves_what_running_the_string_does(scene):
    corpus, stakes, sheet = scene
    board = SheetEvaluator(corpus, "literal", stakes)
    seen = board.seen(sheet)
    assert rows(seen.retrieved) == rows(run(sheet, corpus)) == rows(board.retrieved(sheet))
    assert seen.n_retrieved == count(seen.retrieved)
    assert seen.standing.n_found == count(seen.retrieved & stakes.core)
    assert seen.waiting == (() if sheet.overarching else tuple(k.key for k in sheet.general))


@given(scenes())
@settings(max_examples=60)
def test_every_effect_is_what_the_moved_sheet_shows(scene):
    corpus, stakes, sheet = scene
    seen = SheetEvaluator(corpus, "literal", stakes).seen(sheet)
    assert [(f.key, f.list) for f in seen.figures] == [(k.key, name) for name in LISTS for k in sheet.of(name)]
    before = stakes.f_beta(seen.retrieved)
    for figures in seen.figures:
        assert set(figures.if_moved) == set(LISTS) - {figures.list}
        for to, effect in figures.if_moved.items():
            after = run(sheet.moved(figures.key, to), corpus)
            assert (effect.n_retrieved, effect.n_core_found) == (count(after), count(after & stakes.core))
            score = stakes.f_beta(after)
            assert effect.f_beta == (None if score is None else pytest.approx(score, abs=1e-12))
            if before is None or score is None:
                assert effect.f_beta_change is None
            else:
                assert effect.f_beta_change == pytest.approx(score - before, abs=1e-12)


@given(scenes())
@settings(max_examples=60)
def test_what_a_keyword_brings_alone_is_what_goes_without_it(scene):
    corpus, stakes, sheet = scene
    board = SheetEvaluator(corpus, "literal", stakes)
    seen = board.seen(sheet)
    for figures in seen.figures:
        keyword = next(k for k in sheet.of(figures.list) if k.key == figures.key)
        alone = board.look_up(keyword)
        if alone is None:
            assert figures.flags == ("not_testable",)
            continue
        assert (figures.n_alone, figures.core_found) == (count(alone), count(alone & stakes.core))
        changed = seen.retrieved ^ run(sheet.without(figures.key), corpus)
        assert (figures.n_unique, figures.core_unique) == (count(changed), count(changed & stakes.core))
        assert figures.unique_share is None or 0 <= figures.unique_share <= 1
        assert ("zero_hit" in figures.flags) == (not figures.n_alone)
        if figures.list == "aside":
            assert (figures.n_unique, figures.unique_share, figures.f_beta_change_if_removed) == (0, None, None)


@given(scenes())
@settings(max_examples=60)
def test_specific_keywords_have_the_figures_of_the_query_s_terms(scene):
    corpus, stakes, sheet = scene
    if len(sheet.specific) < 2 or sheet.excluded:
        return
    root = tree_of(sheet)
    assert root is not None
    terms = {c.number: c for c in contributions(match(root, corpus, "literal"), stakes)}
    figures = [f for f in SheetEvaluator(corpus, "literal", stakes).seen(sheet).figures if f.list == "specific"]
    for number, each in enumerate(figures, start=1):
        term = terms[number]
        if "not_testable" in each.flags:
            continue
        assert (each.n_alone, each.core_found) == (term.n_alone, term.core)
        assert (each.n_unique, each.core_unique) == (term.n_lost, term.core_unique)
        assert each.read_per_core == term.read_per_core
        assert each.f_beta_change_if_removed == pytest.approx(term.f_beta_change_if_removed, abs=1e-12)
        assert "harmful" in each.flags or "harmful" not in term.flags


CORPUS = FakeCorpus(texts_of(["urban tree shade", "tree", "shade", "urban heat", "heat tree", "tree shade heat"]))
STAKES = stakes_of(6, {0, 5}, accepted={0, 1, 5}, limit=1000)


def board():
    return SheetEvaluator(CORPUS, "literal", STAKES)


def of(seen, key):
    return next(figures for figures in seen.figures if figures.key == key)


def test_general_keywords_wait_for_something_overarching():
    sheet = Sheet(specific=(Keyword("urban"),), general=(Keyword("shade"),), aside=(Keyword("tree"),))
    seen = board().seen(sheet)
    assert (seen.waiting, seen.n_retrieved, of(seen, "shade").f_beta_change_if_removed) == (("shade",), 2, None)
    assert of(seen, "tree").if_moved["overarching"].n_retrieved == 3
    together = board().seen(sheet.moved("tree", "overarching"))
    assert (together.waiting, together.n_retrieved) == ((), 3)
    assert (of(together, "shade").n_unique, of(together, "shade").unique_share) == (1, 0.5)


def test_flags_say_what_is_wrong_with_a_keyword():
    sheet = Sheet(
        specific=(Keyword("tree"), Keyword("tree shade"), Keyword("heat"), Keyword("cat")),
        excluded=(Keyword("urban"),),
    )
    seen = board().seen(sheet)
    assert "single_point_of_failure" not in of(seen, "tree").flags  # heat brings the same core publication
    assert of(seen, "tree shade").flags == ("subsumed",)
    assert of(seen, "cat").flags == ("zero_hit",)
    assert "harmful" in of(seen, "urban").flags
    assert of(seen, "urban").n_unique == 2
    assert of(seen, "urban").unique_share == 1
    fields = board().seen(Sheet(specific=(Keyword("tree", fields=("journal",)), Keyword("urban"))))
    assert of(fields, "tree").flags == ("not_testable",)
    assert fields.n_retrieved == 2
    assert of(fields, "urban").flags == ("single_point_of_failure",)


def test_an_empty_sheet_and_a_sheet_of_keywords_aside_retrieve_nothing():
    assert (board().seen(Sheet()).figures, board().seen(Sheet()).n_retrieved) == ((), 0)
    seen = board().seen(Sheet(aside=(Keyword("tree"),), excluded=(Keyword("heat"),)))
    assert (seen.n_retrieved, seen.standing.f_beta) == (0, None)
    assert of(seen, "tree").if_moved["specific"].n_retrieved == 2
    assert of(seen, "tree").if_moved["specific"].f_beta_change is None


def test_each_keyword_is_looked_up_once():
    corpus = FakeCorpus(CORPUS.texts)
    counting = SheetEvaluator(corpus, "literal", STAKES)
    sheet = Sheet(specific=(Keyword("tree"), Keyword("heat")), aside=(Keyword("shade"),))
    counting.seen(sheet)
    counting.seen(sheet.moved("shade", "excluded"))
    counting.seen(replace(sheet, joined="AND"))
    assert corpus.n_looked_up == 3


@given(st.lists(st.one_of(st.none(), st.integers(0, 255)), max_size=6), st.sampled_from(("AND", "OR")))
def test_all_but_one_is_the_others_together(numbers, operator):
    sets = [None if n is None else np.array([n], dtype=np.uint64) for n in numbers]
    for i, rest in enumerate(all_but_one(operator, sets)):
        others = [n for j, n in enumerate(numbers) if j != i and n is not None]
        together = np.bitwise_and if operator == "AND" else np.bitwise_or
        assert (None if rest is None else int(rest[0])) == (int(together.reduce(others)) if others else None)


budgets = st.builds(
    WriterBudget, most_publications=st.none() | st.integers(1, 6), min_recall=st.sampled_from((0.0, 0.2, 0.5))
)


@given(scenes())
@settings(max_examples=100)
def test_nothing_that_the_board_marks_as_better_left_out_stays_in_a_pruned_string(scene):
    corpus, stakes, sheet = scene
    board = SheetEvaluator(corpus, "literal", stakes)
    pruned = without_harmful(sheet, board, WriterBudget())
    for figures in board.seen(pruned).figures:
        assert figures.list == "excluded" or "harmful" not in figures.flags
    assert {k.key for name in LISTS for k in pruned.of(name)} == {k.key for name in LISTS for k in sheet.of(name)}
    assert all(set(pruned.of(name)) <= set(sheet.of(name)) for name in IN_STRING)
    assert pruned.excluded == sheet.excluded
    before, after = stakes.f_beta(board.retrieved(sheet)), stakes.f_beta(board.retrieved(pruned))
    assert (after or 0.0) >= (before or 0.0)


@given(scenes(), budgets)
@settings(max_examples=60)
def test_a_pruned_string_is_no_further_from_its_budget(scene, budget):
    corpus, stakes, sheet = scene
    board = SheetEvaluator(corpus, "literal", stakes)

    def beyond(of):
        retrieved = board.retrieved(of)
        most = count(retrieved) if budget.most_publications is None else budget.most_publications
        return (
            max(budget.min_recall - stakes.recall(retrieved), 0.0),
            max(count(retrieved) - most, 0),
        )

    before, after = beyond(sheet), beyond(without_harmful(sheet, board, budget))
    assert after[0] <= before[0] + 1e-9
    assert after[1] <= before[1]
