"""Open a live source by name, and count its requests and costs per day."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any, cast

from core.errors import InputError
from core.sources.runs import dollar_amount
from core.sources.source_forms import SOURCE_IDS, SourceId
from data.access import is_allowed
from data.http.client import checked_address, is_offline
from data.http.keys import check_encrypted, origin_of
from data.sources.connection import PATIENCE, Connection
from data.sources.types import LiveSource, SentRequest, SourceInfo
from data.store import Clock, Store, utc_now


@dataclass(frozen=True, slots=True)
class DailyUsage:
    n_calls: int = 0
    dollars: float = 0.0
    left_dollars: float | None = None
    """The dollars left for the day according to the source; None: it reports none."""


@dataclass(frozen=True, eq=False)
class Meter:
    """A counter of requests in a store. Threads may share it. Days are in UTC, as the sources count them."""

    store: Store
    clock: Clock = utc_now

    def note(self, source: str, sent: SentRequest, left_dollars: float | None = None) -> None:
        """Count one request, for the day on which it was sent."""
        self.store.execute(
            """
            INSERT INTO live_calls VALUES ($source, $day, 1, $dollars, $left)
            ON CONFLICT (source, day) DO UPDATE SET
                n_calls = n_calls + 1,
                dollars = dollars + excluded.dollars,
                left_dollars = coalesce(excluded.left_dollars, left_dollars)
            """,
            {"source": source, "day": sent.at[:10], "dollars": sent.dollars, "left": left_dollars},
        )

    def today(self, source: str) -> DailyUsage:
        found = self.store.rows(
            "SELECT n_calls, dollars, left_dollars FROM live_calls WHERE source = ? AND day = ?",
            [source, self.clock()[:10]],
        )
        return DailyUsage(*found[0]) if found else DailyUsage()


# Sources by name: their description, their status today, and open instances. Keys come from the environment.

_CLASSES = {
    "openalex": "OpenAlex",
    "pubmed": "PubMed",
    "europepmc": "EuropePmc",
    "semanticscholar": "SemanticScholar",
    "dimensions": "Dimensions",
    "crossref": "Crossref",
}
"""The class in each adapter's module; it takes a connection, and whether that has a key."""


class _Abouts(Mapping[SourceId, SourceInfo]):
    """The descriptions of all sources, loaded on access."""

    def __getitem__(self, source_id: SourceId) -> SourceInfo:
        if source_id not in SOURCE_IDS:
            raise KeyError(source_id)
        return cast(SourceInfo, _module(source_id).ABOUT)

    def __iter__(self) -> Iterator[SourceId]:
        return iter(SOURCE_IDS)

    def __len__(self) -> int:
        return len(SOURCE_IDS)


ABOUT: Mapping[SourceId, SourceInfo] = _Abouts()
"""Every source, as described by its documentation."""


@dataclass(frozen=True, slots=True)
class SourceStanding:
    """The status of a source today, as far as it is known without a request."""

    about: SourceInfo
    has_key: bool
    address: str
    """The address of its API."""
    is_offline: bool
    """By the user's choice: no requests are sent."""
    day: DailyUsage
    allowed: float | None
    """Dollars that may be spent today without paying; None: it is free, or does not report any."""

    @property
    def left(self) -> float | None:
        """Dollars left of these; None: it is free, or does not report any."""
        return None if self.allowed is None else max(self.allowed - self.day.dollars, 0.0)

    def shortfall(self, dollars: float | None) -> str:
        """Warn that the day's budget ends before a run that costs this much. Empty: it is enough."""
        if self.left is None or dollars is None or dollars <= self.left:
            return ""
        about = self.about
        key = f" A key from {about.home} in {about.key_variable} raises the limit." if not self.has_key else ""
        return (
            f"{dollar_amount(self.left)} of today's budget is left, and the run takes {dollar_amount(dollars)}, so "
            f"it will stop early. Fetched records are kept, and it can resume after midnight UTC.{key}"
        )


def _module(name: str) -> Any:
    return import_module(f".{name}", __package__)


def check_source(name: str) -> SourceId:
    if name not in SOURCE_IDS:
        raise InputError(f'unknown source "{name[:40]}": choose from {", ".join(SOURCE_IDS)}')
    return name


def open_source(
    source_id: SourceId,
    *,
    store: Store | None = None,
    clock: Clock = utc_now,
    sleep: Callable[[float], None] = time.sleep,
) -> LiveSource:
    """Open a source without sending anything. Every request is counted in `store`, if there is one."""
    return cast(LiveSource, _opened(check_source(source_id), store, None, clock, sleep))


def open_crossref(*, address: str | None = None) -> Any:
    """Open Crossref, which finds publications by DOI and can't be searched."""
    return _opened("crossref", None, address, utc_now, time.sleep)


def _opened(
    name: str,
    store: Store | None,
    address: str | None,
    clock: Clock,
    sleep: Callable[[float], None],
) -> Any:
    module = _module(name)
    about: SourceInfo = module.ABOUT
    place = checked_address(address, about.address_variable) if address else address_of(about)
    connection: Connection = module.connect(
        place,
        key_for(about, place),
        patience=PATIENCE,
        clock=clock,
        **({} if sleep is time.sleep else {"sleep": sleep}),
        on_sent=None if store is None else partial(Meter(store, clock).note, name),
    )
    return getattr(module, _CLASSES[name])(connection, has_key=connection.has_key)


def address_of(about: SourceInfo) -> str:
    """Return the address from the environment, or else the default address."""
    text = os.environ.get(about.address_variable, "").strip()
    return checked_address(text, about.address_variable) if text else about.address


def key_of(about: SourceInfo) -> str:
    """Return the owner's key; empty: none is set, the source takes none, or a visitor asks."""
    if not is_allowed("services"):
        return ""
    return os.environ.get(about.key_variable, "").strip() if about.key_variable else ""


def key_for(about: SourceInfo, address: str) -> str:
    """Return the user's key if this is the source's own address, or the one that the environment names for it."""
    key = key_of(about)
    if not key or origin_of(address) not in (origin_of(about.address), origin_of(address_of(about))):
        return ""
    check_encrypted(address, about.key_variable)
    return key


def standing_of(store: Store, source_id: SourceId, *, clock: Clock = utc_now) -> SourceStanding:
    """Return the status of a source today, without a request."""
    about = ABOUT[check_source(source_id)]
    has_key = bool(key_of(about))
    about = about if has_key else about.without_key
    day = Meter(store, clock).today(source_id)
    allowed = about.dollars_per_day if day.left_dollars is None else day.dollars + day.left_dollars
    return SourceStanding(about, has_key, address_of(about), is_offline(), day, allowed)
