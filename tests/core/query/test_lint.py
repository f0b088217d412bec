"""Every rule with an example that breaks it, and what its fix does; what only a corpus can tell."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import core.query
from core.query.checks import lint
from core.query.checks.corpus import FixEffect, effect_of, lint_in_corpus
from core.query.checks.groups import LONG_OR
from core.query.checks.rules import RULES
from core.query.match import match, of_rows
from core.query.parser import parse
from core.query.spelling import american, joined, other_english, plural, singular
from core.query.tree import apply_edits
from tests.core.query.test_parser import BROKEN
from tests.core.query_scenes import FakeCorpus, corpora, texts_of, trees, written_down

EXAMPLES = [
    # rule, dialect, text, where, the text after the fix
    ("too-long", "plain", "a" * 100_001, "a" * 100_001, None),
    ("unknown-line", "ovid", "1. a.ti.\n2. 1 and 5", "1 and 5", None),
    ("several-histories", "ovid", "1. a.ti.\n2. b.ti.\n1. c.ti.\n2. d.ti.", "c.ti.", None),
    ("line-numbers", "ovid", "1. a.ti.\n2. b.ti.\n2. c.ti.\n3. or/1-2", "c.ti.", None),
    ("text-left-out", "ovid", "heat.ti.\n1. a.ti.\n2. 1 or b.ti.", "heat.ti.", None),
    ("joined-lines", "ovid", "1a\na.ti.\nb.ti.\n1b\nc.ti.\n1a and 1b", "1a", None),
    ("mixed-dialects", "ovid", "1. a.ti.\n2. b[tiab]\n3. 1 or 2", "b[tiab]", None),
    ("heading-line", "ovid", "Population:\na.ti.\nb.ti.\n1 or 2", "Population:", None),
    ("hit-count", "pubmed", "heat[ti] Total references = 12", "Total references = 12", None),
    ("spaced-field", "ovid", "(a or b). tw.", "). tw.", "(a or b).tw."),
    ("unused-line", "ovid", "1. a.ti.\n2. b.ti.\n3. 1 and c.ti.", "b.ti.", None),
    ("limit-left-out", "ovid", "1. a.ti.\n2. limit 1 to humans", "limit 1 to humans", None),
    ("words-beside-near", "wos", "TS=(health care NEAR/3 nurse)", "health care", 'TS=("health care" NEAR/3 nurse)'),
    ("contradiction", "plain", "heat AND NOT heat", "AND NOT heat", "heat"),
    ("contradiction", "plain", "heat AND tree NOT (cold OR heat)", "NOT (cold OR heat)", "heat AND tree"),
    ("duplicate-term", "plain", "(heat OR cold OR Heat) AND a", "Heat", "(heat OR cold) AND a"),
    ("duplicate-term", "pubmed", "heat[tiab] AND (a OR b) AND heat[TIAB]", "heat[TIAB]", "heat[tiab] AND (a OR b)"),
    ("duplicate-term", "plain", "(a OR b) AND c AND (b OR a)", "b OR a", "(a OR b) AND c"),
    ("duplicate-term", "plain", "a OR (b OR a)", "a", "a OR (b)"),
    ("subsumed-term", "plain", '"heat wave" OR heat', '"heat wave"', "heat"),
    ("subsumed-term", "plain", "tree* OR (trees OR shade)", "trees", "tree* OR (shade)"),
    ("subsumed-term", "plain", '"an urban tree" OR "urban tree"', '"an urban tree"', '"urban tree"'),
    ("subsumed-term", "plain", '"crop yield model" OR (crop yield)', '"crop yield model"', "(crop yield)"),
    ("subsumed-term", "plain", 'heat AND "heat wave"', "heat", '"heat wave"'),
    ("subsumed-term", "pubmed", "heat[ti] OR heat[tiab]", "heat[ti]", "heat[tiab]"),
    ("absorbed-group", "plain", "heat OR (heat AND cold)", "heat AND cold", "heat"),
    ("absorbed-group", "plain", "heat AND (cold OR heat)", "cold OR heat", "heat"),
    ("short-stem", "pubmed", "hea*[tiab]", "hea*[tiab]", None),
    ("short-stem", "plain", "a* AND heat", "a*", None),
    ("wildcard-not-allowed", "pubmed", "*heat[ti]", "*heat[ti]", None),
    ("wildcard-not-allowed", "openalex", '"heat wave*"', '"heat wave*"', None),
    ("foreign-wildcard", "pubmed", "adapt$[ti]", "adapt$[ti]", "adapt*[ti]"),
    ("foreign-wildcard", "pubmed", "colo?r[ti]", "colo?r[ti]", None),
    ("foreign-wildcard", "scopus", "wom#n", "wom#n", None),
    ("wildcard-in-heading", "pubmed", "Neoplas*[mesh]", "Neoplas*[mesh]", None),
    ("stem-without-wildcard", "plain", '"reconfigur" OR b', '"reconfigur"', '"reconfigur*" OR b'),
    ("stem-without-wildcard", "openalex", '"reconfigur"', '"reconfigur"', "reconfigur*"),
    ("stem-without-wildcard", "pubmed", "classificat[ti]", "classificat[ti]", "classificat*[ti]"),
    ("missing-variant", "plain", "color OR shade", "color", "color OR colour OR shade"),
    ("missing-variant", "pubmed", '“Tumor”[ti] OR b', "“Tumor”[ti]", "“Tumor”[ti] OR “Tumour”[ti] OR b"),
    ("missing-variant", "wos", 'TI="meta-model" AND b', 'TI="meta-model"', '(TI="meta-model" OR TI="metamodel") AND b'),
    ("missing-variant", "plain", "(line OR b) AND (lines c)", "line", "(line OR lines OR b) AND (lines c)"),
    ("mixed-fields", "pubmed", "a[tiab] OR b OR c[tiab]", "b", "a[tiab] OR b[tiab] OR c[tiab]"),
    ("mixed-fields", "ebsco", "TI a OR b OR c", "TI a", None),
    ("curly-quotes", "plain", "“a b” OR „c d“", "“", '"a b" OR "c d"'),
    ("and-within-concept", "wos", "TS=(cancer* AND neoplasms)", "cancer* AND neoplasms", "TS=(cancer* OR neoplasms)"),
    (
        "and-within-concept", "ovid",
        "1. heart attack.ti.\n2. Myocardial Infarction/\n3. 1 and 2", "1 and 2",
        "1. heart attack.ti.\n2. Myocardial Infarction/\n3. 1 or 2",
    ),
    ("operator-in-quotes", "pubmed", '"a AND b"[ti]', '"a AND b"[ti]', '("a"[ti] AND "b"[ti])'),
    ("operator-in-quotes", "ebsco", 'TI "a N3 b"', 'TI "a N3 b"', None),
    ("wildcard-outside-phrase", "pubmed", "heart* attack*", "heart* attack*", '"heart* attack*"'),
    ("untagged-term", "pubmed", "heat[ti] AND shade", "shade", None),
    ("not-animals", "pubmed", "a[ti] NOT animals[mh]", "animals[mh]", "a[ti] NOT (animals[mh] NOT Humans[mh])"),
    ("not-animals", "ovid", "1. a.ti.\n2. exp animals/\n3. 1 not 2", "exp animals/",
     "1. a.ti.\n2. exp animals/ NOT Humans/\n3. 1 not 2"),
    ("misspelt-word", "plain", "Haert AND tree", "Haert", "Heart AND tree"),
    ("misspelt-word", "plain", "heart OR haert", "haert", None),
    ("long-or", "plain", " OR ".join(f"a{n}" for n in range(LONG_OR + 1)), None, None),
]  # fmt: skip
ONLY_OF_STRATEGIES = {
    *("or-between-concepts", "not-words", "wide-proximity", "title-only", "not-exploded", "language-limit"),
    *("humans-limit", "impossible-years", "limit-in-or"),
}
"""Reported in a peer review only; `press_strings.py` has an example of each."""
ONLY_WITH_MESH = {
    "unknown-heading",
    "heading-replaced",
    "heading-after-period",
    "heading-not-in-file",
    "heading-by-name",
}
ONLY_IN_CORPUS = {"no-hits", "not-removes-core", "not-term-removes-core", "subsumed-by-hits", "not-testable"}


@pytest.mark.parametrize(("rule", "dialect", "text", "where", "fixed"), EXAMPLES)
def test_a_rule_that_is_broken_is_told_with_its_place_and_its_fix(rule, dialect, text, where, fixed):
    found = [f for f in lint(parse(text, dialect)) if f.rule == rule]
    assert found
    if where is not None:
        assert found[0].span.of(text) == where
    if fixed is None:
        assert found[0].fix is None
        return
    after = apply_edits(text, found[0].fix.edits)
    assert after == fixed
    assert rule not in [f.rule for f in lint(parse(after, dialect))]


FINE = [
    ("plain", "heat AND (tree* OR shade OR \"urban wood\")"),
    ("plain", "fetch OR stranger OR exercise OR raised OR size OR molding"),
    ("plain", "structure OR architecture OR future OR format OR analysis"),
    ("plain", '"colour" OR "color"'),
    ("plain", "behavio?r OR colo$r"),
    ("plain", '"C#" OR heat'),
    ("plain", "color* OR colour*"),
    ("plain", '(heat OR cold) AND ("heat wave" OR snow)'),
    ("pubmed", "heat[ti] OR heat[ab]"),
    ("pubmed", "heat[tiab] OR cold[all]"),
    ("pubmed", '"meta-model"[tiab] OR metamodel[tiab]'),
    ("pubmed", "Humans[mesh] NOT (Animals[mesh] NOT Humans[mesh])"),
    ("pubmed", "randomized controlled trial[pt]"),
    ("ovid", "*Malaria/ or adapt$3.ti. or wom#n.ti."),
    ("scopus", "KEY(mouse AND NOT (cat OR dog))"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "text"), FINE)
def test_what_is_right_is_left_alone(dialect, text):
    assert [(f.rule, f.span.of(text)) for f in lint(parse(text, dialect))] == []


def test_every_rule_has_an_example_and_every_finding_a_rule():
    of_reading = {rule for _, _, rule, *_ in BROKEN if rule is not None}
    special = ONLY_IN_CORPUS | ONLY_OF_STRATEGIES | ONLY_WITH_MESH
    assert {rule for rule, *_ in EXAMPLES} | of_reading | special == set(RULES)
    for name, rule in RULES.items():
        assert rule.id == name
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
        assert rule.title
        assert rule.explanation.endswith(".")
    sources = [p.read_text("utf-8") for p in Path(core.query.__file__).parent.rglob("*.py")]
    named = {
        name for source in sources for name in re.findall(r'(?:\breport\.add\(|\bFinding\()\s*"([a-z-]+)"', source)
    }
    assert len(named) > 30
    assert named <= set(RULES)


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("heat[ti AND tree*[tiab]) NOT", ["unbalanced-bracket", "untagged-term", "unbalanced-bracket", "missing-term"]),
        ("heat AND tree)", ["untagged-term", "unbalanced-bracket"]),
    ],
)
def test_an_error_stands_before_the_hint_at_its_place(text, rules):
    assert [finding.rule for finding in lint(parse(text, "pubmed"))] == rules


@pytest.mark.parametrize("dialect", ["pubmed", "ovid", "wos"])
@given(text=st.text('ab ()[]"* AND OR NOT ti', max_size=30))
def test_no_finding_stands_before_the_first_error_at_its_place(dialect, text):
    findings = lint(parse(text, dialect))
    for number, finding in enumerate(findings):
        errors = [
            other
            for other in findings
            if other.severity == "error" and other.span.start < finding.span.end and finding.span.start < other.span.end
        ]
        if errors and finding.severity != "error":
            assert any(error in findings[:number] for error in errors)


def test_a_finding_is_told_once_though_a_line_is_used_twice():
    text = "1. (heat or heat).ti.\n2. 1 and a.ti.\n3. 1 or b.ti.\n4. 2 or 3"
    assert [f.rule for f in lint(parse(text))].count("duplicate-term") == 1


CORPUS = FakeCorpus(
    texts_of(
        [
            *["adaptive nets", "adaptation of nets", "adaptive plans", "adapting nets", "heat of nets", "cold nets"],
            *["adapted trees", "adaptive heat", "shade"],
        ]
    )
)


def told(text, core=(), texts=CORPUS.texts):
    parsed = parse(text)
    matched = match(parsed.root, CORPUS, "literal")
    found = lint_in_corpus(parsed, matched, texts, of_rows(core, len(CORPUS.ids)))
    assert all(f.rule in RULES for f in found)
    return [(f.rule, f.span.of(text), f.message) for f in found]


@pytest.mark.parametrize(
    ("text", "core", "expected"),
    [
        ("shade OR dragon OR doi:1", (), [("no-hits", "dragon", "spelling"), ("not-testable", "doi:1", "ignored")]),
        ("adapt* OR shade", (), []),
        ("shade OR title:plans", (), []),
        (
            '"adapt" OR shade',
            (),
            [("stem-without-wildcard", '"adapt"', "6 more match: adaptive, adaptation, adapted.")],
        ),
        (
            "nets OR cold OR plans OR (adaptive AND plans)",
            (),
            [
                ("subsumed-by-hits", "cold", "one publication"),
                ("subsumed-by-hits", "adaptive AND plans", "one publication"),
            ],
        ),
        (
            "nets NOT (heat OR cold)",
            [0, 4, 5],
            [
                ("not-removes-core", "NOT (heat OR cold)", "2 core publications"),
                ("not-term-removes-core", "heat", "1 core publication"),
                ("not-term-removes-core", "cold", "1 core publication"),
            ],
        ),
        ("nets NOT (heat OR cold)", [0, 7], []),
    ],
)
def test_findings_in_a_corpus(text, core, expected):
    found = told(text, core)
    assert [entry[:2] for entry in found] == [entry[:2] for entry in expected]
    assert all(fact in message for (*_, message), (*_, fact) in zip(found, expected, strict=True))


def test_without_the_words_of_the_corpus_a_stem_only_finds_nothing():
    assert [rule for rule, *_ in told('"adapt" OR shade', texts=None)] == ["no-hits"]


def test_what_a_fix_changes():
    core = of_rows([0, 4, 8], len(CORPUS.ids))
    effects = {}
    for text in ('"adapt" OR shade', "nets NOT (heat OR cold)", "nets OR cold", "shade OR dragon"):
        parsed = parse(text)
        for finding in lint_in_corpus(parsed, match(parsed.root, CORPUS, "literal"), CORPUS.texts, core):
            effects[finding.rule] = effect_of(finding.fix, parsed, CORPUS, "literal", core)
    assert effects == {
        "stem-without-wildcard": FixEffect(records_gained=6, records_lost=0, core_gained=1, core_lost=0),
        "not-removes-core": FixEffect(records_gained=2, records_lost=0, core_gained=1, core_lost=0),
        "not-term-removes-core": FixEffect(records_gained=1, records_lost=0, core_gained=1, core_lost=0),
        "subsumed-by-hits": FixEffect(0, 0, 0, 0),
        "no-hits": FixEffect(0, 0, 0, 0),
    }


@given(corpora, trees)
def test_what_adds_nothing_can_go(publications, tree):
    corpus = FakeCorpus(texts_of(publications))
    parsed = parse(written_down(tree)[0], "pubmed")
    matched = match(parsed.root, corpus, "literal")
    for finding in lint_in_corpus(parsed, matched, corpus.texts, of_rows([0], corpus.texts.n)):
        if finding.rule in ("no-hits", "subsumed-by-hits") and finding.fix:
            assert effect_of(finding.fix, parsed, corpus, "literal", of_rows([0], corpus.texts.n)) == FixEffect(
                0, 0, 0, 0
            )
        if finding.rule == "not-removes-core" and finding.fix:
            assert effect_of(finding.fix, parsed, corpus, "literal", of_rows([0], corpus.texts.n)).core_gained == 1


@given(corpora, trees)
def test_what_is_the_same_or_covered_by_its_spelling_can_go(publications, tree):
    corpus = FakeCorpus(texts_of(publications, ("title", "abstract")))
    parsed = parse(written_down(tree)[0], "pubmed")
    for finding in lint(parsed):
        if finding.rule in ("duplicate-term", "subsumed-term", "absorbed-group") and finding.fix:
            effect = effect_of(finding.fix, parsed, corpus, "literal", of_rows([0], corpus.texts.n))
            assert effect == FixEffect(0, 0, 0, 0), finding


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("behaviour", "behavior"), ("randomised", "randomized"), ("analyse", "analyze"), ("fibre", "fiber"),
        ("modelling", "modeling"), ("paediatrics", "pediatrics"), ("oedema", "edema"), ("programmes", "programs"),
    ],
)  # fmt: skip
def test_british_and_american(one, other):
    assert other_english(one) == other
    assert other_english(other) == one
    assert american(one) == american(other) or one in ("programmes",)


@pytest.mark.parametrize(
    "word", ["exercise", "raised", "unsupervised", "hour", "four", "hem", "fetch", "size", "molded"]
)
def test_words_with_one_spelling(word):
    assert other_english(word) is None


def test_singular_plural_and_hyphen():
    assert (plural("family"), singular("families")) == ("families", "family")
    assert (plural("robots"), singular("robot"), singular("analysis")) == (None, None, None)
    assert (joined("meta-model"), joined("model")) == ("metamodel", None)
