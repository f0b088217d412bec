"""What a synthesis has made so far, and saving it as a collection."""

from __future__ import annotations

from collections.abc import Sequence

from core.knowledge.synthesis.reading import Made, SynthesisSettings
from core.knowledge.synthesis.steps import outcome, summarise
from core.ranking.check import Collection, check
from data.clock import Clock, utc_now
from data.collections.stored import CollectionRow, checked_name, save_collection
from data.knowledge.base import KnowledgeBase
from data.knowledge.synthesis.collection import as_collection
from data.knowledge.synthesis.demo_writer import MODEL, NOTE
from data.knowledge.synthesis.keeping import Keeper
from data.store import Store


def load_made(keeper: Keeper, settings: SynthesisSettings) -> tuple[Made, ...]:
    """Every query that was begun, with what it came to until now."""
    items = keeper.items()
    waiting = [sampled.item for sampled, came in items if came is None or came.state == "waiting"]
    reads = keeper.reads(waiting) if waiting else {}
    return tuple(
        Made(sampled, came)
        if came is not None and came.state != "waiting"
        else Made(sampled, outcome(sampled, reads.get(sampled.item, {}), settings))
        for sampled, came in items
    )


def collection_of(
    base: KnowledgeBase,
    made: Sequence[Made],
    settings: SynthesisSettings,
    name: str,
    *,
    with_refused: bool = False,
    with_documents: bool = True,
) -> Collection:
    """The collection over everything that questions ask for. `with_documents`: a question file needs none."""
    return as_collection(
        base.documents() if with_documents else (),
        made,
        checked_name(name),
        seed=settings.seed,
        with_refused=with_refused,
        made_up=base.about.made_up,
    )


def save_made(
    store: Store,
    base: KnowledgeBase,
    made: Sequence[Made],
    settings: SynthesisSettings,
    name: str,
    *,
    with_refused: bool = False,
    replace: bool = False,
    clock: Clock = utc_now,
) -> CollectionRow:
    """Keep the queries as a collection that retrievers are run over."""
    collection = collection_of(base, made, settings, name, with_refused=with_refused)
    return save_collection(
        store,
        collection,
        origin=f'written by {", ".join(settings.models)} over the knowledge base "{base.about.name}"',
        notes=notes_of(made, settings, with_refused=with_refused),
        oddities=check(collection),
        replace=replace,
        clock=clock,
    )


def notes_of(made: Sequence[Made], settings: SynthesisSettings, *, with_refused: bool = False) -> tuple[str, ...]:
    """What has to be known of such queries."""
    summary = summarise(made, settings.filters)
    rate = summary.verification
    said = [f"queries and judgments were made by {', '.join(settings.models)}, not by people"]
    if rate.interval is not None:
        low, high = (100 * end for end in rate.interval)
        said.append(
            f"the models accept the gold answer of {rate.n_yes:,} of {rate.n:,} queries (95 % interval {low:.0f} to "
            f"{high:.0f} %)"
        )
    if n_refused := summary.states.get("gold refused", 0):
        where = "in it, though" if with_refused else "left out, since"
        said.append(f"{where} the models refuse the gold answer: {_queries(n_refused)}")
    if summary.n_unnamed:
        said.append(f"an entity that the answers hang on is not named: {_queries(summary.n_unnamed)}")
    return (*said, NOTE) if MODEL in settings.models else tuple(said)


def _queries(n: int) -> str:
    return "1 query" if n == 1 else f"{n:,} queries"
