"""A preprint and its published version: recognised, proposed, and described by the published record."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.library.duplicates import NearPair, near_pairs
from core.library.identity import Identity
from core.library.preprints import VersionForm, WorkVersions, is_preprint, published_first
from core.library.records import Record

TITLE = "Wildfire smoke and asthma in children of many countries"
PREPRINT = Record(1, title=TITLE, year=2020, doi="10.1101/2020.01.02.20001234", authors=("Li, W.", "Berg, A."))
PUBLISHED = Record(2, title=TITLE, year=2022, doi="10.1016/j.x.1", authors=("Berg, Anna", "Li, Wei"), venue="Smoke")


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (Record(1, doi="10.1101/2020.01.02.20001234"), True),
        (Record(1, doi="10.1101/123456"), True),
        (Record(1, doi="10.1101/gr.123456.111"), False),
        (Record(1, doi="10.48550/arxiv.2101.00001"), True),
        (Record(1, doi="10.2139/ssrn.123"), True),
        (Record(1, doi="10.31234/osf.io/abc"), True),
        (Record(1, doi="10.21203/rs.3.rs-1/v1"), True),
        (Record(1, doi="10.5281/zenodo.1"), False),
        (Record(1, kind="preprint"), True),
        (Record(1, venue="medRxiv : the preprint server for health sciences"), True),
        (Record(1, venue="Research Square"), True),
        (Record(1, venue="arXiv", doi="10.1016/j.x.1", kind="article"), False),
        (Record(1, venue="Nature", kind="article"), False),
        (Record(1), False),
    ],
)
def test_a_preprint_by_type_doi_or_venue(record: Record, expected: bool) -> None:
    assert is_preprint(record) is expected


def proposed(one: Record, other: Record) -> tuple[NearPair, ...]:
    records = {"a": one, "b": other}
    return near_pairs(
        [(name, Identity.of(record)) for name, record in records.items()],
        [record.title for record in records.values()],
        forms={name: VersionForm.of([record]) for name, record in records.items()},
    )


def test_a_preprint_and_its_published_version_are_proposed_first() -> None:
    (pair,) = proposed(PREPRINT, PUBLISHED)
    assert pair.is_version_pair
    assert pair.why == "the same title, preprint and published version, 2020 vs 2022"
    assert pair == proposed(PUBLISHED, PREPRINT)[0]
    (as_others,) = proposed(replace(PREPRINT, doi="10.1016/j.y.2"), PUBLISHED)
    assert pair.likeness > as_others.likeness
    assert not as_others.is_version_pair


def test_a_short_title_is_proposed_with_a_shared_author() -> None:
    assert proposed(replace(PREPRINT, title="Smoke again"), replace(PUBLISHED, title="Smoke again"))[0].is_version_pair


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (PREPRINT, replace(PUBLISHED, year=2024)),
        (PREPRINT, replace(PUBLISHED, authors=("Sand, O.",))),
        (PREPRINT, replace(PUBLISHED, authors=())),
        (PREPRINT, replace(PUBLISHED, title=f"{TITLE}: a review")),
        (PREPRINT, replace(PUBLISHED, doi="10.31219/osf.io/x")),
        (PUBLISHED, replace(PUBLISHED, doi="10.1016/j.z.3")),
        (replace(PREPRINT, title="Editorial"), replace(PUBLISHED, title="Editorial")),
    ],
    ids=["four years", "other authors", "no authors", "another title", "two preprints", "no preprint", "generic"],
)
def test_other_pairs_are_no_versions_of_one_work(one: Record, other: Record) -> None:
    assert not any(pair.is_version_pair for pair in proposed(one, other))


def test_a_pair_that_was_decided_is_not_proposed_again() -> None:
    forms = {"a": VersionForm.of([PREPRINT]), "b": VersionForm.of([PUBLISHED])}
    identities = [("a", Identity.of(PREPRINT)), ("b", Identity.of(PUBLISHED))]
    assert near_pairs(identities, [TITLE, TITLE], forms=forms, kept_apart=[("a", "b")]) == ()


def test_the_versions_of_a_work() -> None:
    assert WorkVersions.of([PREPRINT, PUBLISHED]) == WorkVersions(("10.1016/j.x.1",), ("10.1101/2020.01.02.20001234",))
    assert WorkVersions.of([PREPRINT, replace(PREPRINT, number=3)]) is None
    assert WorkVersions.of([PUBLISHED]) is None
    assert WorkVersions.of([]) is None
    same_doi = replace(PUBLISHED, kind="preprint")
    assert WorkVersions.of([same_doi, PUBLISHED]) is None, "sources differ in the type of one version"
    assert WorkVersions.of([Record(3, own_id="1"), PREPRINT]) is None, "a bare id of a run describes nothing"
    assert [r.number for r in published_first([PREPRINT, PUBLISHED, replace(PUBLISHED, number=5)])] == [2, 5, 1]
