"""Queries in another dialect, and what is said about what got lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.query.dialects import DIALECTS
from core.query.dialects.meanings import meant
from core.query.equivalence import same
from core.query.parser import parse
from core.query.translation import translate, with_replaced, write
from core.query.tree import DialectId, ParsedQuery


def queries_of(folder: Path) -> list[ParsedQuery]:
    """Every query of two collections."""
    lines = (folder / "ielab_seed" / "topics.jsonl").read_text(encoding="utf-8").splitlines()
    litqeval = json.loads((folder / "litqeval" / "data" / "queries.json").read_text(encoding="utf-8"))
    texts = [text for topic in litqeval for text in topic.values()]
    return [parse(json.loads(line)["query"], "pubmed") for line in lines] + [parse(text) for text in texts]


@pytest.mark.parametrize("question", ["How do trees cool a city in summer?", "what limits the life of a battery"])
def test_a_question_can_not_be_translated(question: str) -> None:
    made = translate(parse(question), "pubmed")
    assert made.text == ""
    assert [loss.status for loss in made.losses] == ["unsupported"]


def test_nothing_can_not_be_translated() -> None:
    assert not translate(parse(""), "wos").is_exact


def test_a_search_in_lines_becomes_one_string() -> None:
    lines = "1. exp Hot Temperature/\n2. heat$.ti,ab.\n3. 1 or 2\n4. tree*.ti.\n5. 3 and 4"
    made = translate(parse(lines, "ovid"), "pubmed")
    assert made.text == '("Hot Temperature"[Mesh] OR heat*[tiab]) AND tree*[ti]'
    (loss,) = made.losses
    assert (loss.status, lines[loss.start : loss.end]) == ("widened", "heat$.ti,ab.")


def test_words_without_a_field_get_the_one_that_means_the_same() -> None:
    query = parse('heat AND "street trees"', "plain")
    assert translate(query, "wos").text == 'TS=(heat AND "street trees")'
    assert translate(query, "pubmed").text == 'heat[tiab] AND "street trees"[tiab]'
    assert translate(query, "ovid").text == '(heat and "street trees").ti,ab,kf.'
    assert translate(parse("heat AND trees", "pubmed"), "scopus").text == "heat AND trees"


def test_left_to_right_becomes_brackets() -> None:
    made = translate(parse("heat OR cold AND tree", "pubmed"), "ovid")
    assert made.text == "((heat or cold) and tree).af."
    assert made.is_exact


def test_what_the_same_dialect_reads_is_kept() -> None:
    text = "flu*[tiab] AND humans[filter] AND english[la]"
    made = translate(parse(text, "pubmed"), "pubmed")
    assert made.text == text
    assert made.is_exact


def test_a_translation_as_a_document() -> None:
    text = "Masks[mesh]"
    message = "Scopus has no subject headings here: written as words of title, abstract and keywords."
    assert translate(parse(text, "pubmed"), "scopus").as_document() == {
        "text": 'TITLE-ABS-KEY("Masks")',
        "losses": [{"start": 0, "end": 11, "status": "unsupported", "message": message}],
    }


def test_a_text_that_grows_too_long_to_be_read_says_so() -> None:
    words = " OR ".join(f"word{i}" for i in range(9000))
    made = translate(parse(f"({words})[tiab]", "pubmed"), "pubmed")
    assert [loss.status for loss in made.losses] == ["unsupported"]


@pytest.mark.collections
@pytest.mark.parametrize("dialect_id", DIALECTS)
def test_every_real_query_keeps_its_meaning_or_says_so(dialect_id: DialectId, collections_dir: Path) -> None:
    for query in queries_of(collections_dir):
        assert query.root is not None
        made = translate(query, dialect_id)
        again = parse(made.text, dialect_id).root
        assert again is not None
        root = query.root if dialect_id == query.dialect else meant(query.root, query.dialect)
        replaced = write(root, dialect_id, strict=dialect_id != query.dialect).replaced
        if dialect_id != query.dialect:
            replaced = {number: node and meant(node, dialect_id) for number, node in replaced.items()}
            again = meant(again, dialect_id)
        assert same(with_replaced(root, replaced) or root, again)
        assert set(replaced) <= {loss.number for loss in made.losses}
        if dialect_id == query.dialect:
            assert len(made.losses) == made.n_unread
            assert again == query.root


def test_what_was_not_read_comes_first_among_the_losses():
    text = "1. wom#n.ti.\n2. 9 or (heat.ti.\n3. 1 and 2"
    translation = translate(parse(text, "ovid"), "pubmed")
    assert translation.n_unread == 2
    assert [text[loss.start : loss.end] for loss in translation.losses[:2]] == ["9 or (heat.ti.", "("]
    assert {loss.status for loss in translation.losses[:2]} == {"unsupported"}
    assert translation.reading_summary.startswith("Read with 2 errors: ")
    assert not translation.is_exact


def test_a_string_without_errors_is_read_without_losses():
    translation = translate(parse("heat.ti. and limit", "ovid"), "pubmed")
    assert (translation.n_unread, translation.reading_summary) == (0, "")


def test_what_cannot_be_read_at_all_is_named_too():
    translation = translate(parse("1. heat.ti.\n2. (((", "ovid"), "wos")
    assert translation.n_unread
    nothing = translate(parse("or/1-9"), "wos")
    assert nothing.text == ""
    assert "lines 2 to 9" in nothing.reading_summary
