"""Facts for a quality report: scores with ranges, publications, core set and terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256

import numpy as np

from core.audit.quality_facts import (
    CoreFacts,
    EmbedderFacts,
    FindingFacts,
    LandscapeFacts,
    LandscapeRows,
    QualityFacts,
    Similarities,
    TermFacts,
    VersionFacts,
    signed,
)
from core.errors import InputError
from core.explore.compare import Comparison, Entrant, VersionPair, compare
from core.explore.evaluate import Evaluation, evaluate
from core.explore.landscape import TWINS, Honesty, Landscape, LandscapeGroups, changed_decisions, lay_out, name_groups
from core.explore.regions.nearest_core import N_NEAREST, mean_of_nearest
from core.explore.scene import Scene
from core.protocols import OnStage, silent
from core.query.checks import lint
from core.query.checks.corpus import lint_in_corpus
from core.query.checks.headings import lint_headings
from core.query.contributions import Contribution, Stakes, disagreement_note
from core.query.explanations import CoreExplanation, explain
from core.query.match import none_of, of_rows
from core.query.parser import parse
from core.query.tree import (
    Finding,
    Node,
    ParsedQuery,
    depths,
    kind_of,
    parts_of,
)
from core.settings import EvaluationSettings
from core.text import many, on_one_line, upper_first
from core.types import EmbeddedSet, Ids, Points, RegionKind, RetrievedSet
from core.vectors import BLOCK_ROWS, cosine, similarities
from data.explore.desk import Desk, ask_version, set_up
from data.explore.studies import core_sets
from data.explore.versions import comparability, compare_in_full
from data.explore.workspace import Workspace
from data.lookup import check_topic
from data.query.search import dialect_of
from data.store import Store, VersionRow
from data.vectors import Embedding

# The publications of one version row by row, as a quality report draws and lists them.


def rows_of(
    store: Store,
    scene: Scene,
    landscape: Landscape,
    evaluation: Evaluation,
    outlines: Mapping[RegionKind, Points],
) -> LandscapeRows:
    """Return the retrieved publications that can be scored, then the missed core, in landscape order."""
    shown = store.headlines(landscape.ids)
    groups = LandscapeGroups.none(len(landscape))
    if landscape.points is not None and len(landscape):
        groups = name_groups(landscape.points, shown.titles)
    return LandscapeRows(
        ids=landscape.ids,
        n_retrieved=landscape.n_retrieved,
        similarities=landscape.similarities,
        nearest=_nearest(scene, landscape),
        points=landscape.points,
        core_mask=landscape.core_mask,
        titles=shown.titles,
        years=shown.years,
        dois=shown.dois,
        masks={
            kind: landscape.in_order(scores.relevant_mask)
            for kind, scores in evaluation.regions.items()
            if scores.relevant_mask is not None
        },
        outlines=outlines,
        groups=groups,
    )


def _nearest(scene: Scene, landscape: Landscape) -> Similarities | None:
    """Return the mean similarity of each row to its nearest core publications."""
    if len(scene.core) < N_NEAREST:
        return None
    missed = landscape.ids[landscape.n_retrieved :]
    out = np.empty(len(landscape), dtype=np.float32)
    retrieved = scene.retrieved.vectors[landscape.order]
    for start in range(0, len(retrieved), BLOCK_ROWS):
        block = retrieved[start : start + BLOCK_ROWS]
        out[start : start + len(block)] = mean_of_nearest(similarities(block, scene.core.vectors))
    if missed:
        out[landscape.n_retrieved :] = mean_of_nearest(
            similarities(scene.core.take(missed).vectors, scene.core.vectors)
        )
    return out


# Facts from a version's text: why core publications are found or missed, and the effect of its terms.

MOST_RESCUED = 40
"""Number of missed core publications per version for which rescuing edits are searched."""
LONGEST_PLACE = 120
"""Characters of the string quoted with a finding."""
BEYOND = f"not computed: suggestions are limited to {MOST_RESCUED} missed core publications of a version"


@dataclass(frozen=True, slots=True)
class StringFacts:
    core: tuple[CoreFacts, ...]
    terms: tuple[TermFacts, ...]
    findings: tuple[FindingFacts, ...]
    note: str = ""
    """Difference between the version's stored list and its text as parsed here."""


def desk_of(workspace: Workspace, topic_id: str, embedding: Embedding | None, settings: EvaluationSettings) -> Desk:
    """Return the topic's publications, searchable; without vectors, none can be scored."""
    if embedding is not None:
        return set_up(workspace, topic_id, embedding.embedder, settings)
    core, corpus = workspace.store.load_core(topic_id), workspace.corpora.of(topic_id)
    known = {p.publication_id: p for p in workspace.publications(core.ids)}
    n = len(corpus.ids)
    return Desk(
        topic_id=topic_id,
        embedder="",
        corpus=corpus,
        core=tuple(known.get(i) for i in core.ids),
        core_ids=core.ids,
        stakes=Stakes(
            core=of_rows(corpus.rows_of_ids(core.ids), n),
            n_core=len(core),
            scorable=none_of(n),
            accepted=none_of(n),
            settings=settings,
        ),
        undefined="no publication has a vector",
        points=np.full((n, 2), np.nan),
        state="",
    )


def read_text(workspace: Workspace, desk: Desk, row: VersionRow, scene: Scene) -> StringFacts:
    """Return all facts that depend on the string; without a parsable one, only the core publications."""
    version = row.version
    parsed = parse(version.text, dialect_of(version))
    found = frozenset(scene.all_found_ids)
    if not version.text.strip() or parsed.root is None or parsed.kind == "question":
        return StringFacts(
            _core(desk, scene, {}, ()), (), _findings(parsed, lint(parsed)) if version.text.strip() else ()
        )
    asked = ask_version(workspace, desk, row)
    if asked is None:
        return StringFacts(_core(desk, scene, {}, ()), (), _findings(parsed, lint(parsed)))
    missed = [i for i in desk.core_ids if i not in found]
    explained = explain(asked, desk.core_ids, rows=desk.core_rows, with_rescues=missed[:MOST_RESCUED])
    corpus = desk.corpus
    findings = (
        *lint(parsed),
        *lint_in_corpus(parsed, asked.matched, corpus.texts, asked.undisputed_core),
        *lint_headings(parsed, corpus.mesh, corpus.headings),
    )
    return StringFacts(
        core=_core(desk, scene, {each.publication_id: each for each in explained}, tuple(missed[MOST_RESCUED:])),
        terms=_terms(parsed, asked.contributions),
        findings=_findings(parsed, findings),
        note=disagreement_note(asked.disagreements(desk.core_ids)),
    )


def _core(
    desk: Desk, scene: Scene, explained: dict[str, CoreExplanation], not_rescued: tuple[str, ...]
) -> tuple[CoreFacts, ...]:
    found = frozenset(scene.all_found_ids)
    similarities = dict(zip(scene.core.ids, cosine(scene.core.vectors, scene.centre).tolist(), strict=True))
    out = []
    for publication_id, known in zip(desk.core_ids, desk.core, strict=True):
        is_found, each = publication_id in found, explained.get(publication_id)
        out.append(
            CoreFacts(
                publication_id=publication_id,
                title=known.title if known else "",
                year=known.year if known else None,
                doi=known.doi if known else None,
                is_found=is_found,
                similarity=similarities.get(publication_id),
                verdict=each.verdict if each else "",
                reason=each.sentence if each else "",
                times_cited=known.times_cited if known else None,
                rescue=BEYOND if publication_id in not_rescued else _rescue(each) if each and not is_found else "",
            )
        )
    return tuple(out)


def _rescue(explained: CoreExplanation) -> str:
    if not explained.rescues:
        return ""
    rescue = explained.rescues[0]
    price = many(rescue.n_added, "more publication")
    worth = "" if rescue.f_beta_change is None else f", F-beta {signed(rescue.f_beta_change)}"
    return f"{upper_first(rescue.label)}: {rescue.reach}, {price}{worth}"


def _terms(parsed: ParsedQuery, found: tuple[Contribution, ...]) -> tuple[TermFacts, ...]:
    return tuple(
        TermFacts(
            text=_term_text(parsed, parsed.nodes[each.number]),
            kind=kind_of(parsed.nodes[each.number]),
            depth=depth,
            n_alone=each.n_alone,
            n_in_context=each.n_in_context,
            n_unique=each.n_unique,
            n_core=each.core,
            n_core_unique=each.core_unique,
            semantic_precision_unique=each.semantic_precision_unique,
            f_beta_change_if_removed=each.f_beta_change_if_removed,
            flags=tuple(each.flags),
        )
        for each, depth in zip(found, depths(parsed), strict=True)
    )


def _term_text(parsed: ParsedQuery, node: Node) -> str:
    """Return a term as it was written; for a combination, its operator."""
    return kind_of(node) if parts_of(node) else on_one_line(node.span.of(parsed.text), LONGEST_PLACE)


def _findings(parsed: ParsedQuery, found: tuple[Finding, ...]) -> tuple[FindingFacts, ...]:
    ordered = sorted(found, key=lambda each: (each.span.start, each.span.end, each.rule))
    return tuple(
        FindingFacts(each.rule, each.severity, on_one_line(each.span.of(parsed.text), LONGEST_PLACE), each.message)
        for each in dict.fromkeys(ordered)
    )


# The data of a quality report: versions scored with ranges, their rows, their core and their terms.

QUICK_TWINS = tuple(pair for pair in TWINS if "cluster" not in pair)
NO_VECTORS = EmbedderFacts("", "", 0, fitted_here=False)
"""No embedder can score anything."""


@dataclass(frozen=True, eq=False)
class _Scored:
    row: VersionRow
    evaluation: Evaluation
    scene: Scene
    landscape: Landscape
    retrieved_ids: Ids
    outlines: dict[RegionKind, Points]


def gather_quality(
    workspace: Workspace,
    topic_id: str,
    labels: Sequence[str],
    *,
    embedder: str | None = None,
    settings: EvaluationSettings | None = None,
    on_stage: OnStage = silent,
) -> QualityFacts:
    """Gather all facts about these versions. Slow results are cached, so the second time is fast.

    A topic without vectors is also reported: core recall needs none.
    """
    check_topic(workspace.store, topic_id)
    if not labels:
        raise InputError("a quality report needs at least one version: name it with --version LABEL")
    if repeated := [label for label in dict.fromkeys(labels) if labels.count(label) > 1]:
        raise InputError(f"each version can be reported only once: {', '.join(repeated)} is listed more than once")
    embedding = _embedding(workspace, topic_id, embedder)
    asked = settings or EvaluationSettings()
    resolved = asked.resolved(embedding.embedder if embedding else "")
    if embedding is None:
        scored = [_without_vectors(workspace, topic_id, label, resolved) for label in labels]
    else:
        scored = [_with_vectors(workspace, topic_id, label, embedding, resolved, on_stage) for label in labels]
    comparison, why_not = _comparison(workspace, topic_id, scored, embedding, resolved, on_stage)
    on_stage("explaining what is found and missed")
    desk = desk_of(workspace, topic_id, embedding, resolved)
    read = [read_text(workspace, desk, each.row, each.scene) for each in scored]
    versions = [_version(workspace, each, text) for each, text in zip(scored, read, strict=True)]
    disagreeing = tuple(
        f"Version {each.row.version.label}: {text.note}" for each, text in zip(scored, read, strict=True) if text.note
    )
    summary = next(topic for topic in workspace.store.topics() if topic.topic_id == topic_id)
    searched = workspace.corpora.searched(topic_id)
    projection_id = scored[-1].scene.projection.projection_id if scored[-1].scene.projection else None
    return QualityFacts(
        topic_id=topic_id,
        made_up=summary.made_up,
        core_hash=workspace.store.core_hash(topic_id),
        corpus_hash=searched.state,
        n_corpus=searched.n,
        embedder=_embedder_facts(workspace, topic_id, embedding),
        landscape=_landscape_facts(workspace, projection_id),
        honesty=_honesty(workspace, topic_id, embedding, projection_id),
        changed_decisions=_changed(scored[-1], resolved),
        versions=tuple(versions),
        comparison=comparison,
        notes=(*_notes(scored, comparison.pairs if comparison else ()), *disagreeing, *why_not),
        survey_kind=core_sets(workspace, [topic_id])[0].survey_kind,
    )


def without_scores(workspace: Workspace, topic_id: str) -> QualityFacts:
    """Return the facts of a topic whose versions are not scored, for a bundle of its record alone."""
    summary = next(topic for topic in workspace.store.topics() if topic.topic_id == topic_id)
    searched = workspace.corpora.searched(topic_id)
    return QualityFacts(
        topic_id=topic_id,
        made_up=summary.made_up,
        core_hash=workspace.store.core_hash(topic_id),
        corpus_hash=searched.state,
        n_corpus=searched.n,
        embedder=NO_VECTORS,
        landscape=None,
        honesty=None,
        changed_decisions={},
        versions=(),
        comparison=None,
        notes=(),
    )


def _embedding(workspace: Workspace, topic_id: str, embedder: str | None) -> Embedding | None:
    """Return the embedding; None if none was requested and none covers the topic."""
    if embedder is None and not any(found.covers for found in workspace.catalogue.coverage(topic_id)):
        return None
    return workspace.embedding(topic_id, embedder)


def _with_vectors(
    workspace: Workspace,
    topic_id: str,
    label: str,
    embedding: Embedding,
    settings: EvaluationSettings,
    on_stage: OnStage,
) -> _Scored:
    with_ranges = settings.compat is None  # published scores have none
    evaluation = workspace.evaluate(
        topic_id, label, embedder=embedding.embedder, settings=settings, intervals=with_ranges, on_stage=on_stage
    )
    view = workspace.view(topic_id, label, embedding.embedder)
    outlines = view.outlines() if view.scene.projection is not None and len(view.scene.retrieved) else {}
    return _Scored(view.case.row, evaluation, view.scene, view.landscape, view.retrieved_ids, outlines)


def _without_vectors(workspace: Workspace, topic_id: str, label: str, settings: EvaluationSettings) -> _Scored:
    row = workspace.version(topic_id, label)
    core = workspace.store.load_core(topic_id)
    retrieved = RetrievedSet.of(row.version.query_id, workspace.store.load_retrieved_ids(row.version.query_id))
    nothing = EmbeddedSet((), np.zeros((0, 2), dtype=np.float32), "")
    scene = Scene.of(retrieved, core, nothing)
    evaluation = evaluate(retrieved, core, nothing, settings=settings)
    return _Scored(row, evaluation, scene, lay_out(scene), retrieved.ids, {})


def _comparison(
    workspace: Workspace,
    topic_id: str,
    scored: Sequence[_Scored],
    embedding: Embedding | None,
    settings: EvaluationSettings,
    on_stage: OnStage,
) -> tuple[Comparison | None, Ids]:
    """Compare every pair of versions with ranges; also return the reason if an expected comparison is missing."""
    if len(scored) < 2:
        return None, ()
    if settings.compat:
        return None, ("versions are not compared: compat reproduces the published scores of a single version",)
    labels = [each.row.version.label for each in scored]
    if embedding is not None:
        found = compare_in_full(
            workspace, topic_id, labels, embedder=embedding.embedder, settings=settings, on_stage=on_stage
        )
        return found, ()
    entrants = [
        Entrant(label, each.scene, each.retrieved_ids, each.evaluation, each.row.corpus_state)
        for label, each in zip(labels, scored, strict=True)
    ]
    return compare(entrants, settings=settings), ()


def _version(workspace: Workspace, scored: _Scored, read: StringFacts) -> VersionFacts:
    row, version = scored.row, scored.row.version
    scorable = set(scored.scene.retrieved.ids)
    return VersionFacts(
        label=version.label,
        number=version.number,
        name=version.name,
        note=version.note,
        made_at=version.made_at,
        text=version.text,
        dialect=version.dialect,
        semantics=version.semantics,
        origin=version.origin,
        retrieved_hash=row.retrieved_hash or "",
        n_searched=row.n_searched,
        evaluation=scored.evaluation,
        rows=rows_of(workspace.store, scored.scene, scored.landscape, scored.evaluation, scored.outlines),
        core=read.core,
        terms=read.terms,
        findings=read.findings,
        unscored_ids=tuple(i for i in scored.retrieved_ids if i not in scorable),
    )


def _embedder_facts(workspace: Workspace, topic_id: str, embedding: Embedding | None) -> EmbedderFacts:
    if embedding is None:
        return NO_VECTORS
    return EmbedderFacts(
        embedder=embedding.embedder,
        fingerprint=_fingerprint(workspace, topic_id, embedding),
        n_dimensions=embedding.n_dimensions,
        fitted_here=embedding.topic_id is not None,
    )


def _fingerprint(workspace: Workspace, topic_id: str, embedding: Embedding) -> str:
    """Return a fingerprint that is equal if the model gives the same vectors to the topic's publications."""
    embedded = workspace.catalogue.load(embedding, sorted(workspace.store.topic_publication_ids(topic_id)))
    digest = sha256("\0".join((embedding.embedder, *embedded.ids)).encode(errors="surrogatepass"))
    digest.update(embedded.vectors.astype("<f4").tobytes())
    return digest.hexdigest()[:16]


def _landscape_facts(workspace: Workspace, projection_id: str | None) -> LandscapeFacts | None:
    if projection_id is None:
        return None
    return LandscapeFacts(projection_id, asdict(workspace.landscapes.settings(projection_id)))


def _honesty(
    workspace: Workspace, topic_id: str, embedding: Embedding | None, projection_id: str | None
) -> Honesty | None:
    if embedding is None or projection_id is None:
        return None
    try:
        return workspace.honesty(topic_id, embedding.embedder)
    except InputError:  # too few publications for these measures
        return None


def _changed(scored: _Scored, settings: EvaluationSettings) -> dict[RegionKind, int]:
    """Count changed decisions, without slow cluster regions."""
    scene = scored.scene
    if scene.projection is None or not len(scene.retrieved):
        return {}
    return changed_decisions(scene, settings, QUICK_TWINS)


def _notes(scored: Sequence[_Scored], pairs: Sequence[VersionPair]) -> Ids:
    return comparability([each.row for each in scored], pairs).notes if len(scored) > 1 else ()
