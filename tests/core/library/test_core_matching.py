"""Finding a person's list of known publications among those of a topic."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.library.duplicates import CoreMatch, match_core
from core.library.identity import Identity
from core.library.records import Record

TITLE = "Wildfire smoke and asthma in children of many countries"
KNOWN = {
    "smoke": Record(1, title=TITLE, year=2019, authors=("Li, W.",), doi="10.1000/smoke", pmid="123"),
    "soil": Record(1, title="Fire and the carbon in soils", year=2001, authors=("Berg, J",), own_id="pub.12345"),
    "first": Record(1, title="Forest fires", year=1990, authors=("Ng, A",)),
    "second": Record(1, title="Forest fires", year=2010, authors=("Diaz, B",)),
    "editorial": Record(1, title="Editorial", year=2010, authors=("Diaz, B",)),
}


def match(record: Record) -> CoreMatch:
    """What one record is among the known."""
    return match_core([record], [(name, Identity.of(known)) for name, known in KNOWN.items()])[0]


@pytest.mark.parametrize(
    ("record", "publication_id", "by"),
    [
        (Record(1, doi="10.1000/smoke"), "smoke", "doi"),
        (Record(1, title="Fire and the carbon in soils", doi="10.1000/smoke"), "smoke", "doi"),
        (Record(1, title="Whatever", pmid="123"), "smoke", "pmid"),
        (Record(1, own_id="pub.12345"), "soil", "own_id"),
        (Record(1, title=TITLE.upper()), "smoke", "title"),
        (Record(1, title=TITLE, doi="10.1101/preprint"), "smoke", "title"),
        (Record(1, title=TITLE, year=2018, authors=("Ng, A",)), "smoke", "title"),
        (Record(1, title=TITLE, year=1999, authors=("Li, W",)), "smoke", "title"),
        (Record(1, title="Forest fires", year=2010), "second", "title"),
        (Record(1, title="Forest fires", authors=("Ng A",)), "first", "title"),
        (Record(1, title="Editorial", year=2010), "editorial", "title"),
    ],
)
def test_found_by_name_or_by_title(record: Record, publication_id: str, by: str) -> None:
    assert match(record) == CoreMatch(record, "matched", publication_id, by)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("record", "candidates"),
    [(Record(1, title="Forest fires"), ("first", "second")), (Record(1, title="Editorial"), ("editorial",))],
)
def test_several_that_fit_are_left_to_the_person(record: Record, candidates: tuple[str, ...]) -> None:
    found = match(record)
    assert (found.status, found.publication_id, found.candidates) == ("ambiguous", None, candidates)


@pytest.mark.parametrize(
    ("record", "candidates"),
    [
        (Record(1, title=TITLE, year=1999, authors=("Ng, A",)), ("smoke",)),
        (Record(1, title=TITLE.replace("asthma", "astma")), ("smoke",)),
        (Record(1, title=f"{TITLE}: a review of what is known"), ("smoke",)),
        (Record(1, title="Fire and the carbons in soil"), ("soil",)),
        (Record(1, title="Peat in the tropics"), ()),
        (Record(1, doi="10.1000/other"), ()),
        (Record(1), ()),
    ],
)
def test_what_is_only_like_it_is_a_question(record: Record, candidates: tuple[str, ...]) -> None:
    found = match(record)
    assert (found.status, found.publication_id, found.candidates) == ("not_in_corpus", None, candidates)


def test_any_identity_of_a_publication_finds_it_once() -> None:
    known = [("p", Identity.of(KNOWN["smoke"])), ("p", Identity.of(replace(KNOWN["smoke"], year=2020)))]
    assert [found.publication_id for found in match_core([Record(1, title=TITLE)] * 2, known)] == ["p", "p"]
    assert match_core([], known) == ()
    assert match_core([KNOWN["smoke"]], [])[0].status == "not_in_corpus"
