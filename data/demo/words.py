"""Reads the word lists of the demo: TOML files, so that they can be read and changed without knowing Python."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from core.errors import FormatError
from core.types import Origin

TOPICS = Path(__file__).parent / "topics"

WordLists = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Lexicon:
    """Lists that a slot such as {city} draws from."""

    variants: WordLists
    """Wordings of one idea: a publication keeps to one, some to two; earlier ones are more common."""
    once: WordLists
    """One draw per publication, kept throughout."""
    words: WordLists
    """A new draw at each place."""


@dataclass(frozen=True)
class Theme:
    """A sub-theme of the topic, or a neighbouring field that is noise to it."""

    name: str
    relevant: bool
    share: float
    """How often it is drawn, in relation to the other themes of the topic."""
    lends: bool
    """Whether publications on other themes may borrow a sentence of it."""
    sentences: WordLists
    """Patterns by their place in a publication: title, why, aim, how, found, so."""


@dataclass(frozen=True)
class VersionText:
    """One query version as the word list states it."""

    label: str
    origin: Origin
    text: str


@dataclass(frozen=True)
class TopicWords:
    """Everything that a topic is written from."""

    topic_id: str
    first_number: int
    """Number of its first publication: ids stay unique over topics."""
    n_publications: int
    n_core: int
    n_core_without_abstract: int
    seed: int
    lexicon: Lexicon
    common_sentences: WordLists
    """What a publication on any theme may hold: the topic's own, else those of common.toml."""
    themes: tuple[Theme, ...]
    versions: tuple[VersionText, ...]


def load_topics() -> tuple[TopicWords, ...]:
    """The word lists of every topic, in the order of their publications' numbers."""
    common = _read(TOPICS / "common.toml")
    topics = [_load_topic(folder, common) for folder in TOPICS.iterdir() if (folder / "topic.toml").exists()]
    return tuple(sorted(topics, key=lambda topic: topic.first_number))


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as e:
        raise FormatError(f"the demo word list {path} is not valid TOML: {e}") from e


def _load_topic(folder: Path, common: dict[str, Any]) -> TopicWords:
    topic = _read(folder / "topic.toml")
    files = sorted(path for path in folder.glob("*.toml") if path.name != "topic.toml")
    themes = tuple(_theme(entry) for path in files for entry in _read(path)["themes"])
    kinds = {kind: _lists({**common.get(kind, {}), **topic.get(kind, {})}) for kind in ("variants", "once", "words")}
    return TopicWords(
        topic_id=topic["topic_id"],
        first_number=topic["first_number"],
        n_publications=topic["n_publications"],
        n_core=topic["n_core"],
        n_core_without_abstract=topic["n_core_without_abstract"],
        seed=topic["seed"],
        lexicon=Lexicon(**kinds),
        common_sentences=_lists({**common["sentences"], **topic.get("sentences", {})}),
        themes=themes,
        versions=tuple(_version(entry) for entry in topic["versions"]),
    )


def _theme(entry: dict[str, Any]) -> Theme:
    patterns = {place: patterns for place, patterns in entry.items() if isinstance(patterns, list)}
    return Theme(entry["name"], entry["relevant"], float(entry["share"]), entry.get("lends", True), _lists(patterns))


def _version(entry: dict[str, Any]) -> VersionText:
    label = entry["label"]
    if label not in get_args(Origin):
        raise FormatError(f'a demo version is labelled by its origin ({", ".join(get_args(Origin))}), got "{label}"')
    return VersionText(label, label, " ".join(entry["text"].split()))


def _lists(table: dict[str, Any]) -> WordLists:
    return {name: tuple(entries) for name, entries in table.items()}
