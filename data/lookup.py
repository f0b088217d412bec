"""List topics, and find topics, versions and embeddings by name, with suggestions for a wrong name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from core.errors import InputError, NotFoundError, NoTopicError
from core.text import first_of
from data.models.embedders import EMBEDDERS, read_name
from data.store import Store, VersionRow
from data.vectors import Embedding, VectorCatalogue

MOST_NAMES = 8


@dataclass(frozen=True, slots=True)
class TopicSummary:
    topic_id: str
    made_up: bool
    n_core: int
    embedders: tuple[str, ...]
    versions: tuple[VersionRow, ...]


def topic_summaries(store: Store, catalogue: VectorCatalogue) -> tuple[TopicSummary, ...]:
    embedders: dict[str, list[str]] = {}
    for coverage in catalogue.coverage():
        if coverage.covers:
            embedders.setdefault(coverage.topic_id, []).append(coverage.embedding.embedder)
    versions: dict[str, list[VersionRow]] = {}
    for row in store.versions():
        versions.setdefault(row.version.topic_id, []).append(row)
    return tuple(
        TopicSummary(
            t.topic_id,
            t.made_up,
            t.n_core,
            tuple(dict.fromkeys(embedders.get(t.topic_id, ()))),
            tuple(versions.get(t.topic_id, ())),
        )
        for t in store.topics()
    )


def there_is(names: Iterable[str]) -> str:
    """Return the end of a sentence that lists the possible names.

    >>> there_is(["a", "b", "a"])
    'available: a, b'
    """
    listed = list(dict.fromkeys(names))
    return f"available: {first_of(listed, MOST_NAMES)}" if listed else "none yet"


def meant_or_available(given: str, names: Iterable[str]) -> str:
    """Return the end of a sentence about a wrong name: the most similar one, or else all.

    >>> meant_or_available("Reviw", ["baseline", "review"]), meant_or_available("x", ["baseline", "review"])
    ('did you mean "review"?', 'available: baseline, review')
    """
    listed = list(dict.fromkeys(names))
    near = _name_like(given, listed)
    return f'did you mean "{near}"?' if near else there_is(listed)


def check_topic(store: Store, topic_id: str) -> None:
    """Raise an error if there is no such topic."""
    names = [t.topic_id for t in store.topics()]
    if not names:
        raise NotFoundError('the workspace is empty: try "queryscape demo", or load data with "get"')
    if topic_id not in names:
        raise NoTopicError(f'no topic "{topic_id}"; {meant_or_available(topic_id, names)}', topic_id, tuple(names))


def _name_like(given: str, names: Sequence[str]) -> str | None:
    """Return the name most like the given one, or else the name with the beginning most like it.

    >>> _name_like("Urbn haet", ["Sleep", "Urban heat and street trees"])
    'Urban heat and street trees'
    """
    n = len(given.split())
    for forms in ({name.lower(): name for name in names}, {" ".join(name.lower().split()[:n]): name for name in names}):
        if near := get_close_matches(given.lower(), forms, n=1):
            return forms[near[0]]
    return None


def topic_meant(given: str, names: Iterable[str]) -> str | None:
    """Return the only topic whose name, or slug, is the given one in other case, or else begins with it.

    >>> names = ["Urban heat and street trees (made up)", "Urban noise", "Sleep"]
    >>> topic_meant("urban-heat", names), topic_meant("SLEEP", names), topic_meant("bees", names)
    ('Urban heat and street trees (made up)', 'Sleep', None)
    """
    wanted = given.strip().casefold()
    forms = {name: (name.casefold(), slug(name)) for name in dict.fromkeys(names)}
    same = [name for name, each in forms.items() if wanted in each]
    found = same or [name for name, each in forms.items() if wanted and any(form.startswith(wanted) for form in each)]
    if len(found) > 1:
        raise NotFoundError(
            f'"{given}" may be any of these topics: {first_of(found, MOST_NAMES)}; write more of the name'
        )
    return found[0] if found else None


def slug(name: str) -> str:
    """Return a name's words in lower case, joined by hyphens.

    >>> slug("Urban heat and street trees (made up)")
    'urban-heat-and-street-trees-made-up'
    """
    return "-".join(re.findall(r"\w+", name.casefold()))


def version_named(store: Store, topic_id: str, label: str) -> VersionRow:
    """Return a version that has been run."""
    rows = store.versions(topic_id)
    for row in rows:
        if row.version.label == label:
            if row.retrieved_hash is None:
                raise NotFoundError(
                    f'version "{label}" of "{topic_id}" has a search string but no results: import its result '
                    "list first"
                )
            return row
    _check_name(store, topic_id, label)
    run = [row.version.label for row in rows if row.retrieved_hash is not None]
    raise NotFoundError(f'topic "{topic_id}" has no version "{label}"; {meant_or_available(label, run)}')


def version_with_text(store: Store, topic_id: str, label: str) -> VersionRow:
    """Return a version, whether or not it was run."""
    rows = {row.version.label: row for row in store.versions(topic_id)}
    if label not in rows:
        _check_name(store, topic_id, label)
        raise NotFoundError(f'topic "{topic_id}" has no version "{label}"; {meant_or_available(label, rows)}')
    return rows[label]


def check_no_label(store: Store, topic_id: str, text: str, use: str) -> None:
    """Raise an error if a search string is the label of a version. `use`: the way to choose that version."""
    given = text.strip()
    for row in store.versions(topic_id):
        if row.version.label == given != row.version.text:
            raise InputError(
                f'"{topic_id}" has a version "{given}": choose it with {use}, or search for this text with ({given})'
            )


def text_named(store: Store, topic_id: str, label: str) -> str:
    """Return the text of a version, whether or not it was run."""
    return version_with_text(store, topic_id, label).version.text


def _check_name(store: Store, topic_id: str, label: str) -> None:
    """Raise an error if there is no such topic, or if the version is hidden."""
    check_topic(store, topic_id)
    if any(row.version.label == label for row in store.versions(topic_id, deleted=True)):
        raise NotFoundError(deleted_message(label, topic_id))


def deleted_message(label: str, topic_id: str) -> str:
    return (
        f'version "{label}" of "{topic_id}" was deleted: restore it on the page Versions, under History, or with '
        f"versions --restore"
    )


def embedding_named(store: Store, catalogue: VectorCatalogue, topic_id: str, embedder: str | None) -> Embedding:
    """Return the embedding of this name; without a name, the only one that covers the topic."""
    coverage = catalogue.coverage(topic_id)
    stored = _stored(embedder, [c.embedding.embedder for c in coverage])
    named = [c.embedding for c in coverage if (c.covers if embedder is None else c.embedding.embedder == stored)]
    if len(named) == 1:
        return named[0]
    check_topic(store, topic_id)
    there = [c.embedding.embedder for c in coverage]
    if embedder is not None:
        how = f"; create them with embed --embedder {embedder}" if stored != embedder else ""
        raise NotFoundError(f'topic "{topic_id}" has no vectors of "{stored}"; {there_is([*there, *EMBEDDERS])}{how}')
    if not named:
        raise NotFoundError(
            f'topic "{topic_id}" has no vectors: create them with --embedder lsa (offline, at once), or import your '
            'own with "vectors FILE.npz --model NAME"'
        )
    names = ", ".join(e.embedder for e in named)
    raise InputError(f'topic "{topic_id}" has several embedders: choose one with --embedder ({names})')


def _stored(embedder: str | None, there: Iterable[str]) -> str | None:
    if embedder is None or embedder in there or embedder in EMBEDDERS:
        return embedder
    name = read_name(embedder)
    return name.stored if name else embedder
