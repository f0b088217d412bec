"""Load STaRK's processed folders: MAG, Amazon and Prime."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import numpy as np
import numpy.typing as npt

from core.errors import FormatError
from core.protocols import OnStage, silent
from core.types import Ids
from data.knowledge.builder import EntityPart, KnowledgeBaseParts, RelationPart
from data.knowledge.load_values import (
    MOST_CHARACTERS,
    Describe,
    Described,
    Shelf,
    attributes_of,
    encoded,
    first_filled,
    in_lines,
    value_text,
)
from data.knowledge.pickles import read_pickle, read_tensor

MOST_REVIEWS = 25
"""Largest number of reviews, and of questions, as in STaRK."""
Info = Mapping[Any, Any]
_NUMBERS = frozenset({"id", "new_id", "index", "type", "node_id"})
"""Names for the position of an entity."""


def _by_name(*names: str) -> Describe:
    left_out = _NUMBERS | {*names[:1], "NormalizedName"}

    def describe(info: Info) -> Described:
        return first_filled(info, *names), "", attributes_of(info, left_out)

    return describe


_PAPER = _NUMBERS | {"title", "abstract"}


def _paper(info: Info) -> Described:
    title = first_filled(info, "title", "PaperTitle", "OriginalTitle", "DisplayName")
    return title, value_text(info.get("abstract")), attributes_of(info, _PAPER)


_PRODUCT = _NUMBERS | {"title", "description", "feature", "review", "qa"}


def _product(info: Info) -> Described:
    text = in_lines(
        (
            ("", value_text(info.get("description"))),
            ("Features", value_text(info.get("feature"))),
            *(("Review", _review(review)) for review in _some(info.get("review"))),
            *(("Question", _answered(question)) for question in _some(info.get("qa"))),
        )
    )
    return value_text(info.get("title")), text, attributes_of(info, _PRODUCT)


def _some(values: Any) -> list[Info]:
    return [value for value in values[:MOST_REVIEWS] if isinstance(value, dict)] if isinstance(values, list) else []


def _review(review: Info) -> str:
    return ". ".join(part for part in (value_text(review.get("summary")), value_text(review.get("reviewText"))) if part)


def _answered(question: Info) -> str:
    asked, answer = value_text(question.get("question")), value_text(question.get("answer"))
    return f"{asked} Answer: {answer}" if asked and answer else asked


def _of_prime(info: Info) -> Described:
    details = info.get("details")
    parts = details.items() if isinstance(details, dict) else [("", details)]
    text = in_lines((name.replace("_", " "), value_text(value)) for name, value in parts if _speaks(name))
    source = value_text(info.get("source"))
    return first_filled(info, "name", "title"), text, encoded([("source", source)])


def _speaks(name: Any) -> bool:
    """Return True if a detail is meant for people; the others are ids in other databases."""
    return type(name) is str and not name.startswith("_") and "_id" not in name


def _of_anything(info: Info) -> Described:
    names = ("title", "name", "DisplayName", "label")
    text = first_filled(info, "text", "abstract", "description")
    return first_filled(info, *names), text, attributes_of(info, _NUMBERS | {*names, "text", "abstract", "description"})


DESCRIBE: Mapping[str, Mapping[str, Describe]] = {
    "mag": {
        "paper": _paper,
        **{name: _by_name("DisplayName", "name") for name in ("author", "institution", "field_of_study")},
    },
    "amazon": {
        "product": _product,
        **{name: _by_name(f"{name}_name", "name") for name in ("brand", "category", "color")},
    },
    "prime": {},
}
"""By knowledge base and type."""


def describer(templates: str, type: str) -> Describe:
    return DESCRIBE.get(templates, {}).get(type, _of_prime if templates == "prime" else _of_anything)


# STaRK's processed folders: MAG, Amazon, Prime, and others in the same format.

INFO = "node_info.pkl"
TENSORS = ("node_types.pt", "edge_index.pt", "edge_types.pt")
NAMES = ("node_type_dict.pkl", "edge_type_dict.pkl")
MAG_TYPES = {0: "author", 1: "institution", 2: "field_of_study", 3: "paper"}
MAG_RELATIONS = {
    0: "author___affiliated_with___institution",
    1: "paper___cites___paper",
    2: "paper___has_topic___field_of_study",
    3: "author___writes___paper",
}
"""Missing in its files: STaRK has them in its code."""
ANSWERS: Mapping[str, Ids] = {"mag": ("paper",), "amazon": ("product",), "prime": ()}
PART = 50_000
MOST_SAID = 30
"""Largest ratio of text length to file size: a file that references a text a million times would fill any disk."""
_USUAL_FOLDER = "brand-category-color"
Named = dict[int, str]


@dataclass(frozen=True, eq=False)
class _Opened:
    shelf: Shelf
    folder: PurePosixPath
    notes: list[str]

    def tensor(self, name: str) -> npt.NDArray[Any]:
        with self.shelf.opened(str(self.folder / name), whole=True) as (stream, _):
            return read_tensor(stream, name)

    def most_characters(self) -> int:
        """Return the largest total length of the entities' texts, in characters."""
        with self.shelf.opened(str(self.folder / INFO)) as (_, n_bytes):
            return MOST_SAID * n_bytes + MOST_CHARACTERS

    def unpickled(self, name: str) -> Any:
        with self.shelf.opened(str(self.folder / name)) as (stream, n_bytes):
            return read_pickle(stream, n_bytes, name)


def stark_folders(shelf: Shelf) -> tuple[PurePosixPath, ...]:
    """List the folders with a STaRK knowledge base: the usual choice of Amazon's types first, then outer ones first."""
    found = [PurePosixPath(name).parent for name in shelf.names() if PurePosixPath(name).name == INFO]
    return tuple(sorted(found, key=lambda folder: _USUAL_FOLDER not in folder.parts))


def read_stark(shelf: Shelf, notes: list[str], on_stage: OnStage = silent) -> KnowledgeBaseParts:
    """Read the whole folder. Relations are read on demand; observations on the way go into the notes."""
    folder, *others = stark_folders(shelf)
    opened = _Opened(shelf, folder, notes)
    if others:
        listed = ", ".join(str(other) for other in others[:3])
        opened.notes.append(f"{folder} was read, {listed} was not: name its folder to read it")
    _check_complete(shelf, folder)
    types = _whole(opened.tensor("node_types.pt"), "node_types.pt", 1)
    on_stage(f"reading {INFO}")
    infos = opened.unpickled(INFO)
    if not isinstance(infos, dict):
        raise FormatError(f"{INFO} holds no entities but a {type(infos).__name__}")
    if len(infos) != len(types):
        raise FormatError(
            f"{INFO} has {len(infos):,} entities, but node_types.pt has {len(types):,}: they are from different "
            f"downloads"
        )
    names, relation_names, templates = _names(opened, infos)
    return KnowledgeBaseParts(
        _entities(infos, types, names, templates, opened.notes, opened.most_characters()),
        _relations(opened, relation_names),
        ANSWERS.get(templates, ()),
        templates,
        notes=opened.notes,
    )


def _check_complete(shelf: Shelf, folder: PurePosixPath) -> None:
    there = set(shelf.names())
    missing = [name for name in TENSORS if str(folder / name) not in there]
    if missing:
        raise FormatError(
            f"{INFO} is there, but {', '.join(missing)} is missing: the download may be incomplete, download it again"
        )
    lacks = [name for name in NAMES if str(folder / name) not in there]
    if len(lacks) == 1:
        raise FormatError(f"{lacks[0]} is missing next to {INFO}: download it again")


def _names(opened: _Opened, infos: Mapping[Any, Any]) -> tuple[Named, Named, str]:
    if str(opened.folder / NAMES[0]) not in opened.shelf.names():
        first = next(iter(infos.values()), None)
        if not isinstance(first, dict) or not {"DisplayName", "title", "mag_id"} & first.keys() or "asin" in first:
            raise FormatError(f"{NAMES[0]} and {NAMES[1]} are missing next to {INFO}, and only MAG can do without them")
        return MAG_TYPES, MAG_RELATIONS, "mag"
    types, relations = (_named(opened.unpickled(name), name) for name in NAMES)
    known = set(types.values())
    if {"product", "brand"} <= known:
        return types, relations, "amazon"
    if "gene/protein" in known:
        return types, relations, "prime"
    return types, relations, "mag" if {"paper", "author"} <= known else ""


def _named(found: Any, name: str) -> Named:
    named: Named = found if isinstance(found, dict) else {}
    fits = named and all(type(k) is int and type(v) is str for k, v in named.items())
    if not fits or len(set(named.values())) != len(named):
        raise FormatError(f"{name} does not say what each number of a type is called")
    return named


def _whole(numbers: npt.NDArray[Any], name: str, n_axes: int) -> npt.NDArray[np.int64]:
    if numbers.dtype.kind not in "iu" or numbers.ndim != n_axes:
        raise FormatError(f"{name} holds {numbers.ndim} axes of {numbers.dtype}, not {n_axes} of whole numbers")
    return numbers.astype(np.int64, copy=False)


def _entities(
    infos: dict[Any, Any],
    types: npt.NDArray[np.int64],
    names: Named,
    templates: str,
    notes: list[str],
    most_characters: int,
) -> Iterator[EntityPart]:
    """Yield entities in order, freeing each after reading. `most_characters` limits all their texts together."""
    unknown = sorted(set(np.unique(types).tolist()) - names.keys())
    if unknown:
        listed = ", ".join(map(str, unknown[:5]))
        notes.append(f"types without a name, shown by their number: {listed}")
    named = {**names, **{number: f"type {number}" for number in unknown}}
    describes = {number: describer(templates, name) for number, name in named.items()}
    n_untitled, n_characters = 0, 0
    for start in range(0, len(types), PART):
        numbers = types[start : start + PART].tolist()
        ids, titles, texts, attributes = [], [], [], []
        for place, number in enumerate(numbers, start):
            info = infos.pop(place, None)
            if not isinstance(info, dict):
                raise FormatError(f"{INFO} has no data for entity {place}: it is damaged, download it again")
            title, text, found = describes[number](info)
            n_characters += len(title) + len(text) + len(found)
            if n_characters > most_characters:
                raise FormatError(f"{INFO} names the same texts again and again, which would fill the disk: not read")
            own_id = str(place)
            n_untitled += not title
            ids.append(own_id)
            titles.append(title or f"{named[number]} {own_id}")
            texts.append(text)
            attributes.append(found)
        yield EntityPart(ids, [named[number] for number in numbers], titles, texts, attributes)
    if n_untitled:
        notes.append(f"entities without a name, shown by their type and number: {n_untitled:,}")


def _relations(opened: _Opened, names: Named) -> Iterator[RelationPart]:
    kinds = _whole(opened.tensor("edge_types.pt"), "edge_types.pt", 1)
    ends = _whole(opened.tensor("edge_index.pt"), "edge_index.pt", 2)
    if len(ends) != 2 or ends.shape[1] != len(kinds):
        raise FormatError(
            f"edge_index.pt has {ends.shape[0]} rows of {ends.shape[1]:,} relations, but edge_types.pt has "
            f"{len(kinds):,}: they are from different downloads"
        )
    for number in _numbers(kinds):
        if number not in names:
            opened.notes.append(f"relations of number {number} have no name and are shown by their number")
        chosen = kinds == number
        yield RelationPart(names.get(number, f"relation {number}"), ends[0][chosen], ends[1][chosen])


def _numbers(kinds: npt.NDArray[np.int64]) -> list[int]:
    if len(kinds) and kinds.min() >= 0 and kinds.max() < 2**16:
        return list(map(int, np.flatnonzero(np.bincount(kinds))))  # without sorting millions of them
    return list(map(int, np.unique(kinds)))
