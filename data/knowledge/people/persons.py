"""Who writes and rates: a name that a person types, and whether what they do can be kept."""

from __future__ import annotations

from core.errors import InputError, StoreInUseError
from data.store import Store

MOST_NAME_CHARACTERS = 60


def checked_person(name: str) -> str:
    """A name or initials without needless spaces, if it can be kept.

    >>> checked_person("  Ada   L. ")
    'Ada L.'
    """
    person = " ".join(name.split())
    if not person:
        raise InputError("say who you are first: a name or initials")
    if len(person) > MOST_NAME_CHARACTERS or not person.isprintable():
        raise InputError(f"a name has up to {MOST_NAME_CHARACTERS} printable characters; this one has {len(person):,}")
    return person


def check_is_kept(store: Store, what: str) -> None:
    """Refuse to write where nothing is kept."""
    if store.is_copy:
        raise StoreInUseError(
            f"{store.path} is open in another Queryscape, and {what} only there: this is a copy to look at"
        )
