"""A review that is opened: the request, the string, six domains with their evidence, the whole, and the signature."""

from __future__ import annotations

import streamlit as st

from core.audit.press.domains import DomainReview, Evidence, Review
from dashboard.messages import guarded
from dashboard.sections.audit.blocks import draw_table
from dashboard.sections.audit.opened import REVIEW, close_one
from dashboard.sections.audit.review.both import draw_both
from dashboard.sections.audit.review.handing import draw_handing
from dashboard.sections.audit.review.listed import draw_state, facts_of
from dashboard.sections.audit.review.signing import draw_signing, why_settled
from dashboard.sections.audit.review.writing import draw_line, draw_text, draw_verdict
from dashboard.words import plain


def draw_review(review: Review) -> None:
    """From the head to the signature."""
    st.button(
        "All reviews",
        key="audit-all-reviews",
        icon=":material/arrow_back:",
        type="tertiary",
        on_click=close_one,
        args=(REVIEW,),
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.subheader(plain(f"Review of version {review.version}"), anchor=False, width="content")
        draw_state(review)
    st.caption(plain(facts_of(review)))
    with guarded():
        draw_handing(review)
    with guarded():
        draw_both(review)
    _draw_request(review)
    settled = why_settled(review)
    if settled:
        st.caption(f":material/lock: {settled}")
    for domain in review.domains:
        with guarded():
            _draw_domain(review, domain, settled)
    _draw_overall(review, settled)
    with guarded():
        draw_signing(review)


def _draw_request(review: Review) -> None:
    st.code(review.text, language=None, wrap_lines=True)
    counted = f" Counted in {review.counted_in}." if review.counted_in else ""
    st.caption(plain(f"Version {review.version} of {review.topic}, as it is kept with this review.{counted}"))
    with st.expander("The request", expanded=review.state == "requested"):
        draw_text(review, "request.question", "The research question")
        left, right = st.columns(2)
        with left:
            draw_line(review, "requestor.name", "Who asks")
            draw_line(review, "requestor.affiliation", "Affiliation")
            draw_line(review, "requestor.email", "Address")
        with right:
            draw_line(review, "request.database", "Database and platform")
            draw_line(review, "request.wanted_by", "Wanted by")
        draw_text(review, "request.included", "What belongs to the review")
        draw_text(review, "request.excluded", "What does not")
        draw_text(review, "request.notes", "What else a reviewer should know")


def _draw_domain(review: Review, domain: DomainReview, settled: str) -> None:
    about = domain.about
    with st.container(border=True, key=f"audit-domain-{about.number}"):
        head, asks = st.columns([0.75, 0.25], vertical_alignment="center")
        head.markdown(f"**{about.number}  {plain(about.title)}**")
        with asks, st.container(horizontal_alignment="right"), st.popover("What to think about", type="tertiary"):
            st.markdown("\n".join(f"- {plain(question)}" for question in about.asks))
        evidence, words = st.columns([0.5, 0.5], gap="large")
        with evidence:
            _draw_evidence(domain)
        with words:
            draw_verdict(review, f"{domain.domain}.verdict", "Verdict", off=settled)
            draw_text(review, f"{domain.domain}.comments", "The reviewer's comments", off=settled)
            if review.signature is not None or domain.reply:
                draw_text(review, f"{domain.domain}.reply", "The requestor's reply")


def _draw_evidence(domain: DomainReview) -> None:
    """What deserves a look comes first, and is marked in words."""
    st.caption("What Queryscape noticed")
    if not domain.evidence:
        st.markdown("Nothing. That is no verdict: not everything can be checked here.")
    lines = [_line(each) for each in sorted(domain.evidence, key=lambda each: not each.look)]
    if lines:
        st.markdown("\n".join(lines))
    for place, table in enumerate(domain.tables):
        draw_table(table, key=f"audit-evidence-{domain.domain}-{place}")


def _line(evidence: Evidence) -> str:
    mark = ":orange-badge[Look] " if evidence.look else ""
    return f"- {mark}{plain(evidence.text)}"


def _draw_overall(review: Review, settled: str) -> None:
    with st.container(border=True, key="audit-domain-overall"):
        st.markdown("**Overall**")
        draw_verdict(review, "overall.verdict", "Overall verdict", off=settled)
        draw_text(review, "overall.comments", "Overall comments", off=settled)
        if review.signature is not None or review.overall_reply:
            draw_text(review, "overall.reply", "The requestor's reply to the whole")
