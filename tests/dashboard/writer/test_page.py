"""The page "New search string" without a browser: one click to scored strings, the brief, the dry run, what is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.stats import Interval
from core.types import QueryVersion
from core.writer.gains import ranked
from core.writer.sheets import (
    Brief,
    CoreScores,
    CoreSplit,
    Gain,
    HeldBackProposal,
    Keyword,
    Sheet,
    SheetStep,
    StringScores,
    WriterBudget,
)
from dashboard import cache
from dashboard.writer.brief import key_of
from dashboard.writer.candidates import (
    BEST,
    BEST_VERSION,
    CURRENT,
    against_versions,
    chains_of,
    change_rows,
    counted_ids,
    grouped,
    how_it_ended,
    names,
    shown_versions,
    table_html,
    table_rows,
    verdict,
)
from dashboard.writer.figures import pareto_of_steps, round_rows, rounds_figure
from dashboard.writer.sessions import VIEWS, whole
from dashboard.writer.sorting import step_of_writing
from data.store import VersionRow
from data.writer.runs import BY_HAND, WriterSession, find_writing, keep_state, list_writings
from data.writer.steps import JudgedVersion
from tests.dashboard.apps import APP, SECONDS, click, keys, messages, ran, serving, settled
from tests.data.writer.heat import ABOUT, HEAT, build

ODD = "<b>shade</b> *x* [y](z)"


def standing(n_found: int, f_beta: float | None) -> CoreScores:
    return CoreScores(10, n_found, n_found / 10, Interval(0.1, 0.9), 0.5, f_beta)


def step(
    number: int, parent: int | None, made_by: str, used: float | None, unseen: float | None = 0.4, **more: object
) -> SheetStep:
    """A string that finds the more the better it is."""
    found = round(10 * (used or 0))
    judged = StringScores(100 + number, standing(found, used), standing(found, unseen), standing(found, used))
    gain = None if parent is None else Gain(0.2, Interval(-0.1, 0.5))
    made = SheetStep(number, parent, made_by, Sheet((Keyword(made_by),)), made_by, judged, gain)
    return replace(made, **more)  # type: ignore[arg-type]


STEPS = (
    step(0, None, "the topic's name", 0.3),
    step(1, 0, "corpus statistics", 0.5),
    step(2, 0, f"{ODD} (strict)", 0.9, label="v9"),
    step(3, 2, "adding shade", 0.95, round=1, predicted=0.04),
    step(4, 3, "without heat", 0.97, round=2),
    step(5, 1, BY_HAND, 0.6),
)


def writing(*steps: SheetStep, budget: WriterBudget | None = None) -> WriterSession:
    held = (HeldBackProposal(ODD, "it holds an operator", "core", "m"),)
    base = (Brief("Shade"), budget or WriterBudget(), (), "lsa", None, CoreSplit(("a",), ("b",)), ())
    return WriterSession("w1", "T", *base, steps or STEPS, (), (), held, "done", None, "2031-05-06T14:00:09+00:00")


def test_the_topics_name_is_always_first_and_the_best_on_the_held_out_half_next() -> None:
    groups = grouped(writing())
    assert [[s.number for s in members] for _, members in groups] == [[0], [2, 1], [3, 4], [5]]
    assert [s.number for s in ranked(STEPS[1:3], WriterBudget(min_recall=0.0, most_publications=101))] == [1, 2]
    assert names([step(1, 0, "llama3 (strict)", 0.5, model="llama3")]) == {1: "llama3 (strict)"}
    assert len(set(names([STEPS[1], replace(STEPS[1], number=9)]).values())) == 2


def test_the_table_shows_what_others_wrote_as_text_and_says_what_is_not_clear() -> None:
    html = table_html(writing(), "light", chosen=2)
    assert "<b>shade" not in html
    assert "&lt;b&gt;shade&lt;/b&gt;" in html
    assert "not clear" in html
    assert "saved as v9" in html
    assert html.count('class="chosen"') == 1
    assert html.index("The topic&#x27;s name") < html.index("Corpus statistics")


def test_the_table_names_what_misses_the_recall_or_the_size() -> None:
    html = table_html(writing(budget=WriterBudget(min_recall=0.6, most_publications=103)), "dark")
    assert html.count("the minimum recall") == 1
    assert html.count("the maximum size") == 2


def test_the_string_that_was_fitted_to_what_was_seen_is_not_the_best() -> None:
    fitted, honest = step(1, 0, "fitted", 0.9, 0.2), step(2, 0, "honest", 0.6, 0.5, label="v4")
    html = table_html(writing(STEPS[0], fitted, honest), "light", current="v4")
    row = html[html.index(">Honest") :].split("</tr>")[0]
    assert html.count(BEST) == row.count(BEST) == row.count(CURRENT) == 1
    assert html.index(">Honest") < html.index(">Fitted")
    assert row.index("0.500") < row.index("0.600")
    assert html.index("held out") < html.index("used")


def judged_version(label: str, unseen: float, n_found: int) -> JudgedVersion:
    version = QueryVersion(label, "T", label, 1, label, "manual", name=ODD)
    judged = StringScores(120, standing(5, 0.5), standing(n_found, unseen), standing(5, 0.5))
    return JudgedVersion(VersionRow(version, 120, "hash"), judged, Gain(0.1, Interval(-0.1, 0.3)))


def test_the_topics_best_and_current_versions_stand_beside_the_candidates() -> None:
    best, other, current = (judged_version(*each) for each in (("v2", 0.7, 9), ("v3", 0.6, 8), ("v1", 0.3, 3)))
    shown = shown_versions((best, other, current), "v1")
    assert [(each.found.row.version.label, each.tags) for each in shown] == [
        ("v2", (BEST_VERSION,)),
        ("v1", (CURRENT,)),
    ]
    assert [each.tags for each in shown_versions((best, current), "v2")] == [(BEST_VERSION, CURRENT)]
    assert shown_versions((), "v1") == []
    words = against_versions(STEPS[2], shown)
    assert words.startswith("Your best version, v2")
    assert [each in words for each in ("9 of 10 core with 102", "9 of 10 core with 120", "3 of 10 core with 120")] == [
        True
    ] * 3
    assert against_versions(step(2, 0, "ahead", 0.6, 0.8), shown).startswith("This string is")
    assert against_versions(STEPS[2], []) == ""
    html = table_html(writing(), "light", versions=shown)
    assert "<b>shade" not in html
    assert html.count(BEST_VERSION) == html.count(CURRENT) == 1
    assert [row["Core found, held out"] for row in table_rows(STEPS[:1], shown)] == [3, 9, 3]
    assert len({tuple(row) for row in table_rows(STEPS[:1], shown)}) == 1


def test_without_a_held_out_half_the_table_has_no_columns_for_it() -> None:
    steps = tuple(replace(s, judged=replace(s.judged, held_out=None), gain=None) for s in STEPS)
    html = table_html(writing(*steps), "light")
    assert "held out" not in html
    assert BEST not in html
    assert "topic&#x27;s name alone" not in html


def test_the_rows_of_the_file_hold_all_strings_and_what_is_undefined_is_empty() -> None:
    rows = table_rows((STEPS[0], step(7, 0, "nothing", None)))
    assert [row["Number"] for row in rows] == [0, 7]
    assert rows[1]["F2, used"] is None
    assert rows[0]["Gain held out"] is None


def test_what_is_best_is_not_said_to_be_better_than_the_name_where_that_is_not_clear() -> None:
    assert verdict(writing(STEPS[0]))[1] == ""
    assert verdict(writing(*STEPS[:2]))[0].startswith("Corpus statistics is best")
    assert "Not clear" in verdict(writing(*STEPS[:2]))[1]
    empty = replace(STEPS[1], text="", judged=replace(STEPS[1].judged, n_retrieved=0))
    assert verdict(writing(STEPS[0], empty))[0].startswith("No search string")
    assert step_of_writing(writing(STEPS[0], empty), None) == empty


def test_a_refinement_is_followed_from_the_string_it_began_with() -> None:
    (chain,) = chains_of(writing())
    assert [s.number for s in chain] == [2, 3, 4]
    assert [row["Used"] for row in change_rows(chain)] == ["+0.050", "+0.020"]
    assert [row["Predicted"] for row in change_rows(chain)] == ["+0.040", "–"]
    assert [row["Held out"] for row in change_rows(chain)] == ["0", "0"]
    assert [row["F-beta, used"] for row in round_rows(chain)] == [0.9, 0.95, 0.97]
    figure = rounds_figure(chain, score="F2", theme="light")
    assert [trace.name for trace in figure.data] == ["used", "held out"]
    assert "<b>shade" not in str(figure.data[0].hovertext)


def test_why_a_refinement_ended_names_the_string() -> None:
    told = replace(writing(), notes=("Refining step 1 ended after 0 rounds: no more.", "Something else."))
    assert how_it_ended(told) == "Refining “Corpus statistics” ended after 0 rounds: no more."
    assert how_it_ended(writing()) == ""


def test_the_picture_draws_the_limits_that_were_asked_for() -> None:
    plain = pareto_of_steps(STEPS, names(STEPS), WriterBudget(), chosen=2, theme="light")
    limited = pareto_of_steps(
        STEPS, names(STEPS), WriterBudget(min_recall=0.5, most_publications=120), chosen=2, theme="dark"
    )
    assert len(plain.layout.shapes) == 0
    assert len(limited.layout.shapes) == 2
    assert "strings" in limited.layout.title.text


def test_the_file_of_a_writing_is_one_document() -> None:
    document = json.loads(whole(writing()))
    assert [s["number"] for s in document["steps"]] == [0, 1, 2, 3, 4, 5]
    assert document["held_back"][0]["text"] == ODD


# The page


@pytest.fixture(scope="module")
def heat(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The smallest topic of the demo."""
    root = tmp_path_factory.mktemp("writer")
    build(root)
    return root


@pytest.fixture(scope="module")
def server(heat: Path) -> Iterator[Path]:
    """The workspace that the app of this file has open, with one writing by one click."""
    with serving(heat) as root:
        yield root


def open_page(**link: str) -> AppTest:
    app = AppTest.from_file(str(APP), default_timeout=SECONDS)
    app.switch_page("about.py").run()  # not Explore, which would lay out a landscape
    app.switch_page("writer/page.py")
    app.query_params["topic"] = HEAT
    for name, value in link.items():
        app.query_params[name] = value
    return settled(ran(app))


def said(app: AppTest) -> str:
    return " ".join(block.value for block in (*app.markdown, *app.caption)).replace("\\", "")


@pytest.mark.slow
def test_one_click_leads_from_the_topic_to_scored_strings(server: Path) -> None:
    app = open_page()
    assert "writer-first-button" in keys(app)
    app.button(key="writer-first-button").click()
    settled(ran(app))
    assert app.session_state["writer"] == "Candidates"
    (row,) = list_writings(cache.workspace().store, HEAT)
    assert (row.state, row.topic) == ("done", ABOUT)
    assert app.query_params["writing"] in (row.writing_id, [row.writing_id])
    assert "is best on" in said(app)
    assert "on the held-out half" in said(app)
    made = find_writing(cache.workspace().store, row.writing_id)
    assert app.code[0].value == (made.best.text if made.best else "")


def test_each_view_can_be_drawn_and_a_link_opens_it(server: Path) -> None:
    for view in (view for view in VIEWS if view != "Sort"):  # which has a test of its own
        app = open_page(writer=view)
        assert app.session_state["writer"] == view
        assert not app.error


def test_texts_stay_through_other_pages_and_through_a_brief_that_can_not_be_written(server: Path) -> None:
    app = open_page()
    app.text_area(key=key_of("description", HEAT)).set_value(ODD).run()
    app.text_input(key=key_of("topic", HEAT)).set_value("heat " * 5_000).run()
    assert "5,000 words" in messages(app)
    assert app.button(key="writer-start").disabled
    app.switch_page("about.py").run()
    app.switch_page("writer/page.py").run()
    assert app.text_area(key=key_of("description", HEAT)).value == ODD
    app.text_input(key=key_of("topic", HEAT)).set_value("   ").run()
    assert "topic is empty" in messages(app).lower()
    app.text_input(key=key_of("topic", HEAT)).set_value("heat").run()
    assert not app.button(key="writer-start").disabled
    assert app.text_area(key=key_of("description", HEAT)).value == ODD


def test_a_dry_run_counts_and_keeps_nothing(server: Path) -> None:
    app = open_page()
    app.pills(key=key_of("modes", HEAT)).set_value(["strict", "creative"]).run()
    before = list_writings(cache.workspace().store)
    app.button(key="writer-dry-run").click()
    settled(ran(app))
    counts = {metric.label: metric.value for metric in app.metric}
    assert int(counts["Requests"]) > 4
    assert counts["Dollars"] == "0"
    assert list_writings(cache.workspace().store) == before


def test_a_service_that_may_bill_is_not_asked_before_the_dry_run(server: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    app = open_page()
    app.pills(key=key_of("who", HEAT)).set_value(["openai"]).run()
    assert app.button(key="writer-start").disabled
    assert "OPENAI_API_KEY" in messages(app)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-made-up-and-secret")
    app.run()
    assert app.button(key="writer-start").disabled
    app.button(key="writer-dry-run").click()
    settled(ran(app))
    assert not app.button(key="writer-start").disabled
    assert "secret" not in said(app)


def test_keywords_that_remove_core_publications_are_said_with_them_and_no_question_is_left(server: Path) -> None:
    app = open_page()
    app.text_area(key=key_of("negative", HEAT)).set_value("trees").run()
    app.number_input(key=key_of("calls", HEAT)).set_value(0).run()
    app.button(key="writer-start").click()
    settled(ran(app))
    row = list_writings(cache.workspace().store, HEAT)[0]
    assert row.n_calls == 0
    assert "no requests" in said(app)
    assert "trees" in said(app)


def test_a_candidate_is_saved_as_a_version_and_known_as_such(server: Path) -> None:
    app = open_page(writer="Candidates")
    click(app, "writer-save-candidate")
    row = cache.workspace().store.versions(HEAT)[-1]
    assert row.version.origin == "generated"
    assert row.version.text == app.code[0].value
    assert "writer-save-candidate" not in keys(app)
    app.button(key="writer-use-candidate").click().run()
    assert app.session_state["version"] == row.version.label


def test_every_count_of_a_candidate_leads_to_as_many_publications(server: Path) -> None:
    store = cache.workspace().store
    writing = find_writing(store, list_writings(store, HEAT)[0].writing_id)
    assert len(writing.steps) > 1
    for step in writing.steps:
        whole = step.judged.whole
        counts = (step.judged.n_retrieved, whole.n_found, whole.n_core - whole.n_found)
        names = ("Retrieved", "Core found", "Core missed")
        assert tuple(len(counted_ids(writing, step, name)) for name in names) == counts


def test_a_writing_that_is_not_here_any_more_is_said(server: Path) -> None:
    app = open_page(writing="nowhere")
    assert "no longer exists" in messages(app)


def test_the_view_that_was_left_is_shown_again_unless_a_link_asks_for_another(server: Path) -> None:
    app = open_page(writer="Asked")
    app.switch_page("about.py").run()
    app.switch_page("writer/page.py").run()
    assert app.session_state["writer"] == "Asked"
    app.switch_page("about.py").run()
    app.switch_page("writer/page.py")
    app.query_params["writer"] = "Refine"
    assert app.run().session_state["writer"] == "Refine"


def test_a_writing_that_can_not_be_read_is_said_with_a_way_out(server: Path) -> None:
    store = cache.workspace().store
    store.execute(
        "INSERT INTO writings VALUES ('odd', ?, '{}', 'done', NULL, '2031-01-01T00:00:00+00:00', NULL)", [HEAT]
    )
    for view in VIEWS[1:]:
        app = open_page(writing="odd", writer=view)
        assert "can't be read: delete it" in messages(app)
    app.button(key="writer-delete-unreadable").click().run()
    assert not app.error
    assert "odd" not in [row.writing_id for row in list_writings(store)]


def test_what_ended_early_says_so_in_every_view_and_can_go_on_from_there(server: Path) -> None:
    store = cache.workspace().store
    newest = list_writings(store, HEAT)[0].writing_id
    keep_state(store, newest, "stopped", "the service was out of order")
    for view in VIEWS[2:]:
        app = open_page(writing=newest, writer=view)
        assert "stopped early: the service was out of order" in messages(app)
    app.button(key="writer-go-on-here").click()
    settled(ran(app))
    assert find_writing(store, newest).state == "done"
    assert "stopped early" not in messages(open_page(writing=newest, writer="Asked"))


def test_a_brief_is_used_again_and_a_writing_is_deleted(server: Path) -> None:
    app = open_page()
    newest, *others = list_writings(cache.workspace().store, HEAT)
    app.text_input(key=key_of("topic", HEAT)).set_value("else").run()
    app.button(key=f"writer-brief-{newest.writing_id}").click().run()
    assert app.text_input(key=key_of("topic", HEAT)).value == newest.topic
    app.button(key=f"writer-delete-{newest.writing_id}").click().run()
    assert [row.writing_id for row in list_writings(cache.workspace().store, HEAT)] == [r.writing_id for r in others]
