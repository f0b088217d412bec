"""Reading and checking of long and broken strings; beside the search-query library on the same 1,500 terms."""

from __future__ import annotations

import contextlib
import io
import logging
import random
from collections import Counter
from time import process_time

import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from search_query.parser import parse as peer_parse

from core.query.checks import lint
from core.query.dialects import DIALECTS
from core.query.dialects.meanings import meant
from core.query.lexer import highlight
from core.query.parser import parse
from core.query.translation import translate, write
from tests.benchmarks.timing import median_seconds, report
from tests.core.query.tag_samples import samples
from tests.core.query.test_dialect_law import in_context

BROKEN = {
    "a million brackets": "(" * 1_000_000,
    "a hundred thousand brackets": "(" * 100_000,
    "ten thousand nested brackets": "(" * 10_000 + "a" + ")" * 10_000,
    "ten thousand nested ANDs": "(a AND " * 10_000 + "b" + ")" * 10_000,
    "null bytes": "heat\x00AND\x00trees" * 1_000,
    "right to left": "(חום OR \u202e“צל”) AND " * 3_000,
    "only operators": "AND " * 20_000,
    "wildcard bomb": "*a" * 40_000,
    "thousands of NOTs": "a" + " NOT b" * 10_000,
    "an open quote": '"' + "heat " * 19_000,
    "comments": "/* a */ " * 12_000,
    "lines that double": "\n".join(f"{n}. {n - 1} or {n - 1}" for n in range(1, 3_000)),
}


def terms(n: int) -> str:
    """An OR of words, stems and phrases as long as those of a large review."""
    random.seed(1)
    words = ["".join(random.choices("abcdefghiklmnoprstu", k=random.randint(4, 11))) for _ in range(800)]
    chosen = [random.choice([f"{w}", f"{w[:6]}*", f'"{w} {random.choice(words)} model"']) for w in words * 2]
    return " OR ".join(f"{term}[tiab]" for term in chosen[:n])


def read(text: str) -> int:
    return len(lint(parse(text)))


@pytest.mark.parametrize("name", BROKEN)
def test_broken(name: str, benchmark: BenchmarkFixture) -> None:
    text = BROKEN[name]
    benchmark.pedantic(lambda: read(text), rounds=3)
    print(f"\n{name}, {len(text):,} characters: {benchmark.stats['median'] * 1e3:,.0f} ms")


def test_1500_terms(benchmark: BenchmarkFixture) -> None:
    text = terms(1_500)
    benchmark.pedantic(lambda: read(text), rounds=5)
    ours, parsed = median_seconds(lambda: parse(text), rounds=5)
    assert len(parsed.nodes) == 1_501
    both, _ = median_seconds(lambda: read(text), rounds=5)
    logging.disable(logging.CRITICAL)
    with contextlib.redirect_stdout(io.StringIO()):
        peer, query = median_seconds(lambda: peer_parse(text, platform="pubmed"), rounds=1)
    logging.disable(logging.NOTSET)
    assert len(query.children) == 1_500
    report(f"parse {len(text):,} characters, 1,500 terms", ours, peer, "search-query (checks included)")
    report("parse and lint of them", both, peer, "search-query (checks included)")


def history(n: int) -> str:
    """A history of Ovid: lines with a few words, and every tenth line an OR of the nine above it."""
    random.seed(2)
    words = ["".join(random.choices("abcdefghiklmnoprstu", k=random.randint(5, 11))) for _ in range(400)]
    lines = []
    for number in range(1, n):
        if number % 10:
            some = " or ".join(random.sample(words, 4))
            lines.append(f"{number}. (({some}) adj3 {random.choice(words)}$).ti,ab. {random.randint(10, 9_999)}")
        else:
            lines.append(f"{number}. or/{number - 9}-{number - 1}")
    tens = " and ".join(str(number) for number in range(10, n, 10))
    return "\n".join([*lines, f"{n}. {tens}"])


def keystroke(text: str) -> int:
    """What the editor asks for after each key: the tree, the findings, and the colours."""
    parsed = parse(text)
    return len(lint(parsed)) + len(highlight(parsed))


def test_history_of_200_lines(benchmark: BenchmarkFixture) -> None:
    text = history(200)
    assert len(parse(text).lines) == 200
    benchmark.pedantic(lambda: keystroke(text), rounds=5)
    started = process_time()
    for _ in range(10):
        keystroke(text)
    cpu = (process_time() - started) / 10
    print(f"\na key in a history of 200 lines, {len(text):,} characters: {cpu * 1e3:,.0f} ms of CPU")


def test_1500_terms_in_eleven_dialects() -> None:
    parsed = parse(terms(1_500))
    started = process_time()
    for dialect in DIALECTS:
        assert translate(parsed, dialect).text
    print(f"\n1,500 terms into eleven dialects: {process_time() - started:,.2f} s of CPU")


def test_each_tag_in_the_ten_other_dialects() -> None:
    """How often a field tag is exact, converted with a loss, or left out and told."""
    n: Counter[str] = Counter()
    per_dialect: dict[str, Counter[str]] = {to: Counter() for to in DIALECTS}
    all_samples = list(samples())
    for sample in all_samples:
        alone = parse(sample.text, sample.dialect)
        root = parse(in_context(sample, "and") or sample.text, sample.dialect).root
        assert root is not None
        for to in DIALECTS:
            if to == sample.dialect:
                continue
            made = translate(alone, to)
            is_lost = None in write(meant(root, sample.dialect), to).replaced.values()
            kind = "exact" if made.is_exact else "lost" if is_lost else "converted"
            n[kind] += 1
            per_dialect[to][kind] += 1
    print(f"\n{len(all_samples)} tags in ten other dialects each: {dict(n)}")
    for to, kinds in per_dialect.items():
        print(f"into {to}: {dict(kinds)}")
