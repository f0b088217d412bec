"""Every page in the app, without a browser: it renders, it has an empty state, and one thing that can be done there."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.explore.uncertainty import COVERAGE, coverage_sentence
from core.judge.grades import JUDGE_METRICS
from core.judge.judgments import STATUS_WORDS
from core.judge.reliability import TRUST_METRICS
from core.metrics import METRICS
from core.query.checks.rules import RULES
from core.query.dialects import DIALECTS
from core.query.parser import parse
from core.settings import EvaluationSettings
from core.sources.runs import SOURCE_METRICS
from core.writer.gains import WRITER_METRICS
from dashboard import cache
from data.files import READ_ONLY
from tests.browser.truth import HEAT
from tests.dashboard.apps import APP, messages, open_app, press, ran, settled, told
from tests.dashboard.payloads import unpack
from tests.data.collections import SOUPS, write_litqeval, write_workbook
from tests.data.workspaces import CORE, MODEL, TOPIC, N, Version, fill, ids_of, publications, toy_vectors, write_npz


def _cosine(app: AppTest) -> dict[str, Any]:
    return {region["kind"]: region for region in told(app)["scores"]["regions"]}["cosine"]


def _tune(app: AppTest, seq: int, **values: Any) -> None:
    """What the landscape sends when something was tuned."""
    app.session_state["landscape"] = {"tuning": {"seq": seq, **values}}
    ran(app)


# Explore


def test_an_empty_workspace_offers_the_demo(root: Path) -> None:
    app = open_app()
    assert app.title[0].value == "Queryscape"
    assert [b.label.split()[0] for b in app.button] == ["See", "Import", "Load"]


def test_the_example_is_one_topic_with_its_landscape_while_the_others_follow(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    followed: list[bool] = []
    monkeypatch.setattr("dashboard.welcome.bring_demo", lambda workspace, on_stage: followed.append(True))
    app = open_app()
    press(app, "build-demo")
    assert followed == [True]
    assert told(app)["landscape"]["dataset"]["points"]
    assert [topic.topic_id for topic in cache.workspace().topics()] == [HEAT] == [app.selectbox(key="topic").value]


def test_a_wrong_folder_of_litqeval_says_what_to_do(root: Path) -> None:
    app = open_app()
    app.text_input[0].set_value("/no/such/folder")
    app.button[2].click().run()
    assert "This folder" in messages(app)


def test_litqeval_opens_a_topic_with_result_lists_and_counts_them(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_litqeval(tmp_path / "litqeval")
    core = [["Aardvarks", "s2", "p20", "Core 20"], [SOUPS, "s1", "p1", "Core 1"]]
    write_workbook(folder / "core_publications.xlsx", [["Topic", "Survey", "Pub_id", "Title"], *core])
    monkeypatch.setattr("dashboard.welcome.is_prepared", lambda selection: False)
    app = open_app()
    app.text_input[0].set_value(str(folder))
    app.button[2].click().run()
    settled(app)
    assert [topic.topic_id for topic in cache.workspace().topics()] == ["Aardvarks", SOUPS]
    assert app.selectbox(key="topic").value == SOUPS
    assert "1 of 2 topics" in app.session_state["message-loaded"]


@pytest.mark.parametrize(("made_up", "n"), [((True, False, False), 2), ((True, True, True), 3)])
def test_a_study_takes_demo_topics_only_if_there_is_nothing_else(root: Path, made_up: tuple[bool, ...], n: int) -> None:
    with cache.workspace().store.transaction():
        for number, is_demo in enumerate(made_up):
            cache.workspace().save_topic(f"T{number}", CORE, (), made_up=is_demo)
    app = open_app()
    app.switch_page("explore/studies_page.py").run()
    assert not app.exception
    assert f"All {n} topics" in app.multiselect(key="topics").proto.placeholder
    assert any("only demo topics" in caption.value for caption in app.caption) == (n == 3)


def test_explore_shows_the_scores_of_a_direct_call(root: Path) -> None:
    fill(root)
    app = open_app(version="review")
    parts = told(app)
    assert set(parts) - {"later", "navigation", "palette_button"} == {
        *(
            "scores",
            "landscape",
            "record",
            "table",
            "hints",
            *("browser_memory", "changes"),
            "figure_files",
            "place",
            "workbench",
            "versions_strip",
        )
    }
    expected = cache.workspace().evaluate(TOPIC, "review", embedder=MODEL)
    assert parts["scores"]["recall"]["value"] == expected.recall
    assert {r["kind"]: r["f_beta"] for r in parts["scores"]["regions"] if not r["pending"]}.items() <= {
        kind: scores.f_beta for kind, scores in expected.regions.items()
    }.items()
    assert parts["landscape"]["dataset"]["points"]


@pytest.mark.parametrize("relevant_ids", [(), ids_of(0, 12)])
def test_the_truth_is_shown_where_it_is_known(root: Path, relevant_ids: tuple[str, ...]) -> None:
    fill(root, relevant_ids=relevant_ids)
    app = open_app(version="review")
    shown = {metric.label: metric.value for metric in app.metric}
    assert ("True precision" in shown) == ("True recall" in shown) == bool(relevant_ids)
    if relevant_ids:
        retrieved = cache.view(TOPIC, "review", MODEL).retrieved_ids
        assert shown["True recall"] == f"{len({*retrieved} & {*relevant_ids}) / len(relevant_ids):.3f}"


def test_a_tuned_threshold_is_scored_and_stands_in_the_link(root: Path) -> None:
    fill(root)
    app = open_app(version="review")
    _tune(app, 1, region="cosine", cosine_mode="fixed", min_similarity=0.8125)
    settings = EvaluationSettings(cosine_mode="fixed", min_similarity=0.8125)
    expected = cache.workspace().evaluate(TOPIC, "review", embedder=MODEL, settings=settings).regions["cosine"]
    assert _cosine(app)["n_relevant"] == expected.n_relevant
    assert told(app)["scores"]["echo"] == 1
    assert app.query_params["similarity"] == "0.8125"
    assert app.query_params["mode"] == "fixed"


def test_a_link_opens_the_same_view(root: Path) -> None:
    fill(root)
    link = {
        "topic": TOPIC,
        "version": "review",
        "region": "hull",
        "mode": "fixed",
        "similarity": "0.8125",
        "beta": "1.0",
    }
    app = open_app(**link)
    tuning = told(app)["landscape"]["tuning"]
    assert (tuning["region"], tuning["min_similarity"], tuning["beta"]) == ("hull", 0.8125, 1.0)
    assert app.selectbox(key="version").value == "review"


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ({"version": "deleted"}, 'version in the link: "deleted"'),
        ({"topic": "Coffee"}, 'topic in the link: "Coffee"'),
        ({"embedder": "gone"}, 'embedder in the link: "gone"'),
        ({"beta": "none"}, "beta must be"),
        ({"beta": "-1"}, "above 0"),
        ({"region": "circle"}, "region must be"),
    ],
)
def test_a_link_to_what_is_not_there_says_so_and_shows_the_rest(root: Path, link: dict[str, str], said: str) -> None:
    fill(root)
    app = open_app(**link)
    assert said in messages(app)
    assert "scores" in told(app)


def run(app: AppTest, text: str, **how: str) -> dict[str, Any]:
    """Type a search string on the Workbench and run it; gives back what the page is told then."""
    seq = told(app)["workbench"]["seq"]
    for ask in ({"seq": seq + 1, "kind": "edit", "text": text}, {"seq": seq + 2, "kind": "run", **how}):
        app.session_state["workbench"] = {"ask": ask}
        ran(app)
    return told(app)["workbench"]


@pytest.mark.parametrize(
    ("text", "said"), [("", "query is empty"), ("OR", "term is missing"), ("trees[mesh]", "can be tested")]
)
def test_a_query_that_makes_no_sense_is_answered(root: Path, text: str, said: str) -> None:
    fill(root)
    app = open_app()
    document = run(app, text, how="as_is")
    assert said in document["message"]["text"]
    assert document["text"] == text
    assert app.selectbox(key="version").value == "baseline"


@pytest.mark.parametrize(
    ("text", "said", "n"), [("(tea", "never closed", 1), ("tea AND", "term is missing", 1), ("(tea AND (nets", "", 2)]
)
def test_a_slip_waits_to_be_mended_or_run_as_it_is(root: Path, text: str, said: str, n: int) -> None:
    fill(root)
    app = open_app()
    asked = run(app, text)["problems"]
    assert (asked["n"], asked["waits"]) == (n, True)
    assert said in asked["messages"][0]
    assert app.selectbox(key="version").value == "baseline"
    kept = run(app, text, how="as_is")["problems"]
    assert app.selectbox(key="version").value == "v4"
    assert (kept["n"], kept["waits"]) == (n, False), "the scores of the version stay those of a slip"


@pytest.mark.parametrize("text", ["(tea", "tea AND", "(tea AND (nets", "OR tea"])
def test_slips_are_mended_and_run_at_once(root: Path, text: str) -> None:
    fill(root)
    app = open_app()
    document = run(app, text, how="fix")
    assert app.selectbox(key="version").value == "v4"
    assert document["problems"] is None
    assert not [found for found in parse(document["text"]).findings if found.severity == "error"]


@pytest.mark.parametrize(("text", "n"), [("unicorn", 0), ("tea OR nets OR NOT unicorn", 40)])
def test_a_query_that_matches_nothing_or_everything(root: Path, text: str, n: int) -> None:
    fill(root)
    app = open_app()
    run(app, text, how="as_is")
    scores = told(app)["scores"]
    assert scores["n_retrieved"] == n
    assert (_cosine(app)["status"] == "ok") == (n > 0)


def test_a_clicked_publication_is_explained(root: Path) -> None:
    fill(root)
    app = open_app(version="review")
    app.session_state["landscape"] = {"focus": {"seq": 1, "row": 39}}
    app.run()
    shown = told(app)["record"]
    assert shown["echo_focus"] == 1
    assert shown["record"]["rank"] == 1
    assert len(shown["record"]["nearest"]) == 10
    assert {line["kind"] for line in shown["record"]["why"]} >= {"cosine", "hull"}


def test_core_publications_are_listed_the_missed_first(root: Path) -> None:
    fill(root)
    app = open_app(version="baseline")
    header = unpack(cache.points(cache.view(TOPIC, "baseline", MODEL), False))[0]
    assert header["id"] == told(app)["landscape"]["dataset"]["points"]
    core = header["core_list"]
    assert [entry["found"] for entry in core] == [False] * 3 + [True] * 5
    assert len(core) == len(CORE)


@pytest.mark.parametrize("core", [(), ids_of(0, 1), ids_of(0, 2)])
def test_a_topic_with_few_core_publications(root: Path, core: tuple[str, ...]) -> None:
    fill(root, core_ids=core)
    app = open_app()
    if core:
        assert "scores" in told(app)
        assert told(app)["scores"]["warnings"]
    else:
        assert "no core publications" in messages(app)


def test_the_distortion_is_measured_however_little_a_version_retrieves(root: Path) -> None:
    fill(root, core_ids=ids_of(0, 3), versions=(Version("v1", 1, ids_of(0, 3)), Version("v2", 2, ids_of(0, N))))
    app = settled(open_app(version="v1"))
    assert {"Trustworthiness", "Continuity"} <= {metric.label for metric in app.metric}


@pytest.mark.slow
def test_the_distortion_is_measured_again_once_publications_were_added(root: Path) -> None:
    fill(root)
    settled(open_app(version="baseline"))
    more = ids_of(0, N + 5)
    workspace = cache.workspace()
    workspace.store.save_publications(publications(more[N:]))
    workspace.save_topic(TOPIC, CORE, (Version("v4", 4, more[N:]),))
    workspace.add_vectors(write_npz(root / "more.npz", more, toy_vectors(more)), MODEL)
    app = settled(settled(open_app(version="baseline")))  # the first places the new ones on the landscape
    assert "Trustworthiness" in {metric.label for metric in app.metric}


def test_a_topic_with_one_publication(root: Path) -> None:
    fill(root, core_ids=ids_of(0, 1), versions=(Version("baseline", 1, ids_of(0, 1), "baseline"),), landscape=False)
    app = open_app()
    assert "needs five publications" in told(app)["landscape"]["no_landscape"]


@pytest.mark.slow
def test_a_topic_without_vectors_is_made_ready(root: Path) -> None:
    fill(root, models=(), landscape=False)
    app = open_app()
    assert "Preparing this topic" in app.header[0].value
    settled(app)
    assert "scores" in told(app)


def test_a_browser_without_a_canvas_gets_the_plain_figure(root: Path) -> None:
    fill(root)
    app = open_app()
    app.session_state["landscape"] = {"fallback": True}
    ran(app)
    assert len(app.get("plotly_chart")) == 2
    app.slider(key="plain-threshold").set_value(0.75).run()
    expected = cache.workspace().evaluate(
        TOPIC, "baseline", embedder=MODEL, settings=EvaluationSettings(cosine_mode="fixed", min_similarity=0.75)
    )
    assert _cosine(app)["n_relevant"] == expected.regions["cosine"].n_relevant
    ran(app.selectbox(key="plain-region").set_value("hull"))
    assert app.query_params["region"] == "hull"
    assert len(app.get("plotly_chart")) == 2


# About


def test_descriptions_of_constants_are_no_text_of_a_page(root: Path) -> None:
    app = open_app()
    for name in ("audit/page.py", "explore/labs_page.py"):
        app.switch_page(name).run()
        assert not app.exception
        source = ast.parse((APP.parent / name).read_text("utf-8"))
        described = [
            n.value.value for n in source.body if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)
        ]
        assert len(described) > 1
        assert {block.value for block in app.markdown}.isdisjoint(described)


def test_about_defines_every_metric(root: Path) -> None:
    app = open_app()
    app.switch_page("about.py").run()
    assert not app.exception
    said = " ".join(block.value for block in app.markdown).replace("\\", "")
    for metric in METRICS.values():
        assert f"**{metric.label}**" in said
        assert f"`{metric.formula}`" in said
        assert metric.sentence in said
    for judged in (
        *JUDGE_METRICS.values(),
        *TRUST_METRICS.values(),
        *SOURCE_METRICS.values(),
        *WRITER_METRICS.values(),
    ):
        assert f"**{judged.label}**" in said
        assert judged.sentence in said
    for status in STATUS_WORDS:
        assert f"`{status}`" in said
    for dialect in DIALECTS.values():
        assert f"**{dialect.label}**" in said
    for rule in RULES.values():
        assert f"`{rule.id}`" in said
    for mode in COVERAGE:
        assert coverage_sentence(mode) in said


def test_a_workspace_that_can_only_be_read_is_shown(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(root)
    monkeypatch.setenv(READ_ONLY, "1")
    app = open_app()
    assert "Read-only" in messages(app)
    assert "scores" in told(app)
