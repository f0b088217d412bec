"""Graph: what relations lead to comes first, in the order of a text retriever."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core.collections import Document, Query, Rows
from core.knowledge.entities import Entity, Mention
from core.knowledge.proposals import TemplateProposal
from core.knowledge.templates import Leg, Template, TemplateStep
from core.retrieval.graph import Graph
from core.retrieval.retriever import Hits, Retriever, SequentialRetriever, Timing, untimed
from tests.core.retrieval.retriever_laws import DOCUMENTS, RetrieverLaws, ask
from tests.core.retrieval.vector_fakes import SharedWords, ranks_of

BY = Template(
    "by",
    (Leg((TemplateStep(("writes",), "paper", "forward"),), "author", "author"),),
    "Which papers are written by {author}?",
    ("papers by",),
)
AUTHORS = {"Zebra Fish": ("d06", "d01"), "Petri Nets": ("d03", "d09", "d10"), "Nobody Here": ()}


def named(text: str) -> tuple[Mention, ...]:
    """Authors whose names stand in a text, in whatever case."""
    found = []
    for row, name in enumerate(AUTHORS):
        if (start := text.casefold().find(name.casefold())) >= 0:
            found.append(Mention(start, start + len(name), (Entity(row, name, "author", name),), 1.0))
    return tuple(found)


def graph(documents: Sequence[Document], first: Retriever | None = None) -> Graph:
    """Over these documents, of which the authors above have written some."""
    row_of = {document.doc_id: row for row, document in enumerate(documents)}

    def answers(proposal: TemplateProposal) -> Rows:
        wrote = [AUTHORS[title] for title in proposal.titles.values()]
        together = set.intersection(*map(set, wrote))
        return np.array(sorted(row_of[each] for each in together if each in row_of), dtype=np.int64)

    return Graph(first or SharedWords(documents), named, [BY], answers, ranks_of(documents))


class TestGraph(RetrieverLaws):
    """Questions about zebra fish and Petri nets name authors; all others none."""

    twins_score_alike = False

    def make(self, documents: Sequence[Document], folder: Path) -> Retriever:
        return graph(documents)


def found(text: str, k: int = 20) -> list[str]:
    return [DOCUMENTS[row].doc_id for row in ask(graph(DOCUMENTS), text, k).rows]


def test_what_the_relations_lead_to_comes_first_in_the_order_of_the_text() -> None:
    by_text = [DOCUMENTS[row].doc_id for row in ask(SharedWords(DOCUMENTS), "papers by on hearing loss").rows]
    assert by_text[0] == "d09"
    ranked = found("papers by Petri Nets on hearing loss")
    assert ranked[:3] == ["d09", "d03", "d10"]
    # The rest is as the text retriever has it.
    whole = [DOCUMENTS[row].doc_id for row in ask(SharedWords(DOCUMENTS), "papers by Petri Nets on hearing loss").rows]
    assert ranked[3:] == [doc_id for doc_id in whole if doc_id not in ranked[:3]]


def test_a_question_that_names_nothing_is_left_to_the_text_and_says_so() -> None:
    hits, first = ask(graph(DOCUMENTS), "energy use"), ask(SharedWords(DOCUMENTS), "energy use")
    assert hits.rows.tolist() == first.rows.tolist()
    assert hits.scores.tolist() == first.scores.tolist()
    (note,) = hits.notes
    assert "names an entity" in note
    assert hits.first is not None


def test_relations_that_lead_nowhere_leave_the_text_and_say_so() -> None:
    hits = ask(graph(DOCUMENTS), "papers by Nobody Here on energy use")
    assert hits.rows.tolist() == ask(SharedWords(DOCUMENTS), "papers by Nobody Here on energy use").rows.tolist()
    assert "no document meets" in hits.notes[0]
    assert "written by {author}" in hits.notes[0]


def test_two_names_ask_for_both_and_then_for_either() -> None:
    hits = ask(graph(DOCUMENTS), "papers by Petri Nets and Zebra Fish")
    ids = [DOCUMENTS[row].doc_id for row in hits.rows]
    assert set(ids[:5]) == {"d01", "d03", "d06", "d09", "d10"}
    assert [note.split(":")[0] for note in hits.notes] == ["read as", "then, with fewer conditions"]
    assert "(0 documents)" in hits.notes[0]
    assert "(5 documents)" in hits.notes[1]


def test_an_answer_set_of_a_million_documents() -> None:
    class Two(SequentialRetriever):
        def search(self, query: Query, k: int, timing: Timing = untimed) -> Hits:
            return Hits(np.array([7, 3])[:k], np.array([0.9, 0.1])[:k])

    n = 1_000_000
    every = Graph(Two(), named, [BY], lambda proposal: np.arange(n), np.arange(n)[::-1].copy())
    hits = every.search(Query("q", "papers by Petri Nets"), 100)
    assert hits.rows[:4].tolist() == [7, 3, n - 1, n - 2]
    assert (np.diff(hits.scores) < 0).all()


def test_few_answers_are_ranked_by_text_however_many_a_looser_reading_has() -> None:
    n = 5_000

    class Falling(SequentialRetriever):
        def search(self, query: Query, k: int, timing: Timing = untimed) -> Hits:
            return Hits(np.arange(n)[::-1][:k], np.arange(n, 0.0, -1.0)[:k])

    def answers(proposal: TemplateProposal) -> Rows:
        return np.array([5, 6, 7]) if len(proposal.titles) == 2 else np.arange(n)

    both = Graph(Falling(), named, [BY], answers, np.arange(n))
    hits = both.search(Query("q", "papers by Petri Nets and Zebra Fish"), 5)
    assert hits.rows.tolist() == [7, 6, 5, n - 1, n - 2]


@pytest.mark.parametrize("n_first", [0, 1, 4])
def test_the_text_retrievers_answer_is_kept_beside(n_first: int) -> None:
    hits = ask(graph(DOCUMENTS), "papers by Zebra Fish", n_first)
    assert len(hits) <= n_first
    assert (hits.first is not None) == (n_first > 0)
