"""The Labs page: try each parameter without loading data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from core.errors import InputError, QueryscapeError
from dashboard import cache, state
from dashboard.explore.labs import LABS
from dashboard.explore.labs.bench import (
    Lab,
    LabBench,
    LabChoice,
    Slider,
    lab_document,
    lab_look,
    mistakes_in,
    read_values,
)
from dashboard.jobs import Work
from dashboard.kit.components import mount_code, mount_part
from dashboard.messages import guarded, sentence
from dashboard.status import JobFamily, forget, watch
from data.explore.labs import Start

# The browser gets every lab in its initial state, once, and switches between them by itself. It sends the values of a
# lab while a control moves, one message at a time; each becomes one short run of the fragment below. The browser writes
# the link, too.

PART = "labs"
LAST = "labs-last"
IN_LINK = "at-"
"""Prefix of a lab's values in the link, so that none conflicts with a choice of another page."""


class LabValues(NamedTuple):
    """A lab to compute, and values from a message or a link."""

    lab: Lab
    sent: Mapping[str, Any]
    from_link: bool
    """True if its mistakes are reported; a control can't make any."""


@st.fragment
def draw_labs() -> None:
    with guarded():
        ask = state.take_ask(PART)
        wanted = _read_ask(ask) or state.value(LAST) or _read_link()
        state.set_value(LAST, wanted)
        answer = None if wanted is None else _answer(wanted)
        document = {"echo": state.last_ask(PART), "in_link": IN_LINK, "answer": answer}
        if ask is None:
            document |= {"labs": [_first(lab) for lab in LABS.values()], **lab_look()}
        mount_part("lab", document, PART, states=("ask",))
        if wanted is not None and answer is not None and answer["bench"] is None:
            _watch_background_work(wanted.lab)


def _read_ask(ask: Mapping[str, Any] | None) -> LabValues | None:
    if ask is None or ask.get("lab") not in LABS or not isinstance(ask.get("values"), Mapping):
        return None
    return LabValues(LABS[ask["lab"]], ask["values"], bool(ask.get("from_link")))


def _read_link() -> LabValues | None:
    sent = state.take_link(IN_LINK)
    name = next(iter(state.asked_for("lab")), "")
    return LabValues(LABS[name], sent, True) if sent and name in LABS else None


def _answer(wanted: LabValues) -> dict[str, Any]:
    lab, sent, from_link = wanted
    material = _material(lab)
    controls = lab.controls(material)
    values = read_values(controls, sent)
    mistakes = mistakes_in(controls, sent) if from_link else []
    bench, why_not = _bench(lab, material, values)
    if why_not and from_link and "points" in values:
        del values["points"]
        mistakes += why_not
        bench, why_not = _bench(lab, material, values)
    return lab_document(lab, controls, values, bench, [*mistakes, *why_not])


def _first(lab: Lab) -> dict[str, Any]:
    """Return the lab in its initial state. Only its options may differ from one run to the next."""
    material = _material(lab)
    controls = lab.controls(material)
    kept, key = cache.kept("lab_documents", 2 * len(LABS)), f"{lab.id}-{controls!r}"
    if key not in kept:
        document = _first_document(lab, controls, material)
        if document["bench"] is None:
            return document
        kept[key] = document
    return dict(kept[key])


def _first_document(lab: Lab, controls: Sequence[Slider | LabChoice], material: Any) -> dict[str, Any]:
    values = read_values(controls, {})
    return lab_document(lab, controls, values, *_bench(lab, material, values))


def _bench(lab: Lab, material: Any, values: Mapping[str, float | str]) -> tuple[LabBench | None, list[str]]:
    try:
        return lab.bench(material, values), []
    except QueryscapeError as e:
        return None, [sentence(str(e))]


def _material(lab: Lab) -> Any:
    """Return a lab's data from the workspace, opened once for all visitors."""
    kept = cache.lab_materials()
    if lab.material is not None and lab.id not in kept:
        kept[lab.id] = lab.material(cache.workspace(), _starter(lab))
    return kept.get(lab.id)


LAB_JOBS = JobFamily("lab", lane="long")


def _starter(lab: Lab) -> Start:
    """Return the function with which a lab starts slow work in the background."""

    def start(key: str, title: str, work: Work) -> None:
        job = LAB_JOBS.start_once(f"{lab.id}:{key}", title, work)
        forget(job)
        if job.error or job.cancelled:
            raise InputError(job.error or "this was stopped: move any control to start again")

    return start


def _watch_background_work(lab: Lab) -> None:
    for job in LAB_JOBS.running(lab.id)[:1]:
        watch(job)


def render() -> None:
    st.title("Labs")
    mount_code()
    draw_labs()


if __name__ == "__main__":
    render()
