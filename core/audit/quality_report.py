"""The quality report: scores of query versions, their uncertainty, and the settings used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import fields
from math import isfinite

from core.audit.quality_facts import (
    CoreFacts,
    QualityFacts,
    TermFacts,
    VersionFacts,
    ends,
    says_nothing,
    score,
    score_name,
    sentence,
    summed_up,
)
from core.audit.quality_pictures import curve_figure, interval_figures, landscape_figure
from core.explore.compare import Comparison, Difference, verdict
from core.explore.evaluate import RegionScores
from core.explore.landscape import Honesty
from core.explore.regions import REGION_LABELS, REGIONS
from core.explore.strata import STRATA_LABELS, CoreMember, Strata, YearLimits, limits_of, strata_sentences, stratify
from core.explore.studies import SurveyKind
from core.explore.uncertainty import Sensitivity, coverage_sentence
from core.metrics import METRICS, read_per_core
from core.query.checks.rules import RULES
from core.query.contributions import NOT_IN_VERSION
from core.query.dialects import known_dialect
from core.query.parser import parse
from core.query.tree import Severity
from core.report import (
    Block,
    Listing,
    Paragraph,
    Remark,
    ReportColumn,
    ReportDocument,
    ReportHeading,
    Strategy,
    Table,
    Value,
    columns_of,
    moment,
)
from core.settings import CosineMode, EvaluationSettings
from core.stats import Interval
from core.text import listed, many, upper_first
from core.types import RegionKind

# Core publications found and missed, with the reason for each miss and a change that would find it.

VERDICTS: Mapping[str, str] = {
    "found": NOT_IN_VERSION,
    "not_in_version": NOT_IN_VERSION,
    "not_in_corpus": "not among the topic's publications",
    "no_abstract": "no abstract",
    "removed_by_not": "excluded by a NOT",
    "near_miss": "near miss",
    "fails_block": "missing words",
}
"""Short reasons for a missed core publication; a verdict that is not listed is shown as it is."""

HINTS = (
    "The tables below suggest a change that would find each missed core publication. Each change is derived from the "
    "publication that it should find, so its gain would be smaller in another search. Some are guesses from words of "
    "the title: treat them as hints, not as advice."
)


def core_found(facts: QualityFacts, abstracts: Mapping[str, str] | None = None) -> list[Block]:
    """List all core publications in one table, then those that each version misses, with reasons."""
    blocks: list[Block] = [ReportHeading("Core publications found and missed"), _all(facts)]
    if any(each.rescue for version in facts.versions for each in version.core):
        blocks.append(Remark(HINTS))
    for version in facts.versions:
        blocks += _missed(version)
    if abstracts is not None:
        blocks += _abstracts(facts, abstracts)
    return blocks


def _all(facts: QualityFacts) -> Table:
    """List the core publications, those found by the fewest versions first."""
    found_by: dict[str, list[str]] = {}
    for version in facts.versions:
        for each in version.core:
            found_by.setdefault(each.publication_id, []).extend([version.label] * each.is_found)
    order = sorted(facts.versions[0].core, key=lambda each: len(found_by[each.publication_id]))
    columns = (
        *columns_of("Publication", "Title", "Year"),
        ReportColumn("DOI", "code"),
        ReportColumn("Similarity", "number"),
        ReportColumn("Found by"),
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
        "core", "Every core publication, starting with those found by the fewest versions", columns, tuple(rows), note
    )


def _found_by(labels: list[str], n_versions: int) -> str:
    if n_versions == 1:
        return "found" if labels else "missed"
    if len(labels) == n_versions:
        return f"all {n_versions}"
    return listed(labels) if labels else "none"


def _missed(version: VersionFacts) -> list[Block]:
    missed = [each for each in version.core if not each.is_found]
    blocks: list[Block] = [ReportHeading(f"Core publications missed by “{version.label}”", 3)]
    if not missed:
        return [*blocks, Paragraph(f"“{version.label}” finds every core publication.")]
    if not any(each.reason for each in missed):
        text = f"“{version.label}” misses {many(len(missed), 'core publication')}; no search string explains why."
        return [*blocks, Paragraph(text)]
    counted = Counter(VERDICTS.get(each.verdict, each.verdict) for each in missed if each.verdict)
    reasons = "; ".join(f"{what}: {n}" for what, n in counted.most_common())
    return [
        *blocks,
        Paragraph(f"“{version.label}” misses {many(len(missed), 'core publication')} ({reasons})."),
        _reasons(version, missed),
    ]


def _reasons(version: VersionFacts, missed: list[CoreFacts]) -> Table:
    columns = columns_of("Publication", "Title", "Why it is missed", "What would find it")
    rows: list[tuple[Value, ...]] = [
        (each.publication_id, each.title or None, each.reason or None, each.rescue or None) for each in missed
    ]
    note = "The first suggested change, with the publications that it adds. A dash: none is known."
    caption = f"Core publications missed by “{version.label}”, with reasons"
    return Table(f"missed-{version.number}", caption, columns, tuple(rows), note)


def _abstracts(facts: QualityFacts, abstracts: Mapping[str, str]) -> list[Block]:
    """List the abstracts of core publications; they are included only on request."""
    rows: list[tuple[Value, ...]] = [
        (each.publication_id, each.title or None, abstracts[each.publication_id])
        for each in facts.versions[0].core
        if each.publication_id in abstracts
    ]
    if not rows:
        return [Paragraph("Abstracts were requested, but no core publication has one.")]
    columns = columns_of("Publication", "Title", "Abstract")
    return [Table("core-abstracts", "Abstracts of the core publications", columns, tuple(rows))]


# The measurement: the versions, the publications, the model, and all settings.

MEANINGS: Mapping[str, str] = {
    "cosine_mode": "The method that sets the similarity threshold of the cosine region.",
    "min_similarity": "The similarity threshold, if it is fixed; other methods compute their own.",
    "quantile": "The share of core publications that may fall outside; only for the method quantile.",
    "min_core_share": "A cluster must hold more than this share of the core publications that were found.",
    "max_k": "The highest number of clusters that is tried.",
    "decay_limit": "Number of relevant publications at which the decay reaches 0.",
    "decay_onset": "The start of the decay; larger is later.",
    "decay_steepness": "The speed of the decay after its start.",
    "beta": "Weight of core recall against semantic precision in F-beta; 1 weighs both equally.",
    "seed": "The start of every random choice of clusters and resamples.",
    "compat": "Choices of published code that are reproduced; usually none.",
}
MODES: Mapping[CosineMode, str] = {
    "fixed": "fixed: the threshold in the settings",
    "least_similar_core": "least similar core: every core publication is accepted",
    "quantile": "quantile: the chosen share of core publications stays outside",
    "leave_one_out": "leave one out: every core publication is accepted by the others",
    "best": "best: the threshold with the highest F-beta",
}
LABELS: Mapping[str, str] = {
    "cosine_mode": "Similarity threshold by",
    "min_similarity": "Fixed similarity threshold",
    "quantile": "Quantile",
    "min_core_share": "Core share",
    "max_k": "Maximum clusters",
    "decay_limit": "Decay limit",
    "decay_onset": "Decay onset",
    "decay_steepness": "Decay steepness",
    "beta": "Beta",
    "seed": "Seed",
    "compat": "Published choices",
    "method": "Method",
    "n_neighbors": "Neighbours",
    "min_dist": "Minimum distance",
    "n_dimensions_before": "Dimensions before",
}
"""Labels of the settings."""
LANDSCAPE_MEANINGS: Mapping[str, str] = {
    "method": "The projection of the vectors to two dimensions.",
    "n_neighbors": "The number of neighbours considered; smaller shows finer detail.",
    "min_dist": "The smallest distance between points.",
    "n_dimensions_before": "Wider vectors are reduced to this many dimensions first.",
    "seed": "The start of every random choice of the layout.",
}
ORIGINS: Mapping[str, str] = {
    "baseline": "baseline",
    "generated": "generated",
    "manual": "written by hand",
    "review": "from a published review",
}
SEMANTICS: Mapping[str | None, str] = {"literal": "as written", "stemmed": "by stem"}


def measured(facts: QualityFacts) -> list[Block]:
    """Describe the measurement in enough detail to repeat it."""
    blocks: list[Block] = [ReportHeading("What was evaluated"), _versions(facts)]
    for version in facts.versions:
        blocks.append(_string(version))
        if version.note:
            blocks.append(Paragraph(f"Author's note on “{version.label}”: {version.note}"))
    blocks += [Remark(upper_first(note) + ".", is_warning=True) for note in facts.notes]
    blocks += [ReportHeading("Data and settings", 3), _ground(facts), _settings(facts)]
    if facts.landscape is not None:
        blocks.append(_landscape(facts))
    else:
        blocks.append(Paragraph("There is no landscape, so there are no scores by ellipsoid and hull."))
    return blocks


def _string(version: VersionFacts) -> Block:
    if not version.text.strip():
        return Remark(f"The text of “{version.label}” is unknown: only the list of its results was imported.")
    return Strategy(version.text, f"“{version.label}”, exactly as stored")


def _versions(facts: QualityFacts) -> Table:
    columns = (
        *columns_of("Version", "Name", "Origin", "Made", "Dialect", "Words"),
        *columns_of("Run over", "Retrieved", "Without a vector", kind="count"),
    )
    rows = tuple(
        (
            version.label,
            version.name,
            ORIGINS.get(version.origin, version.origin),
            moment(version.made_at) if version.made_at else None,
            version.dialect,
            SEMANTICS.get(version.semantics, version.semantics),
            version.n_searched,
            version.evaluation.n_retrieved,
            len(version.unscored_ids),
        )
        for version in facts.versions
    )
    note = (
        "Words: matched as written or by stem. Run over: the number of publications searched. A dash: not known, or "
        "not run here."
    )
    return Table("versions", "Versions", columns, rows, note)


def _ground(facts: QualityFacts) -> Table:
    embedder, first = facts.embedder, facts.versions[0].evaluation
    model: Value = embedder.embedder or None
    rows: list[tuple[Value, ...]] = [
        ("Topic", facts.topic_id, "Demo data." if facts.made_up else ""),
        ("Core publications", len(first.core_ids), "Core recall is measured against these."),
        ("Core publications with a vector", first.n_core_with_vectors, "Only these shape regions."),
        ("Core hash", facts.core_hash, "Identifies the core set."),
        ("Publications of the topic", facts.n_corpus, "The topic's queries are run over these."),
        ("Corpus hash", facts.corpus_hash, "Changes if any of their texts changes."),
        ("Embedder", model, "The model that made the vectors." if model else "No vectors, no similarity."),
    ]
    if model:
        fitted = "fitted to this topic's texts" if embedder.fitted_here else "the same for every topic"
        rows += [
            ("Embedder fingerprint", embedder.fingerprint, "Identifies the model and its vectors."),
            ("Dimensions", embedder.n_dimensions, "Length of each vector."),
            ("Model", fitted, "A model fitted here gives vectors that exist nowhere else." * embedder.fitted_here),
        ]
    resampled = {kind: found.n_resamples for v in facts.versions for kind, found in v.evaluation.sensitivity.items()}
    rows += [
        (f"Resampled core sets, {REGION_LABELS[kind]}", n, "Number of samples behind its ranges.")
        for kind, n in resampled.items()
    ]
    if not resampled:
        rows.append(("Resampled core sets", 0, "No ranges of scores were computed."))
    return Table("measured-with", "Data behind the scores", _THREE, tuple(rows))


_THREE = columns_of("What", "Value", "What it means")


def _settings(facts: QualityFacts) -> Table:
    settings = facts.versions[0].evaluation.settings
    rows = [(LABELS[each.name], _setting(settings, each.name), MEANINGS[each.name]) for each in fields(settings)]
    return Table("settings", "Settings of the evaluation", _THREE, tuple(rows))


def _setting(settings: EvaluationSettings, name: str) -> Value:
    if name == "cosine_mode" and settings.cosine_mode is not None:
        return MODES[settings.cosine_mode]
    value: Value = getattr(settings, name)
    return "none" if value is None else _plain(value)


def _plain(value: Value) -> Value:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _landscape(facts: QualityFacts) -> Table:
    assert facts.landscape is not None
    rows: list[tuple[Value, ...]] = [("Landscape", facts.landscape.projection_id, "Identifies the layout.")]
    for name, value in facts.landscape.settings.items():
        shown = str(value) if isinstance(value, bool) else _plain(value)
        rows.append((LABELS.get(name, name), shown, LANDSCAPE_MEANINGS.get(name, "")))
    caption = f"Settings of the landscape, with {many(facts.n_corpus, 'publication')} in the topic"
    return Table("landscape-settings", caption, _THREE, tuple(rows))


# A guide to the numbers in the metrics' own words, and the references.

TRUTH = ("true_precision", "true_recall")
"""Metrics that need a known truth, which the report lacks."""
_LITQEVAL = "Saknini M et al. LitQEval (2024). github.com/Mohammadsaknini/LitQEval"
_WILSON = (
    "Wilson EB. Probable inference, the law of succession, and statistical inference. Journal of the American "
    "Statistical Association 1927;22:209-212."
)
_RIJSBERGEN = "van Rijsbergen CJ. Information Retrieval, second edition. Butterworths 1979."
_VENNA = (
    "Venna J, Kaski S. Neighborhood preservation in nonlinear projection methods: an experimental study. Artificial "
    "Neural Networks, ICANN 2001:485-491."
)
_UMAP = "McInnes L, Healy J, Melville J. UMAP: uniform manifold approximation and projection. arXiv:1802.03426 (2018)."
_LSA = (
    "Deerwester S et al. Indexing by latent semantic analysis. Journal of the American Society for Information Science "
    "1990;41:391-407."
)


def how_to_read(facts: QualityFacts) -> list[Block]:
    kinds = dict.fromkeys(kind for version in facts.versions for kind in version.evaluation.regions)
    columns = (*columns_of("Number", "What it means"), ReportColumn("Formula", "code"), ReportColumn("Not defined"))
    rows = tuple(
        (metric.label, metric.sentence, metric.formula, metric.undefined)
        for name, metric in METRICS.items()
        if name not in TRUTH
    )
    return [
        ReportHeading("How to read the numbers"),
        Paragraph(
            "No one judged these publications. Semantic precision shows how many are close to the core publications, "
            "not how many are relevant; core recall shows how many known publications were found, not how many exist."
        ),
        Paragraph(
            "An interval of core recall is a confidence interval if the core publications resemble a random sample of "
            "all relevant ones. The range of any other score shows how much it varies "
            "with the choice of core publications. One version is reported to score higher than another only if the "
            "range of their difference, over the same resampled core sets, excludes zero."
        ),
        Table("metrics", "Metrics", columns, rows),
        Table(
            "regions",
            "Regions",
            columns_of("Region", "What it accepts"),
            tuple((REGION_LABELS[kind], REGIONS[kind].accepts) for kind in kinds),
        ),
    ]


def references(facts: QualityFacts) -> list[Block]:
    used = [_LITQEVAL, _RIJSBERGEN, _WILSON]
    used += [_VENNA] * (facts.honesty is not None)
    used += [_UMAP] * (facts.landscape is not None and facts.landscape.settings.get("method") == "umap")
    used += [_LSA] * (facts.embedder.embedder == "lsa")
    return [ReportHeading("References"), Listing(tuple(used), is_numbered=True)]


# The scores of each version with their intervals, and the differences between every two versions.


def scored(facts: QualityFacts) -> list[Block]:
    mode = facts.versions[0].evaluation.settings.cosine_mode
    blocks: list[Block] = [ReportHeading("Scores"), _found(facts), *_strata(facts), _scores(facts)]
    if any(version.evaluation.sensitivity for version in facts.versions):
        blocks.append(Paragraph(f"From a simulation that does not use this topic. {coverage_sentence(mode)}"))
    warnings = [(version.label, warning) for version in facts.versions for warning in version.evaluation.warnings]
    blocks += [Remark(f"{label}: {warning}.", is_warning=True) for label, warning in warnings]
    return blocks


def _found(facts: QualityFacts) -> Table:
    columns = (
        ReportColumn("Version"),
        *columns_of("Retrieved", "Core found", "Core", kind="count"),
        *columns_of(METRICS["recall"].label, "95 % from", "95 % to", kind="number"),
        *columns_of(METRICS["attainable_recall"].label, METRICS["read_per_core"].label, kind="number"),
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
        "The interval of core recall is Wilson's: it is valid if the core publications resemble a random sample of all "
        "relevant ones. A dash: the number is not defined."
    )
    return Table("core-recall", "Core publications found", columns, tuple(rows), note)


def _strata(facts: QualityFacts) -> list[Block]:
    """Break down core recall by citations, year and kind of survey, and show the effect of year limits."""
    split = {version.label: strata_of(version, facts.survey_kind) for version in facts.versions}
    name, region = score_name(facts.versions[0].evaluation.settings.beta), facts.region
    columns = (
        *columns_of("Version", "Core by", "Core publications", "Citations or years"),
        *columns_of("Core found", "Core", kind="count"),
        *columns_of(
            METRICS["recall"].label, "95 % from", "95 % to", METRICS["core_accepted"].label, name, kind="number"
        ),
    )
    rows: list[tuple[Value, ...]] = []
    for label, strata in split.items():
        for kind, found in strata.partitions.items():
            for stratum in found:
                scores = stratum.regions.get(region)
                rows.append(
                    (
                        *(label, STRATA_LABELS[kind], stratum.name, stratum.span or None),
                        *(stratum.n_found, len(stratum), stratum.recall, *stratum.recall_interval),
                        *((scores.core_accepted, scores.f_beta) if scores else (None, None)),
                    )
                )
    note = (
        "Quarters are split at the quartiles of the known values of the core publications; ties stay together. The "
        f"interval of core recall is Wilson's. Core accepted and {name}: by {REGION_LABELS[region]}; {name} takes the "
        "recall of these core publications alone, with precision and decay of the whole list."
    )
    caption = "Core recall by citations, year and kind of survey"
    parts = [
        sentence if len(split) == 1 else f"{label}: {sentence}"
        for label, strata in split.items()
        for sentence in strata_sentences(strata)
    ]
    return [Table("core-strata", caption, columns, tuple(rows), note), *([Listing(tuple(parts))] if parts else [])]


def strata_of(version: VersionFacts, survey_kind: SurveyKind | None) -> Strata:
    known = {each.publication_id: each for each in version.core}
    members = [
        CoreMember(i, core.year, core.times_cited, survey_kind) if (core := known.get(i)) else CoreMember(i)
        for i in version.evaluation.core_ids
    ]
    found = version.evaluation.found_core_ids
    return stratify(members, found, limits=_limits(version), evaluation=version.evaluation)


def _limits(version: VersionFacts) -> YearLimits | None:
    return limits_of(parse(version.text, known_dialect(version.dialect)))


def _scores(facts: QualityFacts) -> Table:
    name = score_name(facts.versions[0].evaluation.settings.beta)
    columns = (
        *columns_of("Version", "Region"),
        ReportColumn("Relevant", "count"),
        *columns_of(METRICS["core_accepted"].label, METRICS["semantic_precision"].label, kind="number"),
        ReportColumn("Its range"),
        *columns_of("Decay", f"{name} with decay", kind="number"),
        *columns_of("Its range", "What to know"),
    )
    rows = [_row(version, scores) for version in facts.versions for scores in version.evaluation.regions.values()]
    note = (
        "A range is the middle 95 % over resampled core sets, not a confidence interval. If it is missing, it was not "
        "computed, or the region rarely exists for other core sets. A score may lie outside its range, because a "
        f"resampled core set is more compact. {thresholds_used(facts)}"
    ).strip()
    return Table("scores", "Scores by region", columns, tuple(rows), note)


def thresholds_used(facts: QualityFacts) -> str:
    """Describe the similarity thresholds behind the scores by cosine; empty: there are none."""
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
        version.evaluation.core_accepted(scores.kind),
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
    """Explain why a region has no scores, or meaningless ones; empty: neither."""
    if scores.status != "ok":
        return f"No region: {scores.status}"
    return f"Meaningless: {scores.degenerate}" if scores.degenerate else ""


def compared(facts: QualityFacts) -> list[Block]:
    """Compare the versions; empty for a single one."""
    if len(facts.versions) < 2:
        return []
    blocks: list[Block] = [ReportHeading("Versions side by side")]
    if facts.comparison is None:
        return [*blocks, Paragraph("The versions were not compared with one another.")]
    found = facts.comparison
    blocks += [_pairs(found), Listing(tuple(_verdicts(facts, found)))]
    if not found.has_ranges:
        blocks.append(Remark("The differences have no ranges yet, so none is reported as clear.", is_warning=True))
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
        *columns_of("A", "B"),
        *columns_of("In both", "Only in A", "Only in B", "Core only in A", "Core only in B", kind="count"),
    )
    rows = [
        (p.a, p.b, p.n_both, p.n_only_a, p.n_only_b, len(p.core_lost), len(p.core_gained)) for p in comparison.pairs
    ]
    return Table("pairs", "Overlap of every two versions", columns, tuple(rows))


def _verdicts(facts: QualityFacts, comparison: Comparison) -> list[str]:
    """Write a sentence for every two versions, without a claim by a region that is meaningless for either."""
    silent = {version.label for version in facts.versions if says_nothing(version, facts.region)}
    parts = []
    for pair in comparison.pairs:
        if silent & {pair.a, pair.b}:
            gained, lost = len(pair.core_gained), len(pair.core_lost)
            parts.append(
                f"{pair.b} finds {many(gained, 'core publication')} that {pair.a} misses, and misses {lost:,} that it "
                f"finds; {REGION_LABELS[facts.region]} gives no meaningful score."
            )
        else:
            parts.append(verdict(comparison, pair.a, pair.b, region=facts.region).sentence)
    return parts


def _differences(name: str, caption: str, found: list[Difference], facts: QualityFacts) -> Table:
    columns = (
        *columns_of("A", "B", "Score", "Region"),
        *columns_of("B minus A", "From", "To", kind="number"),
        ReportColumn("What it means"),
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
        "From and to: the middle 95 % over the same resampled core sets for both versions. F-beta: here "
        f"{score_name(beta)} with decay."
    )
    n_ranges = sum(each.interval is not None for each in found)
    if n_ranges > 1:
        note += f" The {n_ranges:,} ranges are not adjusted for multiple comparisons: some may exclude zero by chance."
    return Table(name, caption, columns, tuple(rows), note)


def _difference(found: Difference, silent: set[tuple[str, RegionKind]]) -> tuple[Value, ...]:
    region = REGION_LABELS[found.region] if found.region else None
    low, high = found.interval or (None, None)
    is_silent = bool(found.region) and any((label, found.region) in silent for label in (found.a, found.b))
    means = found.sentence
    if is_silent and found.difference is not None:
        means = "Nothing: the score of one of the two is meaningless."
    return (found.a, found.b, METRICS[found.metric].label, region, found.difference, low, high, means)


# The contribution and cost of each part of a search string, and the findings of the checks.

FLAGS: Mapping[str, str] = {
    "zero_hit": "no hits",
    "subsumed": "adds nothing",
    "harmful": "costs more than it brings",
    "single_point_of_failure": "only finder of core",
    "not_testable": "not testable here",
    "off": "off",
}
MOST_PARTS = 400
"""Parts of one string that are listed."""
SEEN = 4
"""Decimals of a change of F-beta; a smaller change counts as zero."""
SEVERITIES: Mapping[str, str] = {"error": "fix", "warning": "check", "hint": "consider"}


def terms_of(facts: QualityFacts) -> list[Block]:
    """Tabulate the parts of every version whose text can be read."""
    blocks: list[Block] = [ReportHeading("Terms")]
    for version in facts.versions:
        if version.terms:
            blocks.append(_terms(version, facts))
        else:
            blocks.append(Paragraph(f"“{version.label}” has no search string to analyse."))
    return blocks


def _terms(version: VersionFacts, facts: QualityFacts) -> Table:
    columns = (
        ReportColumn("Part", "code"),
        *columns_of("By itself", "In the result", "Only by it", "Core", "Core only by it", kind="count"),
        *columns_of("Precision of only it", "F-beta without it", kind="number"),
        ReportColumn("Noticed"),
    )
    shown = version.terms[:MOST_PARTS]
    note = (
        f"Counted over the topic's current {facts.n_corpus:,} publications. By itself: hits without the rest (a NOT: "
        "publications that it lets pass); in the result: hits in the result (a NOT: publications that it excludes); "
        "only by it: hits of no other part; core: core publications that it finds by itself. Precision of only it: "
        "semantic precision, by Cosine, of its unique hits. F-beta without it: the change of F-beta by Cosine if it is "
        "removed. Costs more than it brings: F-beta would rise, by this core set. None of these changes has a range."
    )
    if more := len(version.terms) - len(shown):
        note += f" {more:,} more parts are not listed."
    rows = tuple(_terms_row(each) for each in shown)
    return Table(f"terms-{version.number}", f"Contribution of each part of “{version.label}”", columns, rows, note)


def _terms_row(term: TermFacts) -> tuple[Value, ...]:
    counts: tuple[Value, ...] = (term.n_alone, term.n_in_context, term.n_unique, term.n_core, term.n_core_unique)
    if "not_testable" in term.flags:
        counts = (None,) * len(counts)
    flags = ", ".join(FLAGS.get(flag, flag) for flag in term.flags)
    part = "  " * term.depth + term.text
    change = term.f_beta_change_if_removed
    seen = None if change is None else round(change, SEEN)
    return (part, *counts, term.semantic_precision_unique, seen, flags)


def _alike(version: VersionFacts) -> dict[tuple[str, Severity, str], list[str]]:
    places: dict[tuple[str, Severity, str], list[str]] = {}
    for each in version.findings:
        places.setdefault((each.rule, each.severity, each.message), []).append(each.place)
    return places


def findings_of(facts: QualityFacts) -> list[Block]:
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
    blocks: list[Block] = [ReportHeading("Checks of the search string")]
    if not rows:
        return [*blocks, Paragraph("No problems found.")]
    columns = (*columns_of("Version", "Weight", "What"), ReportColumn("Where", "code"), ReportColumn("In words"))
    note = "Fix: a database would refuse or misread it; check: often a slip; consider: may find more."
    return [*blocks, Table("findings", "Findings of the checks", columns, tuple(rows), note)]


# The reliability of the numbers: sensitivity to the core set, and distortion by the landscape.


def trust(facts: QualityFacts) -> list[Block]:
    """Report the sensitivity to the core set, then the honesty of the landscape."""
    blocks: list[Block] = [
        ReportHeading("Reliability of the numbers"),
        ReportHeading("Sensitivity to the core set", 3),
    ]
    rows = [
        _trust_row(version, kind, s) for version in facts.versions for kind, s in version.evaluation.sensitivity.items()
    ]
    if rows:
        blocks.append(_sensitivity(facts, rows))
    else:
        text = "No ranges were computed, so the sensitivity of the scores to the core set is unknown."
        blocks.append(Remark(text, is_warning=True))
    return [*blocks, ReportHeading("Distortion by the landscape", 3), *_trust_landscape(facts)]


def _sensitivity(facts: QualityFacts, rows: list[tuple[Value, ...]]) -> Table:
    name = score_name(facts.versions[0].evaluation.settings.beta)
    columns = (
        *columns_of("Version", "Region", "Semantic precision, one left out", f"{name}, one left out", "Moves it most"),
        ReportColumn("Region exists in", "number"),
    )
    note = (
        "One left out: lowest and highest with each core publication left out in turn. Moves it most: the core "
        f"publication whose absence changes {name} most. Region exists in: share of the resampled core sets."
    )
    return Table("sensitivity", "Scores under other core sets", columns, tuple(rows), note)


def _trust_row(version: VersionFacts, kind: RegionKind, found: Sensitivity) -> tuple[Value, ...]:
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


def _trust_landscape(facts: QualityFacts) -> list[Block]:
    if facts.landscape is None:
        return [Paragraph("There is no landscape, so its distortion can't be measured.")]
    blocks: list[Block] = []
    if facts.honesty is None:
        blocks.append(Paragraph("The distortion of the landscape was not measured: there are too few publications."))
    else:
        blocks.append(_honesty(facts.honesty))
    label = facts.versions[-1].label
    n = facts.versions[-1].evaluation.n_scorable
    parts = [
        f"{REGION_LABELS[kind]} on the landscape decides differently about {changed:,} of {n:,} publications of "
        f"“{label}” than the same region of the vectors"
        for kind, changed in facts.changed_decisions.items()
    ]
    blocks += [Paragraph(sentence(each)) for each in parts]
    if not parts:
        blocks.append(Paragraph("The number of decisions that the landscape changes is not known."))
    return blocks


def _honesty(found: Honesty) -> Table:
    columns = (ReportColumn("Figure"), ReportColumn("Value", "number"), ReportColumn("What it means"))
    rows: tuple[tuple[Value, ...], ...] = (
        ("Trustworthiness", found.trustworthiness, "1: neighbours on the landscape have similar vectors."),
        ("Continuity", found.continuity, "1: similar vectors are neighbours on the landscape."),
        ("Variance explained", found.variance_explained, "Share of the vectors' variance in the two coordinates."),
    )
    note = f"The first two are averages over {found.n_rows:,} publications; 0.5 is the value of chance."
    return Table("honesty", "Distortion of the landscape", columns, rows, note)


# The quality report: the results of query versions, their reliability, and the measurement behind them.


WITHOUT_VECTORS = (
    "No publication has a vector, so everything that needs one is left out: similarity, regions, precision, F-beta and "
    "landscape. The command embed, or “Add vectors” in the Library, makes vectors."
)


def quality_report(
    facts: QualityFacts, *, made_at: str, made_with: str, abstracts: Mapping[str, str] | None = None
) -> ReportDocument:
    """Compose the report. `abstracts`, by publication id, are printed for core publications; None: omitted."""
    labels = listed([version.label for version in facts.versions])
    told = summed_up(facts)
    blocks: list[Block] = [
        Paragraph(" ".join(told.lead), is_lead=True),
        *([Listing(told.items)] if told.items else []),
        *([] if facts.embedder.embedder else [Remark(WITHOUT_VECTORS)]),
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
    return ReportDocument(
        kind="quality",
        title="Query quality report",
        subtitle=f"{facts.topic_id}: {labels}",
        blocks=tuple(blocks),
        made_at=made_at,
        made_with=made_with,
        made_up=facts.made_up,
    )


def _figures(facts: QualityFacts) -> list[Block]:
    blocks: list[Block] = [ReportHeading("Figures"), *interval_figures(facts)]
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
        return "none of its results has a vector"
    return "the topic has no landscape, and no similarity threshold could be found"
