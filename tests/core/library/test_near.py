"""Proposals: publications with nearly the same title."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import MisalignedError
from core.library.duplicates import NearPair, PairKind, Title, compared, edits, near_pairs
from core.library.identity import Identity
from core.library.records import Record
from tests.messages import refusal

TITLE = "Wildfire smoke and asthma in children of many countries"
LI = Record(1, title=TITLE, year=2019, authors=("Li, W.",))


def near(*records: Record, **options: object) -> tuple[NearPair, ...]:
    """Proposals among records named a, b, c and so on."""
    identities = [("abcdefgh"[i], Identity.of(record)) for i, record in enumerate(records)]
    return near_pairs(identities, [record.title for record in records], **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("title", "why"),
    [
        (TITLE, "the same title"),
        ("Wildfire smoke and astma in children of many countries", "titles differ in “asthma” and “astma”"),
        ("Wildfires smoke and asthma in children of many countries", "titles differ in “wildfire” and “wildfires”"),
        ("Wild fire smoke and asthma in children of many countries", "the same title"),
        (f"{TITLE}: a systematic review", "one title continues with “a systematic review”"),
        ("Wildfire smoke and asthma in children of many a country", None),
    ],
)
def test_titles_that_are_nearly_the_same_are_proposed(title: str, why: str | None) -> None:
    pairs = near(LI, replace(LI, title=title))
    assert [(pair.a, pair.b) for pair in pairs] == [("a", "b")]
    assert 0.75 <= pairs[0].likeness <= 1
    assert why is None or pairs[0].why == why


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (f"{TITLE}. Part I", f"{TITLE}. Part II"),
        (f"{TITLE}: part 1", f"{TITLE}: part 2"),
        (TITLE, f"{TITLE}: part 2"),
        (f"{TITLE} 2019", f"{TITLE} 2020"),
        (TITLE, f"Correction to: {TITLE}"),
        (TITLE, f"Reply to “{TITLE}”"),
        (TITLE, "Peat fires in the tropics and what they cost"),
        ("Editorial", "Editorials"),
        ("Fire", "Fires"),
    ],
)
def test_other_publications_are_not_proposed(one: str, other: str) -> None:
    assert near(replace(LI, title=one), replace(LI, title=other)) == ()


def test_what_speaks_against_a_pair_puts_it_further_down() -> None:
    same = near(LI, LI)[0]
    later = near(LI, replace(LI, year=2020))[0]
    much_later = near(LI, replace(LI, year=2030))[0]
    preprint = near(replace(LI, doi="10.1101/1"), replace(LI, doi="10.1016/2", year=2020))[0]
    protocol = near(replace(LI, title=f"{TITLE}: a review"), replace(LI, title=f"{TITLE}: a review protocol"))
    assert 1 == same.likeness > later.likeness > preprint.likeness > much_later.likeness
    assert later.why == "the same title, 2019 vs 2020"
    assert preprint.why == "the same title, 2019 vs 2020, different DOIs"
    assert all(pair.likeness < preprint.likeness for pair in protocol)


def test_generic_titles_are_proposed_only_with_year_and_author() -> None:
    editorial = replace(LI, title="Editorial")
    assert near(editorial, editorial) != ()
    assert near(editorial, replace(editorial, year=2020)) == ()
    assert near(editorial, replace(editorial, authors=())) == ()


def test_only_pairs_with_what_is_new_and_was_not_decided() -> None:
    records = [LI, LI, LI]
    assert len(near(*records)) == 3
    assert {(pair.a, pair.b) for pair in near(*records, among=["c"])} == {("a", "c"), ("b", "c")}
    assert {(pair.a, pair.b) for pair in near(*records, kept_apart=[("b", "a")])} == {("a", "c"), ("b", "c")}
    assert len(near(*records, most=1)) == 1
    assert near() == near(LI) == ()


def test_rows_of_one_publication_are_no_pair() -> None:
    identity = Identity.of(LI)
    assert near_pairs([("a", identity), ("a", identity)], [TITLE, TITLE]) == ()
    with refusal(MisalignedError):
        near_pairs([("a", identity), ("a", identity)], [TITLE])


def test_every_slip_among_many_titles_is_found_whatever_their_order() -> None:
    random = Random(1)
    vocabulary = ["".join(random.choices("abcdefghijklmnop", k=random.randint(3, 9))) for _ in range(400)]
    titles = [" ".join(random.choices(vocabulary, k=9)) for _ in range(300)]
    slips = [title[: 4 * i % 20 + 1] + "z" + title[4 * i % 20 + 1 :] for i, title in enumerate(titles)]
    rows = [(f"a{i}", title) for i, title in enumerate(titles)] + [(f"b{i}", title) for i, title in enumerate(slips)]
    random.shuffle(rows)
    identities = [(name, Identity.of(Record(1, title=title))) for name, title in rows]
    found = near_pairs(identities, [title for _, title in rows])
    assert {(pair.a, pair.b) for pair in found} == {(f"a{i}", f"b{i}") for i in range(300)}
    backwards = near_pairs(identities[::-1], [title for _, title in rows][::-1])
    assert [(pair.a, pair.b, pair.likeness) for pair in backwards] == [(p.a, p.b, p.likeness) for p in found]


def test_one_title_many_times_stays_bounded() -> None:
    identities = [(str(i), Identity.of(LI)) for i in range(3000)]
    assert len(near_pairs(identities, [TITLE] * 3000, most=10**6)) <= 8 * 3000


LETTERS = st.text("ab", max_size=8)


@given(LETTERS, LETTERS, st.integers(0, 8))
def test_edits_are_those_of_the_whole_table(one: str, other: str, most: int) -> None:
    table = [[max(i, j) if not i or not j else 0 for j in range(len(other) + 1)] for i in range(len(one) + 1)]
    for i, a in enumerate(one, start=1):
        for j, b in enumerate(other, start=1):
            table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (a != b))
    assert edits(one, other, most=most) == (table[-1][-1] if table[-1][-1] <= most else None)


@settings(max_examples=50)
@given(st.lists(st.text(st.characters(exclude_categories=())), max_size=6))
def test_any_titles_can_be_compared(titles: list[str]) -> None:
    rows = [*titles, *titles]
    identities = [(str(i), Identity(title_key=title, n_words=5)) for i, title in enumerate(rows)]
    pairs = near_pairs(identities, rows)
    assert all(0 < pair.likeness <= 1 and pair.a < pair.b for pair in pairs)


def test_a_kind_tells_what_agrees_and_what_differs() -> None:
    one = replace(LI, doi="10.1/a", pages="1-9", venue="Fire")
    assert PairKind.of(one, one) == PairKind("same", "same", "same", "same")
    assert PairKind.of(one, replace(one, doi=None, year=2020)) == PairKind("same", "near", "same", "one")
    assert PairKind.of(LI, replace(LI, authors=(), year=2012)) == PairKind("same", "differs", "one", "neither")
    contrary = PairKind.of(one, replace(one, doi="10.1/b", pages="3", venue="Smoke", volume="2")).contrary
    assert contrary == ("journal", "volume or pages")
    assert PairKind.of(one, replace(one, venue="FIRE.", pages=None)).contrary == ()


@pytest.mark.parametrize(
    ("title", "rule"),
    [
        (f"{TITLE}!", "same"),
        (f"{TITLE}: a systematic review", "continued"),
        (f"{TITLE}: protocol", "protocol"),
        ("Wildfires smoke and asthma in children of many countries", "spelling"),
        ("Wildfire smoke and asthma in children of many towns", "words"),
        ("Peat", "other"),
    ],
)
def test_the_rule_of_two_titles(title: str, rule: str) -> None:
    assert compared(Title.of(TITLE), Title.of(title)).rule == compared(Title.of(title), Title.of(TITLE)).rule == rule


RECORDS = st.builds(
    Record,
    number=st.just(1),
    title=st.sampled_from([TITLE, f"{TITLE}: a review", f"{TITLE}s", "Peat"]),
    year=st.sampled_from([None, 2019, 2020, 2023]),
    doi=st.sampled_from([None, "10.1/a", "10.1/b"]),
    authors=st.sampled_from([(), ("Li, W.",), ("Kim, A.",)]),
    pages=st.sampled_from([None, "1-9", "3"]),
)


@given(RECORDS, RECORDS)
def test_a_kind_does_not_depend_on_the_order_of_the_pair(one: Record, other: Record) -> None:
    assert PairKind.of(one, other) == PairKind.of(other, one)
    assert PairKind.of(one, one).contrary == ()
