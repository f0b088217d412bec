"""Show the sources with the rest of today's budget, and check their connections when asked.

No request is sent for the check: the host name is resolved and a connection opened, in the background.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from core.errors import InputError, QueryscapeError
from core.protocols import OnStage
from core.sources.runs import dollar_amount
from core.sources.source_forms import SourceId
from core.text import many
from dashboard import cache
from dashboard.messages import sentence
from dashboard.sources.navigation import ORDER
from dashboard.status import JobFamily
from dashboard.words import plain
from data.http.client import VARIABLE, ServiceReach, reach
from data.public_demo import is_public_demo, switched_off
from data.sources.registry import SourceStanding, standing_of

REACH_JOBS = JobFamily("live-reach")
MOST_REACHES = 32
ALL_AWAY = "You're offline: live sources are unavailable; everything else works."
OFFLINE = f"Offline by choice ({VARIABLE} is set): no data leaves this machine. Everything local works."
Colour = Literal["green", "orange", "gray"]


@dataclass(frozen=True, slots=True)
class Chip:
    text: str
    icon: str
    colour: Colour
    more: str
    """Text on hover."""


def draw_standing() -> None:
    standings = _standings()
    if REACH_JOBS.is_running():
        _until_known()
    else:
        _draw(standings)


def in_demo() -> str:
    """Return the reason why the public demo asks no source; empty outside of it."""
    return f"{switched_off('Searching live sources')}." if is_public_demo() else ""


def why_not(source: SourceId) -> str:
    """Return the reason why a source can't be used now; empty if it can, as far as is known without a request."""
    try:
        found = standing_of(cache.workspace().store, source)
    except QueryscapeError as e:
        return sentence(str(e))
    about, left = found.about, found.left
    if found.is_offline:
        return in_demo() or f"Offline by choice: {VARIABLE} is set. Unset it and restart to go online."
    if about.needs_key and not found.has_key:
        return f"{about.label} needs a key: set {about.key_variable} and restart. Get one at {about.home}."
    if left is not None and left < about.dollars_per_call:
        return f"The daily budget of {about.label} is used up: resume after midnight UTC."
    return ""


def _standings() -> tuple[SourceStanding, ...]:
    """Return the standings of all sources except those with an invalid address, which `why_not` reports."""
    store, found = cache.workspace().store, []
    for source in ORDER:
        with suppress(InputError):
            found.append(standing_of(store, source))
    return tuple(found)


def _reached(found: SourceStanding) -> ServiceReach | None:
    """Return the latest result, however old; None: there is none yet."""
    known: ServiceReach | None = cache.kept("live-reach", MOST_REACHES).get(found.address)
    return known


def _check() -> None:
    """Start a check in the background."""
    kept, addresses = cache.kept("live-reach", MOST_REACHES), {found.address for found in _standings()}

    def work(on_stage: OnStage) -> None:
        with ThreadPoolExecutor(max_workers=len(addresses)) as pool:
            for address, found in zip(addresses, pool.map(reach, addresses), strict=True):
                kept[address] = found

    REACH_JOBS.start("", "Checking the sources", work)


@st.fragment(run_every=0.5)
def _until_known() -> None:
    if not REACH_JOBS.is_running():
        st.rerun()
    _draw(_standings())


# Drawing


def _draw(standings: tuple[SourceStanding, ...]) -> None:
    reached = [_reached(found) for found in standings]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="live-standing"):
        for found, known in zip(standings, reached, strict=True):
            chip = chip_of(found, known)
            left = found.left
            with st.container(horizontal=True, vertical_alignment="center", gap="xxsmall", width="content"):
                st.badge(plain(chip.text), icon=chip.icon, color=chip.colour, help=plain(chip.more))
                if left is not None and found.allowed and found.day.n_calls:
                    st.progress(min(left / found.allowed, 1.0), width=56)
        if not any(found.is_offline for found in standings):
            words = "Look up the name of each source and open a connection. No request is sent."
            busy = REACH_JOBS.is_running()
            st.button(
                "Check connections", key="live-check", type="tertiary", help=words, disabled=busy, on_click=_check
            )
    if any(found.is_offline for found in standings):
        st.caption(in_demo() or OFFLINE)
    elif reached and all(known is not None and known.state == "out of reach" for known in reached):
        st.caption(f":material/cloud_off: {ALL_AWAY}")


def chip_of(found: SourceStanding, known: ServiceReach | None) -> Chip:
    about, day = found.about, found.day
    parts, more = [about.label], [f"Address: {found.address}."]
    icon, colour = ":material/public:", "gray"
    if found.is_offline:
        parts.append("offline")
        icon = ":material/cloud_off:"
    elif about.needs_key and not found.has_key:
        parts.append("needs a key")
        icon = ":material/key:"
        more.append(f"Set {about.key_variable} to a key and restart. Get one at {about.home}.")
    elif known is None:
        more.append("The connection is not checked yet.")
    elif known.state == "reachable":
        icon, colour = ":material/check_circle:", "green"
        more.append(f"Reachable{f', {known.why}' if known.why else ''}.")
    else:
        parts.append("offline")
        icon = ":material/cloud_off:"
        more.append(sentence(f"Offline: {known.why}"))
    if day.n_calls:
        parts.append(f"{many(day.n_calls, 'call')} today")
    if (left := found.left) is not None and (day.n_calls or left < about.dollars_per_call):
        parts.append(f"{dollar_amount(left)} left")
        if left < about.dollars_per_call:
            icon, colour = ":material/money_off:", "orange"
    if found.allowed is not None:
        more.append(f"Daily budget: ${found.allowed:.2f}; spent today: ${day.dollars:.3f}. It resets at midnight UTC.")
    if about.key_variable and not found.has_key and not about.needs_key:
        more.append(f"No key is set ({about.key_variable}); a key raises the limit.")
    return Chip(" · ".join(parts), icon, colour, " ".join(more))  # type: ignore[arg-type]
