"""The views Text and Landscape of the page Versions: what the browser is told, and what it counts."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core.types import QueryVersion
from dashboard import cache
from dashboard.explore.payloads import (
    Overlay,
    counted_in,
    group_counts,
    group_of,
    overlay_of,
    overlay_payload,
    wordings_document,
)
from data.explore.workspace import Workspace
from data.store import Headlines, VersionRow
from tests.dashboard.apps import SECONDS, messages, told
from tests.dashboard.payloads import unpack
from tests.data.workspaces import CORE, MODEL, TOPIC, N, Version, fill, ids_of, toy_vectors, write_npz

CODE = Path(__file__).parents[1] / "browser_code"
HOSTILE = '<img src=x onerror=alert(1)> AND "*b*" OR 😀'
MANY = (
    Version("baseline", 1, ids_of(3, 30), "baseline", "tea AND leaf"),
    Version("review", 2, ids_of(0, N), "review", "(tea OR cup) AND leaf*"),
    Version("odd", 3, ids_of(20, 40), "manual", HOSTILE),
    Version("same", 4, ids_of(3, 30), "manual", "leaf and TEA"),
    Version("wordless", 5, ids_of(0, 2), "manual", ""),
    Version("nameless", 6, ids_of(0, 2), "manual", " "),
)


def draw(view: str, labels: Sequence[str]) -> AppTest:
    """One view of the page, by itself."""

    def script(view: str, topic: str, model: str, labels: list[str]) -> None:
        from dashboard import cache
        from dashboard.explore.versions import VersionChoice
        from dashboard.explore.versions_page import draw_overlay, draw_text
        from dashboard.kit.components import mount_code

        mount_code()
        rows = tuple(cache.workspace().version(topic, label) for label in labels)
        {"Text": draw_text, "Landscape": draw_overlay}[view](VersionChoice(topic, model, rows))

    arguments = {"view": view, "topic": TOPIC, "model": MODEL, "labels": labels}
    app = AppTest.from_function(script, kwargs=arguments, default_timeout=SECONDS).run()
    assert not app.exception
    return app


def row(text: str, **more: Any) -> VersionRow:
    return VersionRow(QueryVersion("q", "t", "v", 1, text, "manual", **more), 3, "h")


@pytest.mark.parametrize("dialect", [None, "pubmed", "plain", "unheard of"])
def test_the_pieces_of_a_document_make_up_both_texts(dialect: str | None) -> None:
    first, second = row("heat AND tree", dialect=dialect), row(HOSTILE, dialect=dialect, note="*why*")
    document = wordings_document(first, second)
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert "".join(before for _, before, _ in document["pieces"]) == "heat AND tree"
    assert "".join(after for _, _, after in document["pieces"]) == HOSTILE
    fates = [fate for fate, _, _ in document["pieces"]]
    assert all(a != b for a, b in pairwise(fates))
    assert ["Note", "*why*"] in document["readings"][1]["facts"]


def test_how_a_version_was_read_is_told() -> None:
    run = row("heat[ti]", dialect="pubmed", semantics="stemmed", made_at="2024-05-06T07:08:09", name="short")
    facts = dict(wordings_document(run, row("Which trees cool a street?"))["readings"][0]["facts"])
    assert facts["Read as"] == "PubMed"
    assert facts["When"] == "2024-05-06 07:08 UTC"
    assert facts["Retrieved"] == "3 publications"
    question = wordings_document(run, row("Which trees cool a street?"))
    assert question["same"] is None
    assert dict(question["readings"][1]["facts"])["Read as"].startswith("Plain-language")
    assert question["names"] == ["v: short", "v"]


def test_the_text_view_tells_what_changed(root: Path) -> None:
    fill(root, versions=MANY)
    document = told(draw("Text", ["baseline", "review"]))["versions_text"]
    assert document["names"] == ["baseline", "review"]
    assert [change["sentence"] for change in document["changes"]] == [
        "Concept 1 (tea, cup): added cup.",
        "Concept 2 (leaf*): leaf became leaf* (wider: more endings match).",
    ]
    same = told(draw("Text", ["baseline", "same"]))["versions_text"]
    assert (same["same"], same["changes"]) == (True, [])
    three = draw("Text", ["baseline", "review", "odd"])
    assert told(three)["versions_text"]["names"][1] == "review"
    three.selectbox(key="versions_other").select("odd").run()
    assert told(three)["versions_text"]["names"][1] == "odd"
    assert "Neither version" in messages(draw("Text", ["wordless", "nameless"]))


def test_the_landscape_of_two_and_of_three_versions(root: Path) -> None:
    fill(root, versions=MANY)
    app = draw("Landscape", ["baseline", "review"])
    made = cache.overlay(TOPIC, MODEL, ("baseline", "review"))
    assert told(app)["overlay"]["overlay"] == made.payload_id
    header, arrays = unpack(made.payload)
    found = dict(zip(made.overlay.ids, arrays["members"].tolist(), strict=True))
    assert {i for i, bits in found.items() if bits == 3} == set(ids_of(3, 30))
    assert {i for i, bits in found.items() if bits == 2} == set(ids_of(0, 3)) | set(ids_of(30, N))
    assert {made.overlay.ids[at] for at in np.flatnonzero(arrays["core"])} == set(CORE)
    assert (header["n"], header["n_placed"], header["labels"]) == (N, N, ["baseline", "review"])
    assert app.dataframe[0].value["Publications"].tolist() == [0, 0, 13, 27]
    three = cache.overlay(TOPIC, MODEL, ("baseline", "review", "odd"))
    np.testing.assert_array_equal(three.overlay.points, made.overlay.points)
    assert three.overlay.ids == made.overlay.ids


def test_identical_versions_and_more_than_three_are_said(root: Path) -> None:
    fill(root, versions=MANY)
    assert "the same publications" in " ".join(box.value for box in draw("Landscape", ["baseline", "same"]).caption)
    four = " ".join(box.value for box in draw("Landscape", ["baseline", "same", "odd", "review"]).caption)
    assert "up to 3 versions" in four
    assert "review" in four


def test_with_too_few_vectors_for_a_landscape_the_numbers_stay(root: Path) -> None:
    fill(root, versions=MANY, models=())
    with Workspace.open(root) as workspace:
        workspace.add_vectors(write_npz(root / "few.npz", ids_of(0, 3), toy_vectors(ids_of(0, 3))), MODEL)
    app = draw("Landscape", ["baseline", "review"])
    assert "five publications" in messages(app)
    assert "overlay" not in told(app)
    assert app.dataframe[0].value["Without a place"].tolist() == [0, 0, 13, 27]


members = st.lists(st.integers(0, 7), max_size=30)


@given(members)
def test_groups_are_who_has_it_alone(bits: list[int]) -> None:
    groups = group_of(np.array(bits, dtype=np.uint8), 3).tolist()
    having = [[k for k in range(3) if bit >> k & 1] for bit in bits]
    assert groups == [0 if not h else h[0] + 1 if len(h) == 1 else 4 for h in having]


def some_overlays() -> list[Overlay]:
    """Usual ones, and those at the ends."""
    rng = np.random.default_rng(0)
    overlays = []
    for seed, n_versions in enumerate((1, 2, 2, 3, 3)):
        placed = ids_of(0, 30 + seed)
        sets = [
            (f"v{k}", tuple(rng.choice(ids_of(0, 50), rng.integers(0, 40), replace=False))) for k in range(n_versions)
        ]
        overlays.append(overlay_of(placed, rng.normal(size=(len(placed), 2)), ids_of(25, 45), sets))
    return [*overlays, overlay_of((), np.zeros((0, 2)), ("x",), [("a", ()), ("b", ())])]


def test_the_browser_counts_as_python_does(node: str, tmp_path: Path) -> None:
    scenes = []
    for overlay in some_overlays():
        n = len(overlay.ids)
        payload = overlay_payload(
            overlay,
            Headlines(("",) * n, np.zeros(n, dtype=np.int16), ("",) * n),
            payload_id="x",
            scape="explore",
            topic="t",
            embedder="toy",
            made_up=False,
        )
        counts = [[count.n, count.n_core, count.n_unplaced] for count in group_counts(overlay)]
        for group, numbers in enumerate(counts):
            listed = [counted_in(overlay, group, what) for what in ("all", "core", "unplaced")]
            assert [len(ids) for ids in listed] == numbers
        scenes.append({"payload": base64.b64encode(payload).decode(), "counts": counts, "ids": list(overlay.ids)})
    place = tmp_path / "overlays.json"
    place.write_text(json.dumps(scenes), encoding="utf-8")
    environment = {k: v for k, v in os.environ.items() if k != "NODE_OPTIONS"} | {"QUERYSCAPE_OVERLAYS": str(place)}
    ran = subprocess.run(
        [node, "--test", str(CODE / "overlay_groups.test.mjs")],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "skipped 0" in ran.stdout
