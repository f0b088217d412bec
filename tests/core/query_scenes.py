"""Small corpora and hand-made queries for the tests of what a query does: slow, simple, and independent of parsing."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from core.query.contributions import MatchedQuery, Stakes
from core.query.match import CorpusTexts, match, of_mask, of_rows, searched_fields
from core.query.translation import PlainWriter
from core.query.tree import ANY_ENDING, Group, Near, Not, Span, Term, parts_of
from core.settings import EvaluationSettings
from core.text import clauses, words
from tests.core.query_trees import nested

FIELDS = ("title", "abstract", "keywords")


def toy_stem(word):
    """Enough of English for tests."""
    for ending in ("ations", "ation", "ives", "ive", "ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def texts_of(publications, fields=FIELDS):
    """Publications as dicts of fields, or as titles; a semicolon ends a keyword."""
    publications = [{"title": p} if isinstance(p, str) else p for p in publications]
    cut, breaks, pauses, n = [], [], [], 0
    for text in (p.get(field, "") for p in publications for field in fields):
        keywords = [found for part in text.split(";") if (found := words(part))]
        breaks += np.cumsum([n, *map(len, keywords)])[1:-1].tolist()
        pauses += np.cumsum([n, *(len(part) for part in clauses(text))])[1:-1].tolist()
        cut.append([word for keyword in keywords for word in keyword])
        n += len(cut[-1])
    vocabulary = tuple(sorted({word for part in cut for word in part}))
    stems = sorted({toy_stem(word) for word in vocabulary})
    number_of = {word: i for i, word in enumerate(vocabulary)}
    return CorpusTexts(
        vocabulary,
        np.array([stems.index(toy_stem(word)) for word in vocabulary], dtype=np.int32),
        np.array([number_of[word] for part in cut for word in part], dtype=np.int32),
        np.cumsum([0, *map(len, cut)], dtype=np.int64),
        tuple(fields),
        np.array(breaks, dtype=np.int64),
        np.array(pauses, dtype=np.int64),
    )


class FakeCorpus:
    """Reads every text for every leaf."""

    def __init__(self, texts):
        self.texts = texts
        self.ids = tuple(f"p{row}" for row in range(texts.n))
        self.fields = frozenset(texts.fields)
        self.n_looked_up = 0
        self.publications = [{f: self._words(row, f) for f in texts.fields} for row in range(texts.n)]

    def _words(self, row, field):
        """The words of a field, nothing between two keywords."""
        k = row * len(self.texts.fields) + self.texts.fields.index(field)
        found = []
        for at, word in enumerate(self.texts.words_of(row, field), self.texts.starts[k]):
            found += ["", word] if found and at in self.texts.breaks else [word]
        return found

    def look_up(self, leaf, semantics):
        self.n_looked_up += 1
        if isinstance(leaf, Term):
            fields = searched_fields(leaf, self.fields)
            if not fields:
                return None
            found = [
                bool(leaf.chunks)
                and all(any(runs(chunk, p[f], leaf, semantics) for f in fields) for chunk in leaf.chunks)
                for p in self.publications
            ]
            return of_mask(np.array(found, dtype=np.bool_))
        if isinstance(leaf, Near):
            found = [any(places(leaf, f, p[f], semantics) for f in self.fields) for p in self.publications]
            return of_mask(np.array(found, dtype=np.bool_))
        return None


def runs(chunk, text, term, semantics):
    """Where the words of a chunk stand side by side."""
    n = len(chunk)
    return [
        (start, start + n - 1)
        for start in range(len(text) - n + 1)
        if all(fits(word, text[start + i], term, semantics) for i, word in enumerate(chunk))
    ]


def fits(word, there, term, semantics):
    if word.is_plain:
        asked = str(word)
        return asked == there or (semantics == "stemmed" and not term.exact and toy_stem(asked) == toy_stem(there))
    pattern = "".join(
        re.escape(p) if isinstance(p, str) else f"\\w{{{p.least},{'' if p.most is None else p.most}}}"
        for p in word.pieces
    )
    return re.fullmatch(pattern, there) is not None


def places(node, field, text, semantics):
    if isinstance(node, Term):
        if field not in searched_fields(node, frozenset(FIELDS)) or len(node.chunks) != 1:
            return []
        return runs(node.chunks[0], text, node, semantics)
    if isinstance(node, Group):
        return [place for part in node.parts for place in places(part, field, text, semantics)]
    chains = [[place] for place in places(node.parts[0], field, text, semantics)]
    for part in node.parts[1:]:
        chains = [[*c, p] for c in chains for p in places(part, field, text, semantics) if close(c[-1], p, node)]
    if node.whole:
        chains = [c for c in chains if spread(c) - sum(b - a + 1 for a, b in c) <= node.distance]
    return [(min(a for a, _ in c), max(b for _, b in c)) for c in chains]


def spread(chain):
    return max(b for _, b in chain) - min(a for a, _ in chain) + 1


def close(one, other, near):
    if near.ordered and other[0] <= one[1]:
        return False
    between = max(one[0], other[0]) - min(one[1], other[1]) - 1
    return between >= 0 and (near.whole or between <= near.distance)


def term(text, *fields, exact=False):
    """`adapt*`, `"petri net"`, or several words."""
    quoted = text.startswith('"')
    text = text.strip('"')
    pieces = (text[:-1], ANY_ENDING) if text.endswith("*") else (text,)
    return Term(pieces, quoted=quoted, fields=fields, exact=exact)


def _nodes(parts):
    return tuple(term(part) if isinstance(part, str) else part for part in parts)


def all_of_these(*parts):
    return Group("AND", _nodes(parts))


def one_of_these(*parts):
    return Group("OR", _nodes(parts))


def none_of_these(part):
    return Not(_nodes([part])[0])


def written_down(root):
    """The tree as text, and the same tree with the span of every node in it."""
    return _write(root, 0)


def _write(node, at):
    if isinstance(node, Not):
        text, part = _in_brackets(node.part, at + 4)
        return f"NOT {text}", replace(node, part=part, span=Span(at, at + 4 + len(text)))
    if isinstance(node, Group):
        texts, parts, here = [], [], at
        for part in parts_of(node):
            text, placed = _in_brackets(part, here)
            texts.append(text)
            parts.append(placed)
            here += len(text) + len(f" {node.operator} ")
        text = f" {node.operator} ".join(texts)
        return text, replace(node, parts=tuple(parts), span=Span(at, at + len(text)))
    writer = PlainWriter()
    text = writer.term(node) if isinstance(node, Term) else writer.near(node)
    return text, replace(node, span=Span(at, at + len(text)))


def _in_brackets(node, at):
    if isinstance(node, Group | Near):
        text, placed = _write(node, at + 1)
        return f"({text})", replace(placed, outer=Span(at, at + len(text) + 2))
    return _write(node, at)


def stakes_of(n, core, *, accepted=None, unscorable=(), n_core=None, limit=1000):
    """Every publication is scorable and accepted if nothing else is said."""
    accepted = range(n) if accepted is None else accepted
    scorable = set(range(n)) - set(unscorable)
    return Stakes(
        core=of_rows(sorted(core), n),
        n_core=len(core) if n_core is None else n_core,
        scorable=of_rows(sorted(scorable), n),
        accepted=of_rows(sorted(set(accepted) & scorable), n),
        settings=EvaluationSettings(decay_limit=limit),
    )


def weighed(text, matched, corpus, stakes, writer=None, semantics="literal"):
    """A matched query with all that says what it is worth."""
    return MatchedQuery(text, matched, corpus, corpus.texts, semantics, stakes, writer or PlainWriter())


def asked_about(root, publications, core, *, off=(), semantics="literal", **stakes):
    """A query, matched against these publications."""
    corpus = FakeCorpus(texts_of(publications))
    text, placed = written_down(root)
    matched = match(placed, corpus, semantics, off)
    return weighed(text, matched, corpus, stakes_of(corpus.texts.n, core, **stakes), semantics=semantics)


VOCABULARY = ("adapt", "adaptive", "robot", "robots", "graph", "heat", "plan", "planning", "net", "petri")
titles = st.lists(st.sampled_from(VOCABULARY), max_size=7).map(" ".join)
corpora = st.lists(st.fixed_dictionaries({"title": titles, "abstract": titles}), min_size=1, max_size=12)
some_terms = st.sampled_from(
    [term(t) for t in ("adapt", "adapt*", "robot", "graph", "heat", "plan*", '"petri net"', "net", "cat", "heat plan")]
    + [term("robot", "title"), term("graph", "author")]
)
trees = nested(some_terms, 9)


@st.composite
def scenes(draw):
    """A matched tree with its corpus and what its publications are worth."""
    texts = texts_of(draw(corpora))
    corpus = FakeCorpus(texts)
    text, root = written_down(draw(trees))
    rows = st.sets(st.integers(0, texts.n - 1))
    core, accepted, unscorable = draw(rows), draw(rows), draw(rows)
    stakes = stakes_of(
        texts.n, core, accepted=accepted, unscorable=unscorable, n_core=len(core) + draw(st.integers(1, 3)), limit=50
    )
    return text, match(root, corpus, "literal"), corpus, stakes
