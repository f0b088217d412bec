"""Boolean queries: matching against a slow oracle over random trees, and a reason for whatever is refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.query.boolean import DEEPEST, Group, Term, failing_parts, parse_boolean, words_of

WORDS = ("tea", "teapot", "leaf", "leaf-like", "tëa", "co2", "o'neil", "x1")


@dataclass(frozen=True)
class Phrase:
    """Words in a row; with a star, the last one may go on."""

    words: tuple[str, ...]
    star: bool = False

    def holds(self, text: Sequence[str]) -> bool:
        return any(self._starts_at(text[start:]) for start in range(len(text)))

    def _starts_at(self, text: Sequence[str]) -> bool:
        if len(text) < len(self.words):
            return False
        last = len(self.words) - 1
        whole = all(text[i] == self.words[i] for i in range(last))
        return whole and (text[last].startswith(self.words[last]) if self.star else text[last] == self.words[last])


@dataclass(frozen=True)
class Branch:
    """AND, OR, or NOT of a single part."""

    operator: str
    parts: tuple[Phrase | Branch, ...]

    def holds(self, text: Sequence[str]) -> bool:
        each = [part.holds(text) for part in self.parts]
        return {"AND": all(each), "OR": any(each), "NOT": not each[0]}[self.operator]


Tree = Phrase | Branch

phrases = st.builds(Phrase, st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(tuple), st.booleans())
trees: st.SearchStrategy[Tree] = st.recursive(
    phrases,
    lambda inner: st.one_of(
        st.builds(Branch, st.sampled_from(["AND", "OR"]), st.lists(inner, min_size=2, max_size=4).map(tuple)),
        st.builds(Branch, st.just("NOT"), st.tuples(inner)),
    ),
    max_leaves=12,
)
texts = st.lists(st.sampled_from(WORDS), max_size=8)


@st.composite
def rendered(draw: st.DrawFn, tree: Tree, outermost: bool = True) -> str:
    """The tree as people type it: any case, AND left out, needless brackets, curly quotes, loose spacing."""
    if isinstance(tree, Phrase):
        words = draw(st.sampled_from([" ", "  ", ", "])).join(tree.words)
        if len(tree.words) == 1 and draw(st.booleans()):
            written = words + "*" * tree.star
        else:
            left, right = draw(st.sampled_from(['""', "“”", "””", '“"']))
            inside = tree.star and draw(st.booleans())
            written = f"{left}{words}{'*' * inside}{right}{'*' * (tree.star and not inside)}"
        written = draw(st.sampled_from([str, str.upper, str.title]))(written)
    elif tree.operator == "NOT":
        written = f"{draw(cased('NOT'))} {draw(rendered(tree.parts[0], outermost=False))}"
    else:
        parts = [draw(rendered(part, outermost=False)) for part in tree.parts]
        written = parts[0]
        for part in parts[1:]:
            joints = [f" {draw(cased(tree.operator))} ", f"\n{tree.operator}\t"]
            written += draw(st.sampled_from([*joints, *[" "] * (tree.operator == "AND")])) + part
    bracketed = not outermost and isinstance(tree, Branch) and tree.operator != "NOT"
    return f"({written})" if bracketed or draw(st.booleans()) else written


def cased(word: str) -> st.SearchStrategy[str]:
    return st.sampled_from([word, word.lower(), word.title()])


@given(st.data(), trees, st.lists(texts, min_size=1, max_size=6))
def test_matching_agrees_with_the_oracle(data: st.DataObject, tree: Tree, publications: list[list[str]]) -> None:
    typed = data.draw(rendered(tree))
    query = parse_boolean(typed)
    for words in publications:
        text = data.draw(st.sampled_from([" ", ", ", "\n", ". ", " – "])).join(words)
        assert query.matches(words_of(text)) is tree.holds(words), (typed, text)


@given(st.data(), trees, texts)
def test_a_text_is_retrieved_if_no_part_fails_it(data: st.DataObject, tree: Tree, words: list[str]) -> None:
    query = parse_boolean(data.draw(rendered(tree)))
    text = " ".join(words)
    failing = failing_parts(query, text)
    assert (failing == ()) is query.matches(words_of(text))
    assert not any(part.matches(words_of(text)) for part in failing)


@given(st.data(), trees, texts)
def test_not_turns_the_answer_around(data: st.DataObject, tree: Tree, words: list[str]) -> None:
    typed = data.draw(rendered(tree))
    once, twice = parse_boolean(f"NOT ({typed})"), parse_boolean(f"NOT NOT ({typed})")
    searched = words_of(" ".join(words))
    assert once.matches(searched) is not parse_boolean(typed).matches(searched)
    assert twice.matches(searched) is parse_boolean(typed).matches(searched)


odd = st.one_of(
    st.text(max_size=60),
    st.text(st.characters(), max_size=60),  # also halves of characters, which no encoding has
    st.text('()"“”*?$[]:-.,/&| \n\t\0\x1f\u202eaAé3', max_size=60),
    st.lists(
        st.sampled_from(["AND", "or", "NOT", "(", ")", '"', "“", "tea", "tea*", "*", "-", "ti:", "W/3", "\0", ""]),
        max_size=40,
    ).map(" ".join),
)


@given(odd, odd)
def test_any_text_is_a_query_or_refused_with_a_reason(typed: str, text: str) -> None:
    refusal = None
    try:
        query = parse_boolean(typed)
    except InputError as e:
        refusal = str(e)
    if refusal is not None:
        assert len(refusal.splitlines()) == 1
        assert len(refusal) < 200
    else:
        assert query.matches(words_of(text)) in (True, False)
        assert (failing_parts(query, text) == ()) is query.matches(words_of(text))


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("", "the query is empty: type at least one word"),
        (" \n\t ", "the query is empty: type at least one word"),
        ('"tea', "a quote is not closed in the query"),
        ("“tea", "a quote is not closed in the query"),
        ('tea" OR "leaf" OR leaf', "a quote is not closed in the query"),
        ("(tea", "a closing bracket is missing in the query"),
        ("((tea) OR leaf", "a closing bracket is missing in the query"),
        ("tea)", "one closing bracket too many in the query"),
        ("(tea)) OR leaf", "one closing bracket too many in the query"),
        ("tea OR", "a term is missing before the end in the query"),
        ("NOT", "a term is missing before the end in the query"),
        ("tea NOT", "a term is missing before the end in the query"),
        ("(", "a term is missing before the end in the query"),
        ("AND tea", "a term is missing before AND in the query"),
        ("tea OR AND leaf", "a term is missing before AND in the query"),
        ("NOT or tea", "a term is missing before or in the query"),
        ("()", "a term is missing before ) in the query"),
        (")", "a term is missing before ) in the query"),
        ("(tea OR )", "a term is missing before ) in the query"),
        ("tea AND leaf OR cup", "AND and OR stand side by side in the query"),
        ("tea leaf OR cup", "AND and OR stand side by side in the query"),
        ("tea OR leaf NOT cup", "AND and OR stand side by side in the query"),
        ("tea - leaf", "- holds no word to look for"),
        ("tea ☕", "☕ holds no word to look for"),
        ('""', '"" holds no word to look for'),
        ("tea *", "* holds no word to look for"),
        ("tea _", "_ holds no word to look for"),
        ("tea NEAR/3 leaf", "NEAR/3 is not understood yet: words that stand close"),
        ("tea adj2 leaf", "adj2 is not understood yet: words that stand close"),
        ("tea w/5 leaf", "w/5 is not understood yet: words that stand close"),
        ("tea NEAR leaf", "NEAR is not understood yet: words that stand close"),
        ("*tea", "*tea: a wildcard can only be a * at the end of a word"),
        ("t*a", "t*a: a wildcard can only be a * at the end of a word"),
        ("te?", "te?: a wildcard can only be a * at the end of a word"),
        ("tea$", "tea$: a wildcard can only be a * at the end of a word"),
        ('"tea* leaf"', '"tea* leaf": a wildcard can only be a * at the end of a word'),
        ("tea -leaf", "-leaf: write NOT before what must not occur"),
        ("tea[tiab]", "tea[tiab]: fields are not understood yet; title and abstract are searched"),
        ('"tea leaf"[Title]', "[Title]: fields are not understood yet"),
        ("title: tea", "title:: fields are not understood yet"),
        ("TI=tea", "TI=tea: fields are not understood yet"),
        ("TS=(tea OR leaf)", "TS=: fields are not understood yet"),
        ("TITLE-ABS-KEY(tea)", "TITLE-ABS-KEY: fields are not understood yet"),
        ("tea.ti,ab.", "tea.ti,ab.: fields are not understood yet"),
        ("(" * (DEEPEST + 2) + "tea", f"the query has more than {DEEPEST} brackets within brackets"),
        ("NOT " * (DEEPEST + 2) + "tea", f"the query has more than {DEEPEST} NOTs in a row"),
    ],
)
def test_what_the_language_can_not_say_is_refused_with_a_reason(typed: str, message: str) -> None:
    with pytest.raises(InputError, match="^" + re.escape(message)):
        parse_boolean(typed)


@pytest.mark.parametrize(
    ("typed", "text", "matches"),
    [
        ("tea leaf", "leaf and tea", True),
        ("tea leaf", "tea", False),
        ("tea NOT leaf", "tea", True),
        ("tea NOT leaf", "tea leaf", False),
        ("tea AND NOT leaf", "tea leaf", False),
        ("tea OR NOT leaf", "cup", True),
        ("NOT tea", "", True),
        ('tea NOT ("green leaf" OR cup)', "tea leaf green", True),
        ("“green leaf”", "Green leaf.", True),
        ('“green leaf"', "Green leaf.", True),
        ('"green lea"*', "green leaves", True),
        ("leaf-like", "leaf like", False),
        ("leaf/cup", "leaf, cup", True),
        ("TEA and Leaf", "tea leaf", True),
        ("android", "android", True),
        ("near", "near the sea", True),
        ('"and"', "tea and leaf", True),
        ('"tea NEAR/3 leaf"', "tea near 3 leaf", True),
        ("e.g.", "e.g. tea", True),
        ("tea\0leaf", "tea leaf", True),
        ("tea\x1fleaf", "leaf tea", True),
        ("\u202etea", "tea", True),
        ("ÉTÉ", "l'été d'une été", True),
        ("cup*", "Cup-shaped", True),
        ("tea**", "teapot", True),
    ],
)
def test_examples(typed: str, text: str, matches: bool) -> None:
    assert parse_boolean(typed).matches(words_of(text)) is matches


def test_the_tree_keeps_what_was_typed() -> None:
    assert parse_boolean('(tree* OR "leaf cover") heat NOT "winter*"') == Group(
        "AND",
        (
            Group("OR", (Term("tree*"), Term('"leaf cover"'))),
            Term("heat"),
            Group("NOT", (Term('"winter*"'),)),
        ),
    )


@pytest.mark.parametrize(
    ("typed", "matches"),
    [
        ("tea " * 5000, True),
        ("cup OR " * 2800 + "tea", True),
        ("(tea) " * 3300, True),
        ("NOT cup " * 2500, True),
        ("(" * DEEPEST + "tea" + ")" * DEEPEST, True),
        ("NOT " * DEEPEST + "tea", True),
        ("NOT (" * (DEEPEST // 2) + "tea" + ")" * (DEEPEST // 2), False),
        ("x" * 20_000, False),
        ('"' + "tea " * 4999 + '"', False),
    ],
)
def test_long_and_deep_queries(typed: str, matches: bool) -> None:
    assert len(typed) <= 20_000
    assert parse_boolean(typed).matches(words_of("tea")) is matches


@pytest.mark.parametrize(
    "typed",
    [
        *("(" * 20_000, ")" * 20_000, "NOT " * 5000, '"' * 19_999, "*" * 20_000, "." * 20_000, "-" * 20_000),
        *("NOT(" * 5000, "(tea OR " * 2500, "tea AND cup OR " * 1300, "a." * 9000 + "ti", "\0" * 20_000),
    ],
)
def test_long_nonsense_is_refused(typed: str) -> None:
    with pytest.raises(InputError):
        parse_boolean(typed)
