"""The quality report: what versions of a search find, how far that can be trusted, and what it was measured with."""

from __future__ import annotations

from collections.abc import Mapping

from core.audit.document import Block, Document, Heading, Listing, Paragraph, Remark
from core.audit.quality.core_table import core_found
from core.audit.quality.curves import curve_figure
from core.audit.quality.intervals import interval_figures
from core.audit.quality.landscape import landscape_figure
from core.audit.quality.measured import measured
from core.audit.quality.reading import how_to_read, references
from core.audit.quality.scores import compared, scored
from core.audit.quality.summary import summed_up
from core.audit.quality.terms import findings_of, terms_of
from core.audit.quality.trust import trust
from core.audit.quality.types import QualityFacts, VersionFacts
from core.text import listed


def quality_report(
    facts: QualityFacts, *, made_at: str, made_with: str, abstracts: Mapping[str, str] | None = None
) -> Document:
    """The whole report. `abstracts` by publication id are printed for the core publications; None: left out."""
    labels = listed([version.label for version in facts.versions])
    told = summed_up(facts)
    blocks: list[Block] = [
        Paragraph(" ".join(told.lead), is_lead=True),
        *([Listing(told.items)] if told.items else []),
        *measured(facts),
        *scored(facts),
        *compared(facts),
        *_figures(facts),
        *core_found(facts, abstracts),
        *terms_of(facts),
        *findings_of(facts),
        *trust(facts),
        *how_to_read(facts),
        *references(facts),
    ]
    return Document(
        kind="quality",
        title="Query quality report",
        subtitle=f"{facts.topic_id}: {labels}",
        blocks=tuple(blocks),
        made_at=made_at,
        made_with=made_with,
        made_up=facts.made_up,
    )


def _figures(facts: QualityFacts) -> list[Block]:
    """What can be seen, and where there is nothing to see, why."""
    blocks: list[Block] = [Heading("Figures"), *interval_figures(facts)]
    for version in facts.versions:
        drawn = [figure for figure in (landscape_figure(version, facts), curve_figure(version)) if figure is not None]
        blocks += drawn
        if not drawn:
            blocks.append(Remark(f"“{version.label}” has no landscape and no curve: {_why(version)}."))
    return blocks


def _why(version: VersionFacts) -> str:
    if not version.evaluation.n_retrieved:
        return "it retrieves nothing"
    if not version.rows.n_retrieved:
        return "none of what it retrieves has a vector"
    return "the topic has no landscape, and no similarity threshold could be found"
