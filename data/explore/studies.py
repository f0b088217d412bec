"""Studies over many topics: kinds of core sets, scores, and published results."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, astuple, dataclass
from typing import Literal

import numpy as np

from core.documents import decoded
from core.errors import InputError, NoCoreError, QueryscapeError, StoreError
from core.explore.evaluate import Evaluation
from core.explore.regions import DEFAULT_REGIONS, PROJECTION_REGIONS
from core.explore.reproduction import PUBLISHED_REGIONS, PublishedCurve, PublishedScore
from core.explore.strata import PooledStrata, Strata, limits_of, members_of, pool, stratify
from core.explore.studies import (
    SURVEY_KINDS,
    CorePublication,
    RegionNumbers,
    SurveyKind,
    ThresholdCurve,
    TopicCore,
    TopicScores,
)
from core.metrics import sweep_at
from core.protocols import OnStage, silent
from core.query.parser import parse
from core.settings import EvaluationSettings
from core.text import listed
from core.types import Ids, Origin, RegionKind
from data.explore.scoring import ScoringCase
from data.explore.workspace import Workspace
from data.lookup import check_topic
from data.memory import Arrays, key_for, packed, settings_key, unpacked
from data.models.embedders import EMBEDDERS
from data.query.search import dialect_of
from data.store import Store, VersionRow
from data.vectors import Embedding


def study_topics(store: Store) -> Ids:
    """Return the default topics of a study, by name: all but the demo data, unless there is nothing else."""
    rows = store.topics()
    return tuple(row.topic_id for row in rows if not row.made_up) or tuple(row.topic_id for row in rows)


# Many topics at once: their core publications with the survey that named them, in a few statements.


def core_sets(workspace: Workspace, topic_ids: Sequence[str] | None = None) -> tuple[TopicCore, ...]:
    """Load the core publications of these topics, or of all, by name; a topic without any has an empty set.

    Unknown values stay None: a survey kind, a year, a citation count.
    """
    wanted = {"topics": None if topic_ids is None else list(topic_ids)}
    publications: dict[str, list[CorePublication]] = {}
    for topic_id, *fields in workspace.store.rows(
        """
        SELECT c.topic_id, c.publication_id, coalesce(p.title, ''), p.year, p.times_cited, p.abstract IS NOT NULL
        FROM core_publications AS c LEFT JOIN publications AS p USING (publication_id)
        WHERE $topics IS NULL OR c.topic_id IN (SELECT unnest($topics::VARCHAR[]))
        ORDER BY c.topic_id, c.position
        """,
        wanted,
    ):
        publications.setdefault(topic_id, []).append(CorePublication(*fields))
    found = workspace.store.rows(
        """
        SELECT t.topic_id, t.made_up, t.survey_kind, s.survey_id, coalesce(p.title, ''), p.year
        FROM topics AS t
        LEFT JOIN (SELECT topic_id, min(survey_id) AS survey_id FROM core_publications GROUP BY topic_id) AS s
            ON s.topic_id = t.topic_id
        LEFT JOIN publications AS p ON p.publication_id = s.survey_id
        WHERE $topics IS NULL OR t.topic_id IN (SELECT unnest($topics::VARCHAR[]))
        ORDER BY t.topic_id
        """,
        wanted,
    )
    return tuple(
        TopicCore(
            topic_id=topic_id,
            made_up=made_up,
            survey_kind=kind if kind in SURVEY_KINDS else None,
            survey_id=survey_id,
            survey_title=title,
            survey_year=year,
            publications=tuple(publications.get(topic_id, ())),
        )
        for topic_id, made_up, kind, survey_id, title, year in found
    )


def strata_of(workspace: Workspace, row: VersionRow, evaluation: Evaluation) -> Strata:
    """Stratify one version's recall and scores by its core publications and by the year limits of its search string."""
    (topic,) = core_sets(workspace, [row.version.topic_id])
    limits = limits_of(parse(row.version.text, dialect_of(row.version)))
    return stratify(members_of(topic), evaluation.found_core_ids, limits=limits, evaluation=evaluation)


def pooled_strata(workspace: Workspace, wanted: Sequence[StudyVersion]) -> PooledStrata:
    """Pool the strata of these versions, one per topic."""
    found: dict[str, set[str]] = {w.topic_id: set() for w in wanted}
    for topic_id, publication_id in workspace.store.rows(
        """
        SELECT v.topic_id, r.publication_id FROM retrieved AS r JOIN query_versions AS v USING (query_id)
        JOIN core_publications AS c ON c.topic_id = v.topic_id AND c.publication_id = r.publication_id
        WHERE r.query_id IN (SELECT unnest($ids::VARCHAR[]))
        """,
        {"ids": [w.row.version.query_id for w in wanted]},
    ):
        found[topic_id].add(publication_id)
    topics = core_sets(workspace, list(found))
    return pool(stratify(members_of(topic), found[topic.topic_id], limits=None) for topic in topics)


def set_survey_kind(workspace: Workspace, topic_id: str, kind: SurveyKind | None) -> None:
    """Set the kind of survey that a topic's core publications come from, as entered by a person. None: not known."""
    if kind is not None and kind not in SURVEY_KINDS:
        raise InputError(f'no kind of survey "{kind}"; choose one of {", ".join(SURVEY_KINDS)}')
    check_topic(workspace.store, topic_id)
    with workspace.store.transaction():
        workspace.store.execute("UPDATE topics SET survey_kind = ? WHERE topic_id = ?", [kind, topic_id])


def fill_survey_kind(store: Store, topic_id: str, kind: SurveyKind | None) -> None:
    """Set the survey kind given by a collection, unless one is already set. The caller holds the transaction."""
    store.execute("UPDATE topics SET survey_kind = ? WHERE topic_id = ? AND survey_kind IS NULL", [kind, topic_id])


# Scores and curves published by a collection's authors, for comparison with ours.


def save_published_scores(store: Store, scores: Sequence[PublishedScore]) -> None:
    """Add or replace the scores of these topics. The caller holds the transaction."""
    _delete(store, "published_scores", {score.topic_id for score in scores})
    for score in scores:
        store.execute("INSERT INTO published_scores VALUES (?, ?, ?, ?, ?, ?, ?, ?)", list(astuple(score)))


def save_published_curves(store: Store, curves: Sequence[PublishedCurve]) -> None:
    """Add or replace the curves of these topics. The caller holds the transaction."""
    _delete(store, "published_curves", {published.curve.topic_id for published in curves})
    for published in curves:
        curve = published.curve
        store.execute(
            """
            INSERT INTO published_curves
            SELECT $topic, unnest(range(len($at::DOUBLE[]))), unnest($at::DOUBLE[]), unnest($accepted::INTEGER[]),
                   unnest($relevant::INTEGER[]), $retrieved, $core, unnest($scores::DOUBLE[])
            """,
            {
                "topic": curve.topic_id,
                "at": curve.min_similarity.tolist(),
                "accepted": curve.n_accepted_core.tolist(),
                "relevant": curve.n_relevant.tolist(),
                "retrieved": curve.n_retrieved,
                "core": curve.n_core,
                "scores": [float(score) if np.isfinite(score) else None for score in published.scores],
            },
        )


def _delete(store: Store, table: Literal["published_scores", "published_curves"], topics: Iterable[str]) -> None:
    store.execute(
        f"DELETE FROM {table} WHERE topic_id IN (SELECT unnest($topics::VARCHAR[]))", {"topics": sorted(topics)}
    )


def load_published_scores(store: Store, topics: Sequence[str] | None = None) -> tuple[PublishedScore, ...]:
    """Load the scores of these topics, or of all, by topic and label; regions in their fixed order."""
    found = store.rows(
        """
        SELECT topic_id, label, text, recall, region, semantic_precision, n_relevant, f_beta FROM published_scores
        WHERE $topics IS NULL OR topic_id IN (SELECT unnest($topics::VARCHAR[]))
        ORDER BY topic_id, label
        """,
        {"topics": None if topics is None else list(topics)},
    )
    scores = [PublishedScore(*row) for row in found if row[4] in PUBLISHED_REGIONS]
    return tuple(sorted(scores, key=lambda s: (s.topic_id, s.label, PUBLISHED_REGIONS.index(s.region))))


def load_published_curves(store: Store, topics: Sequence[str] | None = None) -> tuple[PublishedCurve, ...]:
    """Load the curves of these topics, or of all, by topic.

    They exclude publications below the lowest threshold: precision is computed over those it accepts.
    """
    found = store.columns(
        """
        SELECT topic_id, min_similarity, n_relevant, n_accepted_core, n_retrieved, n_core,
               coalesce(score, 'nan'::DOUBLE) AS score
        FROM published_curves WHERE $topics IS NULL OR topic_id IN (SELECT unnest($topics::VARCHAR[]))
        ORDER BY topic_id, position
        """,
        {"topics": None if topics is None else list(topics)},
    )
    names = found["topic_id"]
    starts = np.flatnonzero(np.concatenate([[True], names[1:] != names[:-1]])) if len(names) else np.empty(0, np.intp)
    curves = []
    for rows in np.split(np.arange(len(names)), starts[1:]) if len(names) else ():
        part = {name: column[rows] for name, column in found.items()}
        curve = ThresholdCurve(
            topic_id=str(part["topic_id"][0]),
            min_similarity=np.asarray(part["min_similarity"], dtype=np.float64),
            n_relevant=np.asarray(part["n_relevant"], dtype=np.int64),
            n_accepted_core=np.asarray(part["n_accepted_core"], dtype=np.int64),
            n_retrieved=int(part["n_retrieved"][0]),
            n_scorable=int(part["n_relevant"][0]),
            n_core=int(part["n_core"][0]),
        )
        curves.append(PublishedCurve(curve, np.asarray(part["score"], dtype=np.float64)))
    return tuple(curves)


# Scores and threshold curves of many topics at once, each cached separately so that a page never waits twice.

ORIGINS: tuple[Origin, ...] = ("baseline", "generated", "manual", "review")
THRESHOLDS = np.round(np.linspace(-1.0, 1.0, 801), 4)
"""Thresholds at which curves are sampled: one grid for all topics, so that they can be compared at one threshold."""

Run = Mapping[Origin, VersionRow]


@dataclass(frozen=True, slots=True)
class StudyVersion:
    topic_id: str
    origin: Origin
    row: VersionRow
    n_core: int
    embedding: Embedding | None
    """None: no vectors of that embedder cover the topic."""


def runs_by_origin(workspace: Workspace, topics: Iterable[str]) -> dict[str, Run]:
    """Return, for each topic, the latest version of each origin that was run."""
    found: dict[str, dict[Origin, VersionRow]] = {topic_id: {} for topic_id in topics}
    for row in workspace.store.versions():  # by number, so that the last one wins
        if row.version.topic_id in found and row.retrieved_hash is not None:
            found[row.version.topic_id][row.version.origin] = row
    return dict(found)


def origins_there(workspace: Workspace, topics: Iterable[str], *, beside: Origin | None = None) -> dict[Origin, int]:
    """Return the origins of versions that were run, with the number of topics that have one, most frequent first.

    `beside`: sort first by the number of topics that also have this origin, which itself comes last.
    """
    runs = runs_by_origin(workspace, topics).values()
    counts = {origin: sum(origin in of_topic for of_topic in runs) for origin in ORIGINS}
    there = sorted((origin for origin in ORIGINS if counts[origin]), key=lambda origin: -counts[origin])
    if beside is not None:
        both = {origin: sum(origin in of_topic and beside in of_topic for of_topic in runs) for origin in there}
        there.sort(key=lambda origin: (origin == beside, -both[origin]))
    return {origin: counts[origin] for origin in there}


def want(
    workspace: Workspace, topics: Sequence[str], origins: Sequence[Origin], embedder: str | None
) -> tuple[StudyVersion, ...]:
    """Return the version of each of these origins, for every topic that has all of them and a core set."""
    runs = runs_by_origin(workspace, topics)
    n_core = {topic.topic_id: topic.n_core for topic in workspace.store.topics()}
    covered = {
        c.topic_id: c.embedding
        for c in (workspace.catalogue.coverage() if embedder else ())
        if c.covers and c.embedding.embedder == embedder
    }
    return tuple(
        StudyVersion(topic_id, origin, of_topic[origin], n_core[topic_id], covered.get(topic_id))
        for topic_id, of_topic in runs.items()
        if n_core.get(topic_id) and all(origin in of_topic for origin in origins)
        for origin in dict.fromkeys(origins)
    )


def without_origin(
    workspace: Workspace, topics: Sequence[str], origins: Sequence[Origin]
) -> tuple[tuple[str, str], ...]:
    """Return the topics that can't be studied under these origins, each with the reason."""
    runs = runs_by_origin(workspace, topics)
    n_core = {topic.topic_id: topic.n_core for topic in workspace.store.topics()}
    found = []
    for topic_id, of_topic in runs.items():
        lacking = [origin for origin in dict.fromkeys(origins) if origin not in of_topic]
        if lacking:
            found.append((topic_id, f"no list of origin {listed(lacking)}"))
        elif not n_core.get(topic_id):
            found.append((topic_id, "no core publications"))
    return tuple(found)


def left_out_of_scores(
    workspace: Workspace,
    topics: Sequence[str],
    origins: Sequence[Origin],
    wanted: Sequence[StudyVersion],
    embedder: str | None,
) -> tuple[tuple[str, str], ...]:
    """Return the topics that are left out, or take part only with recall and sizes, each with the reason."""
    bare = {w.topic_id for w in wanted if w.embedding is None} if embedder else set()
    reason = f"from everything except recall and sizes, as {embedder} has no vectors"
    return (*without_origin(workspace, topics, origins), *((topic, reason) for topic in sorted(bare)))


def left_out_of_curves(
    workspace: Workspace, topics: Sequence[str], origin: Origin, wanted: Sequence[StudyVersion], embedder: str
) -> tuple[tuple[str, str], ...]:
    """Return the topics without a threshold curve, each with the reason."""
    bare = [w.topic_id for w in wanted if w.embedding is None]
    return (
        *without_origin(workspace, topics, [origin]),
        *((topic, f"without vectors of {embedder}") for topic in bare),
    )


def _case(workspace: Workspace, wanted: StudyVersion, *, landscape: bool) -> ScoringCase | None:
    store, embedding = workspace.store, wanted.embedding
    if embedding is None:
        return None
    state = store.topic_state(wanted.topic_id)
    if embedding.embedder in EMBEDDERS and not workspace.catalogue.is_covered(embedding.embedding_id, state):
        return None
    projection_id = None
    if landscape:
        projection_id = workspace.landscapes.current_id(wanted.topic_id, embedding)
        if projection_id and not workspace.landscapes.is_up_to_date(projection_id, wanted.topic_id, embedding):
            return None
    core = store.load_core(wanted.topic_id)
    return ScoringCase(wanted.row, core, store.core_hash(wanted.topic_id), embedding, projection_id, state)


def bare_scores(workspace: Workspace, wanted: Sequence[StudyVersion]) -> dict[StudyVersion, TopicScores]:
    """Return the scores that need no vectors: sizes and recall."""
    found = workspace.store.rows(
        """
        SELECT r.query_id, count(*) FROM retrieved AS r JOIN query_versions AS v USING (query_id)
        JOIN core_publications AS c ON c.topic_id = v.topic_id AND c.publication_id = r.publication_id
        WHERE r.query_id IN (SELECT unnest($ids::VARCHAR[])) GROUP BY ALL
        """,
        {"ids": [w.row.version.query_id for w in wanted]},
    )
    n_found: dict[str, int] = dict(found)
    return {
        w: TopicScores(
            w.topic_id,
            w.row.version.label,
            w.n_core,
            w.row.n_retrieved or 0,
            n_found.get(w.row.version.query_id, 0),
        )
        for w in wanted
    }


def known_scores(
    workspace: Workspace,
    wanted: Sequence[StudyVersion],
    settings: EvaluationSettings,
    regions: Sequence[RegionKind] = DEFAULT_REGIONS,
) -> dict[StudyVersion, TopicScores | None]:
    """Return cached scores; None for those still to be computed. Without vectors: sizes and recall only."""
    bare = bare_scores(workspace, wanted)
    known: dict[StudyVersion, TopicScores | None] = {}
    for w in wanted:
        if w.embedding is None:
            known[w] = bare[w]
            continue
        case = _case(workspace, w, landscape=any(kind in PROJECTION_REGIONS for kind in regions))
        kept = workspace.store.recall(_score_key(case, settings, regions)) if case else None
        known[w] = _decoded(kept[0]) if kept else None
    return known


def make_scores(
    workspace: Workspace,
    wanted: Sequence[StudyVersion],
    settings: EvaluationSettings,
    regions: Sequence[RegionKind] = DEFAULT_REGIONS,
    *,
    on_stage: OnStage = silent,
) -> None:
    """Evaluate versions that are not cached, one after another. Finished results are kept if it is stopped."""
    waiting = [w for w, scores in known_scores(workspace, wanted, settings, regions).items() if scores is None]
    failed = []
    for number, w in enumerate(waiting, start=1):
        text = f"{number} of {len(waiting)}: {w.topic_id}, {w.row.version.label}"
        try:
            _make_score(workspace, w, settings, regions, named_stages(on_stage, text))
        except StoreError:
            raise
        except QueryscapeError as e:
            failed.append(f"{w.topic_id}, {w.row.version.label}: {e}")
    if failed:
        raise InputError(f"{len(failed)} of {len(waiting)} could not be evaluated: {'; '.join(failed)}")


def _make_score(
    workspace: Workspace,
    wanted: StudyVersion,
    settings: EvaluationSettings,
    regions: Sequence[RegionKind],
    on_stage: OnStage,
) -> None:
    topic_id, label = wanted.topic_id, wanted.row.version.label
    embedder = wanted.embedding.embedder if wanted.embedding else None
    evaluation = workspace.evaluate(
        topic_id, label, embedder=embedder, settings=settings, regions=regions, on_stage=on_stage
    )
    case = workspace.case(topic_id, label, embedder, regions)  # reloaded: vectors and landscape may have been made
    document = _encoded(TopicScores.of(evaluation, label))
    workspace.store.remember(_score_key(case, settings, regions), "study_scores", document, None)


def named_stages(on_stage: OnStage, text: str) -> OnStage:
    on_stage(text)
    return lambda stage: on_stage(f"{text}: {stage}")


def _score_key(case: ScoringCase, settings: EvaluationSettings, regions: Sequence[RegionKind]) -> str:
    resolved = settings_key(settings.resolved(case.embedding.embedder))
    return key_for("study_scores", *case.depends_on, resolved, *regions, *_FIELDS)


_FIELDS = (*TopicScores.__dataclass_fields__, *RegionNumbers.__dataclass_fields__)


def _encoded(scores: TopicScores) -> str:
    return json.dumps(asdict(scores))


def _decoded(document: str) -> TopicScores:
    return decoded(json.loads(document), TopicScores)


# Threshold curves


def known_curves(workspace: Workspace, wanted: Sequence[StudyVersion]) -> dict[StudyVersion, ThresholdCurve | None]:
    """Return cached curves; None for those still to be computed, and for versions without vectors."""
    known: dict[StudyVersion, ThresholdCurve | None] = {}
    for w in wanted:
        case = _case(workspace, w, landscape=False)
        kept = workspace.store.recall(_curve_key(case)) if case else None
        known[w] = _curve(w.topic_id, kept[0], kept[1]) if kept and kept[1] else None
    return known


def make_curves(workspace: Workspace, wanted: Sequence[StudyVersion], *, on_stage: OnStage = silent) -> None:
    """Compute curves that are not cached. Finished results are kept if it is stopped."""
    waiting = [w for w, curve in known_curves(workspace, wanted).items() if curve is None and w.embedding]
    report = on_stage("comparing publications with the core")
    for number, w in enumerate(waiting):
        report(number, len(waiting))
        with suppress(NoCoreError):
            case = workspace.case(w.topic_id, w.row.version.label, w.embedding.embedder if w.embedding else None, ())
            _make_curve(workspace, case)


def _make_curve(workspace: Workspace, case: ScoringCase) -> None:
    scene, _ = case.load(workspace.store, workspace.catalogue)
    similarities = scene.similarities_to_centre
    sweep = sweep_at(
        THRESHOLDS,
        similarities=similarities,
        core_similarities=similarities[scene.found_rows],
        n_core=scene.n_core,
        settings=EvaluationSettings(),
    )
    rows = _where_it_changes(sweep.n_relevant)
    document = json.dumps({"n_scorable": len(similarities), "n_core": scene.n_core})
    arrays: Arrays = {
        "at": THRESHOLDS[rows],
        "n_relevant": sweep.n_relevant[rows].astype(np.int32),
        "n_accepted_core": sweep.n_accepted_core[rows].astype(np.int32),
    }
    workspace.store.remember(_curve_key(case), "threshold_curve", document, packed(arrays))


def _where_it_changes(n_relevant: np.ndarray[tuple[int], np.dtype[np.int64]]) -> slice:
    """Return the range from the last threshold that accepts everything to the first that accepts nothing."""
    first = int(np.searchsorted(-n_relevant, -n_relevant[0], side="right")) - 1
    after = int(np.searchsorted(-n_relevant, 0, side="left"))
    return slice(first, max(after, first) + 1)


def _curve_key(case: ScoringCase) -> str:
    return key_for("threshold_curve", *case.depends_on, len(THRESHOLDS), THRESHOLDS[0], THRESHOLDS[-1])


def _curve(topic_id: str, document: str, content: bytes) -> ThresholdCurve:
    fields, arrays = json.loads(document), unpacked(content)
    return ThresholdCurve(
        topic_id=topic_id,
        min_similarity=arrays["at"],
        n_relevant=arrays["n_relevant"].astype(np.int64),
        n_accepted_core=arrays["n_accepted_core"].astype(np.int64),
        n_retrieved=fields["n_scorable"],
        n_scorable=fields["n_scorable"],
        n_core=fields["n_core"],
    )
