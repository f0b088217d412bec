"""Runs the text of a query over a topic's publications."""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import InputError
from core.query.dialects import DIALECTS
from core.query.matching.bits import rows_of
from core.query.matching.matched import Semantics, match
from core.query.reading.parse import parse
from core.query.tree import DialectId, ParsedQuery
from core.text import words
from core.types import Ids, QueryVersion
from data.corpora import Corpora
from data.index import CorpusIndex
from data.store import Store, VersionRow, content_hash

RANKED_CUT = 200
"""Publications that a question retrieves: the best of its ranking."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a text retrieves from a corpus."""

    parsed: ParsedQuery
    ids: Ids
    ranked: bool
    """In the order of a ranking, cut at its best; else every publication that matches, in the topic's order."""


def dialect_of(version: QueryVersion) -> DialectId | None:
    """The dialect that a version was read in; None: it is found out from the text."""
    return next((dialect for dialect in DIALECTS if dialect == version.dialect), None)


def answer(corpus: CorpusIndex, parsed: ParsedQuery, semantics: Semantics) -> Answer:
    """Match a search string, or rank by a question's words."""
    if parsed.kind == "question":
        hits = corpus.rank(words(parsed.text), RANKED_CUT)
        return Answer(parsed, tuple(corpus.ids[row] for row, _ in hits), ranked=True)
    if parsed.root is None:
        raise InputError(_why_empty(parsed))
    if not corpus.ids:
        return Answer(parsed, (), ranked=False)
    matched = match(parsed.root, corpus, semantics)
    if matched.root is None:
        raise InputError(
            "nothing of this query can be tested here: it asks only for fields that these publications lack "
            "(subject headings, languages, ...); add words to look for in title and abstract"
        )
    ids = corpus.ids
    return Answer(parsed, tuple(ids[row] for row in rows_of(matched.root)), ranked=False)


def _why_empty(parsed: ParsedQuery) -> str:
    """The first finding, as a sentence of an error."""
    if parsed.findings and parsed.findings[0].rule != "empty":
        message = parsed.findings[0].message.rstrip(".")
        return f"{message[:1].lower()}{message[1:]}: nothing is left to look for"
    return "the query is empty: type at least one word"


def run_query(
    store: Store,
    corpora: Corpora,
    topic_id: str,
    text: str,
    *,
    dialect: DialectId | None = None,
    semantics: Semantics = "literal",
) -> VersionRow:
    """A new version of the topic's query; the one there is, if this text was run in this way before."""
    corpus = corpora.of(topic_id)
    found = answer(corpus, parse(text, dialect), semantics)
    versions = store.versions(topic_id)
    wording = _wording(text)
    for row in versions:
        before = row.version
        same_way = (before.semantics or "literal") == semantics and before.dialect in (None, found.parsed.dialect)
        if row.over_corpus and same_way and _wording(before.text) == wording:
            return row
    number = max((row.version.number for row in versions), default=0) + 1
    labels = {row.version.label for row in versions}
    label = next(name for n in range(number, number + len(labels) + 1) if (name := f"v{n}") not in labels)
    version = QueryVersion(
        content_hash([topic_id, label]),
        topic_id,
        label,
        number,
        text.strip(),
        "manual",
        dialect=found.parsed.dialect,
        semantics=semantics,
    )
    with store.transaction():
        store.save_version(version, found.ids, over_corpus=True)
    return VersionRow(version, len(found.ids), content_hash(found.ids), over_corpus=True)


def _wording(text: str) -> str:
    """Lines matter to a search in lines; other white space does not."""
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())
