"""Compare versions, test their robustness, and manage a topic's version history."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from itertools import combinations

from core.documents import decoded
from core.errors import DiskFullError, InputError, NotFoundError
from core.explore.compare import Comparison, Entrant, VersionChanges, VersionPair, changes, compare
from core.explore.evaluate import Evaluation, fit_regions
from core.explore.regions import DEFAULT_REGIONS, REGION_LABELS
from core.explore.regions.cluster import cluster_curve
from core.explore.robustness import (
    VARIATIONS,
    ChoiceOutcome,
    OrderReversal,
    Robustness,
    SettingChoice,
    VersionOrder,
    VersionProblem,
    VersionRange,
    check_varied,
    robustness,
)
from core.explore.scene import Fit, Scene
from core.protocols import OnStage, silent
from core.settings import EvaluationSettings
from core.text import harmless, listed, was
from core.types import Ids, RegionKind
from data.access import check_allowed
from data.changes import UNSEEN, Unseen, record_change
from data.explore.scoring import (
    CLUSTERS,
    ScoringCase,
    cluster_key,
    evaluation_key,
    recalled_score,
    remembered_keys,
    remembered_score,
)
from data.explore.workspace import Workspace
from data.lookup import check_topic, deleted_message, meant_or_available, version_named
from data.memory import decode_cluster, decode_comparison, encode_cluster, encode_comparison, key_for, settings_key
from data.query.search import dialect_of
from data.store import Clock, Headlines, VersionRow, utc_now

# Versions side by side: immediate scores first, ranges over core sets later; both are cached.


@dataclass(frozen=True, slots=True)
class Comparability:
    same_corpus: bool | None
    """None: not known for all of them."""
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Question:
    labels: tuple[str, ...]
    cases: tuple[ScoringCase, ...]
    settings: EvaluationSettings

    def key(self, kind: str, regions: Sequence[RegionKind]) -> str:
        state = [part for case in self.cases for part in (*case.depends_on, case.row.corpus_state)]
        return key_for(kind, *state, *self.labels, settings_key(self.settings), *regions)


def _question(
    workspace: Workspace,
    topic_id: str,
    labels: Sequence[str],
    embedder: str | None,
    settings: EvaluationSettings | None,
    regions: Sequence[RegionKind],
    on_stage: OnStage = silent,
) -> _Question:
    if repeated := [label for label in dict.fromkeys(labels) if labels.count(label) > 1]:
        raise InputError(f"a version can't be compared with itself: {', '.join(repeated)}")
    if len(labels) < 2:
        raise InputError(f"a comparison needs at least two versions, got {len(labels)}")
    cases = tuple(workspace.case(topic_id, label, embedder, regions, on_stage) for label in labels)
    resolved = (settings or EvaluationSettings()).resolved(cases[0].embedding.embedder)
    return _Question(tuple(labels), cases, resolved)


def clusters_that_wait(
    workspace: Workspace, cases: Sequence[ScoringCase], settings: EvaluationSettings, regions: Sequence[RegionKind]
) -> tuple[RegionKind, ...]:
    """Return the kinds whose sweep is neither cached nor fast, for any of the versions."""
    asked = [kind for kind in regions if kind in CLUSTERS]
    keys = {(case.row.version.query_id, kind): cluster_key(case, kind, settings) for case in cases for kind in asked}
    known = remembered_keys(workspace.store, list(keys.values()))
    waiting: list[RegionKind] = []
    for kind in asked:
        unknown = [case for case in cases if keys[case.row.version.query_id, kind] not in known]
        if any(_n_found_with_vectors(workspace, case) >= 2 for case in unknown):
            waiting.append(kind)
    return tuple(waiting)


def _n_found_with_vectors(workspace: Workspace, case: ScoringCase) -> int:
    """Count the found core publications that a cluster would hold together. Fewer than two need no search."""
    found = workspace.store.rows(
        """
        SELECT count(*) FROM retrieved AS r
        JOIN core_publications AS c ON c.publication_id = r.publication_id AND c.topic_id = $topic
        JOIN vector_rows AS v ON v.publication_id = r.publication_id AND v.embedding_id = $embedding
        WHERE r.query_id = $query AND v.position IS NOT NULL
        """,
        {
            "query": case.row.version.query_id,
            "topic": case.core.topic_id,
            "embedding": case.embedding.embedding_id,
        },
    )
    return int(found[0][0])


def load_entrants(
    workspace: Workspace, cases: Sequence[ScoringCase], evaluations: Sequence[Evaluation]
) -> tuple[Entrant, ...]:
    entrants = []
    for case, evaluation in zip(cases, evaluations, strict=True):
        scene, retrieved_ids = case.load(workspace.store, workspace.catalogue)
        label, corpus_state = case.row.version.label, case.row.corpus_state
        entrants.append(Entrant(label, scene, retrieved_ids, evaluation, corpus_state))
    return tuple(entrants)


def _answer(
    workspace: Workspace,
    question: _Question,
    regions: Sequence[RegionKind],
    *,
    ranges: bool,
    on_stage: OnStage = silent,
) -> Comparison:
    store, settings = workspace.store, question.settings
    evaluations = tuple(
        remembered_score(store, workspace.catalogue, case, settings, regions, on_stage=on_stage)
        for case in question.cases
    )
    key = question.key("comparison" if ranges else "comparison_now", regions)
    if kept := store.recall(key):
        return decode_comparison(kept[0], evaluations)
    if ranges:
        on_stage("resampling the core set")
    entrants = load_entrants(workspace, question.cases, evaluations)
    comparison = compare(entrants, settings=settings, ranges=ranges)
    with suppress(DiskFullError):  # the answer is returned even if it can't be cached
        store.remember(key, "comparison", encode_comparison(comparison), None)
    return comparison


def compare_now(
    workspace: Workspace,
    topic_id: str,
    labels: Sequence[str],
    *,
    embedder: str | None = None,
    settings: EvaluationSettings | None = None,
    regions: Sequence[RegionKind] = DEFAULT_REGIONS,
) -> tuple[Comparison, tuple[RegionKind, ...]]:
    """Compare without ranges; also return the kinds of region left out because their clusters are not known yet."""
    question = _question(workspace, topic_id, labels, embedder, settings, regions)
    waiting: tuple[RegionKind, ...] = ()
    if not _all_scored(workspace, question, regions):
        waiting = clusters_that_wait(workspace, question.cases, question.settings, regions)
    at_once = tuple(kind for kind in regions if kind not in waiting)
    return _answer(workspace, question, at_once, ranges=False), waiting


def _all_scored(workspace: Workspace, question: _Question, regions: Sequence[RegionKind]) -> bool:
    keys = [evaluation_key(case, question.settings, regions) for case in question.cases]
    return remembered_keys(workspace.store, keys) == frozenset(keys)


def known_comparison(
    workspace: Workspace,
    topic_id: str,
    labels: Sequence[str],
    *,
    embedder: str | None = None,
    settings: EvaluationSettings | None = None,
    regions: Sequence[RegionKind] = DEFAULT_REGIONS,
) -> Comparison | None:
    question = _question(workspace, topic_id, labels, embedder, settings, regions)
    kept = workspace.store.recall(question.key("comparison", regions))
    evaluations = [recalled_score(workspace.store, case, question.settings, regions) for case in question.cases]
    there = tuple(evaluation for evaluation in evaluations if evaluation is not None)
    return decode_comparison(kept[0], there) if kept and len(there) == len(evaluations) else None


def compare_in_full(
    workspace: Workspace,
    topic_id: str,
    labels: Sequence[str],
    *,
    embedder: str | None = None,
    settings: EvaluationSettings | None = None,
    regions: Sequence[RegionKind] = DEFAULT_REGIONS,
    on_stage: OnStage = silent,
) -> Comparison:
    """Compare with ranges over resampled core sets, fitting clusters as needed. Slow the first time."""
    question = _question(workspace, topic_id, labels, embedder, settings, regions, on_stage)
    return _answer(workspace, question, regions, ranges=True, on_stage=on_stage)


def comparability(rows: Sequence[VersionRow], pairs: Sequence[VersionPair] = ()) -> Comparability:
    """Check whether these versions were run over the same publications; `pairs` also show which retrieve the same."""
    states = [row.corpus_state for row in rows]
    known = [state for state in states if state is not None]
    same = False if len(set(known)) > 1 else True if len(known) == len(states) else None
    nothing = {row.version.label for row in rows if row.n_retrieved == 0}
    named = [(p.a, p.b) for p in pairs if not p.n_only_a and not p.n_only_b]
    named += [
        (a.version.label, b.version.label)
        for a, b in combinations(rows, 2)
        if a.retrieved_hash is not None and a.retrieved_hash == b.retrieved_hash
    ]
    alike = _groups([(a, b) for a, b in named if a not in nothing])
    notes = [*_notes(rows), *(f"{listed(group)} retrieve the same publications" for group in alike)]
    return Comparability(same, tuple(notes))


def _notes(rows: Sequence[VersionRow]) -> list[str]:
    over: dict[str | None, list[VersionRow]] = {}
    for row in rows:
        over.setdefault(row.corpus_state, []).append(row)
    outside = [row.version.label for row in over.pop(None, [])]
    inside = [row.version.label for row in rows if row.corpus_state is not None]
    notes = []
    if len(over) > 1:
        sizes = "; ".join(_over(group) for group in over.values() if group[0].n_searched is not None)
        notes.append(
            f"{listed(inside)} were run over different publications{f' ({sizes})' if sizes else ''}: their texts, "
            "what they retrieve and the core found are compared, scores of regions are not; run them again on today's "
            "corpus: Versions > History"
        )
    if outside and inside:
        notes.append(
            f"{listed(outside)} {was(len(outside))} imported and {listed(inside)} {was(len(inside))} run here: they "
            "may have searched different publications, so read their differences with care"
        )
    return notes


def _over(group: Sequence[VersionRow]) -> str:
    return f"{listed([row.version.label for row in group])} over {group[0].n_searched or 0:,}"


def _groups(pairs: Sequence[tuple[str, str]]) -> list[list[str]]:
    groups: list[list[str]] = []
    for pair in pairs:
        joined = [group for group in groups if set(pair) & set(group)]
        groups = [group for group in groups if group not in joined]
        groups.append(list(dict.fromkeys([*(label for group in joined for label in group), *pair])))
    return groups


# The sensitivity report of versions in a workspace: its data is loaded once, and the report is cached.

CHEAP_CLUSTERS = 2_000_000
"""Numbers in the vectors of a version: up to this many, a cluster search takes about a second."""
FIELDS = [
    *(
        name
        for kind in (
            Robustness,
            ChoiceOutcome,
            SettingChoice,
            VersionRange,
            VersionOrder,
            OrderReversal,
            VersionProblem,
        )
        for name in kind.__dataclass_fields__
    ),
    *(f"{name} {variation.values}" for name, variation in VARIATIONS.items()),
]
"""Part of every key: reports with other variations are not reused."""


@dataclass(frozen=True, slots=True)
class _RobustnessQuestion:
    cases: tuple[ScoringCase, ...]
    settings: EvaluationSettings
    region: RegionKind
    shares: tuple[float, ...]

    @property
    def key(self) -> str:
        state = [part for case in self.cases for part in (case.row.version.label, *case.depends_on)]
        states = [case.row.corpus_state for case in self.cases]
        settings = settings_key(self.settings)
        return key_for("robustness", *FIELDS, *state, *states, settings, self.region, self.shares)


def _cases(
    workspace: Workspace, topic_id: str, labels: Sequence[str], embedder: str | None, on_stage: OnStage = silent
) -> tuple[ScoringCase, ...]:
    if not labels:
        raise InputError("a sensitivity report needs at least one version")
    if repeated := [label for label in dict.fromkeys(labels) if labels.count(label) > 1]:
        raise InputError(f"every version can be in a sensitivity report only once: {', '.join(repeated)}")
    return tuple(workspace.case(topic_id, label, embedder, DEFAULT_REGIONS, on_stage) for label in labels)


def _robustness_question(
    workspace: Workspace, cases: tuple[ScoringCase, ...], settings: EvaluationSettings | None, region: RegionKind
) -> _RobustnessQuestion:
    resolved = (settings or EvaluationSettings()).resolved(cases[0].embedding.embedder)
    check_varied(resolved)
    return _RobustnessQuestion(cases, resolved, region, _known_shares(workspace, cases, resolved))


def _all_shares(settings: EvaluationSettings) -> tuple[float, ...]:
    wanted = {settings.min_core_share, *(float(share) for share in VARIATIONS["min_core_share"].values)}
    return tuple(sorted(wanted))


def _share_key(case: ScoringCase, settings: EvaluationSettings, share: float) -> str:
    return cluster_key(case, "cluster", replace(settings, min_core_share=share))


def _known_shares(
    workspace: Workspace, cases: Sequence[ScoringCase], settings: EvaluationSettings
) -> tuple[float, ...]:
    shares = _all_shares(settings)
    keys = {share: [_share_key(case, settings, share) for case in cases] for share in shares}
    known = remembered_keys(workspace.store, [key for of_share in keys.values() for key in of_share])
    return tuple(share for share in shares if known.issuperset(keys[share]))


def known_robustness(
    workspace: Workspace,
    topic_id: str,
    labels: Sequence[str],
    *,
    embedder: str | None = None,
    settings: EvaluationSettings | None = None,
    region: RegionKind = "cosine",
) -> Robustness | None:
    question = _robustness_question(workspace, _cases(workspace, topic_id, labels, embedder), settings, region)
    kept = workspace.store.recall(question.key)
    return decode_robustness(kept[0]) if kept else None


def robustness_of(
    workspace: Workspace,
    topic_id: str,
    labels: Sequence[str],
    *,
    embedder: str | None = None,
    settings: EvaluationSettings | None = None,
    region: RegionKind = "cosine",
    on_stage: OnStage = silent,
) -> Robustness:
    """Return the sensitivity report of one or more versions, varied around one region; cached.

    Long cluster searches are not run here: cached ones are used, and those of short lists are run.
    """
    cases = _cases(workspace, topic_id, labels, embedder, on_stage)
    question = _robustness_question(workspace, cases, settings, region)
    if kept := workspace.store.recall(question.key):
        return decode_robustness(kept[0])
    on_stage("loading the versions")
    entrants = _entrants(workspace, question)
    if _fit_cheap_clusters(workspace, question, entrants, on_stage):
        question = _robustness_question(workspace, cases, question.settings, region)
    entrants = _entrants(workspace, question, entrants)
    on_stage("checking other choices")
    clusters = {case.row.version.label: _clusters(workspace, question, case) for case in cases}
    found = robustness(entrants, settings=question.settings, region=region, clusters=clusters)
    with suppress(DiskFullError):  # the report is returned even if it can't be cached
        workspace.store.remember(question.key, "robustness", json.dumps(asdict(found)), None)
    return found


def _entrants(
    workspace: Workspace, question: _RobustnessQuestion, loaded: Sequence[Entrant] | None = None
) -> tuple[Entrant, ...]:
    settings = question.settings
    waiting = clusters_that_wait(workspace, question.cases, settings, DEFAULT_REGIONS)
    if question.region in waiting and loaded is not None:
        raise InputError(
            f"{REGION_LABELS[question.region]} is not computed yet for every version: evaluate them first, or choose "
            "another region"
        )
    at_once = tuple(kind for kind in DEFAULT_REGIONS if kind not in waiting)
    scores = [
        remembered_score(workspace.store, workspace.catalogue, case, settings, at_once) for case in question.cases
    ]
    if loaded is None:
        return load_entrants(workspace, question.cases, scores)
    return tuple(replace(e, evaluation=evaluation) for e, evaluation in zip(loaded, scores, strict=True))


def _fit_cheap_clusters(
    workspace: Workspace, question: _RobustnessQuestion, entrants: Sequence[Entrant], on_stage: OnStage
) -> bool:
    """Search the clusters of short lists for every core share at once; return True if any search was run."""
    settings, store, made = question.settings, workspace.store, False
    shares = _all_shares(settings)
    for case, entrant in zip(question.cases, entrants, strict=True):
        keys = {share: _share_key(case, settings, share) for share in shares}
        missing = set(keys.values()) - remembered_keys(store, list(keys.values()))
        if not missing or entrant.scene.retrieved.vectors.size > CHEAP_CLUSTERS:
            continue
        watched = replace(entrant.scene, on_step=on_stage("splitting into clusters"))
        for share, fit in _cluster_fits(watched, settings, shares).items():
            if keys[share] in missing:
                made = True
                with suppress(DiskFullError):
                    store.remember(keys[share], "cluster", *encode_cluster(fit))
    return made


def _cluster_fits(scene: Scene, settings: EvaluationSettings, shares: Sequence[float]) -> dict[float, Fit]:
    if len(scene.found_ids) >= 2:
        return dict(cluster_curve(scene, settings, shares))
    return dict.fromkeys(shares, fit_regions(scene, settings, ("cluster",))["cluster"])


def _clusters(workspace: Workspace, question: _RobustnessQuestion, case: ScoringCase) -> dict[float, Fit]:
    kept = {share: workspace.store.recall(_share_key(case, question.settings, share)) for share in question.shares}
    return {share: decode_cluster(*found) for share, found in kept.items() if found}


def decode_robustness(document: str) -> Robustness:
    return decoded(json.loads(document), Robustness)


# What the user can do with a version: name it, comment on it, hide it, run it again.
#
# A version itself never changes. Deleting hides it: its publications stay in the topic, so that no other version's
# score changes, and restoring brings it back unchanged.

LONGEST_NAME = 80
LONGEST_NOTE = 2_000
_CONTROLS_OF_A_NOTE = str.maketrans("", "", "\n\t\u200d\ufe0f")
"""Control characters allowed in a note: line breaks, tabs, and joiners of emoji."""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    row: VersionRow
    made_from: str | None
    """Label of the version it was made from, even if that is hidden now."""
    n_core_found: int
    n_core: int
    is_current: bool | None
    """True: a run today would use the same publications and texts; None: not known, or never run here."""


def history(workspace: Workspace, topic_id: str, *, deleted: bool = False) -> tuple[HistoryEntry, ...]:
    """Return every version of a topic, oldest first. `deleted`: include hidden ones."""
    store = workspace.store
    check_topic(store, topic_id)
    every = store.versions(topic_id, deleted=True)
    label_of = {row.version.query_id: row.version.label for row in every}
    found = dict(
        store.rows(
            """
            SELECT query_id, count(*) FROM retrieved JOIN query_versions AS v USING (query_id)
            JOIN core_publications AS c ON c.topic_id = v.topic_id AND c.publication_id = retrieved.publication_id
            WHERE v.topic_id = ? GROUP BY query_id
            """,
            [topic_id],
        )
    )
    n_core = next(topic.n_core for topic in store.topics() if topic.topic_id == topic_id)
    now = workspace.corpora.searched(topic_id).state if any(row.corpus_state for row in every) else None
    return tuple(
        HistoryEntry(
            row,
            label_of.get(row.version.parent_id or ""),
            found.get(row.version.query_id, 0),
            n_core,
            None if row.corpus_state is None else row.corpus_state == now,
        )
        for row in every
        if deleted or row.deleted_at is None
    )


def _check_length(what: str, text: str, longest: int) -> None:
    if len(text) > longest:
        raise InputError(f"a {what} has up to {longest:,} characters of plain text, got {len(text):,}")
    if not text.translate(_CONTROLS_OF_A_NOTE).isprintable():
        raise InputError(f"a {what} is plain text: remove its control characters")


def name_version(
    workspace: Workspace,
    topic_id: str,
    label: str,
    name: str,
    *,
    seen: str | Unseen | None = UNSEEN,
    clock: Clock = utc_now,
) -> VersionRow:
    """Name a version; its label does not change. An empty name removes the name. `seen`: the name before."""
    kept = " ".join(name.split())
    _check_length("name", kept, LONGEST_NAME)
    row = _shown(workspace, topic_id, label)
    changed = replace(row, version=replace(row.version, name=kept or None))
    return _say(workspace, changed, "name", row.version.name, seen, clock)


def comment(
    workspace: Workspace,
    topic_id: str,
    label: str,
    note: str,
    *,
    seen: str | Unseen | None = UNSEEN,
    clock: Clock = utc_now,
) -> VersionRow:
    """Add a note to a version; an empty note removes it. `seen`: the note before."""
    kept = note.replace("\r\n", "\n").strip()
    _check_length("note", kept, LONGEST_NOTE)
    row = _shown(workspace, topic_id, label)
    changed = replace(row, version=replace(row.version, note=kept or None))
    return _say(workspace, changed, "note", row.version.note, seen, clock)


def delete_version(workspace: Workspace, topic_id: str, label: str, *, clock: Clock = utc_now) -> VersionRow:
    """Hide a version. Its publications stay in the topic, and its label stays taken; `bring_back` undoes it."""
    check_allowed("delete")
    row = _shown(workspace, topic_id, label)
    return _say(workspace, replace(row, deleted_at=clock()), "state", row.deleted_at, clock=clock)


def bring_back(workspace: Workspace, topic_id: str, label: str, *, clock: Clock = utc_now) -> VersionRow:
    """Restore a deleted version unchanged."""
    row = _row(workspace, topic_id, label)
    if row.deleted_at is None:
        raise InputError(f'version "{label}" of "{topic_id}" is not deleted, so there is nothing to restore')
    return _say(workspace, replace(row, deleted_at=None), "state", row.deleted_at, clock=clock)


def deleted_versions(workspace: Workspace, topic_id: str) -> tuple[VersionRow, ...]:
    """Return hidden versions, most recently deleted first."""
    rows = [row for row in workspace.store.versions(topic_id, deleted=True) if row.deleted_at is not None]
    return tuple(sorted(rows, key=lambda row: (row.deleted_at or "", row.version.number), reverse=True))


def run_again(workspace: Workspace, topic_id: str, label: str, *, clock: Clock = utc_now) -> VersionRow:
    """Run a version's text with its original dialect and semantics over today's topic; itself if nothing changed."""
    row = _shown(workspace, topic_id, label)
    version = row.version
    if not version.text.strip():
        raise InputError(f'the text of version "{label}" is unknown, so there is nothing to run')
    return workspace.run_query(
        topic_id,
        version.text,
        dialect=dialect_of(version),
        semantics="stemmed" if version.semantics == "stemmed" else "literal",
        parent=label,
        clock=clock,
    )


def load_changes(workspace: Workspace, topic_id: str, labels: Ids) -> VersionChanges:
    """Load which publications these versions share; a topic may have no core publications."""
    ids_of = workspace.store.load_retrieved_ids
    retrieved = {label: ids_of(version_named(workspace.store, topic_id, label).version.query_id) for label in labels}
    return changes(retrieved, workspace.store.load_core_ids(topic_id))


def _row(workspace: Workspace, topic_id: str, label: str) -> VersionRow:
    check_topic(workspace.store, topic_id)
    rows = {row.version.label: row for row in workspace.store.versions(topic_id, deleted=True)}
    if label not in rows:
        shown = (name for name, row in rows.items() if row.deleted_at is None)
        raise NotFoundError(f'topic "{topic_id}" has no version "{label}"; {meant_or_available(label, shown)}')
    return rows[label]


def _shown(workspace: Workspace, topic_id: str, label: str) -> VersionRow:
    row = _row(workspace, topic_id, label)
    if row.deleted_at is not None:
        raise NotFoundError(deleted_message(label, topic_id))
    return row


def _say(
    workspace: Workspace, row: VersionRow, what: str, now: object, seen: object = UNSEEN, clock: Clock = utc_now
) -> VersionRow:
    """Store a changed version. `what` of it changes from `now`."""
    store, version = workspace.store, row.version
    store.check_writable()
    with store.transaction():
        subject = f"{what} of {version.label}"
        record_change(store, version.topic_id, subject, now=now, seen=seen, at=clock())
        store.say_of_version(version.query_id, name=version.name, note=version.note, deleted_at=row.deleted_at)
    return row


# Publications gained, lost and kept between versions, as CSV (RFC 4180).

MARK = "\ufeff"
"""Byte order mark: without it, Excel reads a file as cp1252."""


def changes_csv(found: VersionChanges, headlines: Headlines, rows: Iterable[int]) -> bytes:
    """Return these rows as CSV, with a column for each version: 1 where it retrieves the publication."""
    out = io.StringIO(newline="")
    lines = csv.writer(out, lineterminator="\r\n")
    lines.writerow(["publication_id", "title", "year", "doi", "core", *map(harmless, found.labels)])
    for row in rows:
        held = int(found.bits[row])
        lines.writerow(
            [
                harmless(found.ids[row]),
                harmless(headlines.titles[row]),
                int(headlines.years[row]) or "",
                harmless(headlines.dois[row]),
                int(found.core_mask[row]),
                *(held >> i & 1 for i in range(len(found.labels))),
            ]
        )
    return (MARK + out.getvalue()).encode(errors="replace")
