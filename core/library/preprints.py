"""Preprints and the published versions of the same work."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.library.identity import family_name, same_author
from core.library.kinds import is_preprint_server
from core.library.records import Record
from core.types import Ids, unique_ids

MOST_YEARS = 3
"""Maximum number of years from the preprint to the published version."""
_PREPRINT_DOI = re.compile(
    r"10\.(?:1101/\d"  # bioRxiv and medRxiv; the journals of the same publisher have letters here
    r"|64898/"  # bioRxiv and medRxiv since December 2025
    r"|48550/"  # arXiv
    r"|2139/ssrn"
    r"|31234/|31235/|31219/|31223/|35542/"  # PsyArXiv, SocArXiv, OSF Preprints, EarthArXiv, EdArXiv
    r"|21203/"  # Research Square
    r"|26434/"  # ChemRxiv
    r"|20944/"  # Preprints.org
    r"|36227/"  # TechRxiv
    r"|22541/)"  # Authorea
)


def is_preprint_doi(doi: str) -> bool:
    """Return True if a normalised DOI is one of a preprint server.

    >>> is_preprint_doi("10.1101/2020.01.02.20001234"), is_preprint_doi("10.1101/gr.123")
    (True, False)
    """
    return _PREPRINT_DOI.match(doi) is not None


def is_preprint(record: Record) -> bool:
    """Return True if a record describes a preprint, by its type, DOI or venue.

    A DOI of another publisher decides against the venue: some databases add "arXiv" to published articles.
    """
    if record.doi and is_preprint_doi(record.doi):
        return True
    return record.kind == "preprint" or (not record.doi and is_preprint_server(record.venue or ""))


def published_first(records: Sequence[Record]) -> Sequence[Record]:
    """Return the records of one publication, those of preprints last: the published version describes it."""
    return sorted(records, key=is_preprint) if len(records) > 1 else records


@dataclass(frozen=True, slots=True)
class WorkVersions:
    """The two versions of one work that has a record of each."""

    published_dois: Ids
    preprint_dois: Ids

    @classmethod
    def of(cls, records: Iterable[Record]) -> WorkVersions | None:
        """Return the versions; None unless the records are of a preprint and of another publication.

        Records with the same DOI describe the same version, even if only one of them calls it a preprint.
        """
        by_form: tuple[list[Record], list[Record]] = ([], [])
        for record in records:
            if record.title or record.doi:
                by_form[is_preprint(record)].append(record)
        published, preprints = (unique_ids(r.doi for r in some if r.doi) for some in by_form)
        preprints = tuple(doi for doi in preprints if doi not in published)
        if not all(by_form) or (any(r.doi for r in by_form[1]) and not preprints):
            return None
        return cls(published, preprints)

    @property
    def text(self) -> str:
        """The identifiers of both, the published version first."""
        published, preprint = (", ".join(dois) or "without a DOI" for dois in (self.published_dois, self.preprint_dois))
        return f"{published}; preprint {preprint}"


@dataclass(frozen=True, slots=True)
class VersionForm:
    """The features of a publication that show that it is a version of another one with the same title."""

    is_preprint: bool
    authors: Ids = ()
    """Family names, in one spelling."""
    year: int | None = None

    @classmethod
    def of(cls, records: Sequence[Record]) -> VersionForm:
        """Describe a publication by its records: it is a preprint if all of them are."""
        described = [record for record in records if record.title or record.doi]
        names = (family_name(author) for record in described for author in record.authors)
        years = (record.year for record in published_first(described) if record.year is not None)
        is_preprint_only = bool(described) and all(map(is_preprint, described))
        return cls(is_preprint_only, unique_ids(name for name in names if name), next(years, None))


def are_versions(one: VersionForm, other: VersionForm) -> bool:
    """Return True if of two publications with the same title one is the preprint of the other.

    They share an author, and their years, if both are known, are at most three apart.
    """
    if one.is_preprint == other.is_preprint:
        return False
    if one.year is not None and other.year is not None and abs(one.year - other.year) > MOST_YEARS:
        return False
    return any(same_author(mine, theirs) for mine in one.authors for theirs in other.authors)
