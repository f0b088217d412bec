"""What loaders give and the builder takes: entities in parts, then relations between their places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from core.errors import MisalignedError
from core.knowledge.spans import Rows
from core.types import Ids
from data.store import content_hash


@dataclass(frozen=True, eq=False)
class EntityPart:
    """Some entities, aligned. Their place is counted through all parts, from 0."""

    ids: Sequence[str]
    types: Sequence[str]
    titles: Sequence[str]
    texts: Sequence[str]
    attributes: Sequence[str]
    """Pairs of name and value as a JSON list; empty: none."""

    def __post_init__(self) -> None:
        lengths = {len(self.ids), len(self.types), len(self.titles), len(self.texts), len(self.attributes)}
        if len(lengths) != 1:
            raise MisalignedError(f"a part of entities has columns of {sorted(lengths)} rows")


@dataclass(frozen=True, eq=False)
class RelationPart:
    """Some relations of one name, between places of entities."""

    name: str
    sources: Rows
    targets: Rows

    def __post_init__(self) -> None:
        if len(self.sources) != len(self.targets):
            raise MisalignedError(f"{len(self.sources)} sources but {len(self.targets)} targets")


@dataclass(eq=False)
class Parts:
    """A knowledge base as a loader reads it. Entities are taken first, then relations; each once."""

    entities: Iterable[EntityPart]
    relations: Iterable[RelationPart]
    answer_types: Ids = ()
    """Types that questions ask for; empty: all."""
    templates: str = ""
    """Which templates belong to it: "mag", "amazon", "prime", "openalex", or empty."""
    made_up: bool = False
    notes: list[str] = field(default_factory=list)
    """What a reader has to know; a loader adds to it while it is read."""


def content_key(parts: Parts) -> str:
    """The same for the same content; for parts that can be taken more than once."""
    columns = [
        column for part in parts.entities for column in (part.ids, part.types, part.titles, part.texts, part.attributes)
    ]
    ends = [(part.name, part.sources.tobytes().hex(), part.targets.tobytes().hex()) for part in parts.relations]
    said = [*parts.answer_types, parts.templates, str(parts.made_up), *parts.notes]
    return content_hash(["\x1f".join(each) for each in (*columns, *ends, said)])
