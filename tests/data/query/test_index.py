"""The search index against an oracle that reads the raw texts; what is kept on disk, and what is damaged there."""

from __future__ import annotations

import os
import re
import shutil
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import StoreError
from core.query.match import Semantics, match, rows_of
from core.query.tree import Gap, Group, Heading, Near, Node, Not, Range, Term
from core.types import Publication
from data.files import WorkspacePaths
from data.parts import STALE
from data.query import index as indexing
from data.query.index import CorpusIndex, index_key
from tests.core.query_oracle import Fields, fields_of, holds

BOTH: tuple[Semantics, ...] = ("literal", "stemmed")
ANY = Gap(0, None)


def fields_in(publication: Publication) -> Fields:
    """What the oracle reads."""
    return {
        "title": [publication.title],
        "abstract": [publication.abstract or ""],
        "keywords": list(publication.keywords),
        "year": [] if publication.year is None else [str(publication.year)],
    }


def expected(node: Node, publications: list[Publication], semantics: Semantics, stem: Callable[[str], str]) -> object:
    """Rows where the oracle says yes; None if it can't tell."""
    texts = [fields_in(p) for p in publications]
    known = fields_of(texts)
    told = [holds(node, text, semantics, stem, known) for text in texts]
    return None if told[0] is None else [row for row, held in enumerate(told) if held]


def retrieved(node: Node, index: CorpusIndex, semantics: Semantics) -> object:
    root = match(node, index, semantics).root
    return None if root is None else rows_of(root).tolist()


def t(text: str, **more: object) -> Term:
    """A phrase; * and ? stand for themselves as wildcards."""
    pieces: list[str | Gap] = [
        ANY if part == "*" else Gap(1, 1) if part == "?" else part for part in re.split("([*?])", text) if part
    ]
    return Term(tuple(pieces), **{"quoted": True, **more})  # type: ignore[arg-type]


plain_words = st.sampled_from(
    ["heat", "Heats", "heating", "city", "cities", "méta", "meta-model", "β2", "of", "models"]
)
sentences = st.lists(plain_words, max_size=7).map(" ".join)
publications = st.builds(
    Publication,
    st.just(""),
    sentences,
    st.none() | sentences.map(lambda text: text or None),
    st.none() | st.integers(1999, 2003),
    keywords=st.just(()) | st.lists(sentences, max_size=3).map(tuple),
)
asked_words = st.one_of(
    plain_words,
    st.sampled_from(["winter", "heat*", "*s", "c?ty", "m*l*", "*", "heat-model", "cit* of", "of *", "*e* of", "β*"]),
)
terms = st.builds(
    t,
    st.lists(asked_words, min_size=1, max_size=3).map(" ".join),
    quoted=st.booleans(),
    fields=st.sampled_from([(), (), (), ("title",), ("abstract", "keywords"), ("title", "author"), ("author",)]),
    exact=st.booleans(),
)
ors = st.builds(Group, st.just("OR"), st.lists(terms, min_size=2, max_size=3).map(tuple))
nears = st.builds(
    Near,
    st.lists(terms | ors, min_size=2, max_size=3).map(tuple),
    st.integers(0, 4),
    ordered=st.booleans(),
    whole=st.booleans(),
)
ranges = st.builds(Range, st.none() | st.integers(1998, 2004), st.none() | st.integers(1998, 2004))
trees = st.recursive(
    st.one_of(terms, terms, terms, nears, ranges, st.builds(Heading, plain_words)),
    lambda parts: st.one_of(
        st.builds(Not, parts),
        st.builds(Group, st.sampled_from(["AND", "OR"]), st.lists(parts, min_size=2, max_size=3).map(tuple)),
    ),
    max_leaves=6,
)


def test_punctuation_is_a_pause_and_a_keyword_is_one_too(paths: WorkspacePaths) -> None:
    publication = Publication(
        "1", "Heat: cities, and well-known trees (2020)", "", 2020, keywords=("tall trees", "a, b")
    )
    for _ in range(2):  # made, and opened again
        texts = CorpusIndex.open(paths, [publication]).texts
        assert texts.words_of(0, "title") == ("heat", "cities", "and", "well", "known", "trees", "2020")
        assert texts.pauses_of(0, "title") == {1, 2, 6}
        assert texts.pauses_of(0, "abstract") == frozenset()
        assert texts.pauses_of(0, "keywords") == {2, 3}
        assert texts.breaks.tolist() == [9]


@settings(max_examples=40, deadline=None)
@given(st.lists(publications, min_size=1, max_size=5), st.lists(trees, min_size=20, max_size=20))
def test_a_tree_retrieves_what_the_oracle_finds(
    tmp_path_factory: pytest.TempPathFactory, corpus: list[Publication], asked: list[Node]
) -> None:
    paths = WorkspacePaths(tmp_path_factory.mktemp("index"))
    named = [Publication(str(i), p.title, p.abstract, p.year, keywords=p.keywords) for i, p in enumerate(corpus)]
    index = CorpusIndex.open(paths, named)
    for node in asked:
        for semantics in BOTH:
            assert retrieved(node, index, semantics) == expected(node, named, semantics, index.stem), (node, semantics)
    shutil.rmtree(paths.root, ignore_errors=True)


CORPUS = [
    Publication(
        "a", "Deep learning of meta-models", "Heat waves in cities. Learned.", 2001, keywords=("Urban heat", "waves")
    ),
    Publication("b", "Ménière’s disease", None, None),
    Publication("c", "heat heat", "Deep, deep learns the metamodel", 1999),
]


@pytest.fixture
def paths(tmp_path: Path) -> WorkspacePaths:
    return WorkspacePaths(tmp_path)


@pytest.mark.parametrize(
    ("asked", "literal", "stemmed"),
    [
        (t("heat"), [0, 2], [0, 2]),
        (t("learn"), [], [0, 2]),
        (t("learn", exact=True), [], []),
        (t("learn*"), [0, 2], [0, 2]),
        (t("deep learn"), [], [0, 2]),
        (t("deep learning"), [0], [0, 2]),
        (t("deep learn*"), [0, 2], [0, 2]),
        (t("heat waves"), [0], [0]),
        (t("heat waves", fields=("keywords",)), [], []),
        (t("heat * waves", fields=("keywords",)), [], []),
        (t("models heat"), [], []),
        (t("waves deep", quoted=False), [0], [0]),
        (t("meta model"), [], [0]),
        (t("meta-model*", quoted=False), [0], [0]),
        (t("meta?model"), [], []),
        (t("metamodel"), [2], [2]),
        (t("meniere s DISEASE"), [1], [1]),
        (t("disease", fields=("abstract", "author")), [], []),
        (t("disease", fields=("author",)), None, None),
        (t("-"), None, None),
        (t("*", fields=("abstract",)), [0, 2], [0, 2]),
        (t("* *", fields=("keywords",)), [0], [0]),
        (Range(2000, None), [0], [0]),
        (Range(None, 2001), [0, 2], [0, 2]),
        (Range(None, None), [0, 2], [0, 2]),
        (Heading("Heat"), None, None),
        (Near((t("cities"), t("heat*")), 2), [0], [0]),
        (Near((t("city"), t("heat")), 2), [], [0]),
        (Near((t("heat"), t("deep")), 9), [], []),
    ],
)
def test_what_leaves_match(paths: WorkspacePaths, asked: Node, literal: object, stemmed: object) -> None:
    index = CorpusIndex.open(paths, CORPUS)
    assert [retrieved(asked, index, semantics) for semantics in BOTH] == [literal, stemmed]
    assert [expected(asked, CORPUS, semantics, index.stem) for semantics in BOTH] == [literal, stemmed]


def test_fields_rows_and_words(paths: WorkspacePaths) -> None:
    index = CorpusIndex.open(paths, CORPUS)
    assert index.ids == ("a", "b", "c")
    assert index.fields == {"title", "abstract", "keywords", "year"}
    assert CorpusIndex.open(paths, CORPUS[1:2]).fields == {"title"}
    assert index.rows_of_ids(["c", "nobody", "a"]).tolist() == [2, 0]
    assert index.texts.words_of(0, "keywords") == ("urban", "heat", "waves")
    assert index.stem("learning") == index.stem("learned") == "learn"
    assert index.stem("zebras") == "zebra"


def test_a_corpus_of_nothing(paths: WorkspacePaths) -> None:
    for nothing in ([], [Publication("x", "", None)]):
        index = CorpusIndex.open(paths, nothing)
        assert index.fields == frozenset()
        assert retrieved(t("heat"), index, "literal") is None
        assert index.rank(["heat"], 5) == ()


def test_a_leaf_is_looked_up_once_and_its_set_can_not_be_changed(paths: WorkspacePaths) -> None:
    index = CorpusIndex.open(paths, CORPUS)
    found = index.look_up(t("heat"), "literal")
    assert found is not None
    assert index.look_up(t("heat"), "literal") is found
    assert index.look_up(t("heat"), "stemmed") is not found
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 0


def test_words_of_any_length_and_script_are_found(paths: WorkspacePaths) -> None:
    odd = ["x" * 70_000, "气候变化", "ﬁeld", "Ⅳ", "\ud800 lone", "a\0b", "İstanbul", "١٢"]
    corpus = [Publication(str(i), text) for i, text in enumerate(odd)]
    index = CorpusIndex.open(paths, corpus)
    for row, text in enumerate(odd):
        for semantics in BOTH:
            assert retrieved(t(text), index, semantics) == [row]
    assert CorpusIndex.open(paths, corpus).ids == index.ids


def test_a_question_ranks_by_what_is_rare_and_leaves_stop_words_out(paths: WorkspacePaths) -> None:
    index = CorpusIndex.open(paths, CORPUS)
    assert [row for row, _ in index.rank(["what", "is", "the", "urban", "learning"], 9)] == [0, 2]
    scores = [score for _, score in index.rank(["heat", "disease"], 9)]
    assert len(scores) == 3
    assert scores == sorted(scores, reverse=True)
    assert len(index.rank(["heat", "disease"], 1)) == 1
    assert index.rank(["the", "of"], 9) == index.rank(["zebra"], 9) == index.rank(["heat"], 0) == ()


# On disk


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders that are built."""
    made: list[Path] = []
    build = indexing._build

    def counted(folder: Path, *rest: object) -> None:
        made.append(folder)
        build(folder, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(indexing, "_build", counted)
    return made


def test_an_index_is_built_once_per_state_of_its_publications(paths: WorkspacePaths, builds: list[Path]) -> None:
    for _ in range(2):
        CorpusIndex.open(paths, CORPUS)
    assert len(builds) == 1
    changed = [
        [*CORPUS[1:], CORPUS[0]],
        CORPUS[:2],
        [Publication("b", "Heat", None)],
        [Publication("b", "", "Heat")],
        [Publication("b", "", None, keywords=("Heat",))],
        [Publication("b", "", None, keywords=("Heat", "x"))],
        [Publication("b", "", None, keywords=("Heatx",))],
        [Publication("b", "Heat", None, 2001)],
    ]
    for state in changed:
        CorpusIndex.open(paths, state)
    assert len(builds) == 1 + len(changed)
    assert len(list((paths.root / "index").iterdir())) == 1 + len(changed)


def test_progress_goes_from_nothing_to_all(paths: WorkspacePaths) -> None:
    heard: list[tuple[int, int]] = []
    many = [Publication(str(i), f"word{i}") for i in range(1200)]
    CorpusIndex.open(paths, many, lambda done, total: heard.append((done, total)))
    assert heard[0] == (0, 1200)
    assert heard[-1] == (1200, 1200)
    assert [done for done, _ in heard] == sorted(done for done, _ in heard)
    assert len(heard) > 4


def works(index: CorpusIndex) -> bool:
    return retrieved(t("deep learn*"), index, "stemmed") == [0, 2] and retrieved(t("heat"), index, "literal") == [0, 2]


def test_any_file_that_is_damaged_or_gone_has_the_index_built_again(paths: WorkspacePaths, builds: list[Path]) -> None:
    CorpusIndex.open(paths, CORPUS)
    whole = paths.index(index_key(CORPUS))
    names = sorted(str(p.relative_to(whole)) for p in whole.rglob("*") if p.is_file() and p.suffix != ".lock")
    assert len(names) > 10
    for i, name in enumerate(names):
        content = (whole / name).read_bytes()
        flipped = content[:-1] + bytes([content[-1] ^ 1])
        for j, damaged in enumerate((None, flipped, content[: len(content) // 2])):
            other = WorkspacePaths(paths.root / f"{i} {j}")
            folder = other.index(whole.name)
            shutil.copytree(whole, folder)
            (folder / name).unlink()
            if damaged is not None:
                (folder / name).write_bytes(damaged)
            n_before = len(builds)
            assert works(CorpusIndex.open(other, CORPUS)), (name, damaged)
            assert len(builds) == n_before + 1, (name, damaged)
            assert [p.name for p in folder.parent.iterdir()] == [folder.name]


@pytest.mark.parametrize(
    "about", ["[]", "null", "{}", '{"layout": 99}', '{"layout": 1, "key": "KEY", "files": {"../x": 1}}', "\udcff"]
)
def test_a_folder_of_something_else_is_replaced(paths: WorkspacePaths, about: str) -> None:
    folder = paths.index(index_key(CORPUS))
    folder.mkdir(parents=True)
    (folder / "about.json").write_text(about.replace("KEY", folder.name), errors="surrogateescape")
    assert works(CorpusIndex.open(paths, CORPUS))


def test_the_index_of_other_publications_and_a_plain_file_are_replaced(paths: WorkspacePaths) -> None:
    CorpusIndex.open(paths, CORPUS[:1])
    shutil.copytree(paths.index(index_key(CORPUS[:1])), paths.index(index_key(CORPUS)))
    assert works(CorpusIndex.open(paths, CORPUS))
    paths.index(index_key(CORPUS[1:])).write_text("a file")
    assert CorpusIndex.open(paths, CORPUS[1:]).ids == ("b", "c")
    assert len(list((paths.root / "index").iterdir())) == 3


def test_a_build_that_breaks_off_leaves_nothing(paths: WorkspacePaths) -> None:
    def stop(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        CorpusIndex.open(paths, CORPUS, stop)
    assert list((paths.root / "index").iterdir()) == []
    assert works(CorpusIndex.open(paths, CORPUS))


def test_what_a_killed_build_left_is_taken_away_after_a_day(paths: WorkspacePaths) -> None:
    (paths.root / "index" / "old.0.part" / "postings").mkdir(parents=True)
    (paths.root / "index" / "new.0.part").mkdir()
    long_ago = time.time() - 2 * STALE
    os.utime(paths.root / "index" / "old.0.part", (long_ago, long_ago))
    CorpusIndex.open(paths, CORPUS)
    assert {p.name for p in (paths.root / "index").iterdir()} == {"new.0.part", index_key(CORPUS)}


def test_a_place_that_can_not_be_written_is_one_line(paths: WorkspacePaths) -> None:
    (paths.root / "index").write_text("a file")
    with pytest.raises(StoreError, match="can't"):
        CorpusIndex.open(paths, CORPUS)


def test_threads_may_build_and_search_the_same_index(paths: WorkspacePaths) -> None:
    gate = threading.Barrier(6)

    def work(_: int) -> bool:
        gate.wait()
        return works(CorpusIndex.open(paths, CORPUS))

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(6)))
    assert [p.name for p in (paths.root / "index").iterdir()] == [index_key(CORPUS)]
    shared = CorpusIndex.open(paths, CORPUS)
    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(lambda _: works(shared), range(50)))
