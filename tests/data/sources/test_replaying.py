"""A run read again here: how many agree, what a narrower text keeps, and what is left open."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import InputError
from core.query.parser import parse
from core.sources.preparation import prepare
from core.sources.source_forms import SourceOptions
from core.types import Publication
from data.explore.workspace import Workspace
from data.query.index import CorpusIndex, in_memory
from data.sources.fetch import replay, replay_run, replay_trees
from data.sources.runs import LiveRun
from tests.core.query_oracle import without
from tests.data.workspaces import TOPIC, Version, fill, ids_of
from tests.messages import refusal

TEXTS = {
    "a": ("Heat in trees", "Nothing.", 2012, ()),
    "b": ("Shade of trees", "Nothing.", 2015, ()),
    "c": ("Heating of trees", "Nothing.", 2019, ()),
    "d": ("Leaves", "Came by a heading.", 2018, ()),
    "e": ("Trees", "Nothing.", None, ("heat",)),
}
CORPUS = CorpusIndex(in_memory([Publication(i, t, a, y, None, None, k) for i, (t, a, y, k) in TEXTS.items()]))
IDS = tuple(TEXTS)


def read(text, dialect="pubmed"):
    root = parse(text, dialect).root
    assert root is not None
    return root


def again(before, after=None, ids=IDS, source="pubmed", **how):
    return replay_trees(CORPUS, ids, read(before), None if after is None else read(after), source=source, **how)


def test_what_the_same_text_finds_here_too() -> None:
    found = again("(heat[tiab] OR shade[tiab]) AND trees[tiab]")
    assert (found.n, found.n_agree, found.standing, found.is_exact) == (5, 3, None, False)
    assert "3 of the run's 5 publications" in found.sentence
    assert "(60 %)" in found.sentence
    assert "all of the" in again("trees[tiab]", ids=("a", "b")).sentence


def test_a_term_switched_off_keeps_drops_and_leaves_open() -> None:
    found = again("(heat[tiab] OR shade[tiab]) AND trees[tiab]", "heat[tiab] AND trees[tiab]")
    assert found.standing is not None
    assert found.standing.kind == "narrower"
    assert (found.kept, found.dropped, found.unknown) == (("a", "e"), ("b",), ("c", "d"))
    assert not found.is_exact
    assert found.sentence.startswith("It keeps 2 and drops 1; 2 can't be decided")


def test_it_is_exact_where_all_is_in_the_words() -> None:
    found = again("(heat[tiab] OR shade[tiab]) AND trees[tiab]", "shade[tiab] AND trees[tiab]", ids=("a", "b", "e"))
    assert (found.kept, found.dropped, found.unknown, found.is_exact) == (("b",), ("a", "e"), (), True)


def test_stems_count_where_the_source_stems() -> None:
    stemmed = again("heat[tiab] OR shade[tiab]", ids=("a", "c"), source="openalex")
    literal = again("heat[tiab] OR shade[tiab]", ids=("a", "c"), source="openalex", choices=SourceOptions(stem=False))
    assert (stemmed.semantics, stemmed.n_agree, literal.semantics, literal.n_agree) == ("stemmed", 2, "literal", 1)


def test_keywords_count_where_the_source_looks_at_them() -> None:
    assert again("heat[tiab]", ids=("e",)).n_agree == 1
    assert again("heat[tiab]", ids=("e",), source="openalex").n_agree == 0


def test_words_without_a_field_may_be_found_elsewhere_in_pubmed_itself() -> None:
    narrowed = ("(heat OR shade) AND trees", "heat AND trees")
    native = again(*narrowed, ids=("a", "b"), is_native=True)
    assert (native.kept, native.dropped, native.unknown) == (("a",), (), ("b",))
    assert again(*narrowed, ids=("a", "b")).dropped == ("b",)


def test_the_same_in_other_words_keeps_all_of_the_run() -> None:
    found = again("(heat[tiab] OR shade[tiab]) AND trees[tiab]", "trees[tiab] AND (shade[tiab] OR heat[tiab])")
    assert found.standing is not None
    assert (found.standing.kind, found.kept, found.is_exact) == ("same", IDS, True)


def test_a_wider_text_keeps_all_and_is_not_exact() -> None:
    found = again("heat[tiab] AND trees[tiab]", "trees[tiab]")
    assert (found.kept, found.unknown, found.is_exact) == (IDS, (), False)
    assert "a new run" in found.sentence


def test_a_publication_that_is_not_known_here_is_left_open() -> None:
    found = again("trees[tiab]", "trees[tiab] AND heat[tiab]", ids=("a", "gone"))
    assert (found.n, found.n_agree, found.kept, found.unknown) == (2, 1, ("a",), ("gone",))


def test_a_tree_with_terms_switched_off() -> None:
    root = read("(heat[tiab] OR shade[tiab]) AND trees[tiab]")
    after = without(root, {2})
    found = replay_trees(CORPUS, ("a", "b"), root, after, source="pubmed")
    assert (found.kept, found.dropped) == (("b",), ("a",))


def test_the_document_is_json() -> None:
    found = again("heat[tiab] OR shade[tiab]", "heat[tiab]")
    document = json.loads(json.dumps(found.as_document()))
    assert document["standing"]["kind"] == "narrower"
    assert (document["n_unknown"], document["is_exact"]) == (found.n_unknown, found.is_exact)


# A run in a workspace


def finished(text: str, *, label: str | None) -> LiveRun:
    prepared = prepare(parse(text, "pubmed"), "pubmed")
    return LiveRun(
        *("r", TOPIC, "pubmed", text, prepared, 100, "done", label, None, None, 3, 3, 3, 0, 0),
        *(None, "2026-05-01T00:00:00+00:00", None, ""),
    )


def test_a_run_is_read_over_the_publications_of_its_version(tmp_path: Path) -> None:
    text = "tea[tiab] OR kettle[tiab] OR petri[tiab]"
    fill(tmp_path, models=(), versions=[Version("PubMed", 1, ids_of(0, 30))])
    with Workspace.open(tmp_path) as workspace:
        run = finished(text, label="PubMed")
        matched = set(workspace.corpora.of(TOPIC).ids)
        whole = replay_run(workspace, run)
        narrowed = replay_run(workspace, run, "tea[tiab] OR kettle[tiab]")
        by_hand = replay(workspace, TOPIC, ids_of(0, 30), text, "tea[tiab] OR kettle[tiab]", source="pubmed")
        other_dialect = replay_run(workspace, run, "TS=(tea OR kettle)", dialect="wos")
    assert whole.n == 30
    assert 0 < whole.n_agree < 30
    assert narrowed == by_hand
    assert set(narrowed.kept) | set(narrowed.dropped) | set(narrowed.unknown) == set(ids_of(0, 30)) <= matched
    assert narrowed.kept
    assert narrowed.dropped
    assert narrowed.n_unknown == 30 - whole.n_agree
    assert other_dialect.kept == narrowed.kept
    assert not narrowed.is_capped


def test_a_run_that_stopped_at_its_cap_is_not_exact(tmp_path: Path) -> None:
    text = "tea[tiab] OR kettle[tiab]"
    fill(tmp_path, models=(), versions=[Version("PubMed", 1, ids_of(0, 30))])
    with Workspace.open(tmp_path) as workspace:
        run = replace(finished(text, label="PubMed"), most=30, n_records=30, total_first=90, total_last=90)
        found = replay_run(workspace, run, text)
    assert found.is_capped
    assert not replace(found, unknown=()).is_exact
    assert replace(found, unknown=(), is_capped=False).is_exact
    assert "at its cap" in found.sentence


def test_what_can_not_be_read_again_says_why(tmp_path: Path) -> None:
    fill(tmp_path, models=())
    with Workspace.open(tmp_path) as workspace:
        with pytest.raises(InputError, match="not finished"):
            replay_run(workspace, finished("tea", label=None))
        with refusal(InputError):
            replay(workspace, TOPIC, ids_of(0, 3), "", source="pubmed")
        with refusal(InputError):
            replay(workspace, TOPIC, ids_of(0, 3), "tea", "", source="pubmed")


def test_a_wildcard_that_was_left_out_brings_nothing_that_could_be_kept() -> None:
    """The run asked for heat alone, so what heating finds is not among it."""
    found = again("heat*[tiab]", "heating[tiab]", ids=("a",), source="openalex", choices=SourceOptions(stem=False))
    assert found.standing is not None
    assert found.standing.needs_run
    sent = again(
        *("heat*[tiab]", "heating[tiab]"),
        ids=("a", "c"),
        source="openalex",
        choices=SourceOptions(stem=False, wildcards="send"),
    )
    assert sent.standing is not None
    assert (sent.standing.kind, sent.kept) == ("narrower", ("c",))
