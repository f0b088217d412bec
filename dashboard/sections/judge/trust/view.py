"""The view "Trust": whether a judge is to be believed, and what of that was measured."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.judging.trust.belief import CHECKS, LIMITS_ABOUT, whether_to_believe
from dashboard import state
from dashboard.components.mount import current_theme
from dashboard.messages import guarded
from dashboard.sections.judge.choosing import Opened
from dashboard.sections.judge.trust.found import Found, findings_of
from dashboard.sections.judge.trust.judges import draw_judges
from dashboard.sections.judge.trust.look import belief_html
from dashboard.sections.judge.trust.people import draw_people
from dashboard.sections.judge.trust.regions import draw_regions
from dashboard.sections.judge.trust.trying import draw_try
from dashboard.words import plain

PARTS: dict[str, Callable[[Opened, Found], None]] = {
    "Try it": draw_try,
    "People": draw_people,
    "Other judges": draw_judges,
    "Regions and core": draw_regions,
}


def draw_trust(opened: Opened) -> None:
    """The verdict with the checks that it rests on, then one part at a time."""
    if not any(each.verdict is not None and each.verdict.is_valid for each in opened.judged):
        st.info("This judge has not given a grade yet, so there is nothing to believe. Go on with it in the view Run.")
        return
    head = st.container()
    state.settle("judge_trust", list(PARTS))
    part = str(
        st.segmented_control(
            "Part", list(PARTS), key="judge_trust", required=True, label_visibility="collapsed", bind="query-params"
        )
    )
    body = st.container()
    found = findings_of(opened)
    with body, guarded():
        PARTS[part](opened, found)
    with head:
        _draw_belief(found)


def _draw_belief(found: Found) -> None:
    belief = whether_to_believe(found.findings)
    st.subheader("Whether to believe it", anchor=False)
    st.markdown(plain(belief.paragraph))
    st.html(belief_html(belief, current_theme()))
    with st.expander("When a check passes", icon=":material/rule:", key="judge-trust-limits"):
        lines = [f"- **{about.label}**: {plain(about.limits)}." for about in CHECKS.values()]
        st.markdown("\n".join(lines))
        st.caption(plain(LIMITS_ABOUT))
    if found.n_waiting:
        st.caption(
            f"{found.n_waiting:,} changed or repeated triples were not answered yet and count for nothing: choose "
            "the same sample under Try it to go on."
        )
