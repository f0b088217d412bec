"""The scores of each version with their intervals, and what differs between every two versions."""

from __future__ import annotations

from math import isfinite

from core.audit.document import Block, Column, Heading, Listing, Paragraph, Remark, Table, Value
from core.audit.quality.summary import says_nothing
from core.audit.quality.types import QualityFacts, VersionFacts
from core.audit.quality.wording import ends, many, score, score_name
from core.comparing.compare import REGION_LABELS, Comparison, Difference
from core.comparing.verdict import verdict
from core.evaluate import RegionScores
from core.metrics import METRICS, read_per_core
from core.ranking.significance import Interval
from core.text import listed
from core.types import RegionKind
from core.uncertainty import coverage_sentence


def scored(facts: QualityFacts) -> list[Block]:
    """Scores per version."""
    mode = facts.versions[0].evaluation.settings.cosine_mode
    blocks: list[Block] = [Heading("Scores"), _found(facts), _scores(facts)]
    if any(version.evaluation.sensitivity for version in facts.versions):
        blocks.append(Paragraph(f"From a simulation apart from this topic. {coverage_sentence(mode)}"))
    warnings = [(version.label, warning) for version in facts.versions for warning in version.evaluation.warnings]
    blocks += [Remark(f"{label}: {warning}.", is_warning=True) for label, warning in warnings]
    return blocks


def _found(facts: QualityFacts) -> Table:
    columns = (
        *(Column("Version"), Column("Retrieved", "count"), Column("Core found", "count"), Column("Core", "count")),
        *(Column(METRICS["recall"].label, "number"), Column("95 % from", "number"), Column("95 % to", "number")),
        *(Column(METRICS[name].label, "number") for name in ("attainable_recall", "read_per_core")),
    )
    rows = []
    for version in facts.versions:
        found = version.evaluation
        n_found = len(found.found_core_ids)
        rows.append(
            (
                *(version.label, found.n_retrieved, n_found, len(found.core_ids), found.recall),
                *(*found.recall_interval, found.attainable_recall),
                read_per_core(n_retrieved=found.n_retrieved, n_found=n_found),
            )
        )
    note = (
        "The interval of core recall is Wilson's: it holds as far as the core publications are like a random sample of "
        "all that matter. A dash: the number is not defined."
    )
    return Table("core-recall", "Core publications found", columns, tuple(rows), note)


def _scores(facts: QualityFacts) -> Table:
    name = score_name(facts.versions[0].evaluation.settings.beta)
    columns = (
        *(Column("Version"), Column("Region"), Column("Relevant", "count")),
        *(Column(METRICS["semantic_precision"].label, "number"), Column("Its range"), Column("Decay", "number")),
        *(Column(f"{name} with decay", "number"), Column("Its range"), Column("What to know")),
    )
    rows = [_row(version, scores) for version in facts.versions for scores in version.evaluation.regions.values()]
    note = (
        "A range is the middle 95 % over resampled core sets, no confidence interval. Where none stands, none was "
        "computed, or the region seldom exists in other core sets. A score may lie outside its range, as a resampled "
        f"core set is more compact. {thresholds_used(facts)}"
    ).strip()
    return Table("scores", "Scores by region", columns, tuple(rows), note)


def thresholds_used(facts: QualityFacts) -> str:
    """The similarity thresholds that the scores by cosine rest on; empty: there is none."""
    found: dict[str, list[str]] = {}
    for version in facts.versions:
        scores = version.evaluation.regions.get("cosine")
        at = scores.defines.get("min_similarity") if scores else None
        if isinstance(at, int | float) and isfinite(at):
            found.setdefault(score(float(at)), []).append(f"“{version.label}”")
    each = [f"{at} for {listed(labels)}" for at, labels in found.items()]
    return f"Similarity threshold of {REGION_LABELS['cosine']}: {'; '.join(each)}." if each else ""


def _row(version: VersionFacts, scores: RegionScores) -> tuple[Value, ...]:
    sensitivity = version.evaluation.sensitivity.get(scores.kind)
    return (
        version.label,
        REGION_LABELS[scores.kind],
        scores.n_relevant,
        scores.semantic_precision,
        _range(sensitivity.semantic_precision_range if sensitivity else None),
        scores.decay,
        scores.f_beta,
        _range(sensitivity.f_beta_range if sensitivity else None),
        what_to_know(scores),
    )


def _range(interval: Interval | None) -> Value:
    return None if interval is None else ends(interval)


def what_to_know(scores: RegionScores) -> str:
    """Why a region has no scores, or why its scores say nothing; empty: neither."""
    if scores.status != "ok":
        return f"No region: {scores.status}"
    return f"Says nothing: {scores.degenerate}" if scores.degenerate else ""


def compared(facts: QualityFacts) -> list[Block]:
    """Versions side by side; nothing for a single one."""
    if len(facts.versions) < 2:
        return []
    blocks: list[Block] = [Heading("Versions side by side")]
    if facts.comparison is None:
        return [*blocks, Paragraph("The versions were not compared with one another.")]
    found = facts.comparison
    blocks += [_pairs(found), Listing(tuple(_verdicts(facts, found)))]
    if not found.has_ranges:
        blocks.append(Remark("The differences have no ranges yet: none of them is called clear.", is_warning=True))
    in_front = [d for d in found.differences if d.region in (None, facts.region)]
    others = [d for d in found.differences if d.region not in (None, facts.region)]
    name = REGION_LABELS[facts.region]
    blocks.append(_differences("differences", f"Paired differences: core recall and {name}", in_front, facts))
    if others:
        blocks.append(
            _differences("differences-other-regions", "Paired differences by the other regions", others, facts)
        )
    return blocks


def _pairs(comparison: Comparison) -> Table:
    columns = (
        *(Column("A"), Column("B"), Column("In both", "count"), Column("Only in A", "count")),
        *(Column("Only in B", "count"), Column("Core only in A", "count"), Column("Core only in B", "count")),
    )
    rows = [
        (p.a, p.b, p.n_both, p.n_only_a, p.n_only_b, len(p.core_lost), len(p.core_gained)) for p in comparison.pairs
    ]
    return Table("pairs", "What every two versions retrieve", columns, tuple(rows))


def _verdicts(facts: QualityFacts, comparison: Comparison) -> list[str]:
    """One sentence for every two versions; where a region says nothing, no claim by it."""
    silent = {version.label for version in facts.versions if says_nothing(version, facts.region)}
    said = []
    for pair in comparison.pairs:
        if silent & {pair.a, pair.b}:
            gained, lost = len(pair.core_gained), len(pair.core_lost)
            said.append(
                f"{pair.b} finds {many(gained, 'core publication')} that {pair.a} misses, and misses {lost:,} that it "
                f"finds; "
                f"by {REGION_LABELS[facts.region]} nothing can be said."
            )
        else:
            said.append(verdict(comparison, pair.a, pair.b, region=facts.region).sentence)
    return said


def _differences(name: str, caption: str, found: list[Difference], facts: QualityFacts) -> Table:
    columns = (
        *(Column("A"), Column("B"), Column("Score"), Column("Region"), Column("B minus A", "number")),
        *(Column("From", "number"), Column("To", "number"), Column("What it means")),
    )
    silent = {
        (version.label, kind)
        for version in facts.versions
        for kind in version.evaluation.regions
        if says_nothing(version, kind)
    }
    rows = [_difference(each, silent) for each in found]
    beta = facts.versions[0].evaluation.settings.beta
    note = (
        "From and to: the middle 95 % over core sets that were resampled for both versions alike. F-beta: here "
        f"{score_name(beta)} with decay."
    )
    n_ranges = sum(each.interval is not None for each in found)
    if n_ranges > 1:
        note += f" Each of the {n_ranges:,} ranges stands for itself: of so many, some may leave out zero by chance."
    return Table(name, caption, columns, tuple(rows), note)


def _difference(found: Difference, silent: set[tuple[str, RegionKind]]) -> tuple[Value, ...]:
    region = REGION_LABELS[found.region] if found.region else None
    low, high = found.interval or (None, None)
    is_silent = bool(found.region) and any((label, found.region) in silent for label in (found.a, found.b))
    means = found.sentence
    if is_silent and found.difference is not None:
        means = "Nothing: the region says nothing about one of the two."
    return (found.a, found.b, METRICS[found.metric].label, region, found.difference, low, high, means)
