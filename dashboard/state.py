"""The choices of a visitor. The only module that touches session state and the link."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any
from uuid import uuid4

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import QueryscapeError, SettingsError
from dashboard.controls import IN_LINK, Tuning, link_of, tuning_from, tuning_in_link
from dashboard.workbench.bench import QueryBench

NAVIGATION = "navigation-part"
"""Key of the browser part that is on every page."""
LANDSCAPE = "landscape"
"""Key of the browser part that sends the tuning."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected topic, version and embedder."""

    topic_id: str
    label: str
    embedder: str


def visitor() -> str:
    """Return a random id that distinguishes the visitors of one server; nothing else is known about them."""
    return str(st.session_state.setdefault("visitor", uuid4().hex))


def read_selection() -> Selection | None:
    """Return the selection; None in an empty workspace."""
    return st.session_state.get("selection")


def keep_selection(selection: Selection | None) -> None:
    """Store the selection. Called before a page is drawn."""
    st.session_state["selection"] = selection


def read_topic() -> str | None:
    """Return the selected topic, even if no version of its query was run."""
    return st.session_state.get("chosen_topic")


def keep_topic(topic_id: str | None) -> None:
    """Store the topic. Called before a page is drawn."""
    st.session_state["chosen_topic"] = topic_id


def choose_topic_next(topic_id: str) -> None:
    """Show another topic as soon as it exists."""
    st.session_state["next_topic"] = topic_id


def take_next_topic(there: Collection[str]) -> None:
    """Apply the topic chosen for next. Called before the choice is drawn."""
    if st.session_state.get("next_topic") in there:
        st.session_state["topic"] = st.session_state.pop("next_topic")


def settle(key: str, options: Sequence[str]) -> None:
    """Set a choice that is always in the link to the first option, unless the session or the link has a valid one."""
    if st.session_state.get(key) not in options and st.query_params.get(key) not in options:
        st.session_state[key] = options[0]
        with suppress(StreamlitAPIException):  # the control exists already, and writes the link itself
            st.query_params[key] = options[0]


def drop_missing(key: str, options: Collection[str]) -> None:
    """Drop values that no longer exist from a choice of several, which may become empty."""
    if key in st.session_state:
        st.session_state[key] = [value for value in st.session_state[key] if value in options]


def settle_named(key: str, options: Sequence[str]) -> None:
    """Settle a choice like `settle`; it shows names, but the link holds ids and so survives a new name."""
    if st.session_state.get(key) not in options:
        wanted = st.query_params.get(key)
        st.session_state[key] = wanted if wanted in options else options[0]


def show_again(key: str) -> None:
    """Resend the chosen option to the browser, which keeps an option's old label even after it has changed."""
    st.session_state[key] = st.session_state[key]


def settle_number(key: str, low: int, high: int, otherwise: int) -> None:
    """Settle a whole number, within its bounds."""
    there = st.session_state.get(key)
    wanted = st.query_params.get(key, "")
    if there is None:
        there = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 16 else otherwise
    st.session_state[key] = min(max(int(there), low), high)


def settle_decimal(key: str, low: float, high: float, otherwise: float) -> None:
    there = st.session_state.get(key)
    if there is None:
        there = otherwise
        with suppress(ValueError):
            there = float(st.query_params.get(key, ""))
    st.session_state[key] = min(max(float(there), low), high) if isfinite(there) else otherwise


def settle_text(key: str, most: int) -> None:
    if key not in st.session_state:
        st.session_state[key] = st.query_params.get(key, "")[:most]


def settle_many_named(key: str, options: Sequence[str], *, most: int, otherwise: Sequence[str] | None = None) -> None:
    """Settle a choice of several. `otherwise`: the default selection; without it, the first `most` options."""
    there = st.session_state.get(key)
    kept = [value for value in (st.query_params.get_all(key) if there is None else there) if value in options]
    at_first = options[:most] if otherwise is None else otherwise
    st.session_state[key] = kept if kept or there == [] else list(at_first)


def write_in_link(key: str, values: Sequence[str]) -> None:
    """Write such a choice in the link, so that the address opens it again."""
    write_all_in_link({key: values})


def write_all_in_link(values: Mapping[str, Sequence[str]]) -> None:
    """Write several choices at once, so that the browser's Back is one step, too.

    Writing during the first run of a visit is deferred to its end: by then the browser has the code that determines
    what Back returns to.
    """
    st.session_state.setdefault("linked", set()).update(values)
    if "unwritten" in st.session_state:
        st.session_state["unwritten"].update(values)
    else:
        _write(values)


def _write(values: Mapping[str, Sequence[str]]) -> None:
    if changed := {key: list(several) for key, several in values.items() if st.query_params.get_all(key) != [*several]}:
        st.query_params.update(changed)


def write_address() -> None:
    """Write the deferred choices in the address. Called when a page is drawn to its end."""
    _write(st.session_state.pop("unwritten", {}))


def follow_address() -> None:
    """Forget all session values that are in the address, on Back and Forward. Called before anything else."""
    if is_first("address"):
        st.session_state["unwritten"] = {}
    else:
        st.session_state.pop("unwritten", None)
    run = get_script_run_ctx()
    if run is None or not run.is_history_navigation:
        return
    for key in (*st.session_state.get("linked", ()), "tuning"):
        if key in st.session_state:
            del st.session_state[key]


def open_part(part: str, role: str | None = None) -> None:
    """Choose the part that the Library shows the next time it is drawn."""
    st.session_state["part"] = part
    if role is not None:
        st.session_state["as"] = role


def choose_version(label: str) -> None:
    """Show another version from the next run on."""
    st.session_state["version"] = label


def choose_version_next(label: str) -> None:
    """Show another version in the next run, when the choice is drawn already."""
    st.session_state["next_version"] = label


def undone_version(topic_id: str) -> str | None:
    """Return the version that the last undo left."""
    left = _undone(topic_id)
    return left[-1] if left else None


def keep_undone_version(topic_id: str, label: str) -> None:
    _undone(topic_id).append(label)


def drop_undone_version(topic_id: str) -> None:
    _undone(topic_id).pop()


def _undone(topic_id: str) -> list[str]:
    kept: list[str] = st.session_state.setdefault(f"undone-{topic_id}", [])
    return kept


def take_next_version() -> None:
    """Apply the version chosen for next. Called before the choice is drawn."""
    if label := st.session_state.pop("next_version", None):
        choose_version(label)


def wanted_by_link(name: str, options: Sequence[str]) -> str | None:
    """Return the value in the link if it is not an option. To be called before the widget drops it."""
    wanted = st.query_params.get(name)
    is_settled = st.session_state.get(name) in options
    return wanted if wanted and wanted not in options and not is_settled else None


def missing_in_link(name: str, options: Collection[str]) -> tuple[str, ...]:
    """Return the values in the link that are not options, for a choice of several, when the page is opened."""
    if name in st.session_state:
        return ()
    return tuple(value for value in st.query_params.get_all(name) if value not in options)


def say_once(key: str, message: str) -> None:
    """Store a message until it is taken."""
    st.session_state[f"message-{key}"] = message


def take(key: str) -> str | None:
    """Return a message and delete it."""
    message = st.session_state.pop(f"message-{key}", None)
    return None if message is None else str(message)


def bring_into_sight(key: str) -> None:
    """Scroll to the container or control with this key at the end of the next run."""
    st.session_state["next-sight"] = key


def take_sight() -> str | None:
    """Return the key to scroll to, once."""
    key = st.session_state.pop("next-sight", None)
    return None if key is None else str(key)


@contextmanager
def noting(key: str) -> Iterator[None]:
    """Run a button's callback; a mistake in it is stored under this key, for the next run to show."""
    try:
        yield
    except QueryscapeError as e:
        say_once(key, str(e))


def is_first(key: str) -> bool:
    seen: set[str] = st.session_state.setdefault("seen", set())
    first = key not in seen
    seen.add(key)
    return first


def raise_flag(key: str) -> int:
    """Increment a counter and return it, so that a repeated request can be detected."""
    st.session_state[f"flag-{key}"] = flag(key) + 1
    return flag(key)


def flag(key: str) -> int:
    return int(st.session_state.get(f"flag-{key}", 0))


@dataclass(frozen=True, slots=True)
class BrowserMessage:
    tuning: Tuning
    seq: int
    """Number of the last message, for the reply."""
    focused_row: int | None
    focus_seq: int
    plain_figure: bool
    """The browser can't draw on a canvas."""
    mistake: str | None = None
    """The reason why part of the message was ignored."""


def read_browser(embedder: str) -> BrowserMessage:
    """Read the tuning: the browser's if it sent a new one, else the current one, at first the link's."""
    sent: Mapping[str, Any] = st.session_state.get(LANDSCAPE) or {}
    message = sent.get("tuning") or {}
    mistake = None
    base = st.session_state.get("tuning")
    try:
        if base is None:
            base = tuning_in_link(st.query_params)
        if message and message.get("seq") != st.session_state.get("tuning_seq"):
            base = tuning_from(message, base)
            st.session_state["tuning_seq"] = message.get("seq")
    except SettingsError as e:
        mistake = str(e)
    tuning = _for_embedder(base or Tuning(), embedder)
    st.session_state["tuning"] = tuning
    _write_link(tuning)
    focus = sent.get("focus") or {}
    row = focus.get("row")
    return BrowserMessage(
        tuning=tuning,
        seq=int(st.session_state.get("tuning_seq") or 0),
        focused_row=row if isinstance(row, int) and row >= 0 else None,
        focus_seq=int(focus.get("seq") or 0),
        plain_figure=_wants_plain_figure(sent),
        mistake=mistake,
    )


def tune_by(key: str, setting: str, **more: Any) -> None:
    """Apply the value of a Streamlit control, where the landscape can't be drawn."""
    values = {setting: st.session_state[key], **more}
    st.session_state["tuning"] = tuning_from(values, st.session_state.get("tuning"))


def forget_tuning() -> None:
    """Restore the default settings; region and colours stay."""
    tuning = st.session_state.get("tuning") or Tuning()
    st.session_state["tuning"] = replace(tuning, settings=Tuning().settings)


def _wants_plain_figure(sent: Mapping[str, Any]) -> bool:
    """Check whether the browser needs a plain figure; stored, because Streamlit forgets messages of undrawn parts."""
    if sent.get("fallback"):
        st.session_state["plain_figure"] = True
    return bool(st.session_state.get("plain_figure"))


def _for_embedder(tuning: Tuning, embedder: str) -> Tuning:
    """Reset the mode if the embedder has changed: a threshold belongs to the vectors it was set for."""
    before = st.session_state.get("tuned_for")
    st.session_state["tuned_for"] = embedder
    if before is None or before == embedder:
        return tuning
    return replace(tuning, settings=replace(tuning.settings, cosine_mode=None))


def _write_link(tuning: Tuning) -> None:
    link = link_of(tuning)
    write_all_in_link({short: [link[short]] if short in link else [] for short in IN_LINK.values()})


def read_bench(query_id: str) -> QueryBench | None:
    return st.session_state.get(f"bench-{query_id}")


def keep_bench(query_id: str, bench: QueryBench) -> None:
    st.session_state[f"bench-{query_id}"] = bench


def take_ask(part: str) -> Mapping[str, Any] | None:
    """Return a browser part's request, once: Streamlit repeats the last value in every run."""
    ask = (st.session_state.get(part) or {}).get("ask")
    seq = ask.get("seq") if isinstance(ask, Mapping) else None
    if not isinstance(seq, int) or seq <= last_ask(part):
        return None
    st.session_state[f"asked-{part}"] = seq
    return ask


def read_columns(file_id: str) -> dict[str, str] | None:
    return st.session_state.get(f"columns-{file_id}")


def keep_columns(file_id: str, columns: dict[str, str]) -> None:
    st.session_state[f"columns-{file_id}"] = columns


def value(key: str, otherwise: Any = None) -> Any:
    """Return the value of a control, which may be drawn further down."""
    return st.session_state.get(key, otherwise)


def snapshot() -> Mapping[str, Any]:
    """Return all control values at once: reading them one by one may be interrupted by the visitor's next click."""
    return st.session_state.to_dict()


def set_value(key: str, value: Any) -> None:
    """Set the value of a control for the next time it is drawn."""
    st.session_state[key] = value


def last_ask(part: str) -> int:
    """Return the number of the last request taken; 0: none."""
    return int(st.session_state.get(f"asked-{part}", 0))


def hold(key: str) -> None:
    """Keep the value of a control that is not drawn in this run."""
    if key in st.session_state:
        st.session_state[key] = st.session_state[key]


def take_link(prefix: str) -> dict[str, str]:
    """Return the parameters with this prefix in the visitor's first address, once."""
    if not is_first(f"link-{prefix}"):
        return {}
    return {name.removeprefix(prefix): st.query_params[name] for name in st.query_params if name.startswith(prefix)}


def asked_for(key: str) -> tuple[str, ...]:
    """Return the value of a choice of one or several, else the link's; empty without either."""
    there = st.session_state.get(key)
    return (there,) if isinstance(there, str) else tuple(st.query_params.get_all(key) if there is None else there)


def is_chosen(key: str) -> bool:
    """Return True if a choice was made, here or in the link."""
    return key in st.session_state or key in st.query_params
