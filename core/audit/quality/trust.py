"""How far the numbers can be trusted: what moves with the core set, and how far the landscape can be believed."""

from __future__ import annotations

from core.audit.document import Block, Column, Heading, Paragraph, Remark, Table, Value
from core.audit.quality.types import QualityFacts, VersionFacts
from core.audit.quality.wording import ends, score_name, sentence
from core.comparing.compare import REGION_LABELS
from core.honesty import Honesty
from core.types import RegionKind
from core.uncertainty import Sensitivity


def trust(facts: QualityFacts) -> list[Block]:
    """Sensitivity, then the honesty of the landscape."""
    blocks: list[Block] = [Heading("How far the numbers can be trusted"), Heading("If the core set were another", 3)]
    rows = [_row(version, kind, s) for version in facts.versions for kind, s in version.evaluation.sensitivity.items()]
    if rows:
        blocks.append(_sensitivity(facts, rows))
    else:
        said = "No ranges were computed, so nothing is known of how far the scores move with the core set."
        blocks.append(Remark(said, is_warning=True))
    return [*blocks, Heading("How far the landscape can be believed", 3), *_landscape(facts)]


def _sensitivity(facts: QualityFacts, rows: list[tuple[Value, ...]]) -> Table:
    name = score_name(facts.versions[0].evaluation.settings.beta)
    columns = (
        *(Column("Version"), Column("Region"), Column("Semantic precision, one left out")),
        *(Column(f"{name}, one left out"), Column("Moves it most"), Column("Region exists in", "number")),
    )
    note = (
        "One left out: lowest and highest with each core publication left out in turn. Moves it most: the core "
        f"publication whose absence changes {name} most. Region exists in: share of the resampled core sets."
    )
    return Table("sensitivity", "Scores under other core sets", columns, tuple(rows), note)


def _row(version: VersionFacts, kind: RegionKind, found: Sensitivity) -> tuple[Value, ...]:
    titles = {each.publication_id: each.title for each in version.core}
    most = found.most_influential_core_id
    precision, f_beta = found.semantic_precision_leave_one_out, found.f_beta_leave_one_out
    return (
        version.label,
        REGION_LABELS[kind],
        ends(precision) if precision else None,
        ends(f_beta) if f_beta else None,
        (titles.get(most) or most) if most else None,
        found.share_defined,
    )


def _landscape(facts: QualityFacts) -> list[Block]:
    if facts.landscape is None:
        return [Paragraph("There is no landscape whose honesty could be measured.")]
    blocks: list[Block] = []
    if facts.honesty is None:
        blocks.append(Paragraph("The landscape's honesty was not measured: there are too few publications for that."))
    else:
        blocks.append(_honesty(facts.honesty))
    label = facts.versions[-1].label
    n = facts.versions[-1].evaluation.n_scorable
    said = [
        f"{REGION_LABELS[kind]} on the landscape decides differently about {changed:,} of {n:,} publications of "
        f"“{label}” than the same region among the vectors"
        for kind, changed in facts.changed_decisions.items()
    ]
    blocks += [Paragraph(sentence(each)) for each in said]
    if not said:
        blocks.append(Paragraph("How many decisions the landscape changes is not known."))
    return blocks


def _honesty(found: Honesty) -> Table:
    columns = (Column("Figure"), Column("Value", "number"), Column("What it means"))
    rows: tuple[tuple[Value, ...], ...] = (
        ("Trustworthiness", found.trustworthiness, "1: neighbours on the landscape are neighbours by their vectors."),
        ("Continuity", found.continuity, "1: neighbours by their vectors are neighbours on the landscape."),
        ("Variance explained", found.variance_explained, "Share of the vectors' variance in the two coordinates."),
    )
    note = f"The first two are averages over {found.n_rows:,} publications; 0.5 would be chance."
    return Table("honesty", "Honesty of the landscape", columns, rows, note)
