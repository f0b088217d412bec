"""The sensitivity report of versions in a workspace: what it needs is loaded once, the report is remembered."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from core.comparing.compare import REGION_LABELS, Entrant
from core.comparing.robustness import (
    VARIATIONS,
    Choice,
    Order,
    Outcome,
    Robustness,
    Span,
    Special,
    Turn,
    check_varied,
    robustness,
)
from core.errors import DiskFullError, InputError
from core.evaluate import fit_regions
from core.protocols import OnStage, silent
from core.regions import DEFAULT_REGIONS
from core.regions.base import Fit, Scene
from core.regions.cluster import cluster_curve
from core.settings import EvaluationSettings
from core.types import RegionKind
from data.cases import Case, cluster_key, remembered_keys, remembered_score
from data.memory import decode_cluster, encode_cluster, key_for, settings_key
from data.versions.comparing import clusters_that_wait, load_entrants

if TYPE_CHECKING:
    from data.workspace import Workspace

CHEAP_CLUSTERS = 2_000_000
"""Numbers in the vectors of a version: up to so many, a cluster search takes about a second."""
FIELDS = [
    *(name for kind in (Robustness, Outcome, Choice, Span, Order, Turn, Special) for name in kind.__dataclass_fields__),
    *(f"{name} {variation.values}" for name, variation in VARIATIONS.items()),
]
"""Part of every key: a report over other choices is not asked for again."""


@dataclass(frozen=True, slots=True)
class _Question:
    cases: tuple[Case, ...]
    settings: EvaluationSettings
    region: RegionKind
    shares: tuple[float, ...]

    @property
    def key(self) -> str:
        """Everything that the report depends on, the clusters that are known among it."""
        state = [part for case in self.cases for part in (case.row.version.label, *case.depends_on)]
        states = [case.row.corpus_state for case in self.cases]
        settings = settings_key(self.settings)
        return key_for("robustness", *FIELDS, *state, *states, settings, self.region, self.shares)


def _cases(
    workspace: Workspace, topic_id: str, labels: Sequence[str], embedder: str | None, on_stage: OnStage = silent
) -> tuple[Case, ...]:
    if not labels:
        raise InputError("a sensitivity report needs at least one version")
    if repeated := [label for label in dict.fromkeys(labels) if labels.count(label) > 1]:
        raise InputError(f"every version can be in a sensitivity report only once: {', '.join(repeated)}")
    return tuple(workspace.case(topic_id, label, embedder, DEFAULT_REGIONS, on_stage) for label in labels)


def _question(
    workspace: Workspace, cases: tuple[Case, ...], settings: EvaluationSettings | None, region: RegionKind
) -> _Question:
    resolved = (settings or EvaluationSettings()).resolved(cases[0].embedding.embedder)
    check_varied(resolved)
    return _Question(cases, resolved, region, _known_shares(workspace, cases, resolved))


def _all_shares(settings: EvaluationSettings) -> tuple[float, ...]:
    wanted = {settings.min_core_share, *(float(share) for share in VARIATIONS["min_core_share"].values)}
    return tuple(sorted(wanted))


def _share_key(case: Case, settings: EvaluationSettings, share: float) -> str:
    return cluster_key(case, "cluster", replace(settings, min_core_share=share))


def _known_shares(workspace: Workspace, cases: Sequence[Case], settings: EvaluationSettings) -> tuple[float, ...]:
    """The core shares whose cluster is known for every version."""
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
    """The report, if it is remembered for what is known today."""
    question = _question(workspace, _cases(workspace, topic_id, labels, embedder), settings, region)
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
    """The sensitivity report of one version or several, varied around one region; remembered.

    Long cluster searches are not made here: those that are known are looked at, those of short lists are made.
    """
    cases = _cases(workspace, topic_id, labels, embedder, on_stage)
    question = _question(workspace, cases, settings, region)
    if kept := workspace.store.recall(question.key):
        return decode_robustness(kept[0])
    on_stage("loading the versions")
    entrants = _entrants(workspace, question)
    if _fit_cheap_clusters(workspace, question, entrants, on_stage):
        question = _question(workspace, cases, question.settings, region)
    entrants = _entrants(workspace, question, entrants)
    on_stage("going through other choices")
    clusters = {case.row.version.label: _clusters(workspace, question, case) for case in cases}
    found = robustness(entrants, settings=question.settings, region=region, clusters=clusters)
    with suppress(DiskFullError):  # the report is worth more than its memory
        workspace.store.remember(question.key, "robustness", json.dumps(asdict(found)), None)
    return found


def _entrants(
    workspace: Workspace, question: _Question, loaded: Sequence[Entrant] | None = None
) -> tuple[Entrant, ...]:
    """The versions with the scores that can be had at once; a cluster that is not known is not among them."""
    settings = question.settings
    waiting = clusters_that_wait(workspace, question.cases, settings, DEFAULT_REGIONS)
    if question.region in waiting and loaded is not None:
        raise InputError(
            f"{REGION_LABELS[question.region]} is not known yet for every version: evaluate them first, or choose "
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
    workspace: Workspace, question: _Question, entrants: Sequence[Entrant], on_stage: OnStage
) -> bool:
    """Search the clusters of short lists for every core share at once; whether any search was made."""
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


def _clusters(workspace: Workspace, question: _Question, case: Case) -> dict[float, Fit]:
    kept = {share: workspace.store.recall(_share_key(case, question.settings, share)) for share in question.shares}
    return {share: decode_cluster(*found) for share, found in kept.items() if found}


def _choice(fields: dict[str, Any] | None) -> Any:
    if fields is None:
        return None
    return Choice(fields["setting"], tuple((name, value) for name, value in fields["changes"]), fields["region"])


def decode_robustness(document: str) -> Robustness:
    """The report that was remembered."""
    fields = json.loads(document)
    outcomes = tuple(
        Outcome(_choice(o["choice"]), tuple(o["f_beta"]), tuple(o["problem"]), tuple(o["rank"]))
        for o in fields["outcomes"]
    )
    ends = ("lowest_under", "highest_under")
    spans = tuple(Span(**s | {name: _choice(s[name]) for name in ends}) for s in fields["spans"])
    orders = tuple(
        Order(
            **o
            | {"turned_by": tuple(map(_choice, o["turned_by"])), "turns": tuple(Turn(**turn) for turn in o["turns"])}
        )
        for o in fields["orders"]
    )
    special = tuple(Special(**s) for s in fields["special"])
    labels, left_out = tuple(fields["labels"]), tuple(fields["left_out"])
    return Robustness(labels, fields["region"], outcomes, spans, orders, special, left_out)
