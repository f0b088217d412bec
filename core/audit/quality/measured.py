"""What the scores were measured with: the versions, the publications, the model, every setting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from core.audit.document import Block, Column, Heading, Paragraph, Remark, Strategy, Table, Value
from core.audit.formatting import moment
from core.audit.quality.types import QualityFacts, VersionFacts
from core.audit.quality.wording import many
from core.comparing.compare import REGION_LABELS
from core.settings import CosineMode, EvaluationSettings

MEANINGS: Mapping[str, str] = {
    "cosine_mode": "How the similarity threshold of the cosine region is found.",
    "min_similarity": "The similarity threshold, where it is fixed; any other way finds its own.",
    "quantile": "The share of core publications that may fall outside; only for the way quantile.",
    "min_core_share": "A cluster must hold more than this share of the core publications that were found.",
    "max_k": "Most clusters that are tried.",
    "decay_limit": "Number of relevant publications at which the decay reaches 0.",
    "decay_onset": "How late the decay sets in; larger is later.",
    "decay_steepness": "How fast the decay falls once it has set in.",
    "beta": "Weight of core recall against semantic precision in F-beta; 1 weighs both alike.",
    "seed": "Where every random choice of clusters and resamples begins.",
    "compat": "Choices of published code that are reproduced; as a rule none.",
}
MODES: Mapping[CosineMode, str] = {
    "fixed": "fixed: the threshold that is set",
    "least_similar_core": "least similar core: every core publication is accepted",
    "quantile": "quantile: the set share of core publications stays outside",
    "leave_one_out": "leave one out: every core publication is accepted by the others",
    "best": "best: the threshold with the highest F-beta",
}
LABELS: Mapping[str, str] = {
    "cosine_mode": "Similarity threshold by",
    "min_similarity": "Fixed similarity threshold",
    "quantile": "Quantile",
    "min_core_share": "Core share",
    "max_k": "Most clusters",
    "decay_limit": "Decay limit",
    "decay_onset": "Decay onset",
    "decay_steepness": "Decay steepness",
    "beta": "Beta",
    "seed": "Seed",
    "compat": "Published choices",
    "method": "Method",
    "n_neighbors": "Neighbours",
    "min_dist": "Least distance",
    "n_dimensions_before": "Dimensions before",
}
"""What people call each setting."""
LANDSCAPE_MEANINGS: Mapping[str, str] = {
    "method": "How places are found for the vectors.",
    "n_neighbors": "How many neighbours count as near; smaller shows finer detail.",
    "min_dist": "How close points may lie.",
    "n_dimensions_before": "Wider vectors are reduced to this many dimensions first.",
    "seed": "Where every random choice of the layout begins.",
}
ORIGINS: Mapping[str, str] = {
    "baseline": "baseline",
    "generated": "generated",
    "manual": "written by hand",
    "review": "of a published review",
}
SEMANTICS: Mapping[str | None, str] = {"literal": "as written", "stemmed": "by their stems"}


def measured(facts: QualityFacts) -> list[Block]:
    """The part that lets another person repeat the measurement."""
    blocks: list[Block] = [Heading("What was evaluated"), _versions(facts)]
    for version in facts.versions:
        blocks.append(_string(version))
        if version.note:
            blocks.append(Paragraph(f"What its author says of “{version.label}”: {version.note}"))
    blocks += [Remark(note[:1].upper() + note[1:] + ".", is_warning=True) for note in facts.notes]
    blocks += [Heading("With what it was measured", 3), _ground(facts), _settings(facts)]
    if facts.landscape is not None:
        blocks.append(_landscape(facts))
    else:
        blocks.append(Paragraph("There is no landscape, so there are no scores by ellipsoid and hull."))
    return blocks


def _string(version: VersionFacts) -> Block:
    if not version.text.strip():
        return Remark(f"The text of “{version.label}” is not known: only the list of what it retrieved was brought in.")
    return Strategy(version.text, f"“{version.label}”, exactly as it is kept")


def _versions(facts: QualityFacts) -> Table:
    columns = (
        *(Column("Version"), Column("Name"), Column("Origin"), Column("Made"), Column("Dialect"), Column("Words")),
        *(Column("Run over", "count"), Column("Retrieved", "count"), Column("Without a vector", "count")),
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
        "Words: whether words count as written or by their stems. Run over: how many publications were searched. A "
        "dash: not known, or not run here."
    )
    return Table("versions", "The versions", columns, rows, note)


def _ground(facts: QualityFacts) -> Table:
    """What stays the same for every version."""
    embedder, first = facts.embedder, facts.versions[0].evaluation
    model: Value = embedder.embedder or None
    rows: list[tuple[Value, ...]] = [
        ("Topic", facts.topic_id, "Made up for demonstration." if facts.made_up else ""),
        ("Core publications", len(first.core_ids), "What core recall is measured against."),
        ("Core publications with a vector", first.n_core_with_vectors, "Only these shape regions."),
        ("Core hash", facts.core_hash, "Another core set has another hash."),
        ("Publications of the topic", facts.n_corpus, "What the topic's queries are run over."),
        ("Corpus hash", facts.corpus_hash, "Changes with any of their texts."),
        ("Embedder", model, "The model whose vectors say what is similar." if model else "No vectors, no similarity."),
    ]
    if model:
        fitted = "fitted to this topic's texts" if embedder.fitted_here else "the same for every topic"
        rows += [
            ("Embedder fingerprint", embedder.fingerprint, "Another model or other vectors have another one."),
            ("Dimensions", embedder.n_dimensions, "Numbers in each vector."),
            ("Model", fitted, "Vectors of a model that was fitted here exist nowhere else." * embedder.fitted_here),
        ]
    resampled = {kind: found.n_resamples for v in facts.versions for kind, found in v.evaluation.sensitivity.items()}
    rows += [
        (f"Resampled core sets, {REGION_LABELS[kind]}", n, "How often its ranges were drawn.")
        for kind, n in resampled.items()
    ]
    if not resampled:
        rows.append(("Resampled core sets", 0, "No ranges of scores were computed."))
    return Table("measured-with", "The ground of the measurement", _THREE, tuple(rows))


_THREE = (Column("What"), Column("Value"), Column("What it means"))


def _settings(facts: QualityFacts) -> Table:
    settings = facts.versions[0].evaluation.settings
    rows = [(LABELS[each.name], _setting(settings, each.name), MEANINGS[each.name]) for each in fields(settings)]
    return Table("settings", "Every setting of the evaluation", _THREE, tuple(rows))


def _setting(settings: EvaluationSettings, name: str) -> Value:
    if name == "cosine_mode" and settings.cosine_mode is not None:
        return MODES[settings.cosine_mode]
    value: Value = getattr(settings, name)
    return "none" if value is None else _plain(value)


def _plain(value: Value) -> Value:
    """A whole number without a fraction that says nothing."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _landscape(facts: QualityFacts) -> Table:
    assert facts.landscape is not None
    rows: list[tuple[Value, ...]] = [("Landscape", facts.landscape.projection_id, "Another layout has another name.")]
    for name, value in facts.landscape.settings.items():
        shown = str(value) if isinstance(value, bool) else _plain(value)
        rows.append((LABELS.get(name, name), shown, LANDSCAPE_MEANINGS.get(name, "")))
    caption = f"How the landscape was laid out, with {many(facts.n_corpus, 'publication')} in the topic"
    return Table("landscape-settings", caption, _THREE, tuple(rows))
