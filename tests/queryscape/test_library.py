"""The library gives what the command and the app give, and says in a sentence what it can't use."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import queryscape as qs
from core.settings import EvaluationSettings
from core.text import publication_text
from core.types import Projection
from dashboard.cli import main
from data.demo.loading import DEMO_EMBEDDER
from data.demo.publications import DEMO_COLLECTION
from queryscape.evaluation import SettingNames
from queryscape.results import EvaluationResult, whisker
from tests.data.workspaces import CORE, MODEL, TOPIC, ids_of, toy_vectors

TOP = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def demo_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("demo")
    qs.demo(root).close()
    return root


@pytest.fixture
def ws(demo_dir: Path) -> Iterator[qs.OpenWorkspace]:
    with qs.open(demo_dir) as opened:
        yield opened


@pytest.fixture
def toy(filled: Path) -> Iterator[qs.WorkspaceTopic]:
    with qs.open(filled) as opened:
        yield opened.topic(TOPIC)


def command(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    main([*arguments, "--json"])
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def test_importing_loads_nothing_that_is_not_needed() -> None:
    code = "import sys, queryscape; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], cwd=TOP, capture_output=True, text=True, check=True)
    heavy = {"streamlit", "plotly", "duckdb", "umap", "sklearn", "pandas", "click", "rich", "openai", "httpx"}
    assert heavy & set(done.stdout.split()) == set()


def test_using_it_never_loads_streamlit(filled: Path) -> None:
    code = f"""
import sys, queryscape as qs
with qs.open({str(filled)!r}) as ws:
    result = ws.evaluate({TOPIC!r}, "baseline")
    result.landscape(), result.figure(), result._repr_html_(), result.to_dict(), result.to_frame()
    compared = ws.compare("baseline", "review")
    compared.figure(), compared._repr_html_(), compared.to_dict()
    qs.query.check("tea", topic=ws.topics()[0])
print("streamlit" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=TOP, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]


def test_every_public_name_exists_and_is_documented() -> None:
    assert sorted(qs.__all__) == qs.__all__
    for name in qs.__all__:
        value = getattr(qs, name)
        assert isinstance(value, str) or (value.__doc__ or "").strip(), name
        if callable(value):
            assert value.__doc__.splitlines()[0].rstrip().endswith("."), name


def test_settings_have_the_names_of_the_settings() -> None:
    assert list(SettingNames.__annotations__) == list(EvaluationSettings.__dataclass_fields__)


# The same numbers as the command.


def test_evaluate_is_the_command_for_every_demo_version(demo_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with qs.open(demo_dir) as ws:
        mine = {(t.name, v.label): t.evaluate(v.label).to_dict() for t in ws.topics() for v in t.versions()}
        compared = {t.name: t.compare("baseline", "review").to_dict() for t in ws.topics()}
    assert len(mine) >= 12
    where = ("--data-dir", str(demo_dir))
    for (topic, label), document in mine.items():
        assert document == command(capsys, "evaluate", "--topic", topic, "--version", label, *where)
    for topic, document in compared.items():
        assert document == command(capsys, "compare", "--topic", topic, "--versions", "baseline", "review", *where)


def test_intervals_and_settings_are_those_of_the_command(filled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    how: dict[str, Any] = {"beta": 1, "quantile": 0.2, "regions": ["cosine", "hull"], "intervals": True}
    with qs.open(filled) as ws:
        mine = ws.evaluate(TOPIC, "baseline", **how).to_dict()
    flags = ("--beta", "1", "--quantile", "0.2", "--regions", "cosine,hull", "--intervals")
    assert mine == command(
        capsys, "evaluate", "--topic", TOPIC, "--version", "baseline", *flags, "--data-dir", str(filled)
    )


STRINGS = [
    "tea OR leaf",
    "(heat AND",
    '"heat stress"[tiab] AND wom*n',
    "exp Wildfires/ adj3 smoke.ti,ab.",
    "",
    "a NOT b",
]


@pytest.mark.parametrize("text", STRINGS)
def test_query_check_and_translate_are_the_command(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("QUERYSCAPE_DATA_DIR", str(tmp_path))
    assert qs.query.check(text).to_dict() == command(capsys, "query", "check", text)
    done = qs.query.translate(text, to="wos")
    assert done.to_dict() == command(capsys, "query", "translate", text, "--to", "wos")
    assert str(done) == done.text


def test_query_explain_is_the_command(filled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with qs.open(filled) as ws:
        mine = ws.topic(TOPIC).explain("kettle", beta=1)
        assert mine.to_frame().columns.tolist()[0] == "publication_id"
    where = ("--topic", TOPIC, "--beta", "1", "--data-dir", str(filled))
    assert mine.to_dict() == command(capsys, "query", "explain", "kettle", *where)


def test_searches_are_the_command(filled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with qs.open(filled) as ws:
        mine = ws.topic(TOPIC).searches().to_dict()
    assert mine == command(capsys, "searches", "--topic", TOPIC, "--data-dir", str(filled))


def test_benchmark_is_the_command(ws: qs.OpenWorkspace, capsys: pytest.CaptureFixture[str]) -> None:
    mine = qs.benchmark(DEMO_COLLECTION, ["bm25", "dense:lsa"], workspace=ws)
    where = ws.path
    ws.close()
    theirs = command(
        capsys,
        "benchmark",
        "--collection",
        DEMO_COLLECTION,
        "--retrievers",
        "bm25",
        "dense:lsa",
        "--data-dir",
        str(where),
    )
    assert mine.to_dict() == theirs
    assert mine.to_frame()["retriever"].tolist() == ["bm25", "dense:lsa"]
    assert mine.figure().layout.title.text
    assert "bm25" in mine._repr_html_()


# Vectors and texts of one's own.


def scores(result: EvaluationResult) -> dict[str, Any]:
    named = ("topic", "version", "projection_id")
    return {name: value for name, value in result.to_dict().items() if name not in named}


def test_vectors_of_a_topic_give_the_scores_of_the_topic(toy: qs.WorkspaceTopic) -> None:
    ids = list(toy.publication_ids)
    for version in ("baseline", "review"):
        mine = qs.evaluate(
            toy.core_ids, toy.retrieved_ids(version), toy_vectors(ids), ids=ids, embedder=MODEL, projection="pca",
            intervals=True,
        )  # fmt: skip
        assert scores(mine) == scores(toy.evaluate(version, intervals=True))


def test_texts_of_a_demo_topic_give_the_scores_of_the_topic(ws: qs.OpenWorkspace) -> None:
    topic, store = ws.topics()[-1], ws.opened.store
    embedding = ws.opened.embedding(topic.name, DEMO_EMBEDDER)
    projection_id = ws.opened.landscapes.current_id(topic.name, embedding)
    assert projection_id is not None
    publications = store.load_publications(topic.publication_ids)
    placed: Projection = ws.opened.landscapes.load(projection_id)
    points = placed.take([p.publication_id for p in publications]).points
    texts = {p.publication_id: publication_text(p.title, p.abstract) for p in publications}
    for version in topic.versions():
        mine = qs.evaluate(topic.core_ids, topic.retrieved_ids(version.label), texts, points=points)
        assert scores(mine) == scores(topic.evaluate(version.label))


@given(st.data())
def test_the_form_of_the_input_does_not_matter(data: st.DataObject) -> None:
    ids = ids_of(0, 12)
    vectors = toy_vectors(ids)
    core = data.draw(st.lists(st.integers(0, 11), min_size=1, unique=True))
    retrieved = data.draw(st.lists(st.integers(0, 11), unique=True))
    kinds = ["cosine", "nearest_core"]
    first = qs.evaluate([ids[row] for row in core], [ids[row] for row in retrieved], vectors, ids=ids, regions=kinds)
    mask = [row in retrieved for row in range(12)]
    for other in (
        qs.evaluate(core, retrieved, vectors, ids=ids, regions=kinds),
        qs.evaluate(
            np.array(core), [ids[row] for row in retrieved], dict(zip(ids, vectors, strict=True)), regions=kinds
        ),
        qs.evaluate([ids[r] for r in core], np.array(retrieved, dtype=int), vectors.tolist(), ids=ids, regions=kinds),
    ):
        assert scores(other) == scores(first)
    masked = qs.evaluate(core, mask, vectors, ids=ids, regions=kinds)
    assert masked.recall == first.recall


@given(st.sets(st.integers(0, 5), min_size=1), st.sets(st.integers(0, 5)))
def test_masks_rows_and_ids_mean_the_same(core: set[int], retrieved: set[int]) -> None:
    ids = list("abcdef")
    bits = [[int(row in chosen) for row in range(6)] for chosen in (core, retrieved)]
    forms: list[list[Any]] = [
        [sorted(core), sorted(retrieved)],
        [[ids[row] for row in sorted(chosen)] for chosen in (core, retrieved)],
        bits,
        [list(map(bool, each)) for each in bits],
        [list(map(float, each)) for each in bits],
        [list(map(str, each)) for each in bits],
        [np.array(each) for each in bits],
        [np.array(each, dtype=bool) for each in bits],
        [pd.Series(each) for each in bits],
        [pd.Series(each, dtype="boolean") for each in bits],
    ]
    results = [qs.evaluate(*form, np.eye(6), ids=ids, regions="cosine") for form in forms]
    assert set(results[0].found) == {ids[row] for row in core & retrieved}
    for result in results:
        assert scores(result) == scores(results[0])


def test_two_rows_are_a_mask_only_if_they_repeat() -> None:
    assert qs.evaluate([0], [0], [[1.0, 2.0]]).found == ("0",)
    vectors = [[1.0, 2.0], [3.0, 4.0]]
    assert qs.evaluate([1, 1], [0, 1], vectors).found == ("0", "1")
    assert qs.evaluate([1, 1], [0, 0], vectors).found == ()


@pytest.mark.parametrize("core", [[2, 3, 2], [1, 1, 0], [1, None, 0, 0, 0, 1], pd.Series([1.0, float("nan")] * 3)])
def test_repeated_rows_and_gaps_are_refused(core: object) -> None:
    with pytest.raises(qs.InputError, match="core"):
        qs.evaluate(core, [1], np.eye(6))  # type: ignore[arg-type]


def test_numbers_are_ids_where_the_ids_are_numbers() -> None:
    result = qs.evaluate([11, 99], [11, 12], np.eye(6), ids=range(11, 17), regions="cosine")
    assert result.found == ("11",)
    assert any("99" in warning for warning in result.warnings)


def test_whole_numbers_are_the_same_ids_as_floats() -> None:
    for ids in (pd.Series([3.0, 1.0, 2.0, 7.0, 8.0, 9.0]), [3, 1, 2, 7, 8, 9]):
        assert qs.evaluate([1, 2], [1, 3], np.eye(6), ids=ids, regions="cosine").found == ("1",)
    with pytest.raises(qs.InputError, match="ids"):
        qs.evaluate([1], [2], np.eye(2), ids=[1, None])


def test_unknown_ids_are_named() -> None:
    result = qs.evaluate(["a", "b", "zz"], ["a", "nonsense"], np.eye(6), ids=list("abcdef"), regions="cosine")
    assert [any(name in warning for warning in result.warnings) for name in ("zz", "nonsense")] == [True, True]
    assert "zz" in str(result)
    assert not any('"' in warning for warning in qs.evaluate(["a"], ["b"], np.eye(6), ids=list("abcdef")).warnings)


def test_vectors_without_numbers_say_why_nothing_is_scored() -> None:
    result = qs.evaluate([0, 1], [0, 2], np.full((6, 3), np.nan))
    assert "no retrieved publication has a vector" in str(result)
    assert any("6 of 6" in warning for warning in result.warnings)


def test_the_summary_has_the_interval_and_the_regions_that_failed() -> None:
    vectors = np.eye(6)
    result = qs.evaluate([0, 1, 2], [0, 3], vectors, regions=["cosine", "hull"], intervals=True)
    low, high = result.recall_interval
    assert (result.to_frame()[["recall_low", "recall_high"]] == [low, high]).all(axis=None)
    assert f"{low:.3f}" in result.summary
    assert "Convex hull – (" in result.summary
    plain = qs.evaluate([0, 1, 2], [0, 3], vectors, regions=["cosine", "hull"])
    assert plain.recall_interval == (low, high)
    assert f"{low:.3f}" not in plain.summary
    assert "recall_low" not in plain.to_frame()


@pytest.mark.parametrize(
    "call",
    [
        lambda: qs.evaluate([1], [2]),
        lambda: qs.evaluate(["a"], ["b"], [[1, 2], [3, 4]]),
        lambda: qs.evaluate([0], [1], "a text"),
        lambda: qs.evaluate([0], [9], [[1, 2], [3, 4]]),
        lambda: qs.evaluate([-1], [0], [[1, 2], [3, 4]]),
        lambda: qs.evaluate([[1, 2]], [0], [[1, 2], [3, 4]]),
        lambda: qs.evaluate([0], [1], [[1, 2], [3]]),
        lambda: qs.evaluate([0], [1], [[1, 2], [3, 4]], beat=1),
        lambda: qs.evaluate([0], [1], [[1, 2], [3, 4]], beta=-1),
        lambda: qs.evaluate([0], [1], [[1, 2], [3, 4]], regions="circle"),
        lambda: qs.evaluate([0], [1], [[1, 2], [3, 4]], ids=["a"]),
        lambda: qs.evaluate([0], [1], [[1, 2], [3, 4]], points=[[1, 2]]),
        lambda: qs.evaluate([], [1], [[1, 2], [3, 4]]),
        lambda: qs.evaluate([0], [1], ["few", "texts"]),
        lambda: qs.evaluate([0], [1], texts=list("abcdef"), embedder="nothing"),
        lambda: qs.evaluate(5, [1], [[1, 2]]),  # type: ignore[arg-type]
        lambda: qs.evaluate([0.5], [1], [[1, 2], [3, 4]]),
        lambda: qs.query.check(5),  # type: ignore[arg-type]
        lambda: qs.query.translate("a", to="latin"),
        lambda: qs.query.check("a", semantics="stem"),  # type: ignore[arg-type]
        lambda: qs.evaluate([0], [1], [[1, 2], [3, 4]], beta="one"),  # type: ignore[arg-type]
        lambda: qs.evaluate([0], [1], [[1, 2], [3, 4]], quantile="most"),  # type: ignore[arg-type]
        lambda: qs.evaluate([0], [1], [[1, 2], [3, 4]], quantile=0.5, cosine_mode="best"),
        lambda: qs.evaluate([0], [1], [[1, 2], [3, 4]], regions=[]),
        lambda: qs.evaluate([0], [1], [[1, 2], [3, 4]], settings=3),  # type: ignore[arg-type]
        lambda: qs.evaluate([0], [1], np.eye(6), regions="Cosine").landscape(theme="blue"),  # type: ignore[arg-type]
        lambda: qs.evaluate("a", ["b"], texts=["a text", "another"]),
        lambda: qs.evaluate([0], [1], texts=[1, 2, 3]),
        lambda: qs.evaluate([0], [1], texts=pd.DataFrame({"title": ["a", "b"]})),
        lambda: qs.evaluate([0], [1], pd.DataFrame({"title": ["a", "b"], "x": [1, 2]})),
    ],
)
def test_anything_else_is_one_sentence(call: Callable[[], object]) -> None:
    with pytest.raises(qs.InputError) as raised:
        call()
    assert str(raised.value).strip()
    assert "\n" not in str(raised.value)
    assert "--" not in str(raised.value), "a flag in Python"


@pytest.mark.parametrize("to", ["Ovid", "OVID ", "ovid"])
def test_dialects_are_found_in_any_case(to: str) -> None:
    assert qs.query.translate("heat[ti]", to=to).text == "heat.ti."


# Names of topics and versions.


def test_a_topic_is_found_by_its_beginning(ws: qs.OpenWorkspace) -> None:
    names = [topic.name for topic in ws.topics()]
    (urban,) = (name for name in names if name.startswith("Urban"))
    for part in ("Urban", "urban heat", "urban-heat-and", urban.upper(), urban):
        assert ws.topic(part).name == urban
    assert ws.evaluate("urban", "baseline", regions="cosine").to_dict()["topic"] == urban
    for typo in ("Urbn", "Urban haet", "Sleap and"):
        with pytest.raises(qs.NotFoundError, match="did you mean"):
            ws.topic(typo)
    with pytest.raises(qs.InputError):
        ws.topic(3)  # type: ignore[arg-type]


def test_a_version_goes_wherever_its_label_goes(toy: qs.WorkspaceTopic) -> None:
    version = toy.run("leaf")
    label, ws = version.label, toy.workspace
    assert toy.evaluate(version).to_dict() == toy.evaluate(label).to_dict()
    assert qs.evaluate(toy, version).to_dict() == toy.evaluate(label).to_dict()
    assert toy.compare("baseline", version).to_dict() == ws.compare("baseline", version).to_dict()
    assert toy.retrieved_ids(version) == toy.retrieved_ids(label)
    assert toy.explain(version=version).to_dict() == toy.explain(version=label).to_dict()
    with pytest.raises(qs.InputError, match="Elsewhere"):
        toy.evaluate(replace(version, topic="Elsewhere"))
    with pytest.raises(qs.InputError) as raised:
        toy.compare(version)
    assert "--" not in str(raised.value)


def test_errors_name_arguments_and_no_options(toy: qs.WorkspaceTopic, tmp_path: Path) -> None:
    ws = toy.workspace
    (tmp_path / "list.csv").write_text("What,When\nTea leaves in shade,2011\n", "utf-8")
    (tmp_path / "report.html").write_text("mine", "utf-8")
    calls: list[Callable[[], object]] = [
        lambda: ws.import_files(tmp_path / "list.csv", topic="Tea"),
        lambda: toy.report(tmp_path / "report.html"),
        lambda: toy.evaluate("baseline", embedder="openai:nothing"),
    ]
    for call in calls:
        with pytest.raises(qs.QueryscapeError) as raised:
            call()
        assert "--" not in str(raised.value)


def test_a_folder_in_use_is_shared(toy: qs.WorkspaceTopic) -> None:
    code = f"""
import queryscape as qs
with qs.open({str(toy.workspace.path)!r}) as ws:
    print([topic.name for topic in ws.topics()], ws.topic({TOPIC!r}).run("leaf").n_retrieved)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=TOP, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(str([topic.name for topic in toy.workspace.topics()]))
    assert "leaf" in [version.text for version in toy.versions()]


def test_a_label_is_not_taken_for_a_search_string(toy: qs.WorkspaceTopic, capsys: pytest.CaptureFixture[str]) -> None:
    for call in (toy.explain, toy.run):
        with pytest.raises(qs.InputError, match="baseline"):
            call("baseline")
    assert toy.explain("(baseline)")["missed"]
    path = str(toy.workspace.path)
    toy.workspace.close()
    for name in ("explain", "terms"):
        with pytest.raises(SystemExit):
            main(["query", name, "baseline", "--topic", TOPIC, "--data-dir", path])
        assert '--version "baseline"' in capsys.readouterr().err


def test_a_string_with_errors_runs_only_on_request(toy: qs.WorkspaceTopic) -> None:
    with pytest.raises(qs.InputError, match="character 1, "):
        toy.run("(tea AND")
    assert toy.run("(tea AND", with_errors=True).text == "(tea AND"
    with pytest.raises(qs.InputError, match="empty"):
        toy.run(" ")
    assert toy.run("leaf", dialect="PubMed").text == "leaf"


@pytest.mark.parametrize("name", ["evaluate", "compare", "explain", "report", "run"])
def test_the_methods_of_a_topic_have_the_parameters_of_the_workspace(name: str) -> None:
    of_topic = signature(getattr(qs.WorkspaceTopic, name)).parameters
    source = qs.query.explain if name == "explain" else getattr(qs.OpenWorkspace, name)
    of_source = signature(source).parameters
    mine, theirs = (
        {n: p.default for n, p in each.items() if n not in ("self", "topic")} for each in (of_topic, of_source)
    )
    assert mine == theirs


def test_a_closed_workspace_says_so(filled: Path) -> None:
    with qs.open(filled) as ws:
        result = ws.evaluate(TOPIC, "baseline")
    with pytest.raises(qs.InputError, match="closed"):
        ws.topics()
    with pytest.raises(qs.InputError, match="closed"):
        result.landscape()
    assert "closed" in repr(ws)
    assert result.to_dict()["topic"] == TOPIC


def test_files_for_evaluation_programs_are_those_of_the_command(
    filled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with qs.open(filled) as ws:
        topic = ws.topic(TOPIC)
        mine = topic.export_collection(tmp_path / "mine", qrels=tmp_path / "mine.qrels")
        runs = topic.export_run(tmp_path / "mine.run", "baseline")
        as_versions = ws.export_collection(f"topic:{TOPIC}", tmp_path / "versions")
    assert len(mine.files) == 4
    assert as_versions.to_dict()["n_queries"] > mine.to_dict()["n_queries"] == 1
    where = ("--topic", TOPIC, "--data-dir", str(filled))
    theirs = command(
        capsys, "export", "collection", *where, "--out", str(tmp_path / "b"), "--qrels", str(tmp_path / "q")
    )
    for ours, other in zip(mine.files, theirs["files"], strict=True):
        assert ours.read_bytes() == Path(other).read_bytes()
    theirs = command(capsys, "export", "run", *where, "--version", "baseline", "--out", str(tmp_path / "r"))
    assert runs.files[0].read_bytes() == (tmp_path / "r").read_bytes()
    assert (runs.to_frame()["version"].tolist(), runs.notes) == (["baseline"], theirs["notes"])


def test_columns_of_a_table_are_named(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("What,When\nTea leaves in shade,2011\nKettles,2012\n", "utf-8")
    with qs.open(tmp_path / "ws") as ws:
        with pytest.raises(qs.InputError, match="titel"):
            ws.import_files(tmp_path / "list.csv", topic="Tea", columns={"titel": "What"})
        done = ws.import_files(tmp_path / "list.csv", topic="Tea", columns={"title": "What", "year": "When"})
        assert done.to_dict()["n_publications"] == 2


# The looks of a result.


def test_results_have_a_short_repr_and_a_safe_table(toy: qs.WorkspaceTopic, tmp_path: Path) -> None:
    nasty = "<script>alert(1)</script>\n" * 50
    results = [
        toy.evaluate("baseline"),
        toy.compare("baseline", "review"),
        toy.explain("kettle"),
        toy.searches(),
        qs.query.check(f"{nasty} AND (", "plain"),
        qs.query.translate(f'"{nasty}"', to="pubmed"),
        qs.evaluate([0], [1], np.eye(6), regions="cosine", topic=nasty, version=nasty),
    ]
    for result in results:
        assert len(repr(result)) < 500
        assert "\n" not in repr(result)
        assert "<script" not in result._repr_html_()
        result.to_frame().to_parquet(tmp_path / "table.parquet")
        assert pd.read_parquet(tmp_path / "table.parquet").shape == result.to_frame().shape
        json.dumps(result.to_dict(), allow_nan=False)
    assert len(repr(toy.evaluate("review").evaluation)) < 500
    assert all(
        len(repr(each)) < 500 for each in (toy, *toy.versions(), *toy.evaluate("review").evaluation.regions.values())
    )


def test_a_table_without_rows_has_its_columns(toy: qs.WorkspaceTopic) -> None:
    texts = ["heat", "(heat AND"]
    assert len({tuple(qs.query.check(text).to_frame()) for text in texts}) == 1
    texts = ["heat[ti]", "heat[pl]"]
    tables = [qs.query.translate(text, from_="pubmed", to="wos").to_frame() for text in texts]
    assert [table.empty for table in tables] == [True, False]
    assert tuple(tables[0]) == tuple(tables[1])
    tables = [toy.explain(text).to_frame() for text in ("kettle", "tea OR kettle OR leaf OR leaves OR water")]
    assert tuple(tables[0]) == tuple(tables[1])
    assert "hits" in toy.searches().to_frame()


def test_figures_are_those_of_the_app(toy: qs.WorkspaceTopic) -> None:
    result = toy.evaluate("baseline")
    by_role = {trace.name: len(trace.x) for trace in result.landscape("cosine").data if trace.mode == "markers"}
    assert sum(by_role.values()) == result.evaluation.n_scorable + len(result.missed)
    assert result.figure(theme="dark").data
    own = qs.evaluate(
        CORE, toy.retrieved_ids("baseline"), toy_vectors(ids_of(0, 40)), ids=ids_of(0, 40), projection="pca"
    )
    assert own.landscape().data
    with pytest.raises(qs.InputError):
        qs.evaluate([0], [1], np.eye(6), regions="nearest_core").figure()


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_a_whisker_stays_inside(value: float, a: float, b: float) -> None:
    svg = whisker(value, (min(a, b), max(a, b)))
    assert svg.count("<svg") == svg.count("</svg>") == 1
    assert "nan" not in svg


def test_a_review_goes_from_files_to_a_report(tmp_path: Path) -> None:
    ris = "TY  - JOUR\nTI  - {}\nAB  - {}\nER  - \n"
    topics = ["tea leaves steep", "water kettle", "petri nets", "process models", "cups of tea", "tea and water"]
    (tmp_path / "all.ris").write_text("".join(ris.format(f"On {t}", f"About {t} and more") for t in topics), "utf-8")
    (tmp_path / "core.ris").write_text(
        "".join(ris.format(f"On {t}", f"About {t} and more") for t in topics[:2]), "utf-8"
    )
    with qs.open(tmp_path / "ws") as ws:
        brought = ws.import_files(tmp_path / "all.ris", topic="Tea")
        assert brought["n_new"] == len(topics)
        ws.import_files([tmp_path / "core.ris"], topic="Tea", role="core")
        version = ws.run("tea", topic="Tea")
        assert version.n_retrieved == 3
        assert ws.run("tea", topic="Tea") == version
        assert ws.evaluate("Tea", version.label, regions="cosine").recall == 0.5
        ws.topic("Tea").confirm(by="A. Person")
        out = ws.report("Tea", tmp_path / "report.html", kind="prisma-s")
        assert out.read_text("utf-8").startswith("<!")
        with pytest.raises(qs.QueryscapeError):
            ws.report("Tea", out)
