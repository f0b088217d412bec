"""Random trees: what a dialect can say exactly, and anything at all."""

from __future__ import annotations

import string
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from core.query.dialects import DIALECTS
from core.query.dialects.base import Dialect
from core.query.dialects.values import CLOSED_FIELDS
from core.query.tree import (
    ANY_ENDING,
    OTHER_FIELDS,
    TEXT_FIELDS,
    DialectId,
    Gap,
    Group,
    Heading,
    Near,
    Node,
    Not,
    Operator,
    Range,
    Term,
)

WORDS = (
    "heat",
    "Trees",
    "urban",
    "naïve",
    "meta-model",
    "β-lactams",
    "covid-19",
    "shade",
    "canopy",
    "Lyme's",
    "street",
)
PLAIN_WORDS = ("heat", "trees", "urban", "shade", "canopy", "street", "cool")
STEMS = ("adapt", "behavio", "climat", "cooling", "Planta")
HEADINGS = ("Hot Temperature", "Encephalitis, Japanese", "Wounds and Injuries", "Factor VIII (human)", "Stress")
MOST_LEAVES = 30
DEEPEST_HERE = 5


def trees(dialect_id: DialectId) -> SearchStrategy[Node]:
    """Trees as the parser of a dialect makes them, without anything that the dialect does not allow."""
    return _root(DIALECTS[dialect_id])


def any_trees(most_leaves: int = 12) -> SearchStrategy[Node]:
    """Trees of any kind, sayable or not: odd letters, fields that no dialect has, NOT anywhere."""
    return nested(st.one_of(_any_term(), _any_heading(), _any_range(), _any_near()), most_leaves)


def nested(
    leaves: SearchStrategy[Node],
    most_leaves: int,
    operators: tuple[Operator, ...] = ("AND", "OR"),
    *,
    negated: bool = True,
) -> SearchStrategy[Node]:
    """Trees of these leaves, with NOT anywhere or nowhere."""

    def grown(inner: SearchStrategy[Node]) -> SearchStrategy[Node]:
        parts = st.lists(inner, min_size=2, max_size=4).map(tuple)
        grouped: SearchStrategy[Node] = st.builds(Group, st.sampled_from(operators), parts)
        return st.one_of(st.builds(Not, inner), grouped) if negated else grouped

    return st.recursive(leaves, grown, max_leaves=most_leaves)


def leaves(dialect_id: DialectId) -> SearchStrategy[Node]:
    """Single terms, headings, years and Nears that a dialect can say."""
    return _leaf(DIALECTS[dialect_id])


_OPERATORS: SearchStrategy[Operator] = st.sampled_from(("AND", "OR"))


# Exactly sayable


@st.composite
def _root(draw: DrawFn, dialect: Dialect) -> Node:
    if dialect.tag_covers_rest:
        return draw(_filters(dialect))
    budget = [draw(st.integers(1, MOST_LEAVES))]
    node = draw(_node(dialect, draw(st.integers(1, DEEPEST_HERE)), budget))
    return Not(node) if dialect.unary_not and draw(st.booleans()) else node


@st.composite
def _filters(draw: DrawFn, dialect: Dialect) -> Node:
    """One field for each part of an AND, and years beside them."""
    bare = replace(dialect, tags={})
    all_fields = fields_of(dialect)
    chosen = draw(st.lists(st.sampled_from(all_fields), min_size=1, max_size=3, unique=True))
    parts = [in_fields(draw(_node(bare, 4, [10])), fields) for fields in chosen]
    if draw(st.booleans()):
        parts.append(draw(_range(dialect)))
    return Group("AND", tuple(parts)) if len(parts) > 1 else parts[0]


def in_fields(node: Node, fields: tuple[str, ...]) -> Node:
    """The tree with all of its terms looked for there."""
    if isinstance(node, Term):
        return replace(node, fields=fields)
    if isinstance(node, Not):
        return Not(in_fields(node.part, fields))
    return (
        replace(node, parts=tuple(in_fields(p, fields) for p in node.parts)) if isinstance(node, Group | Near) else node
    )


@st.composite
def _node(draw: DrawFn, dialect: Dialect, levels: int, budget: list[int]) -> Node:
    if levels <= 1 or budget[0] < 2 or draw(st.integers(0, 3)) == 0:
        budget[0] -= 1
        return draw(_leaf(dialect))
    operator = draw(_OPERATORS)
    n = draw(st.integers(2, max(2, min(4, budget[0]))))
    parts = [draw(_node(dialect, levels - 1, budget)) for _ in range(n)]
    negated = [draw(st.integers(0, 3)) == 0 for _ in parts]
    if not dialect.unary_not:
        negated[0] = False
        if operator == "OR":
            negated = [False] * n
        if dialect.binding[-1] == ("NOT",):
            negated.sort()
    return Group(operator, tuple(Not(p) if no else p for p, no in zip(parts, negated, strict=True)))


def _leaf(dialect: Dialect) -> SearchStrategy[Node]:
    kinds: list[SearchStrategy[Node]] = [_term(dialect), _term(dialect), _near(dialect)]
    if dialect.slash_headings or any(tag.kind == "heading" for tag in dialect.tags.values()):
        kinds.append(_heading(dialect))
    if any(tag.kind == "years" for tag in dialect.tags.values()):
        kinds.append(_range(dialect))
    return st.one_of(kinds)


def fields_of(dialect: Dialect) -> list[tuple[str, ...]]:
    """The sets of fields that one tag of a dialect stands for."""
    known: dict[frozenset[str], tuple[str, ...]] = {}
    for name, tag in dialect.tags.items():
        if name in dialect.limit_tags:
            continue
        if tag.kind == "text" and tag.fields and not tag.read_only and not set(tag.fields) & CLOSED_FIELDS:
            known.setdefault(frozenset(tag.fields), tag.fields)
    known = {fields: tag for fields, tag in known.items() if dialect.id == "plain" or tag != ("other",)}
    combined = [("title", "abstract", "keywords"), ("title", "keywords")] if dialect.id in ("ovid", "embase") else []
    return [(), *known.values(), *combined]


@st.composite
def _term(draw: DrawFn, dialect: Dialect) -> Term:
    fields = draw(st.sampled_from(fields_of(dialect)))
    words = [draw(st.sampled_from(WORDS)) for _ in range(draw(st.integers(1, 3)))]
    kind = draw(st.sampled_from(("word", "phrase", "run", "wildcard", "braces")))
    if kind == "wildcard":
        gap = draw(st.sampled_from([*dialect.wildcards.values(), *_counted(dialect)]))
        tail = draw(st.sampled_from(((), ("r",), ("ren",))))
        quoted = dialect.wildcard_in_phrase and draw(st.booleans())
        stem = draw(st.sampled_from(STEMS))
        return Term((f"{words[0]} {stem}" if quoted else stem, gap, *tail), quoted, fields)
    if kind == "braces" and dialect.exact_braces:
        return Term((" ".join(words),), True, fields, exact=True)
    runs = not dialect.run_is_phrase and not (fields and (dialect.tagged_run_is_phrase or dialect.tag_style == "codes"))
    is_name = any(tag.is_name and tag.fields == fields for tag in dialect.tags.values())
    if kind == "run" and runs and not is_name:
        return Term((" ".join(words),), False, fields)
    return Term((" ".join(words),), True, fields) if kind == "phrase" else Term((words[0],), False, fields)


def _counted(dialect: Dialect) -> list[Gap]:
    if dialect.id == "plain":
        return [Gap(2, 5), Gap(3, None), Gap(0, 2)]
    return [Gap(0, 3)] if dialect.counted_wildcards or dialect.limited_wildcards else []


@st.composite
def _heading(draw: DrawFn, dialect: Dialect) -> Heading:
    kinds = [(t.explode, t.major, t.thesaurus) for t in dialect.tags.values() if t.kind == "heading"]
    if dialect.slash_headings or dialect.id == "ebsco":
        kinds = [(True, True, ""), (True, False, ""), (False, True, ""), (False, False, "")]
    explode, major, thesaurus = draw(st.sampled_from(kinds))
    one = [("th",)] if dialect.id != "proquest" else []  # of a disease
    several = [("ae", "dt")] if dialect.slash_headings or dialect.id == "plain" else []
    below = draw(st.sampled_from([(), *one, *several]))
    return Heading(draw(st.sampled_from(HEADINGS)), explode, major, below, thesaurus=thesaurus)


@st.composite
def _range(draw: DrawFn, dialect: Dialect) -> Range:
    low = draw(st.integers(1990, 2010))
    kinds = [(low, low)]
    if dialect.id != "ovid":
        kinds += [(low, None), (None, low)]
        if dialect.id != "scopus":
            kinds.append((low, draw(st.integers(2011, 2030))))
    return Range(*draw(st.sampled_from(kinds)))


@st.composite
def _near(draw: DrawFn, dialect: Dialect) -> Near:
    fields = draw(st.sampled_from(fields_of(dialect)))
    distance = draw(st.integers(0, 12))
    words = st.sampled_from(PLAIN_WORDS).map(lambda word: Term((word,), False, fields))
    n = draw(st.integers(2, 3))
    if not dialect.near_forms or (dialect.window and draw(st.booleans())):
        if dialect.window == "tag":
            tagged = draw(st.sampled_from([dialect.tags[name].fields for name in ("tiab", "ti", "ad")]))
            words = st.sampled_from(PLAIN_WORDS).map(lambda word: Term((word,), False, tagged))
        n = 3 if dialect.near_forms else n
        return Near(tuple(draw(words) for _ in range(n)), distance, whole=n > 2)
    ordered = any(form.ordered for form in dialect.near_forms) and draw(st.booleans())
    form = next((form for form in dialect.near_forms if form.ordered == ordered), None)
    if form is not None and form.most is not None:
        distance = min(distance, form.most - form.more)
    part: SearchStrategy[Node] = st.one_of(
        words,
        st.sampled_from(STEMS).map(lambda stem: Term((stem, dialect.wildcards["*"]), False, fields)),
        st.just(Term(("heat wave",), True, fields)),
    )
    parts = [draw(part) for _ in range(n)]
    if dialect.near_takes_groups and draw(st.booleans()):
        parts[-1] = Group("OR", (draw(part), draw(part)))
    if draw(st.integers(0, 3)) == 0:
        parts[0] = Near((draw(part), draw(part)), min(distance, draw(st.integers(0, 3))), ordered)
    return Near(tuple(parts), distance, ordered)


# Anything

_LETTERS = string.ascii_letters + string.digits + "  -'\"()[]{}*?$#.:/~+,=&éßİ“”\n/*"
_ODD_WORDS = (
    "and",
    "OR",
    "not",
    "TI",
    "1",
    "S1",
    "N5",
    "adj3",
    "heat.ti.",
    "ti:",
    "NEAR/3",
    "exp",
    "# heat",
    "//x",
    "x/",
)
_ANY_FIELDS = st.one_of(
    st.sampled_from([(), ("title",), TEXT_FIELDS, ("title", "abstract"), ("keywords", "abstract")]),
    st.lists(st.sampled_from((*TEXT_FIELDS, *OTHER_FIELDS)), unique=True, max_size=4).map(tuple),
)


def _texts() -> SearchStrategy[str]:
    return st.one_of(
        st.sampled_from((*WORDS, *_ODD_WORDS, *PLAIN_WORDS, "heat wave", "cat", "what is the heat of trees in a city")),
        st.text(_LETTERS, min_size=1, max_size=10),
    )


def _gaps() -> SearchStrategy[Gap]:
    several = st.tuples(st.integers(0, 3), st.one_of(st.none(), st.integers(0, 4)))
    return st.one_of(
        st.sampled_from((ANY_ENDING, Gap(0, 1), Gap(1, 1))),
        several.map(lambda g: Gap(g[0], None if g[1] is None else g[0] + g[1])),
    )


def _any_term(fields: SearchStrategy[tuple[str, ...]] = _ANY_FIELDS) -> SearchStrategy[Term]:
    pieces = st.one_of(
        st.tuples(_texts()),
        st.lists(st.one_of(_texts(), _gaps()), min_size=1, max_size=4).map(tuple),
    )
    return st.builds(Term, pieces, st.booleans(), fields, st.integers(0, 5).map(lambda i: i == 0))


def _any_heading() -> SearchStrategy[Heading]:
    below = st.lists(st.sampled_from(("ae", "drug therapy", "no such")), max_size=2).map(tuple)
    return st.builds(Heading, st.one_of(st.sampled_from(HEADINGS), _texts()), st.booleans(), st.booleans(), below)


def _any_range() -> SearchStrategy[Range]:
    year = st.one_of(st.none(), st.integers(1400, 2300))
    return st.builds(Range, year, year)


def _any_near() -> SearchStrategy[Near]:
    part: SearchStrategy[Node] = _any_term(st.sampled_from([(), ("title",), ("title", "abstract")]))
    inner = st.recursive(
        part,
        lambda inside: st.one_of(
            st.lists(inside, min_size=2, max_size=3).map(lambda parts: Group("OR", tuple(parts))),
            st.lists(inside, min_size=2, max_size=3).map(lambda parts: Near(tuple(parts), 2)),
        ),
        max_leaves=4,
    )
    return st.builds(
        Near, st.lists(inner, min_size=2, max_size=4).map(tuple), st.integers(0, 400), st.booleans(), st.booleans()
    )
