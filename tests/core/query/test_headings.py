"""Checks and suggestions for MeSH headings."""

from __future__ import annotations

import pytest

from core.library.headings import HeadingIndex
from core.library.mesh import MeshHeading, MeshThesaurus
from core.query.checks.headings import lint_headings
from core.query.checks.rules import RULES
from core.query.match import of_rows
from core.query.parser import parse
from core.query.suggestions import suggest_headings
from core.query.tree import apply_edits
from core.types import Publication
from data.query.index import CorpusIndex, in_memory

MESH = MeshThesaurus(
    (
        MeshHeading("Soups", ("J01.100",), ("Broths", "Clear Soup", "Soup, Clear"), ("Pottages",), 1980),
        MeshHeading("Lentil Soups", ("J01.100.010",), (), (), 2011),
    ),
    2024,
    ("made.bin",),
)


@pytest.mark.parametrize(
    ("text", "rule", "severity", "fixed"),
    [
        ('"Lentli Soups"[Mesh]', "unknown-heading", "error", '"Lentil Soups"[Mesh]'),
        ("exp *Broths/hi", "heading-replaced", "warning", "exp *Soups/hi"),
        ('"Pottages"[Majr:noexp]', "heading-replaced", "warning", '"Soups"[Majr:noexp]'),
        ("exp Quantum Physics/", "heading-not-in-file", "hint", None),
        ('"Lentil Soups"[Mesh] AND 1990:2005[dp]', "heading-after-period", "warning", None),
        ('"Lentil Soups"[Mesh] AND 2005:2020[dp]', "heading-after-period", "hint", None),
        ('"Soups"[Mesh] AND 1990:2005[dp]', None, None, None),
    ],
)
def test_a_heading_is_checked(text: str, rule: str | None, severity: str | None, fixed: str | None) -> None:
    found = lint_headings(parse(text), MESH)
    assert [(f.rule, f.severity) for f in found] == ([(rule, severity)] if rule else [])
    for finding in found:
        assert finding.rule in RULES
        assert (apply_edits(text, finding.fix.edits) if finding.fix else None) == fixed
        if fixed:
            assert lint_headings(parse(fixed), MESH) == ()


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ('"Soups"[Mesh] AND broth*[tiab] AND "Health"[Mesh]', 1),
        ('broths[tiab] AND "clear soups"[tiab] AND health[tiab]', 1),
        ('("Soups"[Mesh] OR broth*[tiab]) AND health[tiab]', 0),
        ('"Lentil Soups"[Mesh] AND broth*[tiab]', 0),
        ('"Soups"[Mesh] AND soup*[tiab]', 0),  # the check without a file reports it
    ],
)
def test_and_between_a_heading_and_its_entry_terms_is_reported(text: str, n: int) -> None:
    found = [f for f in lint_headings(parse(text, "pubmed"), MESH) if f.rule == "and-within-concept"]
    assert len(found) == n
    for finding in found:
        assert finding.fix is not None
        fixed = apply_edits(text, finding.fix.edits)
        assert "and-within-concept" not in [f.rule for f in lint_headings(parse(fixed, "pubmed"), MESH)]


def test_without_a_file_headings_match_by_name_and_a_line_says_so() -> None:
    carried = HeadingIndex.of([["Soups"], []])
    assert [f.rule for f in lint_headings(parse("exp Soups/"), None, carried)] == ["heading-by-name"]
    assert lint_headings(parse("exp Soups/"), None) == ()
    assert lint_headings(parse("exp Soups/"), None, HeadingIndex.of([[]])) == ()


def test_headings_of_other_thesauri_are_not_checked() -> None:
    assert lint_headings(parse("'lentli soups'/exp", "embase"), MESH) == ()


def test_entry_terms_and_headings_are_suggested_with_hits_and_core() -> None:
    texts = ("Broths at noon", "A clear soup", "Stones", "Broths again")
    publications = [Publication(str(i), text, None, 2000, None) for i, text in enumerate(texts)]
    index = HeadingIndex.of([["Soups"], ["*Lentil Soups"], [], []])
    corpus = CorpusIndex(in_memory(publications), lambda: index, lambda: MESH)
    core = of_rows([0, 1], 4)
    found = suggest_headings(parse("exp Soups/ OR stones"), MESH, corpus, "literal", core)
    assert {(s.kind, s.text, s.n_hits, s.n_core) for s in found} == {
        ("text word", "Broths", 2, 1),
        ("text word", "Clear Soup", 1, 1),
        ("text word", "Soups", 0, 0),
    }
    (one,) = suggest_headings(parse("broths"), MESH, corpus, "literal", core)
    assert (one.kind, one.text, one.n_hits, one.n_core) == ("heading", "Soups", 2, 2)
