"""Entities and typed relations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.int64]
"""Places of entities in their knowledge base, from 0. Entities of one type stand together."""
Direction = Literal["forward", "back", "either"]
"""How a relation is walked: from its source to its target, from its target to its source, or both ways."""
TURNED: Mapping[Direction, Direction] = {"forward": "back", "back": "forward", "either": "either"}
"""How it is walked back."""


@dataclass(frozen=True, slots=True)
class EntityType:
    """A kind of entity and the rows that its entities have."""

    name: str
    first: int
    n: int
    is_answer: bool
    """Whether questions ask for entities of this type; their texts are what text retrievers search."""

    @property
    def rows(self) -> range:
        return range(self.first, self.first + self.n)


@dataclass(frozen=True, slots=True)
class RelationType:
    """A kind of relation between two types of entity. One name may stand for several."""

    name: str
    source: str
    target: str
    n: int


@dataclass(frozen=True, slots=True)
class Entity:
    """One entity as a list shows it."""

    row: int
    entity_id: str
    type: str
    title: str


@dataclass(frozen=True, slots=True)
class EntityText:
    """What an entity says of itself, besides its title."""

    text: str
    attributes: Mapping[str, str]
    """By name, in the order of the source."""


@dataclass(frozen=True, slots=True)
class NeighbourCount:
    """How many neighbours an entity has by one relation."""

    relation: str
    direction: Direction
    """forward: the entity is the relation's source; back: its target."""
    type: str
    """Of the neighbours."""
    n: int
