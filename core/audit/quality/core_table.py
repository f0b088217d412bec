"""Core publications found and missed, why each is missed, and what would find it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from core.audit.document import Block, Column, Heading, Paragraph, Remark, Table, Value
from core.audit.quality.types import CoreFacts, QualityFacts, VersionFacts
from core.audit.quality.wording import many
from core.text import listed

VERDICTS: Mapping[str, str] = {
    "found": "the text finds it, the list does not hold it",
    "not_in_corpus": "not among the publications of the topic",
    "no_abstract": "it has no abstract",
    "removed_by_not": "a NOT keeps it out",
    "near_miss": "a near miss",
    "fails_block": "words are missing",
}
"""Why a core publication is missed, in a few words; what is not listed stands as it is."""

HINTS = (
    "Below stands for each missed core publication what would find it. Such a change is worked out from the very "
    "publication that it shall find, so its gain is more than another search would have. Some are guesses from words "
    "of its title: read them as hints, not as advice."
)


def core_found(facts: QualityFacts, abstracts: Mapping[str, str] | None = None) -> list[Block]:
    """One table of all, then the missed ones of every version with reasons."""
    blocks: list[Block] = [Heading("Core publications found and missed"), _all(facts)]
    if any(each.rescue for version in facts.versions for each in version.core):
        blocks.append(Remark(HINTS))
    for version in facts.versions:
        blocks += _missed(version)
    if abstracts is not None:
        blocks += _abstracts(facts, abstracts)
    return blocks


def _all(facts: QualityFacts) -> Table:
    """Those that fewest versions find first."""
    found_by: dict[str, list[str]] = {}
    for version in facts.versions:
        for each in version.core:
            found_by.setdefault(each.publication_id, []).extend([version.label] * each.is_found)
    order = sorted(facts.versions[0].core, key=lambda each: len(found_by[each.publication_id]))
    columns = (
        *(Column("Publication"), Column("Title"), Column("Year"), Column("DOI", "code")),
        *(Column("Similarity", "number"), Column("Found by")),
    )
    rows = [
        (
            *(each.publication_id, each.title or None, each.year, each.doi or None, each.similarity),
            _found_by(found_by[each.publication_id], len(facts.versions)),
        )
        for each in order
    ]
    note = "Similarity: cosine to the centre of the core publications; a dash: it has no vector."
    return Table(
        "core", "Every core publication, those that the fewest versions find first", columns, tuple(rows), note
    )


def _found_by(labels: list[str], n_versions: int) -> str:
    if n_versions == 1:
        return "found" if labels else "missed"
    if len(labels) == n_versions:
        return f"all {n_versions}"
    return listed(labels) if labels else "none"


def _missed(version: VersionFacts) -> list[Block]:
    missed = [each for each in version.core if not each.is_found]
    blocks: list[Block] = [Heading(f"What “{version.label}” misses", 3)]
    if not missed:
        return [*blocks, Paragraph(f"“{version.label}” finds every core publication.")]
    if not any(each.reason for each in missed):
        said = (
            f"“{version.label}” misses {many(len(missed), 'core publication')}. Why is not known: it has no text here."
        )
        return [*blocks, Paragraph(said)]
    counted = Counter(VERDICTS.get(each.verdict, each.verdict) for each in missed if each.verdict)
    reasons = "; ".join(f"{what}: {n}" for what, n in counted.most_common())
    return [
        *blocks,
        Paragraph(f"“{version.label}” misses {many(len(missed), 'core publication')} ({reasons})."),
        _reasons(version, missed),
    ]


def _reasons(version: VersionFacts, missed: list[CoreFacts]) -> Table:
    columns = (Column("Publication"), Column("Title"), Column("Why it is missed"), Column("What would find it"))
    rows: list[tuple[Value, ...]] = [
        (each.publication_id, each.title or None, each.reason or None, each.rescue or None) for each in missed
    ]
    note = "The change that is offered first, with the publications that it adds. A dash: none is known."
    return Table(
        f"missed-{version.number}", f"Core publications that “{version.label}” misses", columns, tuple(rows), note
    )


def _abstracts(facts: QualityFacts, abstracts: Mapping[str, str]) -> list[Block]:
    """Only where they were asked for, and only of the core."""
    rows: list[tuple[Value, ...]] = [
        (each.publication_id, each.title or None, abstracts[each.publication_id])
        for each in facts.versions[0].core
        if each.publication_id in abstracts
    ]
    if not rows:
        return [Paragraph("Abstracts were asked for, but no core publication has one.")]
    columns = (Column("Publication"), Column("Title"), Column("Abstract"))
    return [Table("core-abstracts", "Abstracts of the core publications", columns, tuple(rows))]
