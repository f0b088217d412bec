"""The Labs page: try each parameter without loading data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.errors import InputError, QueryscapeError
from core.protocols import OnStage, silent
from dashboard import cache, state
from dashboard.explore.labs import LABS
from dashboard.explore.labs.bench import Bench, Choice, Lab, Slider, lab_document, mistakes_in, read_values
from dashboard.jobs import Job, Work
from dashboard.kit.components import mount_code, mount_part
from dashboard.messages import guarded, sentence
from dashboard.status import how_it_ended, watch
from dashboard.words import plain
from data.explore.labs import Start

# A lab on the page: its words, its bench, its link.
#
# The browser sends where the controls stand while the hand moves, one message at a time. Each becomes one short run
# of the fragment below: message, values, bench, document. The link follows when the hand rests.

IN_LINK = "at-"
"""Before the names of a lab's values in the link, so that none meets that of a choice of another page."""


def draw_lab(lab: Lab) -> None:
    st.subheader(plain(lab.title), anchor=False)
    st.markdown("  \n".join(plain(line) for line in lab.explanation.splitlines()))
    if lab.reference:
        st.caption(plain(lab.reference))
    if _is_ready(lab):
        _draw_bench(lab)


def _is_ready(lab: Lab) -> bool:
    """Whether its material is there; if not, it is made, and that is shown."""
    if lab.material is None or lab.id in cache.lab_materials():
        return True
    if lab.at_once:
        cache.lab_materials()[lab.id] = lab.material(cache.workspace(), _starter(lab), silent)
        return True
    job = _make_material(lab)
    if job.is_over and not job.finished:
        how_it_ended(job)
    else:
        st.caption("What this lab shows is computed once; its first part takes longest. Then every move is quick.")
        watch(job)
    return False


@st.fragment
def _draw_bench(lab: Lab) -> None:
    with guarded():
        material = cache.lab_materials().get(lab.id)
        controls = lab.controls(material)
        asked = state.take_lab_ask(lab.id)
        mistakes: list[str] = []
        if asked is not None:
            values = read_values(controls, asked["values"])
        elif (kept := state.read_lab(lab.id)) is not None:
            values = read_values(controls, kept)
        else:
            values, mistakes = _from_link(lab, controls, material)
        bench, why_not = _bench(lab, material, values)
        document = lab_document(lab, controls, values, bench, [*mistakes, *why_not])
        state.keep_lab(lab.id, values)
        if asked is None or asked.get("rests"):
            state.write_link(IN_LINK, document["link"])
        document |= {"echo": state.last_lab_ask(lab.id), "in_link": IN_LINK}
        mount_part("lab", document, state.lab_key(lab.id), states=("lab",))
        if bench is None:
            _watch_what_is_made(lab)


def _watch_what_is_made(lab: Lab) -> None:
    """A lab may have more made when it is asked for it; its jobs are named `lab:ID:...`."""
    for job in cache.jobs().unfinished(f"lab:{lab.id}")[:1]:
        watch(job)


def _from_link(
    lab: Lab, controls: Sequence[Slider | Choice], material: Any
) -> tuple[dict[str, float | str], list[str]]:
    link = state.take_link(IN_LINK)
    values, mistakes = read_values(controls, link), mistakes_in(controls, link)
    if "points" in values:
        _, why_not = _bench(lab, material, values)
        if why_not:
            mistakes += why_not
            del values["points"]
    return values, mistakes


def _bench(lab: Lab, material: Any, values: Mapping[str, float | str]) -> tuple[Bench | None, list[str]]:
    try:
        return lab.bench(material, values), []
    except QueryscapeError as e:
        return None, [sentence(str(e))]


def _make_material(lab: Lab) -> Job:
    """Have the material of a lab made in the background, once for all visitors."""
    make, kept = lab.material, cache.lab_materials()

    def work(on_stage: OnStage) -> None:
        if make is not None and lab.id not in kept:
            kept[lab.id] = make(cache.workspace(), _starter(lab), on_stage)

    return cache.jobs().start(f"lab:{lab.id}", "Getting the lab ready", work, lane="long")


def _starter(lab: Lab) -> Start:
    """How a lab has more made in the background when it is asked for it."""

    def start(key: str, title: str, work: Work) -> None:
        name = f"lab:{lab.id}:{key}"
        job = cache.jobs().start(name, title, work, "long")
        if job.is_over:
            cache.jobs().forget(name)
        if job.error or job.cancelled:
            raise InputError(job.error or "this was stopped: move any control to start again")

    return start


# Labs: what every parameter does, with nothing loaded.


def render() -> None:
    st.title("Labs")
    mount_code()
    with guarded():
        names = list(LABS)
        if wanted := state.wanted_by_link("lab", names):
            st.warning(plain(f"The link asks for a lab {wanted!r} that there is not. Choose one of these."))
        state.settle_named("lab", names)
        chosen = st.segmented_control(
            "Lab",
            names,
            key="lab",
            format_func=lambda name: LABS[name].title.partition(":")[0],
            required=True,
            label_visibility="collapsed",
        )
        state.write_in_link("lab", [str(chosen)])
        draw_lab(LABS[str(chosen)])


if __name__ == "__main__":
    render()
