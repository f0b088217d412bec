"""The search index over the real collections, against regular expressions over their raw texts."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from core.query.match import Semantics, match, rows_of
from core.query.tree import Gap, Group, Near, Node, Not, Term
from core.types import Publication
from data.files import WorkspacePaths
from data.query.index import CorpusIndex
from tests.core.query_oracle import Fields, fields_of, holds

ANY, ONE = Gap(0, None), Gap(1, 1)


def word(*pieces: str | Gap, **more: object) -> Term:
    return Term(pieces, **more)  # type: ignore[arg-type]


def phrase(*pieces: str | Gap, **more: object) -> Term:
    return Term(pieces, quoted=True, **more)  # type: ignore[arg-type]


def either(*parts: Node) -> Group:
    return Group("OR", parts)


LEAVES: tuple[Node, ...] = (
    word("model"),
    word("models", exact=True),
    word("warehouse", fields=("title",)),
    word("warehousing", fields=("abstract", "keywords")),
    word("CO2"),
    word("naïve"),
    word("β"),
    word("meta-model"),
    word("multi-core processor"),
    word("green supply chain"),
    word("process", ANY),
    word("nano", ANY),
    word("optimi", ONE, "ation"),
    word("behavio", Gap(0, 1), "r", ANY),
    word(ANY, "pharmaceutical", ANY),
    word("p", ANY, "m", ANY, "nce"),
    word(ANY, "ity", fields=("title",)),
    word("multi", Gap(0, 3), "core"),
    word("meta-model", ANY),
    word("tour", ANY, " growth"),
    phrase("business process"),
    phrase("business processes", exact=True),
    phrase("state of the art"),
    phrase("product line", fields=("title",)),
    phrase("drug delivery system", ANY),
    phrase("economic", ANY, " growth"),
    phrase("software process", ANY, " line", ANY),
    phrase("the ", ANY, " of"),
    phrase("performance pred", ANY),
    phrase("don’t"),
    phrase("carbon-dioxide emission", ANY),
    phrase("no such phrase anywhere"),
    Near((word("energy"), word("efficien", ANY)), 3),
    Near((word("process"), word("model", ANY)), 2, ordered=True),
    Near((word("tourism"), phrase("economic growth")), 5),
    Near((either(word("green"), word("sustainab", ANY)), either(word("warehous", ANY), phrase("supply chain"))), 4),
    Near((word("performance"), word("prediction"), word("multicore")), 10),
    Near((word("performance"), word("prediction"), word("model", ANY)), 4, whole=True),
    Near((word("drug"), word("delivery"), word("nano", ANY)), 8, ordered=True, whole=True),
    Near((Near((word("process"), word("model")), 2), word("reference")), 6, ordered=True),
    Near((word("model"), word("model")), 0),
    Near((word("of", fields=("title",)), word("the", fields=("title",))), 1),
)
TREE = Group(
    "AND",
    (either(*LEAVES[:20]), either(*LEAVES[20:]), Not(either(word("review"), phrase("case stud", ANY)))),
)


def read(folder: Path) -> list[Publication]:
    """Every tenth publication of every collection, and all that are odd."""
    found = []
    for path in sorted(folder.glob("litqeval/data/text/*/*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for i, row in enumerate(csv.DictReader(file)):
                title, abstract = row["title"] or "", row["abstract"] or ""
                if i % 10 == 0 or not title.isascii():
                    found.append(Publication(f"{path}{i}", title, abstract or None))
    return found


@pytest.mark.slow
@pytest.mark.collections
def test_every_term_finds_what_regular_expressions_find(collections_dir: Path, tmp_path: Path) -> None:
    publications = read(collections_dir)
    assert len(publications) > 300
    index = CorpusIndex.open(WorkspacePaths(tmp_path), publications)
    texts: list[Fields] = [{"title": [p.title], "abstract": [p.abstract or ""]} for p in publications]
    known = fields_of(texts)
    stems: dict[str, str] = {}

    def stem(one: str) -> str:
        if one not in stems:
            stems[one] = index.stem(one)
        return stems[one]

    n_found = 0
    both: tuple[Semantics, ...] = ("literal", "stemmed")
    for semantics in both:
        for node in (*LEAVES, TREE):
            expected = [row for row, text in enumerate(texts) if holds(node, text, semantics, stem, known)]
            root = match(node, index, semantics).root
            assert root is not None
            assert rows_of(root).tolist() == expected, (semantics, node)
            n_found += bool(expected)
    assert n_found > 1.6 * len(LEAVES)
