"""The Trust view: evidence for and against a judge, including regions and similarity."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.judge.judgments import Rubric
from core.judge.reliability import CoreAgreement
from core.judge.trust import CHECKS, LIMITS_ABOUT, whether_to_believe
from core.protocols import OnStage
from core.text import many
from dashboard import cache, state
from dashboard.judge.agreement import draw_judges, draw_people
from dashboard.judge.figures import region_rows, regions_figure
from dashboard.judge.findings import EMBEDDER, belief_html, findings_of, help_of, label_of, number, percent
from dashboard.judge.selection import OpenedJudgeRun
from dashboard.judge.stability import draw_try
from dashboard.kit.components import choose_view, current_theme, draw_figure
from dashboard.messages import guarded, sentence
from dashboard.status import JobFamily, draw_job
from dashboard.words import plain
from data.judge.findings import TrustReport
from data.judge.trust import BesideRegions, decide

# Grades compared with regions, similarity and the core set, for publications that belong to a topic.

DECISIONS = "Publications of versions"


def draw_regions(opened: OpenedJudgeRun, found: TrustReport) -> None:
    if not found.placed:
        st.info(
            "Not measured: no judged publication belongs to a topic with a core set. Judge query versions of a "
            "topic, or retrievers over one."
        )
        return
    topics = list(dict.fromkeys(each.place[0] for each in found.placed))
    st.caption(
        plain(f"Topics: {', '.join(topics)}. Relevant means grade {found.cut} or higher, as in the view Results.")
    )
    if found.findings.core is not None:
        _draw_core(found.findings.core, opened.judge.rubric)
    if not found.embedders:
        st.caption("Regions and similarity are not measured: these topics have no vectors. Embed them in the Library.")
        return
    state.settle_named(EMBEDDER, found.embedders)
    st.selectbox("Vectors", found.embedders, key=EMBEDDER)
    state.write_in_link(EMBEDDER, [found.embedder] if found.embedder else [])
    if found.beside is None:
        _draw_computing(found)
    else:
        _draw_beside(opened, found.beside)


def _draw_core(core: CoreAgreement, rubric: Rubric) -> None:
    st.markdown("### The core set")
    with st.container(horizontal=True):
        for label, mean, n in (("Core", core.mean_core, core.n_core), ("Others", core.mean_others, core.n_others)):
            with st.container(width="content"):
                st.metric(f"Mean grade: {label.lower()}", "–" if mean is None else f"{rubric.shown(mean):.1f}")
                st.caption(many(n, "publication"))
        with st.container(width="content"):
            st.metric("Difference", "–" if core.difference is None else f"{rubric.shown(core.difference):+.1f}")
            if core.interval is not None:
                low, high = (rubric.shown(end) for end in core.interval)
                st.caption(f"{low:+.1f} to {high:+.1f}")
            elif core.difference is not None:
                st.caption(
                    "no range: too many publications"
                    if min(core.n_core, core.n_others) > 1
                    else "no range: too few publications"
                )
        st.metric(label_of("core_above"), percent(core.core_above), help=help_of("core_above"), width="content")
    if core.reason:
        st.caption(plain(sentence(core.reason)))
    st.caption(
        "A core set does not contain everything relevant: other publications may be as good, so a small "
        "difference need not be a fault."
    )


REGION_JOBS = JobFamily("judge-regions")


def _draw_computing(found: TrustReport) -> None:
    job = REGION_JOBS.find(found.decisions_key)
    if job is not None and not job.finished:
        draw_job(job)
        return
    n = len({each.place for each in found.placed})
    st.caption("Regions and similarity are not measured yet.")
    if st.button(
        f"Compute regions of {many(n, 'version')}",
        key="judge-trust-regions",
        icon=":material/play_arrow:",
        help="Runs on this machine. The first time may take a minute for each topic.",
    ):
        _start(found)
        st.rerun()


def _start(found: TrustReport) -> None:
    key, placed, embedder = found.decisions_key, found.placed, found.embedder or ""

    def work(on_stage: OnStage) -> None:
        cache.keep_ranked(key, decide(cache.workspace(), placed, embedder, on_stage=on_stage))

    REGION_JOBS.start(key, "Computing regions", work)


def _draw_beside(opened: OpenedJudgeRun, beside: BesideRegions) -> None:
    st.markdown("### Regions and similarity")
    correlation = beside.similarity
    if correlation is not None:
        between = correlation.interval
        range_ = "" if between is None else f" ({between.low:.2f} to {between.high:.2f})"
        st.metric(
            "Rank correlation of grade and similarity",
            number(correlation.value),
            help=help_of("rank_correlation"),
            width="content",
        )
        st.caption(
            plain(
                f"{sentence(correlation.reason) if correlation.reason else f'{correlation.n:,} publications{range_}'}"
            )
        )
    draw_figure(
        regions_figure(beside.regions, opened.judge.rubric, theme=current_theme()),
        key="judge-trust-accepted",
        name=f"{opened.row.name} regions and grades",
        reading="a line that rises from left to right means that the region accepts what the judge grades high. "
        "A flat line means that they measure different things.",
        rows=region_rows(beside.regions),
        notes=[sentence(note) for note in beside.notes[:6]],
    )
    st.dataframe(
        [
            {
                "Region": name,
                DECISIONS: region.n,
                "Accepted": percent(region.share_accepted),
                f"Graded {region.cut} or more": percent(region.share_relevant),
                label_of("kappa"): number(region.kappa.value),
                "Note": region.kappa.reason,
            }
            for name, region in beside.regions.items()
        ],
        hide_index=True,
        key="judge-trust-region-table",
        column_config={
            DECISIONS: st.column_config.NumberColumn(
                help="A publication counts once for each version that retrieved it: each version has its own regions."
            ),
            label_of("kappa"): st.column_config.TextColumn(help=help_of("kappa")),
        },
    )


# The view "Trust": the reliability of a judge, and the evidence measured for it.

PARTS: dict[str, Callable[[OpenedJudgeRun, TrustReport], None]] = {
    "Try it": draw_try,
    "People": draw_people,
    "Other judges": draw_judges,
    "Regions and core": draw_regions,
}


def draw_trust(opened: OpenedJudgeRun) -> None:
    if not any(each.verdict is not None and each.verdict.is_valid for each in opened.judged):
        st.info("This judge has not given any grades yet. Resume the run in the view Run.")
        return
    head = st.container()
    part = choose_view(PARTS, key="judge_trust", label="Part")
    body = st.container()
    found = findings_of(opened)
    with body, guarded():
        PARTS[part](opened, found)
    with head:
        _draw_belief(found)


def _draw_belief(found: TrustReport) -> None:
    belief = whether_to_believe(found.findings)
    st.header("Can you trust this judge?", anchor=False)
    st.markdown(plain(belief.paragraph))
    st.html(belief_html(belief, current_theme()))
    with st.expander("Criteria for each check", icon=":material/rule:", key="judge-trust-limits"):
        lines = [f"- **{about.label}**: {plain(about.limits)}." for about in CHECKS.values()]
        st.markdown("\n".join(lines))
        st.caption(plain(LIMITS_ABOUT))
    if found.n_waiting:
        st.caption(
            f"{found.n_waiting:,} changed or repeated triples have no answer yet and are ignored. To resume, "
            "choose the same sample under Try it."
        )
