"""Strings of published reviews: each is read, and what is found in it is really there."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from core.query.checks import lint
from core.query.dialects import DIALECTS
from core.query.dialects.meanings import meant
from core.query.equivalence import same
from core.query.parser import parse
from core.query.translation import translate
from core.query.tree import Term, terms_in, walk, written
from tests.core.query.query_shapes import shape

pytestmark = pytest.mark.collections
WORTH_A_LOOK = {
    # number in queries.json and which string: what is more than a hint
    "4 baseline": {},
    "14 slr": {"duplicate-term": 1},  # "software process modelling" twice
    "17 slr": {"mixed-operators": 1},  # ... OR (Multicore AND (...)) AND (...)
    "18 predicted": {"absorbed-group": 1},  # (cloud migration) OR ((...) AND (Cloud Migration))
    "20 slr": {"missing-space": 1},  # predict*OR prone*
    "ielab 8": {"duplicate-term": 4},  # Psychiatrist, Psychiatrists
    "ielab 11": {"duplicate-term": 5},  # Antimicrobials, Azithromycin, Cephalexin, Methicillin
    "ielab 16": {"duplicate-term": 4},
    "ielab 14": {"duplicate-term": 1},  # Decline[ti] OR Decline[ti]
    "ielab 39": {"adjacent-terms": 1, "mixed-operators": 1, "lower-case-operator": 2},  # Atonic[tiab] Impaired[tiab]
    **{f"ielab {n}": {"lower-case-operator": 2} for n in (1, 3, 6, 7, 12, 27, 32)},  # not (Animals and Humans)
}
HINTS = {"curly-quotes", "lower-case-operator", "missing-variant", "mixed-fields", "stem-without-wildcard",
         "subsumed-term", "untagged-term"}  # fmt: skip


@pytest.fixture
def strings(collections_dir: Path) -> dict[str, str]:
    """Every published string by its name."""
    topics = json.loads((collections_dir / "litqeval/data/queries.json").read_text("utf-8"))
    named = {f"{i} {name}": text for i, topic in enumerate(topics) for name, text in topic.items()}
    lines = (collections_dir / "ielab_seed/topics.jsonl").read_text("utf-8").splitlines()
    return named | {f"ielab {topic['id']}": topic["query"] for topic in map(json.loads, lines)}


def test_every_string_is_read(strings):
    assert len(strings) == 69
    for name, text in strings.items():
        parsed = parse(text)
        assert parsed.root is not None, name
        assert parsed.dialect == ("pubmed" if name.startswith("ielab") else "plain"), name
        assert all(node.span.of(text).strip() for node in walk(parsed.root)), name


def test_what_is_worth_a_look_is_found_and_nothing_else(strings):
    found = {
        name: dict(Counter(f.rule for f in lint(parse(text)) if f.severity != "hint")) for name, text in strings.items()
    }
    assert {name: rules for name, rules in found.items() if rules} == {n: r for n, r in WORTH_A_LOOK.items() if r}
    hints = {f.rule for text in strings.values() for f in lint(parse(text)) if f.severity == "hint"}
    assert hints == HINTS


def test_findings_point_at_what_is_wrong(strings):
    def places(name, rule):
        return [f.span.of(strings[name]) for f in lint(parse(strings[name])) if f.rule == rule]

    assert places("15 slr", "stem-without-wildcard") == ['"reconfigur"']
    assert places("20 slr", "missing-space") == ["predict*OR"]
    assert places("ielab 39", "adjacent-terms") == ["Atonic[tiab] Impaired[tiab]"]
    assert places("ielab 10", "mixed-fields") == ["Elevated"]
    assert places("ielab 11", "mixed-fields") == ["Withdrawing", "Stopping"]
    assert places("ielab 14", "duplicate-term") == ["Decline[ti]"]
    assert "“Decision aid”[tiab]" in places("ielab 2", "subsumed-term")


def test_short_strings_as_trees(strings):
    assert shape(parse(strings["0 baseline"]).root) == "Robotic Arthroplasty"
    assert shape(parse(strings["10 baseline"]).root) == "(Nanopharmaceuticals | Nanonutraceuticals)"
    assert shape(parse(strings["16 slr"]).root) == (
        '(("metamodel" | "meta-model") & ("business process" | "process model" | "petrinet" | "petri-net" | "workflow" '
        '| "Declare"))'
    )
    assert shape(parse(strings["17 slr"]).root) == (
        '(("Parallel Programming" & Modeling) | (Multicore & (Modeling | "Software Engineering")) | '
        '((Multicore & "Parallel Programming") & ("Modeling" | "Software Engineering")))'
    )


def test_the_terms_of_a_long_string_are_all_there(strings):
    text = strings["ielab 22"]
    root = parse(text).root
    assert sum(1 for _ in terms_in(root)) == text.count("[tiab]") + text.count("[sh]")
    assert shape(root).endswith("& !(<animals> & !<humans>))")


@pytest.mark.parametrize("dialect", [dialect for dialect in DIALECTS if dialect != "pubmed"])
def test_published_strings_go_there_and_back_without_an_untold_change(collections_dir, dialect):
    lines = (collections_dir / "ielab_seed/topics.jsonl").read_text("utf-8").splitlines()
    for topic in map(json.loads, lines):
        parsed = parse(topic["query"], "pubmed")
        there = translate(parsed, dialect)
        read = parse(there.text, dialect)
        back = translate(read, "pubmed")
        leaves = [*walk(parsed.root), *walk(read.root)]
        assert all(written(leaf.pieces).strip("#").isdigit() is False for leaf in leaves if isinstance(leaf, Term))
        told = [loss.message for loss in (*there.losses, *back.losses)]
        assert not [message for message in told if "differently" in message], topic["id"]
        if not told:
            ends = [meant(tree, "pubmed") for tree in (parse(back.text, "pubmed").root, parsed.root)]
            assert same(*ends), topic["id"]
