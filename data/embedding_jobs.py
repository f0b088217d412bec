"""Which embedder a name means, what it would cost, and running it for a topic of the workspace."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from core.errors import InputError, NotFoundError
from core.evaluate import Evaluation
from core.protocols import OnProgress
from data.cases import Case
from data.embedders import EMBEDDERS, PROVIDERS, SPELLINGS, EmbedderName, read_name
from data.embedders.model import Model
from data.embedders.tokens import Estimate
from data.embedding import EmbedReport, Target, embed_shared, embed_topic, need_of
from data.lookup import check_topic, there_is
from data.memory import key_for
from data.paths import WorkspacePaths
from data.store import Store
from data.vectors import VectorCatalogue, embedding_id_for


@dataclass(frozen=True, slots=True)
class Wish:
    """Which embedder to run, as it was asked for."""

    embedder: str
    model: str | None = None
    base_url: str | None = None
    name: str | None = None
    """The name to list the vectors under, if not the model's own."""


@dataclass(frozen=True, slots=True)
class EmbedPreview:
    """What `embed` would do."""

    embedder: str
    topic: str
    n_publications: int
    n_new: int
    """Publications that would get a vector."""
    estimate: Estimate
    """Of the texts that no earlier run has finished."""

    @property
    def costs(self) -> bool:
        """Whether it may cost money: a price of 0 is one of this machine's own work."""
        return self.estimate.dollars != 0


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A model that serves any topic, and the name for its vectors."""

    name: EmbedderName
    stored: str
    base_url: str | None

    def opened(self, topic_id: str) -> tuple[Model, Target]:
        model = PROVIDERS[self.name.provider](self.name.spelled_model, self.base_url)
        return model, Target(self.stored, topic_id, True, model.fingerprint)


def embed(
    store: Store,
    catalogue: VectorCatalogue,
    paths: WorkspacePaths,
    topic_id: str,
    wish: Wish,
    on_progress: OnProgress | None = None,
) -> EmbedReport:
    """Vectors for every publication of a topic that has none of its text and this model yet."""
    check_topic(store, topic_id)
    chosen = _choose(store, wish)
    if chosen is None:
        return embed_topic(store, catalogue, paths, topic_id, wish.embedder, on_progress=on_progress)
    model, target = chosen.opened(topic_id)
    report = embed_shared(store, catalogue, paths, target, model, on_progress=on_progress)
    _remember(store, chosen)
    return report


def preview(store: Store, catalogue: VectorCatalogue, paths: WorkspacePaths, topic_id: str, wish: Wish) -> EmbedPreview:
    """What that would take. Nothing is sent, and nothing written."""
    check_topic(store, topic_id)
    chosen = _choose(store, wish)
    if chosen is None:
        return _preview_of_fitted(store, catalogue, paths, topic_id, wish.embedder)
    model, target = chosen.opened(topic_id)
    need = need_of(store, catalogue, target)
    finished = {key for keys, _, _ in target.parts(paths).load() for key in keys}
    left = [text for key, text in need.text_of.items() if key not in finished]
    return EmbedPreview(chosen.stored, topic_id, need.n_publications, len(need.key_of), model.estimate(left))


def _preview_of_fitted(
    store: Store, catalogue: VectorCatalogue, paths: WorkspacePaths, topic_id: str, embedder: str
) -> EmbedPreview:
    from data.checksums import file_sha256

    model_path = paths.models / f"{embedding_id_for(embedder, topic_id)}.npz"
    fingerprint = file_sha256(model_path) if model_path.exists() else embedder
    need = need_of(store, catalogue, Target(embedder, topic_id, False, fingerprint))
    n_tokens = Estimate(len(need.text_of), 0, 0.0, "")
    return EmbedPreview(embedder, topic_id, need.n_publications, len(need.key_of), n_tokens)


def _choose(store: Store, wish: Wish) -> _Chosen | None:
    """What a wish means; None: an embedder that is fitted to the topic."""
    if wish.embedder in EMBEDDERS:
        if wish.model or wish.base_url or wish.name:
            raise InputError(f'"{wish.embedder}" takes no --model, --base-url or --name')
        return None
    name = read_name(wish.embedder, wish.model)
    base_url = wish.base_url
    stored = wish.name or (name.stored if name else "")
    if name is None:  # the name under which its vectors are listed
        kept = store.recall(_key(wish.embedder))
        if kept is None:
            names = there_is([*EMBEDDERS, *SPELLINGS.split(", ")[1:]])
            raise NotFoundError(f'no embedder "{wish.embedder}"; {names}')
        before = json.loads(kept[0])
        name, stored = EmbedderName(before["provider"], before["model"]), wish.embedder
        base_url = base_url or before["base_url"]
    elif base_url is None and (kept := store.recall(_key(stored))):
        base_url = json.loads(kept[0])["base_url"]
    if not stored.strip() or stored in EMBEDDERS:
        raise InputError(f'"{stored}" can\'t name these vectors: choose another name with --name')
    return _Chosen(name, stored, base_url)


def _key(stored: str) -> str:
    return key_for("embedder", stored)


def _remember(store: Store, chosen: _Chosen) -> None:
    """How these vectors were made, so that their name is enough the next time. No key is in it."""
    document = {"provider": chosen.name.provider, "model": chosen.name.spelled_model, "base_url": chosen.base_url}
    store.remember(_key(chosen.stored), "embedder", json.dumps(document), None)


def with_what_waits(catalogue: VectorCatalogue, case: Case, evaluation: Evaluation) -> Evaluation:
    """An evaluation that says if publications came after a model that is only run when told to."""
    whole = evaluation.n_unscorable == 0 and evaluation.n_core_with_vectors == len(evaluation.core_ids)
    if whole or case.embedding.topic_id is not None:
        return evaluation
    n = catalogue.n_without(case.embedding, case.core.topic_id, case.row.version.query_id)
    if not n:
        return evaluation
    command = f'embed --topic "{case.core.topic_id}" --embedder {case.embedding.embedder}'
    return replace(
        evaluation, warnings=(*evaluation.warnings, f"{n:,} publications have no vectors yet: run {command}")
    )
