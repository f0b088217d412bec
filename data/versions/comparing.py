"""Versions side by side: what can be had at once first, ranges over core sets later; both are remembered."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from core.comparing.compare import Comparison, Entrant, Pair, compare
from core.errors import DiskFullError, InputError
from core.evaluate import Evaluation
from core.protocols import OnStage, silent
from core.regions import DEFAULT_REGIONS
from core.settings import EvaluationSettings
from core.types import RegionKind
from data.cases import CLUSTERS, Case, cluster_key, evaluation_key, recalled_score, remembered_keys, remembered_score
from data.memory import decode_comparison, encode_comparison, key_for, settings_key
from data.store import VersionRow

if TYPE_CHECKING:
    from data.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Comparability:
    """Whether versions were run over the same publications, and what to know before comparing them."""

    same_corpus: bool | None
    """None: that is not known of every one of them."""
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Question:
    """What is compared under which settings: all that a remembered answer depends on."""

    labels: tuple[str, ...]
    cases: tuple[Case, ...]
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
        raise InputError(f"a comparison needs two versions or more, got {len(labels)}: --versions A B")
    cases = tuple(workspace.case(topic_id, label, embedder, regions, on_stage) for label in labels)
    resolved = (settings or EvaluationSettings()).resolved(cases[0].embedding.embedder)
    return _Question(tuple(labels), cases, resolved)


def clusters_that_wait(
    workspace: Workspace, cases: Sequence[Case], settings: EvaluationSettings, regions: Sequence[RegionKind]
) -> tuple[RegionKind, ...]:
    """The kinds among these whose sweep, for any of the versions, is neither known nor quick."""
    asked = [kind for kind in regions if kind in CLUSTERS]
    keys = {(case.row.version.query_id, kind): cluster_key(case, kind, settings) for case in cases for kind in asked}
    known = remembered_keys(workspace.store, list(keys.values()))
    waiting: list[RegionKind] = []
    for kind in asked:
        unknown = [case for case in cases if keys[case.row.version.query_id, kind] not in known]
        if any(_n_found_with_vectors(workspace, case) >= 2 for case in unknown):
            waiting.append(kind)
    return tuple(waiting)


def _n_found_with_vectors(workspace: Workspace, case: Case) -> int:
    """Found core publications that a cluster would hold together; with fewer than two there is nothing to search."""
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


def _score(
    workspace: Workspace,
    case: Case,
    settings: EvaluationSettings,
    regions: Sequence[RegionKind],
    on_stage: OnStage = silent,
) -> Evaluation:
    return remembered_score(workspace.store, workspace.catalogue, case, settings, regions, on_stage=on_stage)


def load_entrants(
    workspace: Workspace, cases: Sequence[Case], evaluations: Sequence[Evaluation]
) -> tuple[Entrant, ...]:
    """The versions as `core` takes them, with their vectors and places."""
    entrants = []
    for case, evaluation in zip(cases, evaluations, strict=True):
        loaded = case.load(workspace.store, workspace.catalogue)
        label, corpus_state = case.row.version.label, case.row.corpus_state
        entrants.append(Entrant(label, loaded.scene, loaded.retrieved_ids, evaluation, corpus_state))
    return tuple(entrants)


def _answer(
    workspace: Workspace,
    question: _Question,
    regions: Sequence[RegionKind],
    *,
    ranges: bool,
    on_stage: OnStage = silent,
) -> Comparison:
    """From memory, or computed and remembered."""
    store, settings = workspace.store, question.settings
    evaluations = tuple(_score(workspace, case, settings, regions, on_stage) for case in question.cases)
    key = question.key("comparison" if ranges else "comparison_now", regions)
    if kept := store.recall(key):
        return decode_comparison(kept[0], evaluations)
    if ranges:
        on_stage("resampling the core set")
    entrants = load_entrants(workspace, question.cases, evaluations)
    comparison = compare(entrants, settings=settings, ranges=ranges)
    with suppress(DiskFullError):  # the answer is worth more than its memory
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
    """Values without ranges, and the kinds of region that are left out because their clusters are not known yet."""
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
    """The comparison with its ranges, if it is remembered."""
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
    """With ranges over resampled core sets; clusters are fitted as needed. Slow the first time."""
    question = _question(workspace, topic_id, labels, embedder, settings, regions, on_stage)
    return _answer(workspace, question, regions, ranges=True, on_stage=on_stage)


def comparability(rows: Sequence[VersionRow], pairs: Sequence[Pair] = ()) -> Comparability:
    """Whether these versions were run over the same publications; `pairs` also tell which retrieve the same."""
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
    notes = [*_notes(rows), *(f"{_listed(group)} retrieve the same publications" for group in alike)]
    return Comparability(same, tuple(notes))


def _notes(rows: Sequence[VersionRow]) -> list[str]:
    """One for all that were run over different publications, one for all from outside beside those run here."""
    over: dict[str | None, list[VersionRow]] = {}
    for row in rows:
        over.setdefault(row.corpus_state, []).append(row)
    outside = [row.version.label for row in over.pop(None, [])]
    inside = [row.version.label for row in rows if row.corpus_state is not None]
    notes = []
    if len(over) > 1:
        sizes = "; ".join(_over(group) for group in over.values() if group[0].n_searched is not None)
        notes.append(
            f"{_listed(inside)} were run over different publications{f' ({sizes})' if sizes else ''}: their texts, "
            "what they retrieve and the core found are compared, scores of regions are not; run them again on today's "
            "corpus: Versions > History"
        )
    if outside and inside:
        notes.append(
            f"{_listed(outside)} {_was(outside)} brought in from outside and {_listed(inside)} {_was(inside)} run "
            "here: they may have searched different publications, so read their differences with care"
        )
    return notes


def _over(group: Sequence[VersionRow]) -> str:
    return f"{_listed([row.version.label for row in group])} over {group[0].n_searched or 0:,}"


def _listed(labels: Sequence[str]) -> str:
    return " and ".join([", ".join(labels[:-1]), labels[-1]] if len(labels) > 1 else labels)


def _was(labels: Sequence[str]) -> str:
    return "was" if len(labels) == 1 else "were"


def _groups(pairs: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Versions that hang together by these pairs."""
    groups: list[list[str]] = []
    for pair in pairs:
        joined = [group for group in groups if set(pair) & set(group)]
        groups = [group for group in groups if group not in joined]
        groups.append(list(dict.fromkeys([*(label for group in joined for label in group), *pair])))
    return groups
