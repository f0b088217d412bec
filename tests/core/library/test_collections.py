"""Deduplication of real exports, against what is documented of them and a plain oracle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.library.duplicates import match_core, near_pairs
from core.library.identity import Identity, Placer
from core.library.overlap import overlap
from core.library.records import Record, title_key
from data.importers.reading import read_file

pytestmark = pytest.mark.collections

SOURCES = {
    "Dimensions": "Dimensions_246.ris",
    "EconLit": "econlit_3.ris",
    "Env": "envindex_100.ris",
    "Lens": "lens_343.ris",
    "Medline": "medline_84.ris",
    "WoS": "wos_278.ris",
}


def read(path: Path) -> Sequence[Record]:
    """A file's records."""
    return read_file(path).records


def placed(files: dict[str, Sequence[Record]]) -> tuple[dict[str, list[str]], list[tuple[str, Identity]]]:
    """Per file the publication of each record, and all identities."""
    placer, known, publications = Placer(), [], {}
    for name, records in files.items():
        publications[name] = []
        for record in records:
            identity = Identity.of(record)
            publication_id = placer.place(identity).publication_id or f"{name} {record.number}"
            placer.add(publication_id, identity)
            known.append((publication_id, identity))
            publications[name].append(publication_id)
    return publications, known


def joined(names: Sequence[Sequence[object]]) -> list[int]:
    """The oracle: rows that have any name in common are one, directly or over others."""
    group = list(range(len(names)))
    first: dict[object, int] = {}

    def head(row: int) -> int:
        while group[row] != row:
            row = group[row]
        return row

    for row, mine in enumerate(names):
        for name in mine:
            group[head(row)] = head(first.setdefault(name, row))
    return [head(row) for row in range(len(names))]


def test_six_sources_of_one_review(collections_dir: Path) -> None:
    folder = collections_dir / "citesource_stages"
    files = {name: read(folder / file) for name, file in SOURCES.items()}
    publications, known = placed(files)
    records = [record for found in files.values() for record in found]
    oracle = joined(
        [[("doi", record.doi)] * bool(record.doi) + [("title", title_key(record.title))] for record in records]
    )
    assert len(set(oracle)) == 496

    # One DOI or title would join more than the rules do: two DOIs of one title are a question for a person.
    found = overlap(publications)
    assert found.total == 507
    by_publication: dict[str, set[int]] = {}
    for (publication_id, _), group in zip(known, oracle, strict=True):
        by_publication.setdefault(publication_id, set()).add(group)
    assert all(len(groups) == 1 for groups in by_publication.values())

    shared = {(a, b): found.shared[i][j] for i, a in enumerate(found.names) for j, b in enumerate(found.names)}
    assert shared["Lens", "Env"] == 82
    assert shared["Lens", "Dimensions"] == 215  # documented: 212, with three preprints counted as their articles
    pairs = near_pairs(known, [record.title for record in records])
    same = [("id", name) for name in dict.fromkeys(name for name, _ in known)]
    accepted = [(("id", pair.a), ("id", pair.b)) for pair in pairs if pair.why.startswith("the same title")]
    names = [[name] for name in same] + [[*pair] for pair in accepted]
    group = dict(zip([name for _, name in same], joined(names), strict=False))
    merged = overlap({name: [str(group[one]) for one in ids] for name, ids in publications.items()})
    assert merged.shared[merged.names.index("Lens")][merged.names.index("Dimensions")] == 212
    assert merged.shared[merged.names.index("Lens")][merged.names.index("Env")] == 82


def test_the_final_publications_of_one_review(collections_dir: Path) -> None:
    folder = collections_dir / "citesource_stages"
    publications, _ = placed({name: read(folder / file) for name, file in {**SOURCES, "final": "final_24.ris"}.items()})
    final = set(publications.pop("final"))
    expected = {"WoS": 22, "Dimensions": 21, "Lens": 21, "Env": 16, "Medline": 14, "EconLit": 0}
    assert {name: len(final & set(ids)) for name, ids in publications.items()} == expected


def test_a_benchmark_of_titles_in_five_searches(collections_dir: Path) -> None:
    folder = collections_dir / "citesource_new_benchmark"
    wanted = read(folder / "benchmark_15.ris")
    found = []
    for path in sorted(folder.glob("search*.ris")):
        records = read(path)
        publications, known = placed({"search": records})
        assert len(set(publications["search"])) == len(records)
        matches = Counter(match.status for match in match_core(wanted, known))
        found.append(matches["matched"])
        assert matches["ambiguous"] == 0
        placer = Placer(known)
        assert sum(placer.place(Identity.of(record)).rule == "title" for record in wanted) == matches["matched"]
    assert found == [10, 11, 11, 13, 13]


def test_two_databases_of_other_formats(collections_dir: Path) -> None:
    folder = collections_dir / "litsearchr_woodpecker"
    files = {name: read(folder / name) for name in ("scopus.ris", "zoorec.txt")}
    publications, known = placed(files)
    found = overlap(publications)
    assert (found.n, found.total) == ((92, 134), 162)
    titles = [record.title for records in files.values() for record in records]
    assert len({title_key(title) for title in titles}) == 158
    assert sum(pair.why.startswith("the same title") for pair in near_pairs(known, titles)) == 4
