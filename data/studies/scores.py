"""Scores and threshold curves of many topics at once, each remembered by itself so that a page never waits twice."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass

import numpy as np

from core.errors import InputError, NoCoreError, QueryscapeError, StoreError
from core.metrics import sweep_at
from core.protocols import OnStage, silent
from core.regions import DEFAULT_REGIONS, PROJECTION_REGIONS
from core.settings import EvaluationSettings
from core.studies.core_sets import RegionNumbers, ThresholdCurve, TopicScores
from core.types import Origin, RegionKind
from data.cases import Case
from data.embedders import EMBEDDERS
from data.memory import Arrays, key_for, packed, settings_key, unpacked
from data.store import VersionRow
from data.vectors import Embedding
from data.workspace import Workspace

ORIGINS: tuple[Origin, ...] = ("baseline", "generated", "manual", "review")
THRESHOLDS = np.round(np.linspace(-1.0, 1.0, 801), 4)
"""Where curves are sampled: one grid for all topics, so that one threshold can be judged by all of them."""

Run = Mapping[Origin, VersionRow]


@dataclass(frozen=True, slots=True)
class Wanted:
    """One version that is to be studied, and the vectors it is scored by."""

    topic_id: str
    origin: Origin
    row: VersionRow
    n_core: int
    embedding: Embedding | None
    """None: no vectors of that embedder cover the topic."""


def runs_by_origin(workspace: Workspace, topics: Iterable[str]) -> dict[str, Run]:
    """The latest version of each origin that was run, by topic."""
    found: dict[str, dict[Origin, VersionRow]] = {topic_id: {} for topic_id in topics}
    for row in workspace.store.versions():  # by number, so that the last one stands
        if row.version.topic_id in found and row.retrieved_hash is not None:
            found[row.version.topic_id][row.version.origin] = row
    return dict(found)


def want(
    workspace: Workspace, topics: Sequence[str], origins: Sequence[Origin], embedder: str | None
) -> tuple[Wanted, ...]:
    """The version of each of these origins in every topic that has all of them, and a core set."""
    runs = runs_by_origin(workspace, topics)
    n_core = {topic.topic_id: topic.n_core for topic in workspace.store.topics()}
    covered = {
        c.topic_id: c.embedding
        for c in (workspace.catalogue.coverage() if embedder else ())
        if c.covers and c.embedding.embedder == embedder
    }
    return tuple(
        Wanted(topic_id, origin, of_topic[origin], n_core[topic_id], covered.get(topic_id))
        for topic_id, of_topic in runs.items()
        if n_core.get(topic_id) and all(origin in of_topic for origin in origins)
        for origin in dict.fromkeys(origins)
    )


def without_origin(
    workspace: Workspace, topics: Sequence[str], origins: Sequence[Origin]
) -> tuple[tuple[str, str], ...]:
    """Topics that can't be studied under these origins, each with the reason."""
    runs = runs_by_origin(workspace, topics)
    n_core = {topic.topic_id: topic.n_core for topic in workspace.store.topics()}
    found = []
    for topic_id, of_topic in runs.items():
        lacking = [origin for origin in dict.fromkeys(origins) if origin not in of_topic]
        if lacking:
            named = ", ".join([*lacking[:-2], " and ".join(lacking[-2:])])
            found.append((topic_id, f"no list of origin {named}"))
        elif not n_core.get(topic_id):
            found.append((topic_id, "no core publications"))
    return tuple(found)


def _case(workspace: Workspace, wanted: Wanted, *, landscape: bool) -> Case | None:
    """What names its scores, without making anything; None if something must be made first."""
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
    return Case(wanted.row, core, store.core_hash(wanted.topic_id), embedding, projection_id, state)


# Scores


def bare_scores(workspace: Workspace, wanted: Sequence[Wanted]) -> dict[Wanted, TopicScores]:
    """What needs no vectors: sizes and recall."""
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
    wanted: Sequence[Wanted],
    settings: EvaluationSettings,
    regions: Sequence[RegionKind] = DEFAULT_REGIONS,
) -> dict[Wanted, TopicScores | None]:
    """Scores that are remembered; None for those that must be made first. Without vectors, what needs none."""
    bare = bare_scores(workspace, wanted)
    known: dict[Wanted, TopicScores | None] = {}
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
    wanted: Sequence[Wanted],
    settings: EvaluationSettings,
    regions: Sequence[RegionKind] = DEFAULT_REGIONS,
    *,
    on_stage: OnStage = silent,
) -> None:
    """Evaluate what is not remembered, one version after the other; what is done when it is stopped stays."""
    waiting = [w for w, scores in known_scores(workspace, wanted, settings, regions).items() if scores is None]
    failed = []
    for number, w in enumerate(waiting, start=1):
        said = f"{number} of {len(waiting)}: {w.topic_id}, {w.row.version.label}"
        try:
            _make_score(workspace, w, settings, regions, named_stages(on_stage, said))
        except StoreError:
            raise
        except QueryscapeError as e:
            failed.append(f"{w.topic_id}, {w.row.version.label}: {e}")
    if failed:
        raise InputError(f"{len(failed)} of {len(waiting)} could not be evaluated: {'; '.join(failed)}")


def _make_score(
    workspace: Workspace,
    wanted: Wanted,
    settings: EvaluationSettings,
    regions: Sequence[RegionKind],
    on_stage: OnStage,
) -> None:
    topic_id, label = wanted.topic_id, wanted.row.version.label
    embedder = wanted.embedding.embedder if wanted.embedding else None
    evaluation = workspace.evaluate(
        topic_id, label, embedder=embedder, settings=settings, regions=regions, on_stage=on_stage
    )
    case = workspace.case(topic_id, label, embedder, regions)  # anew: vectors and landscape may have been made
    document = _encoded(TopicScores.of(evaluation, label))
    workspace.store.remember(_score_key(case, settings, regions), "study_scores", document, None)


def named_stages(on_stage: OnStage, said: str) -> OnStage:
    """Each stage under the name of what it is a stage of, which is said at once."""
    on_stage(said)
    return lambda stage: on_stage(f"{said}: {stage}")


def _score_key(case: Case, settings: EvaluationSettings, regions: Sequence[RegionKind]) -> str:
    resolved = settings_key(settings.resolved(case.embedding.embedder))
    return key_for("study_scores", *case.depends_on, resolved, *regions, *_FIELDS)


_FIELDS = (*TopicScores.__dataclass_fields__, *RegionNumbers.__dataclass_fields__)


def _encoded(scores: TopicScores) -> str:
    return json.dumps(asdict(scores))


def _decoded(document: str) -> TopicScores:
    fields = json.loads(document)
    regions = {kind: RegionNumbers(**numbers) for kind, numbers in fields["regions"].items()}
    return TopicScores(**fields | {"regions": regions, "warnings": tuple(fields["warnings"])})


# Threshold curves


def known_curves(workspace: Workspace, wanted: Sequence[Wanted]) -> dict[Wanted, ThresholdCurve | None]:
    """Curves that are remembered; None for those that must be made first, or have no vectors."""
    known: dict[Wanted, ThresholdCurve | None] = {}
    for w in wanted:
        case = _case(workspace, w, landscape=False)
        kept = workspace.store.recall(_curve_key(case)) if case else None
        known[w] = _curve(w.topic_id, kept[0], kept[1]) if kept and kept[1] else None
    return known


def make_curves(workspace: Workspace, wanted: Sequence[Wanted], *, on_stage: OnStage = silent) -> None:
    """Compute what is not remembered; what is done when it is stopped stays."""
    waiting = [w for w, curve in known_curves(workspace, wanted).items() if curve is None and w.embedding]
    report = on_stage("comparing publications with the core")
    for number, w in enumerate(waiting):
        report(number, len(waiting))
        with suppress(NoCoreError):
            case = workspace.case(w.topic_id, w.row.version.label, w.embedding.embedder if w.embedding else None, ())
            _make_curve(workspace, case)


def _make_curve(workspace: Workspace, case: Case) -> None:
    scene = case.load(workspace.store, workspace.catalogue).scene
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
    """From the last threshold that accepts everything to the first that accepts nothing."""
    first = int(np.searchsorted(-n_relevant, -n_relevant[0], side="right")) - 1
    after = int(np.searchsorted(-n_relevant, 0, side="left"))
    return slice(first, max(after, first) + 1)


def _curve_key(case: Case) -> str:
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
