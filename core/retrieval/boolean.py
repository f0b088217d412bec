"""A Boolean search string as a retriever: every document that it matches, in no order."""

from __future__ import annotations

import numpy as np

from core.collections import Query, Rows
from core.query.match import Corpus, MatchedTree, match, rows_of
from core.query.parser import parse
from core.query.tree import Node, ParsedQuery, Term, group_of
from core.retrieval.retriever import Hits, SequentialRetriever, Timing, best, untimed
from core.text import STOP_WORDS, first_of, on_one_line, words

QUESTION = (
    "This reads as a question, not as a search string: it matches the documents that contain all of its words, "
    "without stop words."
)
MOST_NAMED = 3


class BooleanRetriever(SequentialRetriever):
    """A retriever that matches search strings literally. Every match scores 1; ties are ordered by doc_id.

    Adjacent words must all occur. For a question in plain language, all words except stop words must occur, and a note
    says so. A text without anything that can be tested finds nothing, and a note says why.
    """

    def __init__(self, corpus: Corpus, id_ranks: Rows) -> None:
        self._corpus = corpus
        self._id_ranks = id_ranks

    def search(self, query: Query, k: int, timing: Timing = untimed) -> Hits:
        """Return the first k matches by doc_id; a note gives the total."""
        with timing("read the query"):
            root, notes = _root(parse(query.text))
        if root is None:
            return _nothing(*notes)
        if not self._corpus.ids:
            return _nothing("There are no documents.")
        with timing("match"):
            matched = match(root, self._corpus, "literal")
        if matched.root is None:
            return _nothing("No part of this search string can be tested on these documents, so none match.")
        rows = rows_of(matched.root).astype(np.int64)
        hits = best(np.ones(len(rows)), k, self._id_ranks, rows)
        return Hits(hits.rows, hits.scores, (*notes, *_left_out(matched, query.text), _how_many(len(rows), len(hits))))


def _root(parsed: ParsedQuery) -> tuple[Node | None, tuple[str, ...]]:
    if parsed.kind != "question":
        if parsed.root is not None:
            return parsed.root, ()
        return None, tuple(finding.message for finding in parsed.findings[:1])
    asked = [word for word in dict.fromkeys(words(parsed.text)) if word not in STOP_WORDS]
    if not asked:
        return None, ("This question has only stop words, so no document matches.",)
    terms = tuple(Term((word,)) for word in asked)
    return group_of("AND", terms), (QUESTION,)


def _left_out(matched: MatchedTree, text: str) -> tuple[str, ...]:
    parts = [matched.nodes[i].span for i in sorted(matched.untestable)]
    if not parts:
        return ()
    named = [f'"{on_one_line(text[part.start : part.end])[:60]}"' for part in parts]
    return (f"Left out, as it can't be tested on these documents: {first_of(named, MOST_NAMED)}.",)


def _how_many(n: int, n_given: int) -> str:
    if not n:
        return "No document matches."
    one = "1 document matches" if n == 1 else f"{n:,} documents match"
    given = f"; the first {n_given:,} by id are shown" if n_given < n else ""
    return f"{one}{given}. A Boolean result has no order."


def _nothing(*notes: str) -> Hits:
    return Hits(np.zeros(0, np.int64), np.zeros(0), notes)
