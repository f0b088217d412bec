"""The file of a knowledge base: order, doubles, what is left out, and errors in our words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import DiskFullError, FormatError, InputError, StoreError
from data.knowledge import builder as building
from data.knowledge.base import KnowledgeBase
from data.knowledge.bases import KnowledgeBases
from data.knowledge.builder import EntityPart, KnowledgeBaseParts, RelationPart, ahead, build
from tests.data.knowledge_bases import base_of
from tests.data.notes import assert_notes
from tests.messages import refusal


def part(*entities: tuple[str, str]) -> EntityPart:
    """Ids with their types; titles are ids in capitals."""
    ids = [own_id for own_id, _ in entities]
    n = len(ids)
    return EntityPart(ids, [kind for _, kind in entities], [i.upper() for i in ids], [f"of {i}" for i in ids], [""] * n)


def related(name: str, *pairs: tuple[int, int]) -> RelationPart:
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return RelationPart(name, ends[:, 0], ends[:, 1])


def listed(base: KnowledgeBase, table: str = "forward") -> list[tuple[str, str, str]]:
    ids = dict(base.rows("SELECT row, entity_id FROM entities"))
    names = {number: name for name, number in base.relation_numbers.items()}
    return [
        (ids[source], names[relation], ids[target])
        for relation, source, target in base.rows(f"SELECT relation, source, target FROM {table}")
    ]


def test_the_first_of_an_id_is_kept_and_has_the_relations_of_all(tmp_path: Path) -> None:
    parts = KnowledgeBaseParts(
        [part(("a", "x"), ("b", "y")), part(("a", "y"), ("c", "x"), ("a", "x"))],
        [related("to", (0, 1), (2, 3), (4, 1), (3, 0))],
    )
    base = base_of(tmp_path, parts)
    assert [(e.entity_id, e.type, e.title) for e in base.entities(range(3))] == [
        ("a", "x", "A"),
        ("c", "x", "C"),
        ("b", "y", "B"),
    ]
    assert sorted(listed(base)) == [("a", "to", "b"), ("a", "to", "c"), ("c", "to", "a")]
    assert [base.text(row).text for row in range(3)] == ["of a", "of c", "of b"]
    assert base.about.n_entities == 3
    assert_notes(base.about.notes[:1], ("a repeated id", 'was kept ("a"): 2'))
    assert sum(kind.n for kind in base.types.values()) == 3


def test_a_type_of_which_nothing_is_left_is_none(tmp_path: Path) -> None:
    base = base_of(tmp_path, KnowledgeBaseParts([part(("a", "x"), ("a", "y"), ("b", "z"))], []))
    assert [(kind.name, kind.first, kind.n) for kind in base.types.values()] == [("x", 0, 1), ("z", 1, 1)]


IDS = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("xyz")), min_size=1, max_size=12)
PAIRS = st.lists(st.tuples(st.integers(-1, 13), st.sampled_from(["r", "s"]), st.integers(-1, 13)), max_size=20)


@settings(max_examples=8, deadline=None)
@given(IDS, PAIRS)
def test_what_is_kept_is_what_a_slow_count_keeps(
    tmp_path_factory: pytest.TempPathFactory, given_ids: list[tuple[str, str]], pairs: list[tuple[int, str, int]]
) -> None:
    file = tmp_path_factory.mktemp("built") / "base.duckdb"
    parts = [part(*given_ids[at : at + 3]) for at in range(0, len(given_ids), 3)]
    relations = [related(name, *((s, t) for s, n, t in pairs if n == name)) for name in ("r", "s")]
    built = build(file, "it", KnowledgeBaseParts(parts, relations), {"origin": "", "key": ""})
    first = dict(reversed(given_ids))
    inside = [(s, n, t) for s, n, t in pairs if 0 <= s < len(given_ids) and 0 <= t < len(given_ids)]
    wanted = {(given_ids[s][0], n, given_ids[t][0]) for s, n, t in inside}
    assert built.n_dangling == len(pairs) - len(inside)
    assert built.n_twice == len(inside) - len(wanted)
    assert built.n_same_id == len(given_ids) - len(first)
    with KnowledgeBase.open(file.parent) as base:
        assert {e.entity_id: e.type for e in base.entities(range(base.about.n_entities))} == first
        forward, reverse = listed(base), listed(base, "reverse")
        assert len(forward) == len(reverse) == built.n_relations
        assert set(forward) == set(reverse) == wanted
        by_type = Counter((n, first[s], first[t]) for s, n, t in wanted)
        assert Counter({(r.name, r.source, r.target): r.n for r in base.relation_types}) == by_type
        ordered = base.rows("SELECT relation, source, target FROM forward")
        assert ordered == sorted(ordered)
        turned = base.rows("SELECT relation, target, source FROM reverse")
        assert turned == sorted(turned)


def test_three_numbers_in_one_come_back() -> None:
    sources, targets = np.array([0, 2**28 - 1, 5]), np.array([2**28 - 1, 0, 7])
    relations, one, other = building.unpacked(building.pack(255, sources, targets))
    assert (relations.tolist(), one.tolist(), other.tolist()) == ([255] * 3, sources.tolist(), targets.tolist())


def test_relations_go_in_by_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "AT_ONCE", 2)
    pairs = [(s, t) for s in range(3) for t in range(3)]
    base = base_of(tmp_path, KnowledgeBaseParts([part(("a", "x"), ("b", "x"), ("c", "y"))], [related("to", *pairs)]))
    assert len(listed(base)) == 9
    assert sum(relation.n for relation in base.relation_types) == 9
    assert len(base.relation_types) == 4


def test_text_of_a_megabyte_and_odd_characters(tmp_path: Path) -> None:
    long = "word " * 200_000
    odd = EntityPart(["a", "b"], ["x", "x"], ["half \ud800", "'; DROP TABLE texts; --"], [long, "\0"], ["", ""])
    base = base_of(tmp_path, KnowledgeBaseParts([odd], []))
    assert base.text(0).text.strip() == long.strip()
    assert [e.title for e in base.entities([0, 1])] == ["half ?", "'; DROP TABLE texts; --"]


def test_mistakes_are_said_and_leave_nothing(tmp_path: Path) -> None:
    bases = KnowledgeBases(tmp_path)
    one = part(("a", "x"))
    for parts, error, said in (
        (KnowledgeBaseParts([], []), FormatError, "has no entities"),
        (KnowledgeBaseParts([one], [], ("paper",)), InputError, 'of type "paper"; there are x'),
        (KnowledgeBaseParts([one], (related(f"r{n}", (0, 0)) for n in range(300))), FormatError, "more than 256 names"),
    ):
        with pytest.raises(error, match=said):
            bases.save("it", parts, origin="")
        assert bases.names() == ()
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("message", "error"),
    [("IO Error: No space left on device", DiskFullError), ("IO Error: Permission denied", StoreError)],
)
def test_errors_of_the_disk_are_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, message: str, error: type[Exception]
) -> None:
    def fails(*_: object) -> None:
        raise duckdb.IOException(message)

    monkeypatch.setattr(building, "insert", fails)
    with pytest.raises(error):
        KnowledgeBases(tmp_path).save("it", KnowledgeBaseParts([part(("a", "x"))], []), origin="")
    assert list(tmp_path.iterdir()) == []


def test_an_error_of_the_loader_stays_what_it_is(tmp_path: Path) -> None:
    def broken() -> object:
        yield part(("a", "x"))
        raise FormatError("entities.csv is damaged")

    with refusal(FormatError):
        KnowledgeBases(tmp_path).save("it", KnowledgeBaseParts(broken(), []), origin="")  # type: ignore[arg-type]


def test_memory_is_bounded(tmp_path: Path) -> None:
    with building.written(tmp_path / "x.duckdb") as connection:
        said = connection.execute("SELECT current_setting('memory_limit'), current_setting('temp_directory')")
        assert said.fetchone() == ("1.3 GiB", str(tmp_path / "x.tmp"))


def test_parts_that_are_read_ahead_keep_their_order_and_their_errors() -> None:
    def broken() -> Iterator[int]:
        yield from range(5)
        raise FormatError("the rest is damaged")

    found: list[int] = []
    with refusal(FormatError):
        found.extend(ahead(broken()))
    assert found == list(range(5))
    assert list(ahead([])) == []
    first = ahead(iter(range(10**9)))
    assert next(first) == 0
    first.close()  # type: ignore[attr-defined]
