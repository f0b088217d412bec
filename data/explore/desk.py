"""A topic's searchable publications and the evidence of their relevance, for work on its query."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from core.errors import SettingsError
from core.explore.evaluate import fit_regions
from core.explore.regions.cosine import fit_cosine
from core.explore.scene import FittedRegion, Scene, UndefinedRegion
from core.metrics import similar_mask
from core.query.contributions import MatchedQuery, Stakes, StoredResult
from core.query.evidence import CarriedHeadings, EvidenceSearch, takes_headings
from core.query.match import Bits, MatchedTree, Semantics, match, none_of, of_rows, rows_of
from core.query.parser import parse
from core.query.translation import DialectWriter
from core.query.tree import DialectId, ParsedQuery
from core.settings import EvaluationSettings
from core.types import CoreSet, Ids, Points, Publication, RetrievedSet
from data.explore.workspace import Workspace
from data.lookup import check_topic
from data.memory import key_for, settings_key
from data.query.index import CorpusIndex
from data.query.search import dialect_of, semantics_of
from data.store import Store, VersionRow
from data.vectors import Embedding


@dataclass(frozen=True, eq=False)
class CoreSimilarities:
    """The similarity of a topic's publications to the centre of the core: enough for any similarity threshold."""

    core: Scene
    """The core publications alone, which determine the threshold."""
    rows: npt.NDArray[np.intp]
    """Rows of the publications with a vector."""
    values: npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Desk:
    topic_id: str
    embedder: str
    corpus: CorpusIndex
    core: tuple[Publication | None, ...]
    """The core publications in order; None: only the id is known."""
    core_ids: Ids
    stakes: Stakes
    undefined: str | None
    """Reason why the cosine region could not be fitted; None: it was fitted."""
    points: Points
    """Landscape position of every publication; NaN: none."""
    state: str
    """Cache key: identifies everything the desk was built from."""
    similarities: CoreSimilarities | None = None
    """None: nothing is known about them, so other settings can't be applied."""
    untuned_state: str = ""
    """Cache key of everything but the settings."""
    _evidence: dict[Semantics, EvidenceSearch] = field(default_factory=dict)

    def evidence(self, semantics: Semantics) -> EvidenceSearch:
        """Return an index for evidence in the publications' words. It is shared by all wordings."""
        return self._evidence.setdefault(semantics, EvidenceSearch(self.corpus.texts, semantics))

    def match(self, parsed: ParsedQuery, semantics: Semantics, off: frozenset[int] = frozenset()) -> MatchedTree | None:
        """Match every node of a query against the corpus; None for a query without a tree."""
        return None if parsed.root is None else match(parsed.root, self.corpus, semantics, off)

    def retrieved_ids(self, retrieved: Bits) -> Ids:
        """Return the publications of a set, in the topic's order."""
        ids = self.corpus.ids
        return tuple(ids[row] for row in rows_of(retrieved))

    def tuned(self, settings: EvaluationSettings) -> Desk:
        """Return the desk with other settings; its index and its texts are shared.

        A threshold of mode `best` depends on a version's publications: give it as a fixed threshold.
        """
        if self.similarities is None or settings == self.stakes.settings:
            return self
        if settings.cosine_mode in (None, "best"):
            raise SettingsError("a desk needs a threshold that does not depend on what is retrieved")
        similarities, n = self.similarities, len(self.corpus.ids)
        fit = fit_cosine(similarities.core, settings)
        if isinstance(fit, UndefinedRegion):
            accepted, undefined = none_of(n), fit.reason
        else:
            min_similarity = float(fit.region.defines()["min_similarity"])
            accepted = of_rows(similarities.rows[similar_mask(similarities.values, min_similarity)], n)
            undefined = None
        return replace(
            self,
            stakes=replace(self.stakes, accepted=accepted, settings=settings),
            undefined=undefined,
            state=key_for("desk", self.untuned_state, settings_key(settings)),
        )

    @cached_property
    def core_rows(self) -> dict[str, int]:
        """Row of each core publication in the corpus; those not in the corpus are left out."""
        rows = {publication_id: row for row, publication_id in enumerate(self.corpus.ids)}
        return {i: rows[i] for i in self.core_ids if i in rows}


def set_up(
    workspace: Workspace, topic_id: str, embedder: str | None = None, settings: EvaluationSettings | None = None
) -> Desk:
    """Load a topic, and classify each of its publications with the cosine region.

    Indexes the topic on the first call, which takes seconds.
    """
    check_topic(workspace.store, topic_id)
    core = workspace.store.load_core(topic_id)
    embedding = workspace.embedding(topic_id, embedder)
    resolved = (settings or EvaluationSettings()).resolved(embedding.embedder)
    corpus = workspace.corpora.of(topic_id)
    row_of = {publication_id: row for row, publication_id in enumerate(corpus.ids)}
    known = {p.publication_id: p for p in workspace.publications(core.ids)}
    scene = _scene(workspace, corpus.ids, core, embedding)
    stakes, undefined = _stakes(scene, corpus.ids, core, resolved)
    places = workspace.landscapes.current_id(topic_id, embedding) or ""
    untuned = key_for("topic", topic_id, workspace.corpora.state(topic_id), embedding.fingerprint, places)
    return Desk(
        topic_id=topic_id,
        embedder=embedding.embedder,
        corpus=corpus,
        core=tuple(known.get(i) for i in core.ids),
        core_ids=core.ids,
        stakes=stakes,
        undefined=undefined,
        points=_places(workspace, places, row_of),
        state=key_for("desk", untuned, settings_key(resolved)),
        similarities=CoreSimilarities(
            core=Scene.of(RetrievedSet("core", scene.core.ids), core, scene.core),
            rows=np.array([row_of[i] for i in scene.retrieved.ids], dtype=np.intp),
            values=scene.similarities_to_centre,
        ),
        untuned_state=untuned,
    )


def stakes_of(
    workspace: Workspace, ids: Ids, core: CoreSet, embedding: Embedding, settings: EvaluationSettings
) -> tuple[Stakes, str | None]:
    """Return the stakes for these core publications, and the reason if no region could be fitted.

    `ids`: all publications that can be searched.
    """
    return _stakes(_scene(workspace, ids, core, embedding), ids, core, settings)


def _scene(workspace: Workspace, ids: Ids, core: CoreSet, embedding: Embedding) -> Scene:
    return Scene.of(RetrievedSet("everything", ids), core, workspace.catalogue.load(embedding, ids))


def _stakes(scene: Scene, ids: Ids, core: CoreSet, settings: EvaluationSettings) -> tuple[Stakes, str | None]:
    n, row_of = len(ids), {publication_id: row for row, publication_id in enumerate(ids)}
    fit = fit_regions(scene, settings, ("cosine",))["cosine"]
    scored = np.array([row_of[i] for i in scene.retrieved.ids], dtype=np.intp)
    stakes = Stakes(
        core=of_rows([row_of[i] for i in core.ids if i in row_of], n),
        n_core=len(core),
        scorable=of_rows(scored, n),
        accepted=of_rows(scored[fit.relevant_mask], n) if isinstance(fit, FittedRegion) else none_of(n),
        settings=settings,
    )
    return stakes, fit.reason if isinstance(fit, UndefinedRegion) else None


def _places(workspace: Workspace, projection_id: str, row_of: dict[str, int]) -> Points:
    points = np.full((len(row_of), 2), np.nan)
    if projection_id:
        projection = workspace.landscapes.load(projection_id)
        here = np.array([i in row_of for i in projection.ids], dtype=np.bool_)
        points[[row_of[i] for i in projection.ids if i in row_of]] = projection.points[here]
    return points


def stored_result(store: Store, corpus: CorpusIndex, row: VersionRow) -> StoredResult | None:
    """Return a version's stored result, which takes precedence in every report; None if it was never run."""
    if row.retrieved_hash is None:
        return None
    return StoredResult.of(store.load_retrieved_ids(row.version.query_id), corpus.ids)


def ask_version(
    workspace: Workspace,
    desk: Desk,
    row: VersionRow,
    *,
    dialect: DialectId | None = None,
    semantics: Semantics | None = None,
) -> MatchedQuery | None:
    """Match a version's query, in its original dialect and semantics by default, with its stored result.

    Return None for a query without a tree.
    """
    parsed = parse(row.version.text, dialect or dialect_of(row.version))
    stored = stored_result(workspace.store, desk.corpus, row)
    return ask(desk, parsed, semantics or semantics_of(row.version), stored=stored)


def ask(
    desk: Desk,
    parsed: ParsedQuery,
    semantics: Semantics,
    off: frozenset[int] = frozenset(),
    *,
    stored: StoredResult | None = None,
) -> MatchedQuery | None:
    """Match a query on a desk, with everything needed to weigh changes to it; None for one without a tree.

    `stored`: the stored result of the version with this query.
    """
    matched = desk.match(parsed, semantics, off)
    if matched is None:
        return None
    return MatchedQuery(
        text=parsed.text,
        matched=matched,
        corpus=desk.corpus,
        texts=desk.corpus.texts,
        semantics=semantics,
        stakes=desk.stakes,
        writer=DialectWriter(parsed.dialect),
        read_before=desk.evidence(semantics),
        read_again=(lambda text: _read_again(desk, parsed, semantics, text)) if _is_fragile(parsed) else None,
        stored=stored,
        read_headings=(lambda: _carried(desk.corpus)) if takes_headings(parsed) else None,
    )


def _carried(corpus: CorpusIndex) -> CarriedHeadings | None:
    index = corpus.headings
    return CarriedHeadings(index, corpus.mesh) if index is not None and index.n_publications else None


def _is_fragile(parsed: ParsedQuery) -> bool:
    """Return True if brackets or operators are missing, so that one part affects how another is parsed."""
    return any(f.severity == "error" or f.rule == "adjacent-terms" for f in parsed.findings)


def _read_again(desk: Desk, parsed: ParsedQuery, semantics: Semantics, text: str) -> Bits:
    matched = desk.match(parse(text, parsed.dialect), semantics)
    return none_of(len(desk.corpus.ids)) if matched is None or matched.root is None else matched.root
