"""Which publication a record is of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.library.identity import MOST_RIVALS, Identity, Placer, RecordPlacement, family_name, same_author, unique_id
from core.library.records import Record

TITLE = "Fire effects on soil carbon"
LI = Record(1, title=TITLE, year=2019, authors=("Li, Wei",))


def all_placed(records: Iterable[Record], known: Sequence[tuple[str, Identity]] = ()) -> list[tuple[str, Identity]]:
    """Every record with its publication, new ones named by their position among all."""
    placer, there = Placer(known), list(known)
    for record in records:
        identity = Identity.of(record)
        publication_id = placer.place(identity).publication_id or f"p{len(there)}"
        placer.add(publication_id, identity)
        there.append((publication_id, identity))
    return there


def placed(record: Record, *known: tuple[str, Record], **options: object) -> RecordPlacement:
    """Where a record belongs among these."""
    placer = Placer([(name, Identity.of(there)) for name, there in known], **options)  # type: ignore[arg-type]
    return placer.place(Identity.of(record))


@pytest.mark.parametrize(
    ("spellings", "key"),
    [
        (("van der Berg, J.", "J. van der Berg", "BERG, JVD", "Berg J", "van der Berg J", "Berg, J, Jr."), "berg"),
        (("Müller, Anna", "Mueller A", "Muller A.", "MÜLLER, A"), "muller"),
        (("{IEEE}", "IEEE"), "ieee"),
        (("Sørensen, B", "Soerensen, B", "Sorensen B"), "sorensen"),
        (("García-Márquez, G", "Garcia Marquez G", "Garcia Marquez, Gabriel José"), "garcia marquez"),
        (("O'Neil, P", "ONeil P", "O’Neil P"), "oneil"),
        (("张伟",), "张伟"),
        (("", " , ", "{}", "123"), None),
    ],
)
def test_spellings_of_one_family_name(spellings: tuple[str, ...], key: str | None) -> None:
    assert {family_name(spelling) for spelling in spellings} == {key}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Zhang, Yiwen", "Yiwen Zhang"),
        ("Zhang, Yiwen", "Zhang Yiwen"),
        ("BERG JVD", "van der Berg, J."),
        ("LI WEI", "Li, Wei"),
        ("Al-Zahrani, M", "Alzahrani M"),
        ("Gabriel García Márquez", "Garcia-Marquez, G"),
    ],
)
def test_names_that_may_be_of_one_person(one: str, other: str) -> None:
    a, b = family_name(one), family_name(other)
    assert a is not None
    assert b is not None
    assert same_author(a, b)
    assert same_author(b, a)


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_can_be_an_author_or_an_id(text: str) -> None:
    name = family_name(text)
    assert name is None or same_author(name, name)
    assert unique_id(text) is None or unique_id(unique_id(text)) == unique_id(text)


def test_ids_that_other_sources_might_use_are_no_names() -> None:
    assert [unique_id(text) for text in ("1", "000123", "smith2019", "", "ref_12", "W1")] == [None] * 6
    shapes = ("PMC123456", "2-s2.0-85012345678", "000-454-299-663-964", "https://arxiv.org/abs/2101.00001v3")
    assert [unique_id(text) for text in shapes] == [*(text.lower() for text in shapes[:3]), "arxiv:2101.00001"]


def test_rules_in_their_order() -> None:
    doi, pmid = Record(1, title="A", doi="10.1000/x"), Record(1, title="B", pmid="12345678")
    own = Record(1, title="C", own_id="pub.1149029839")
    known = (("doi", doi), ("pmid", pmid), ("own", own), ("title", LI))
    everything = replace(LI, doi=doi.doi, pmid=pmid.pmid, own_id=own.own_id)
    assert placed(everything, *known) == RecordPlacement("doi", "doi", ("pmid", "own", "title"))
    assert placed(replace(everything, doi=None), *known) == RecordPlacement("pmid", "pmid", ("own", "title"))
    assert placed(replace(everything, doi=None, pmid=None), *known) == RecordPlacement("own", "own_id", ("title",))
    assert placed(replace(LI, number=7), *known) == RecordPlacement("title", "title")


@pytest.mark.parametrize(
    ("change", "publication_id", "rivals"),
    [
        ({"title": "FIRE EFFECTS on soil-carbon."}, "p", ()),
        ({"year": None}, "p", ()),
        ({"authors": ()}, "p", ()),
        ({"authors": ("W. Li",)}, "p", ()),
        ({"doi": "10.1000/x"}, "p", ()),
        ({"year": 2020}, None, ("p",)),
        ({"authors": ("Berg, J",)}, None, ("p",)),
        ({"year": None, "authors": ()}, None, ("p",)),
        ({"title": "Fire effects on soil nitrogen"}, None, ()),
    ],
)
def test_a_title_needs_year_and_author_to_agree(
    change: dict[str, object], publication_id: str | None, rivals: tuple[str, ...]
) -> None:
    found = placed(replace(LI, **change), ("p", LI))  # type: ignore[arg-type]
    assert (found.publication_id, found.rivals) == (publication_id, rivals)


def test_another_doi_or_pmid_keeps_apart_and_is_named() -> None:
    preprint, article = replace(LI, doi="10.1101/1"), replace(LI, doi="10.1016/2")
    assert placed(article, ("p", preprint)) == RecordPlacement(None, None, ("p",))
    assert placed(replace(LI, pmid="1"), ("p", replace(LI, pmid="2"))) == RecordPlacement(None, None, ("p",))


@pytest.mark.parametrize("title", ["Editorial", "Introduction to the special issue", "Forest fires"])
def test_a_title_that_says_little_needs_year_and_author(title: str) -> None:
    known = replace(LI, title=title)
    assert placed(replace(known, abstract="x"), ("p", known)).publication_id == "p"
    for change in ({"year": None}, {"authors": ()}, {"year": 2020}):
        assert placed(replace(known, **change), ("p", known)).publication_id is None


def test_an_exact_repeat_belongs_where_it_was() -> None:
    known = Record(1, title="Editorial", own_id="1")
    assert placed(replace(known, number=9, included=True), ("p", known)) == RecordPlacement("p", "same")
    assert placed(replace(known, own_id="2"), ("p", known)) == RecordPlacement(None, None)


def test_a_publication_is_recognised_by_what_any_of_its_records_says() -> None:
    placer = Placer()
    placer.add("p", Identity.of(LI))
    placer.add("p", Identity.of(Record(1, title="Another title of it", doi="10.1000/x")))
    assert placer.place(Identity.of(Record(2, title="", doi="10.1000/x"))).publication_id == "p"
    assert placer.place(Identity.of(replace(LI, doi="10.1000/y"))).rivals == ("p",)


def test_what_a_person_separated_stays_apart() -> None:
    one, other = replace(LI, doi="10.1000/x"), replace(LI, doi="10.1000/x", pmid="5")
    known = (("a", one), ("b", other))
    assert placed(other, *known, kept_apart=[("a", "b")]) == RecordPlacement("b", "doi")
    assert placed(one, *known, kept_apart=[("b", "a")]) == RecordPlacement("a", "doi")
    assert placed(one, *known).rivals == ("b",)
    placer = Placer([("a", Identity.of(one))], kept_apart=[("file:3", "a")])
    assert placer.place(Identity.of(one), "file:3") == RecordPlacement(None, None)
    assert placer.place(Identity.of(one), "file:4") == RecordPlacement("a", "doi")


def test_a_title_that_everything_has_stays_bounded() -> None:
    placer = Placer()
    for i in range(2000):
        identity = Identity.of(replace(LI, doi=f"10.1000/{i}"))
        found = placer.place(identity)
        assert found.publication_id is None
        assert len(found.rivals) <= MOST_RIVALS
        placer.add(str(i), identity)
    assert placer.place(identity).publication_id == "1999"


RECORDS = st.builds(
    Record,
    number=st.just(1),
    title=st.sampled_from(["", "Editorial", "Forest fires", TITLE, TITLE.upper(), "Smoke and asthma in many children"]),
    abstract=st.sampled_from([None, "a"]),
    year=st.sampled_from([None, 2019, 2020]),
    doi=st.sampled_from([None, None, "10.1000/x", "10.1000/y"]),
    pmid=st.sampled_from([None, None, "1", "2"]),
    own_id=st.sampled_from([None, "1", "pub.12345", "pub.67890"]),
    authors=st.sampled_from([(), ("Li, W.",), ("W Li",), ("Berg J",)]),
)
FILES = st.lists(st.lists(RECORDS, max_size=6), max_size=4)


@settings(max_examples=30)
@given(FILES)
def test_file_by_file_is_like_all_at_once(files: list[list[Record]]) -> None:
    step_by_step: list[tuple[str, Identity]] = []
    for records in files:
        step_by_step = all_placed(records, step_by_step)
    assert step_by_step == all_placed(record for records in files for record in records)


@settings(max_examples=50)
@given(FILES)
def test_the_same_files_again_change_nothing(files: list[list[Record]]) -> None:
    records = [record for file in files for record in file]
    once = all_placed(records)
    twice = all_placed(records, once)
    assert [name for name, _ in twice[len(once) :]] == [name for name, _ in once]


@settings(max_examples=50)
@given(FILES)
def test_what_is_placed_by_title_contradicts_nothing(files: list[list[Record]]) -> None:
    placer, said = Placer(), dict[str, list[Identity]]()
    for i, record in enumerate(record for records in files for record in records):
        identity = Identity.of(record)
        found = placer.place(identity)
        assert found.publication_id not in found.rivals
        there = said.setdefault(found.publication_id or f"p{i}", [])
        if found.rule == "title":
            assert any(known.title_key == identity.title_key for known in there)
            for name in ("doi", "pmid", "year"):
                all_said = {getattr(known, name) for known in there} - {None}
                assert not all_said or getattr(identity, name) in {*all_said, None}
        there.append(identity)
        placer.add(found.publication_id or f"p{i}", identity)
