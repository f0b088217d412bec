"""The dry run counts what would be asked and what that costs, and prices can be edited and not spoiled."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.collections import Query
from core.errors import InputError
from core.judge.judgments import JudgeCandidate, JudgeField, JudgeSettings, TripleVerdict
from core.judge.prompts import answer_schema, system_prompt, user_prompt
from core.knowledge.synthesis_steps import TokenPrice
from data.judge.plan import ANSWER_TOKENS, plan
from data.judge.runs import Judge, StoredAnswer, keep_answers, triple_key, triple_of
from data.models.prices import find_price, load_prices, price_rows, save_prices
from data.store import Store
from tests.data.judge.fake_judges import TINY

JUDGE = Judge(JudgeSettings("some-model", "tiny", max_tokens=100), TINY, "You judge.", "somewhere")
QUERIES = (Query("q1", "tin lakes"), Query("q2", "salt"))
FIELD = JudgeField(
    "two engines",
    QUERIES,
    (
        JudgeCandidate("a", "q1", 1, "d1", "Tin", "Lakes."),
        JudgeCandidate("a", "q1", 2, "d2", "Salt", ""),
        JudgeCandidate("a", "q2", 1, "d1", "Tin", "Lakes."),
        JudgeCandidate("b", "q1", 1, "another id", "Tin", "Lakes."),
    ),
)


def keep(store: Store, place: int, verdict: TripleVerdict, *, n_answer: int | None = 20, ms: float = 500.0) -> None:
    candidate = FIELD.candidates[place]
    key = triple_key(triple_of({query.query_id: query for query in QUERIES}[candidate.query_id], candidate))
    keep_answers(
        store, JUDGE.judge_key, [StoredAnswer(key, 1, verdict, ("{}",), "m", 10, n_answer, 1, ms, "2026-01-01")]
    )


def test_the_same_texts_are_paid_once_for_all_engines_and_known_ones_not_at_all(store: Store) -> None:
    before = plan(store, JUDGE, FIELD, price=TokenPrice(1.0, 10.0))
    assert (before.n_candidates, before.n_triples, before.n_known, before.n_calls) == (4, 3, 0, 3)
    assert (before.n_without_abstract, before.n_skipped, before.most_calls) == (1, 0, 6)
    assert before.n_answer_tokens == 3 * ANSWER_TOKENS
    keep(store, 0, TripleVerdict("ok", 2))
    after = plan(store, JUDGE, FIELD, price=TokenPrice(1.0, 10.0))
    assert (after.n_known, after.n_calls) == (1, 2)
    assert after.cost is not None
    assert before.cost is not None
    assert after.cost[0] < before.cost[0] < before.cost[1]


def test_what_has_no_abstract_costs_nothing_where_it_is_left_out(store: Store) -> None:
    judge = replace(JUDGE, settings=replace(JUDGE.settings, without_abstract="skip"))
    found = plan(store, judge, FIELD)
    assert (found.n_without_abstract, found.n_skipped, found.n_calls) == (1, 1, 2)
    assert found.cost is None


@pytest.mark.parametrize(
    ("status", "again", "n_calls"), [("http_error", False, 3), ("refused", False, 2), ("refused", True, 3)]
)
def test_a_failed_call_is_made_again_and_a_refusal_only_if_asked_for(
    store: Store, status: str, again: bool, n_calls: int
) -> None:
    keep(store, 0, TripleVerdict(status))  # type: ignore[arg-type]
    assert plan(store, JUDGE, FIELD, again=again).n_calls == n_calls


def test_the_cost_is_that_of_the_tokens(store: Store) -> None:
    found = plan(store, JUDGE, FIELD, price=TokenPrice(2.0, 8.0))
    assert found.cost == pytest.approx(
        (
            (found.n_prompt_tokens * 2 + found.n_answer_tokens * 8) / 1e6,
            (found.most_prompt_tokens * 2 + 6 * 100 * 8) / 1e6,
        )
    )
    longer = replace(FIELD, candidates=(replace(FIELD.candidates[0], abstract="Lakes. " * 400),))
    short = replace(FIELD, candidates=FIELD.candidates[:1])
    n_more = plan(store, JUDGE, longer).n_prompt_tokens - plan(store, JUDGE, short).n_prompt_tokens
    assert n_more == pytest.approx(7 * 399 / 4, abs=3)


def test_prompt_tokens_are_those_of_the_prompts_that_will_be_sent(store: Store) -> None:
    texts = [("Tin", "Lakes."), ("Tin", ""), ("", "Zürich " * 40), ("Long", "word " * 9_000)]
    field = replace(
        FIELD, candidates=tuple(JudgeCandidate("a", "q1", n, "d", *each) for n, each in enumerate(texts, start=1))
    )
    sent = [user_prompt(triple_of(QUERIES[0], each)) for each in field.candidates]
    fixed = system_prompt(TINY, "score_first") + json.dumps(answer_schema(TINY, "score_first"))
    wanted = sum(len((fixed + prompt).encode()) / 4 for prompt in sent)
    assert plan(store, JUDGE, field).n_prompt_tokens == pytest.approx(wanted, abs=30)


def test_time_goes_by_the_slower_of_workers_and_rate(store: Store) -> None:
    assert plan(store, JUDGE, FIELD, n_workers=3, seconds_per_call=60).minutes == pytest.approx(1.0)
    assert plan(store, JUDGE, FIELD, n_workers=3, seconds_per_call=60, per_minute=1).minutes == pytest.approx(3.0)
    assert plan(store, JUDGE, FIELD, n_workers=1, seconds_per_call=60, per_minute=100).minutes == pytest.approx(3.0)
    assert plan(store, JUDGE, FIELD, seconds_per_call=0).minutes == 0
    for wrong in ({"n_workers": 0}, {"per_minute": 0.0}, {"seconds_per_call": -1.0}):
        with pytest.raises(InputError):
            plan(store, JUDGE, FIELD, **wrong)  # type: ignore[arg-type]


def test_with_answers_of_this_judge_its_usual_answer_and_time_are_measured(store: Store) -> None:
    field = replace(
        FIELD, candidates=tuple(JudgeCandidate("a", "q1", n + 1, f"d{n}", f"Title {n}", "x") for n in range(8))
    )
    for candidate in field.candidates[:6]:
        key = triple_key(triple_of(QUERIES[0], candidate))
        kept = StoredAnswer(key, 1, TripleVerdict("ok", 1), ("{}",), "m", 10, 30, 1, 6000.0, "2026-01-01")
        keep_answers(store, JUDGE.judge_key, [kept])
    found = plan(store, JUDGE, field, n_workers=1)
    assert (found.n_calls, found.n_answer_tokens, found.minutes) == (2, 60, pytest.approx(0.2))
    assert "6 answers" in found.how


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from("ab"),
            st.sampled_from(["q1", "q2"]),
            st.sampled_from(["t", "u"]),
            st.sampled_from(["", "x"]),
        )
    )
)
def test_known_left_out_and_asked_are_all(store: Store, drawn: list[tuple[str, str, str, str]]) -> None:
    candidates = tuple(JudgeCandidate(e, q, n, f"d{n}", t, a) for n, (e, q, t, a) in enumerate(drawn, start=1))
    judge = replace(JUDGE, settings=replace(JUDGE.settings, without_abstract="skip"))
    found = plan(store, judge, JudgeField("drawn", QUERIES, candidates))
    assert found.n_known + found.n_skipped + found.n_calls == found.n_triples == len({each[1:] for each in drawn})


@pytest.mark.parametrize(
    ("model", "listed_as"),
    [
        ("gpt-4o-mini-2024-07-18", "gpt-4o-mini"),
        ("gpt-4.1-mini-2025-04-14", "gpt-4.1-mini"),
        ("gemini-2.5-flash-lite-preview-06-17", "gemini-2.5-flash-lite"),
        ("gemini-2.5-flash-001", "gemini-2.5-flash"),
        ("gpt-5-mini", ""),
        ("gpt-4o-mini-audio-preview", None),
        ("gpt-5-pro-2025-10-06", None),
        ("gpt-5.2", None),
        ("gpt-4o", None),
    ],
)
def test_a_dated_model_has_the_price_of_the_listed_one_and_another_size_has_not(
    store: Store, model: str, listed_as: str | None
) -> None:
    found = find_price(model, load_prices(store))
    assert (None if found is None else found.listed_as) == listed_as
    judge = replace(JUDGE, settings=replace(JUDGE.settings, model=model))
    planned = plan(store, judge, FIELD, price=found)
    assert (planned.cost is None) == (listed_as is None)
    assert (f'"{model}"' in planned.how and f'"{listed_as}"' in planned.how) == bool(listed_as)


def test_the_price_that_a_person_gives_for_a_model_counts_before_that_of_a_listed_one(store: Store) -> None:
    save_prices(store, [{"model": "gpt-4o-mini-2024-07-18", "prompt": 3, "answer": 4}])
    assert find_price("gpt-4o-mini-2024-07-18", load_prices(store)) == TokenPrice(3, 4)


def test_prices_are_shipped_with_their_date_and_a_user_replaces_them(store: Store) -> None:
    assert load_prices(store)["gemini-2.5-flash-lite"] == TokenPrice(0.10, 0.40)
    assert load_prices(store)["demo"] == TokenPrice(0, 0)
    assert all(len(row.read_on) == 10 and not row.own for row in price_rows(store))
    rows = [
        *({"model": row.model, "prompt": row.prompt, "answer": row.answer} for row in price_rows(store)[1:]),
        {"model": "gemini-2.5-flash-lite", "prompt": "0.2", "answer": 1},
        {"model": "ours", "prompt": 0, "answer": 0},
        {"model": None, "prompt": None, "answer": float("nan")},
    ]
    rows = [row for n, row in enumerate(rows) if row["model"] not in [other["model"] for other in rows[n + 1 :]]]
    saved = save_prices(store, rows, clock=lambda: "2030-01-02T00:00:00Z")
    assert {row.model: (row.prompt, row.answer, row.read_on) for row in saved if row.own} == {
        "gemini-2.5-flash-lite": (0.2, 1.0, "2030-01-02"),
        "ours": (0.0, 0.0, "2030-01-02"),
    }
    save_prices(store, [])
    assert load_prices(store)["gemini-2.5-flash-lite"] == TokenPrice(0.10, 0.40)
    assert "ours" not in load_prices(store)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"model": "ours", "prompt": "cheap", "answer": 1}, '"ours" under "prompt".*"cheap"'),
        ({"model": "ours", "prompt": 1, "answer": "1,5"}, '"ours" under "answer"'),
        ({"model": "ours", "prompt": 1, "answer": None}, '"ours" under "answer".*missing'),
        ({"model": "ours", "prompt": -1, "answer": 1}, "from 0"),
        ({"model": "ours", "prompt": True, "answer": 1}, "not a number"),
        ({"model": "ours", "prompt": "1_0", "answer": 1}, "not a number"),
        ({"model": "ours", "prompt": "inf", "answer": 1}, "from 0"),
        ({"model": " ", "prompt": 1, "answer": 1}, "row 2.*no model"),
        ({"model": "fine", "prompt": 1, "answer": 1}, "twice"),
    ],
)
def test_a_price_that_is_none_is_refused_by_name_and_nothing_is_kept(
    store: Store, row: dict[str, object], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        save_prices(store, [{"model": "fine", "prompt": 1, "answer": 1}, row])
    assert "fine" not in load_prices(store)
