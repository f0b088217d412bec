"""What each part of a search string brings and costs, and what the checks of the string noticed."""

from __future__ import annotations

from collections.abc import Mapping

from core.audit.document import Block, Column, Heading, Paragraph, Table, Value
from core.audit.quality.types import QualityFacts, TermFacts, VersionFacts
from core.query.lint.rules import RULES
from core.query.tree import Severity

FLAGS: Mapping[str, str] = {
    "zero_hit": "no hits",
    "subsumed": "adds nothing",
    "harmful": "harms",
    "single_point_of_failure": "sole finder of core",
    "not_testable": "not testable here",
    "off": "off",
}
MOST_PARTS = 400
"""Parts of one string that are listed."""
SEEN = 4
"""Decimals of a change of F-beta; what is smaller is nothing."""
SEVERITIES: Mapping[str, str] = {"error": "mend", "warning": "look at", "hint": "consider"}


def terms_of(facts: QualityFacts) -> list[Block]:
    """A table of the parts for every version whose text is read."""
    blocks: list[Block] = [Heading("Terms")]
    for version in facts.versions:
        if version.terms:
            blocks.append(_terms(version, facts))
        else:
            blocks.append(Paragraph(f"“{version.label}” has no search string whose terms could be weighed."))
    return blocks


def _terms(version: VersionFacts, facts: QualityFacts) -> Table:
    columns = (
        *(Column("Part", "code"), Column("By itself", "count"), Column("In the result", "count")),
        *(Column("Only by it", "count"), Column("Core", "count"), Column("Core only by it", "count")),
        *(Column("Precision of only it", "number"), Column("F-beta without it", "number"), Column("Noticed")),
    )
    shown = version.terms[:MOST_PARTS]
    note = (
        f"Counted over the {facts.n_corpus:,} publications that the topic holds now. By itself: what it finds without "
        "the rest (a NOT: what it lets pass); in the result: what of the result it finds (a NOT: what it keeps out); "
        "only by it: what no other part brings; core: core publications that it finds by itself. Precision of only it: "
        "semantic precision, by Cosine, of what only it brings. F-beta without it: how F-beta by Cosine would change. "
        "Harms: it would rise, by this core set; none of these changes has a range."
    )
    if more := len(version.terms) - len(shown):
        note += f" {more:,} more parts are left out."
    rows = tuple(_row(each) for each in shown)
    return Table(f"terms-{version.number}", f"What each part of “{version.label}” brings", columns, rows, note)


def _row(term: TermFacts) -> tuple[Value, ...]:
    counts: tuple[Value, ...] = (term.n_alone, term.n_in_context, term.n_unique, term.n_core, term.n_core_unique)
    if "not_testable" in term.flags:
        counts = (None,) * len(counts)
    flags = ", ".join(FLAGS.get(flag, flag) for flag in term.flags)
    part = "  " * term.depth + term.text
    change = term.f_beta_change_if_removed
    seen = None if change is None else round(change, SEEN)
    return (part, *counts, term.semantic_precision_unique, seen, flags)


def _alike(version: VersionFacts) -> dict[tuple[str, Severity, str], list[str]]:
    """Places of the string of which the same is said, together: one row for them all."""
    places: dict[tuple[str, Severity, str], list[str]] = {}
    for each in version.findings:
        places.setdefault((each.rule, each.severity, each.message), []).append(each.place)
    return places


def findings_of(facts: QualityFacts) -> list[Block]:
    """One table of everything that the checks noticed."""
    rows: list[tuple[Value, ...]] = [
        (
            version.label,
            SEVERITIES.get(severity, severity),
            RULES[rule].title if rule in RULES else rule,
            ", ".join(places),
            message,
        )
        for version in facts.versions
        for (rule, severity, message), places in _alike(version).items()
    ]
    blocks: list[Block] = [Heading("What the checks of the string noticed")]
    if not rows:
        return [*blocks, Paragraph("Nothing to mend.")]
    columns = (Column("Version"), Column("Weight"), Column("What"), Column("Where", "code"), Column("In words"))
    note = "Mend: a database would refuse or misread it; look at: often a slip; consider: may bring more."
    return [*blocks, Table("findings", "Findings of the checks", columns, tuple(rows), note)]
