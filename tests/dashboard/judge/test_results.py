"""The view "Results" of the page Judge: engines with ranges and coverage, its parts, grades of people."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from streamlit.testing.v1 import AppTest

from core.collections import Collection, Document, Judgment, Query
from core.judge.judgments import JudgeCandidate, JudgeField, TripleVerdict
from dashboard.judge.results import parts_of
from data.collections import save_collection
from data.explore.workspace import Workspace
from data.judge.runs import keep_answers, overrule, save_run, triple_key, triple_of
from data.store import Store
from tests.dashboard.apps import open_alone, ran, shown
from tests.data.judged_runs import FIELD, JUDGE, RUBRIC, TEXTS, kept, key_of, make_judged_run

N_PAIRS = 12


def many(name: str, points: dict[str, int]) -> tuple[JudgeField, list[TripleVerdict]]:
    """A run of engines that always get the same grade, but for a query or two."""
    queries = tuple(Query(f"q{n}", f"{name} {n}", (("length", "few" if n < 2 else "many"),)) for n in range(N_PAIRS))
    candidates = tuple(
        JudgeCandidate(engine, q.query_id, 1, f"d {engine}", engine, q.text) for engine in points for q in queries
    )
    verdicts = [TripleVerdict("ok", points[each.engine] - (each.query_id == "q0"), 8, "Near.") for each in candidates]
    return JudgeField(name, queries, candidates), verdicts


def make(store: Store, name: str, points: dict[str, int], judge_model: str = "demo") -> str:
    """Save it, judged."""
    field, verdicts = many(name, points)
    judge = replace(JUDGE, settings=replace(JUDGE.settings, model=judge_model))
    run_id = save_run(store, name, judge, field, {})
    text_of = {query.query_id: query for query in field.queries}
    keys = [triple_key(triple_of(text_of[each.query_id], each)) for each in field.candidates]
    keep_answers(store, judge.judge_key, [kept(key, 1, verdict) for key, verdict in zip(keys, verdicts, strict=True)])
    return run_id


def made(root: Path, *, with_other: bool = False) -> dict[str, str]:
    """A workspace with judged runs, which the app opens; their ids."""
    with Workspace.open(root) as workspace:
        found = {"AI": make(workspace.store, "AI", {"BM25": 2, "Dense <b>": 4, "alone": 3})}
        if with_other:
            found["Other"] = make(workspace.store, "Other", {"BM25": 1, "Dense <b>": 4}, "another")
    return found


def made_odd(root: Path) -> str:
    """One of everything that can happen to a judgment."""
    with Workspace.open(root) as workspace:
        return make_judged_run(workspace.store).run_id


def page(**link: str) -> AppTest:
    """The view alone."""
    return open_alone("judge/page.py", **{"judge": "Results", **link})


def test_engines_come_with_ranges_and_coverage_and_text_of_users_is_shown_as_it_is(root: Path) -> None:
    told = shown(page(judged=made(root)["AI"]))
    assert "Dense <b> is graded higher" in told
    assert "higher than alone by 20.0: clear" in told
    assert "Dense &lt;b&gt;</th>" in told
    assert "<b>78.3</b>" in told
    assert "75.0 to 80.0" in told
    assert "12 of 12 queries" in told
    assert "Compared over" not in told
    assert "higher for Dense <b> than for BM25, by 40.0 (40.0 to 40.0; 12 queries)." in told


def test_what_has_no_grade_is_said_beside_the_mean(root: Path) -> None:
    told = shown(page(judged=made_odd(root)))
    assert "4 of 5" in told
    assert "the service failed" in told
    assert "1 of 3 queries unanswered" in told
    assert "67 %<small>2 of 3 queries</small>" in told
    assert "<small>over 2 queries</small>" in told
    assert "1 publication without" in told
    assert "the demo judge" in told
    assert "A sample of 3 queries." in told


def test_grades_of_people_count_and_can_be_left_out(root: Path) -> None:
    odd = made_odd(root)
    before = shown(page(judged=odd, judge_whose="the judge alone"))
    with Workspace.open(root) as workspace:
        overrule(workspace.store, RUBRIC, key_of("q1", "d1"), 0, who="Ada", why="It is not.")
    app = page(judged=odd, judge_part="Confidence")
    after = shown(app)
    assert "People also graded" in after
    alone = shown(page(judged=odd, judge_whose="the judge alone"))
    assert before.split("</table>")[0] == alone.split("</table>")[0]
    assert after.split("</table>")[0] != alone.split("</table>")[0]


def test_every_part_is_drawn(root: Path) -> None:
    app = page(judged=made(root)["AI"], judge_part="Kinds of query")
    for part, said in (
        ("Kinds of query", "A hollow sign"),
        ("Grades", "the highest grade"),
        ("Ranks", "at each rank"),
        ("Confidence", "No person has"),
        ("Two sets", "a second set"),
    ):
        app.session_state["judge_part"] = part
        ran(app)
        assert said in shown(app), part


def test_two_sets_with_the_same_settings_are_compared_pair_by_pair(root: Path) -> None:
    runs = made(root, with_other=True)
    app = page(judged=runs["AI"], judge_part="Two sets", judge_against=f"run:{runs['Other']}")
    told = shown(app)
    assert "a paired design" in told
    assert "higher for AI than for Other, by 20.0 (20.0 to 20.0; 12 pairs" in told
    assert "Other − AI is 0.0" in told
    assert "Different judges" in told
    assert "Only in AI: alone." in told
    ran(app.selectbox(key="judge_pairs").set_value("length"))
    assert "few pairs" in shown(app)


def test_one_run_may_hold_both_sets() -> None:
    both = [replace(query, query_id=f"{name}/{query.query_id}") for name in ("ai", "other") for query in FIELD.queries]
    assert {name: len(part) for name, part in parts_of(both).items()} == {"ai": 3, "other": 3}
    assert list(parts_of(FIELD.queries)) == [""]
    assert list(parts_of([*both, FIELD.queries[0]])) == [""]


def test_the_cut_stands_in_the_link(root: Path) -> None:
    runs = made(root)
    app = page(judged=runs["AI"], judge_cut="4")
    assert "Graded 4 or more" in shown(app)
    assert app.selectbox(key="judge_cut").value == "4"
    assert "Graded 3 or more" in shown(page(judged=runs["AI"], judge_cut="seven"))


def test_confidence_is_held_against_the_judgments_of_a_collection_on_a_scale_that_is_shown(root: Path) -> None:
    odd = made_odd(root)
    documents = tuple(Document(doc_id, title, text) for doc_id, (title, text) in TEXTS.items())
    judgments = (Judgment("q1", "d1", 1), Judgment("q2", "d4", 0), Judgment("q2", "d5", 1))
    with Workspace.open(root) as workspace:
        save_collection(workspace.store, Collection("given", documents, FIELD.queries, judgments), origin="a test")
    told = shown(page(judged=odd, judge_part="Confidence"))
    assert "0 counts as 0, 1 counts as 5" in told
    assert 'Agreement with judgments of "given": weighted kappa' in told
    assert "over 3 pairs" in told
    assert "over what was judged" in told
    assert "People also graded 3 of the triples." in told
    with Workspace.open(root) as workspace:
        overrule(workspace.store, RUBRIC, key_of("q1", "d1"), 0, who="Ada", why="It is not.")
    beside = shown(page(judged=odd, judge_part="Confidence", judge_people="overruled"))
    assert "1 counts as 5" not in beside
    assert "People also graded 1 of the triples." in beside


def test_silence_counts_nothing_and_comparisons_over_shared_queries_say_so(root: Path) -> None:
    with Workspace.open(root) as workspace:
        field, verdicts = many("AI", {"BM25": 2, "seldom": 5})
        kept_places = [
            n for n, each in enumerate(field.candidates) if each.engine == "BM25" or int(each.query_id[1:]) > 8
        ]
        field = replace(field, candidates=tuple(field.candidates[n] for n in kept_places))
        run_id = save_run(workspace.store, "AI", JUDGE, field, {})
        text_of = {query.query_id: query for query in field.queries}
        keys = [triple_key(triple_of(text_of[each.query_id], each)) for each in field.candidates]
        said = [kept(key, 1, verdicts[n]) for key, n in zip(keys, kept_places, strict=True)]
        keep_answers(workspace.store, JUDGE.judge_key, said)
    app = page(judged=run_id)
    told = shown(app)
    assert "BM25 has the highest" in told
    assert "25 %<small>3 of 12 queries</small>" in told
    assert "100<small>over 3 queries</small>" in told or "100.0<small>over 3 queries</small>" in told
    assert "all 12 queries, unanswered ones as 0" in told
    app.session_state["judge_over"] = "shared queries"
    app.run()
    assert "the 3 queries with" in shown(app)
