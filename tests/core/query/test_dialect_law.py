"""No field tag changes what a search asks for without a loss that covers exactly its leaf: all tags of all dialects."""

from __future__ import annotations

import pytest

from core.query.dialects import DIALECTS
from core.query.dialects.base import Dialect
from core.query.dialects.meanings import meant
from core.query.dialects.values import CLOSED_FIELDS
from core.query.equivalence import same
from core.query.parser import parse
from core.query.translation import Translation, translate, with_replaced, write
from core.query.tree import EVERY_FIELD, TEXT_FIELDS, DialectId, Node, Not, ParsedQuery, parts_of, terms_in, walk
from tests.core.query.tag_samples import TagSample, samples, tagged, value_of

SAMPLES = tuple(samples())
HEADING_WORDS = {"subject", "major_subject", "subheading_words"}
WAYS = {
    "alone": "{sample}",
    "and": "({sample}) {AND} shade",
    "or": "({sample}) {OR} shade",
    "not": "shade {NOT} ({sample})",
    "near": "",
}
FAST = [
    pytest.param("alone"),
    pytest.param("and", marks=pytest.mark.slow),
    pytest.param("or"),
    pytest.param("not", marks=pytest.mark.slow),
    pytest.param("near", marks=pytest.mark.slow),
]


def test_the_law_misses_no_tag() -> None:
    tried = {(sample.dialect, sample.tag) for sample in SAMPLES}
    assert tried == {(d.id, tag) for d in DIALECTS.values() for tag in ("", *d.tags)}
    assert len(DIALECTS) == 11


def in_context(sample: TagSample, way: str) -> str | None:
    """The tag inside of something; None: it can't stand there."""
    dialect = DIALECTS[sample.dialect]
    if way == "near":
        return _near(sample, dialect)
    if dialect.tag_covers_rest and way != "alone":  # one filter beside the other
        return f"{sample.text},title.search:shade" if way == "and" and ":" in sample.text else None
    words = {"AND": "AND", "OR": "OR", "NOT": dialect.not_word}
    words = {name: word.lower() if dialect.id == "ovid" else word for name, word in words.items()}
    return WAYS[way].format(sample=sample.text, **words)


def _near(sample: TagSample, dialect: Dialect) -> str | None:
    tag = dialect.tags.get(sample.tag)
    if not dialect.near_forms or (tag is not None and (tag.kind != "text" or sample.tag in dialect.limits)):
        return None
    word = "heat" if tag is None else value_of(tag, dialect)
    if not word.isalnum() or (tag is not None and CLOSED_FIELDS.issuperset(tag.fields) and tag.fields):
        return None
    form = dialect.near_forms[0]
    near = f"({word} {form.word.lower() if dialect.id == 'ovid' else form.word}{3} shade)"
    if tag is None:
        return near
    if sample.tag in ("lim", "sd", "py"):
        return None
    return tagged(sample.tag, tag, dialect).replace(f"({word})", word).replace(word, near)


def translated(query: ParsedQuery, to: DialectId) -> Translation:
    made = translate(query, to)
    assert not any("differently" in loss.message for loss in made.losses), (query.text, to, made.text)
    return made


@pytest.mark.parametrize("way", FAST)
@pytest.mark.parametrize("dialect_id", DIALECTS)
def test_what_a_dialect_writes_it_reads_as_the_same(dialect_id: DialectId, way: str) -> None:
    for sample in SAMPLES:
        text = in_context(sample, way) if sample.dialect == dialect_id else None
        if text is None:
            continue
        query = parse(text, dialect_id)
        assert not [finding for finding in query.findings if finding.severity == "error"], text
        assert query.root is not None
        made = translated(query, dialect_id)
        again = parse(made.text, dialect_id).root
        assert again is not None
        assert made.is_exact, (text, made.text)
        assert again == query.root or same(again, query.root), (text, made.text)


def _other_headings(root: Node, dialect_id: DialectId, to: DialectId) -> bool:
    """Whether words are looked for in subject headings in both dialects, which take them from different lists."""
    source, target = DIALECTS[dialect_id], DIALECTS[to]
    if source.thesaurus == target.thesaurus or "plain" in (dialect_id, to):
        return False
    known = any(HEADING_WORDS.intersection(tag.fields) for tag in target.tags.values())
    fields = [term.fields for term in terms_in(root) if len(term.fields) < len(EVERY_FIELD)]
    return known and any(HEADING_WORDS.intersection(each) for each in fields)


@pytest.mark.parametrize("way", FAST)
@pytest.mark.parametrize("dialect_id", DIALECTS)
def test_what_another_dialect_asks_for_is_the_same_or_a_loss_of_that_leaf(dialect_id: DialectId, way: str) -> None:
    for sample in SAMPLES:
        text = in_context(sample, way) if sample.dialect == dialect_id else None
        for to in DIALECTS if text is not None else ():
            if to == dialect_id:
                continue
            query = parse(text or "", dialect_id)
            assert query.root is not None
            made = translated(query, to)
            root = meant(query.root, dialect_id)
            opens_names = DIALECTS[to].whole_names and not DIALECTS[dialect_id].whole_names
            replaced = write(root, to, opens_names=opens_names).replaced
            leaves = {number for number, node in enumerate(walk(root)) if not parts_of(node)}
            told = {loss.number for loss in made.losses}
            assert set(replaced) <= told, (text, to, made.text)
            has_topic = any(set(term.fields) == set(TEXT_FIELDS) for term in terms_in(root))
            topics_differ = DIALECTS[dialect_id].topic_also != DIALECTS[to].topic_also and dialect_id != "plain"
            codes = {code for term in terms_in(query.root) for code in term.tag.split(",")}
            whole_keywords = dialect_id == "ovid" and "kw" in codes
            full_texts = dialect_id == "dimensions" and not DIALECTS[to].holds_full_text
            full_texts = full_texts and any(len(term.fields) in (0, len(EVERY_FIELD)) for term in terms_in(query.root))
            of_whole = (
                (has_topic and topics_differ) or whole_keywords or full_texts or _other_headings(root, dialect_id, to)
            )
            assert not of_whole or 0 in told, (text, to, made)
            of_whole = of_whole or any(isinstance(node, Not) for node in walk(root))
            assert told <= (leaves | {0} if of_whole else leaves), (text, to, made)
            kept = {number: node and meant(node, to) for number, node in replaced.items()}
            expected = with_replaced(root, kept)
            again = parse(made.text, to).root
            assert again is not None
            assert expected is None or same(expected, meant(again, to)), (text, to, made.text)
