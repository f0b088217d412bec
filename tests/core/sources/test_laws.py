"""What holds of every text that is sent, whatever was asked for."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from core.errors import InputError
from core.query.equivalence import same
from core.query.match import match, none_of, rows_of
from core.query.parser import parse
from core.query.translation import write
from core.query.tree import (
    ANY_ENDING,
    TEXT_FIELDS,
    DialectId,
    Gap,
    Group,
    Near,
    Node,
    Not,
    ParsedQuery,
    Range,
    Term,
    terms_in,
    walk,
)
from core.sources import dimensions, europepmc, openalex, semanticscholar
from core.sources.preparation import clauses, prepare
from core.sources.source_forms import SOURCE_IDS, SourceId, SourceOptions, in_fields
from tests.core.query_scenes import VOCABULARY, FakeCorpus, texts_of
from tests.core.query_trees import any_trees, nested, trees

SAY = {
    "openalex": openalex.openalex_form,
    "europepmc": europepmc.europepmc_form,
    "semanticscholar": semanticscholar.semanticscholar_form,
    "dimensions": dimensions.dimensions_form,
}
CHOICES = st.builds(SourceOptions, stem=st.booleans(), wildcards=st.sampled_from(["drop", "send"]))
SLOWLY = settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


def as_read(root: Node, dialect: DialectId = "plain") -> ParsedQuery:
    """A tree as somebody would have typed it."""
    parsed = parse(write(root, dialect, strict=False).text, dialect)
    assume(parsed.root is not None)
    return parsed


@pytest.mark.parametrize("source", SOURCE_IDS)
@SLOWLY
@given(root=any_trees(), choices=CHOICES)
def test_whatever_is_asked_is_sent_or_refused_with_a_reason(
    source: SourceId, root: Node, choices: SourceOptions
) -> None:
    parsed = as_read(root)
    try:
        made = prepare(parsed, source, choices)
    except InputError:
        return
    assert made.forms
    assert all(form.text.strip() for form in made.forms)
    assert [form.number for form in made.forms] == list(range(len(made.forms)))
    assert all(0 <= loss.start <= loss.end <= len(parsed.text) for loss in made.losses)
    assert all(loss.message and 0 <= loss.number < len(parsed.nodes) for loss in made.losses)
    if made.is_unchanged:
        assert (made.losses, made.forms[0].text) == ((), parsed.text)


@SLOWLY
@given(root=any_trees(), choices=CHOICES)
def test_openalex_gets_no_comma_but_between_filters(root: Node, choices: SourceOptions) -> None:
    parsed = as_read(root)
    try:
        made = prepare(parsed, "openalex", choices)
    except InputError:
        return
    for one in made.text.split(","):
        assert re.match(
            r"(\w+\.search(\.no_stem|\.exact)?:\(.*\)$)|((publication_year|type|language):[\w<>|-]+$)", one
        ), one
    if choices.wildcards == "drop":
        assert "*" not in made.text
        assert "?" not in made.text


# Reading again


@SLOWLY
@given(data=st.data())
@pytest.mark.parametrize(("read", "source"), [("openalex", "openalex"), ("plain", "pubmed")])
def test_without_a_loss_a_source_reads_the_same(read: DialectId, source: SourceId, data: st.DataObject) -> None:
    parsed = as_read(data.draw(trees(read)), read)
    try:
        made = prepare(parsed, source, SourceOptions(wildcards="send"))
    except InputError:
        return
    if made.losses or (source == "openalex" and "|" in made.text):  # a list of languages has no form in a string
        return
    again = parse(made.text, source).root
    assert again is not None
    assert parsed.root is not None
    assert same(again, parsed.root)


@SLOWLY
@given(root=trees("pubmed"))
def test_pubmed_strings_are_not_touched(root: Node) -> None:
    parsed = as_read(root, "pubmed")
    made = prepare(parsed, "pubmed", SourceOptions())
    assert (made.forms[0].text, made.losses, made.is_unchanged) == (parsed.text, (), True)


WORD = st.sampled_from(VOCABULARY)
FIELDS = st.sampled_from([(), TEXT_FIELDS, ("title",), ("abstract",), ("title", "abstract"), ("keywords",)])
TERM: SearchStrategy[Node] = st.one_of(
    st.builds(lambda word, fields: Term((word,), False, fields), WORD, FIELDS),
    st.builds(lambda a, b, fields: Term((f"{a} {b}",), True, fields), WORD, WORD, FIELDS),
    st.builds(lambda a, b, fields: Term((f"{a}-{b}",), False, fields), WORD, WORD, FIELDS),
    st.builds(lambda a, b, fields: Term((f"{a},{b} {a}",), False, fields), WORD, WORD, FIELDS),
    st.builds(lambda fields: Term(("plan", ANY_ENDING), False, fields), FIELDS),
    st.builds(lambda fields: Term(("heat plan", ANY_ENDING), True, fields), FIELDS),
    st.builds(lambda fields: Term(("robot", Gap(0, 1)), False, fields), FIELDS),
)


def near(first: str, second: str, third: str, fields: tuple[str, ...]) -> Near:
    """A word close to one of two others."""
    one, two, three = (Term((word,), False, fields) for word in (first, second, third))
    return Near((one, Group("OR", (two, three))), 1)


NEAR: SearchStrategy[Node] = st.builds(near, WORD, WORD, WORD, FIELDS)


TEXTS = st.lists(WORD, max_size=6).map(" ".join)
CORPORA = st.lists(
    st.fixed_dictionaries({"title": TEXTS, "abstract": TEXTS, "keywords": TEXTS}), min_size=1, max_size=12
).map(lambda publications: FakeCorpus(texts_of(publications)))


def rows(root: Node, corpus: FakeCorpus) -> set[int]:
    """What it finds."""
    found = match(root, corpus, "literal").root
    return set(rows_of(none_of(len(corpus.ids)) if found is None else found).tolist())


@pytest.mark.parametrize("source", list(SAY))
@SLOWLY
@given(root=nested(TERM | NEAR, 10, negated=False), corpus=CORPORA, choices=CHOICES)
def test_losses_say_on_which_side_something_changes(
    source: SourceId, root: Node, corpus: FakeCorpus, choices: SourceOptions
) -> None:
    """Only widened: nothing is lost. Only narrowed: nothing comes in. Neither: the same."""
    parsed = as_read(root)
    assert parsed.root is not None
    told = SAY[source](parsed, parsed.root, choices)
    if told.root is None:
        return
    statuses = {loss.status for loss in told.losses} - {"exact"}
    before, after = rows(parsed.root, corpus), rows(told.root, corpus)
    if statuses <= {"widened"}:
        assert before <= after
    if statuses <= {"narrowed"}:
        assert after <= before


@pytest.mark.parametrize("source", list(SAY))
@SLOWLY
@given(root=nested(TERM, 10), corpus=CORPORA)
def test_not_stands_only_behind_something_and_means_the_same(source: SourceId, root: Node, corpus: FakeCorpus) -> None:
    parsed = as_read(root)
    assert parsed.root is not None
    told = SAY[source](parsed, parsed.root, SourceOptions(wildcards="send"))
    if told.root is None:
        return
    for node in walk(told.root):
        if isinstance(node, Group):
            assert not isinstance(node.parts[0], Not)
            assert node.operator == "AND" or not any(isinstance(part, Not) for part in node.parts)
    if not {loss.status for loss in told.losses} - {"exact"}:
        assert rows(parsed.root, corpus) == rows(told.root, corpus)


# Small readers of what has no dialect


def of_semantic_scholar(text: str) -> str:
    """Its signs as words."""
    text = re.sub(r"(?<![\w\"])-", " NOT ", text)
    return text.replace(" + ", " AND ").replace(" | ", " OR ")


def of_europe_pmc(text: str) -> str:
    """Its fields as ours."""
    for name, ours in (("TITLE_ABS:", "tiab:"), ("TITLE:", "title:"), ("ABSTRACT:", "abstract:"), ("KW:", "keywords:")):
        text = text.replace(name, ours)
    return re.sub(r"PUB_YEAR:\[(\d+) TO (\d+)\]", r"year:\1-\2", text).replace("PUB_YEAR:", "year:")


YEARS = st.builds(lambda low, n: Range(low, low + n), st.integers(1990, 2000), st.integers(0, 9))


@pytest.mark.parametrize(("source", "reader"), [("semanticscholar", of_semantic_scholar), ("europepmc", of_europe_pmc)])
@SLOWLY
@given(root=nested(TERM | NEAR | YEARS, 10))
def test_what_is_written_means_what_was_meant(source: SourceId, reader: Callable[[str], str], root: Node) -> None:
    parsed = as_read(root)
    assert parsed.root is not None
    told = SAY[source](parsed, parsed.root, SourceOptions())
    if told.root is None or isinstance(told.root, Not):
        return
    text = told.write(told.root)
    again = parse(reader(text), "plain").root
    assert again is not None
    if source == "semanticscholar":
        again = _everywhere(again)
    assert same(again, told.root), text


def _everywhere(node: Node) -> Node:
    """Its words are looked for in title and abstract."""
    return in_fields(node, ("title", "abstract"))


@SLOWLY
@given(root=nested(TERM | YEARS, 10))
def test_quotes_in_a_string_for_dimensions_are_escaped(root: Node) -> None:
    parsed = as_read(root)
    try:
        text = prepare(parsed, "dimensions", SourceOptions()).text
    except InputError:
        return
    found = re.fullmatch(
        r'search publications( in title(_abstract)?_only for "((?:[^"\\]|\\.)*)")?( where year .*)?', text
    )
    assert found, text
    assert parsed.root is not None
    told = dimensions.dimensions_form(parsed, parsed.root, SourceOptions())
    if found.group(3):
        again = parse(re.sub(r"\\(.)", r"\1", found.group(3)), "dimensions").root
        assert again is not None
        assert {str(word) for term in terms_in(again) for run in term.chunks for word in run} == {
            str(word) for term in terms_in(told.root or again) for run in term.chunks for word in run
        }


# Clauses


@pytest.mark.parametrize("source", SOURCE_IDS)
@SLOWLY
@given(root=any_trees())
def test_clauses_are_the_parts_of_the_and(source: SourceId, root: Node) -> None:
    parsed = as_read(root)
    made = clauses(parsed, source, SourceOptions())
    assert parsed.root is not None
    n_parts = len(list(_parts(parsed.root)))
    assert len(made) == n_parts
    for clause in made:
        assert clause.text == clause.span.of(parsed.text)
        assert clause.text.strip()
    spans = [clause.span for clause in made]
    assert spans == sorted(spans, key=lambda span: span.start)


def _parts(node: Node) -> list[Node]:
    if isinstance(node, Group) and node.operator == "AND":
        return [part for each in node.parts for part in _parts(each)]
    return [node]
