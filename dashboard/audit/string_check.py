"""Check any search string in the six domains of PRESS, in the view Peer review: no topic, corpus or run is needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import streamlit as st

from core.audit.press import DomainReview, Person, PressEvidence
from core.audit.press_exchange import is_review_file
from core.audit.searches import Search, dialect_of
from core.errors import QueryscapeError
from core.query.dialects import DIALECTS
from core.query.parser import parse
from core.query.tree import DialectId
from core.text import many
from dashboard import cache, state
from dashboard.audit.fields import (
    draw_table,
    field_key,
    fill_in,
    lately,
    noted,
    open_review,
    put_in,
)
from dashboard.kit.search_strings import LARGEST_FILE, document_in, text_of
from dashboard.messages import draw_problem
from dashboard.status import why_locked
from dashboard.visitors.names import name
from dashboard.words import plain
from data.audit.reviews import (
    EvidenceTopic,
    ReviewEvidence,
    check_string,
    review_of_search,
    review_of_string,
    version_of,
)
from data.files import file_stamp
from data.library.searches import named_searches
from data.store import content_hash

TEXT, DIALECT, JOINED = (field_key(what) for what in ("check-text", "check-dialect", "check-joined"))
FILE, LAST_FILE, SEARCH = "audit-check-file", "audit-check-last-file", "audit-check-search"
MOST_KEPT = 8
"""Checked strings that are kept in memory."""
HEIGHT = 210
"""Pixels of the text area."""
MOST_SHOWN = 5
"""Findings of a domain that are shown at once."""


@dataclass(frozen=True, slots=True)
class CheckedString:
    text: str
    dialect: DialectId | None
    topic_id: str | None
    is_counted: bool
    """Its hits are counted in the topic, too."""
    search: Search | None
    """The recorded search with this string; None: it was pasted, or changed since it was chosen."""

    @property
    def counted_in(self) -> str | None:
        return self.topic_id if self.is_counted else None


def _has(search: Search | None, text: str) -> bool:
    return search is not None and search.text.strip() == text.strip()


def draw_check(topic_id: str | None, bring: Callable[[str | None, bytes], None]) -> bool:
    """Draw the form and, as soon as there is a search string, the result. Return True if there is one.

    `bring`: imports a review file that was chosen here by mistake.
    """
    st.markdown("## Check a search string")
    left, right = st.columns([0.64, 0.36], gap="large")
    with right:
        _draw_file(topic_id, bring)
        searches = {} if topic_id is None else _searches(topic_id)
        if searches:
            _draw_search(searches)
        dialect = _draw_dialect()
        joined = topic_id if topic_id is not None and _draw_joined(topic_id) else None
    with left:
        fill_in(TEXT, "")
        st.text_area(
            "Search string or search history",
            key=TEXT,
            height=HEIGHT,
            placeholder="Paste a search string, or the numbered lines of a search history (Ovid, EBSCO, PubMed …).",
        )
        st.button("Check", key="audit-check", type="primary", icon=":material/fact_check:")
    text = str(lately(TEXT) or "")
    if not text.strip():
        return False
    chosen = searches.get(str(state.value(SEARCH)))
    checked = CheckedString(text, dialect, topic_id, joined is not None, chosen if _has(chosen, text) else None)
    try:
        found = _checked(checked)
    except QueryscapeError as e:
        draw_problem(str(e))
        return False
    _draw_result(found, checked)
    return True


def _draw_file(topic_id: str | None, bring: Callable[[str | None, bytes], None]) -> None:
    """Draw the upload field; the text of a new file replaces the text in the text area."""
    file = st.file_uploader(
        "Text file with a search string",
        type=["txt", "csv", "json"],
        key=f"{FILE}-{state.flag(FILE)}",
        max_upload_size=max(1, LARGEST_FILE // 10**6),
    )
    if file is not None and is_review_file(file.getvalue()):
        st.info("This is a review file, not a search string.", icon=":material/info:")
        st.button(
            "Import this review",
            key="audit-check-bring",
            icon=":material/move_to_inbox:",
            disabled=bool(why_locked()),
            help=why_locked(),
            on_click=_bring,
            args=(topic_id, file.getvalue(), bring),
        )
        return
    if file is None or state.value(LAST_FILE) == file.file_id:
        return
    state.set_value(LAST_FILE, file.file_id)
    try:
        text = text_of(file.getvalue(), file.name)
        document = document_in(text)
    except QueryscapeError as e:
        draw_problem(str(e))
        return
    if document is None:
        take_string(text)
    else:
        take_string(document.parsed(None).text, document.dialect or "")


def _bring(topic_id: str | None, content: bytes, bring: Callable[[str | None, bytes], None]) -> None:
    state.raise_flag(FILE)
    bring(topic_id, content)


def string_in(content: bytes, name: str) -> str:
    """Return the search string in a file that is no review; empty: the file is damaged, or something else."""
    if is_review_file(content):
        return ""
    try:
        text = text_of(content, name)
        document = document_in(text)
    except QueryscapeError:
        return ""
    if document is not None:
        return document.parsed(None).text
    return "" if text.lstrip().startswith(("{", "[")) else text


def take_string(text: str, dialect: str | None = None) -> None:
    """Replace the search string in the form, and the dialect. Empty: detect it; None: keep the one chosen."""
    put_in(TEXT, text)
    if dialect is not None:
        put_in(DIALECT, dialect)


def _searches(topic_id: str) -> dict[str, Search]:
    named = named_searches(cache.workspace().store, topic_id)
    return {name: search for name, search in named.items() if search.text.strip()}


def _draw_search(searches: Mapping[str, Search]) -> None:
    """Draw the choice of a recorded search; its string and the dialect of its platform replace those in the form."""
    st.selectbox(
        "Recorded search",
        list(searches),
        index=None,
        placeholder="Choose one",
        key=SEARCH,
        on_change=_take_search,
        args=(searches,),
        help="Takes over its search string or history, the dialect of its platform, and its limits.",
    )


def _take_search(searches: Mapping[str, Search]) -> None:
    if search := searches.get(str(state.value(SEARCH))):
        take_string(search.text, dialect_of(search) or "")


def _draw_dialect() -> DialectId | None:
    fill_in(DIALECT, "")
    dialect = st.selectbox(
        "Dialect",
        ["", *get_args(DialectId)],
        key=DIALECT,
        format_func=lambda at: DIALECTS[at].label if at in DIALECTS else "Detect automatically",
    )
    return next((each for each in get_args(DialectId) if each == dialect), None)


def _draw_joined(topic_id: str) -> bool:
    fill_in(JOINED, False)
    return st.toggle(
        plain(f"Also count in {topic_id}"),
        key=JOINED,
        help="Adds the hits of each part and the core publications missed, counted in this topic's publications.",
    )


def _checked(checked: CheckedString) -> ReviewEvidence:
    """Check the string, once for each text and choice."""
    workspace, text, dialect = cache.workspace(), checked.text, checked.dialect
    topic, topic_state = None, ""
    if (topic_id := checked.counted_in) is not None:
        topic = EvidenceTopic(workspace, topic_id, version_of(workspace.store, topic_id, text))
        row = topic.row
        topic_state = f"{workspace.store.topic_state(topic_id)} {row and (row.version.label, row.retrieved_hash)}"

    def check() -> ReviewEvidence:
        with st.spinner("Checking"):
            return check_string(
                parse(text, dialect),
                topic,
                is_named=dialect is not None,
                mesh=workspace.corpora.mesh(),
                search=checked.search,
            )

    stamp = file_stamp(workspace.paths.mesh)
    parts = (text, dialect or "", topic_id or "", topic_state, repr(checked.search), stamp)
    return cache.kept("press-checks", MOST_KEPT).of(content_hash([str(workspace.paths.root), *parts]), check)


def _draw_result(found: ReviewEvidence, checked: CheckedString) -> None:
    n = sum(len(domain.findings) for domain in found.domains)
    n_domains = sum(bool(domain.findings) for domain in found.domains)
    label = DIALECTS[found.dialect].label if found.dialect in DIALECTS else "unknown"
    head = f"{many(n, 'finding')} in {n_domains} of {len(found.domains)} domains" if n else "No findings"
    where = f" Counted in {found.counted_in}." if found.counted_in else ""
    words, button = st.columns([0.64, 0.36], gap="large", vertical_alignment="center")
    words.markdown(f"### {head}")
    what = f" The recorded search {checked.search.name}." if checked.search is not None else ""
    words.caption(plain(f"Read as {label}.{what}{where} A finding is no verdict: a reviewer decides."))
    with button, st.container(horizontal_alignment="right"):
        st.button(
            "Begin two-person review",
            key="audit-check-begin",
            icon=":material/rate_review:",
            disabled=bool(why_locked()),
            help=why_locked() or "Starts a review of this string with these findings as evidence.",
            on_click=_begin,
            args=(checked,),
        )
    cut = middle(found.domains)
    for column, domains in zip(st.columns(2, gap="medium"), (found.domains[:cut], found.domains[cut:]), strict=True):
        with column:
            for domain in domains:
                _draw_domain(domain)


def middle(domains: Sequence[DomainReview]) -> int:
    """Return the number of domains in the left column, so that both columns are about equally high."""
    heights = [2 + min(len(domain.findings), MOST_SHOWN) for domain in domains]
    return min(range(1, len(heights)), key=lambda cut: abs(sum(heights[:cut]) - sum(heights[cut:])))


def _draw_domain(domain: DomainReview) -> None:
    about, findings = domain.about, domain.findings
    with st.container(border=True, gap="small", key=f"audit-check-{domain.domain}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**{about.number}  {plain(about.title)}**", width="content")
            if findings:
                st.badge(many(len(findings), "finding"), icon=":material/search:", color="orange")
            else:
                st.badge("No findings", icon=":material/check:", color="gray")
        _draw_lines(findings[:MOST_SHOWN])
        if more := findings[MOST_SHOWN:]:
            with st.expander(many(len(more), "more finding")):
                _draw_lines(more)
        if domain.facts or domain.tables:
            with st.expander("Facts"):
                _draw_lines(domain.facts)
                for place, table in enumerate(domain.tables):
                    draw_table(table, key=f"audit-check-{domain.domain}-{place}")


def _draw_lines(evidence: Sequence[PressEvidence]) -> None:
    if evidence:
        st.markdown("\n".join(f"- {plain(each.text)}" for each in evidence))


def _begin(checked: CheckedString) -> None:
    workspace, dialect, requestor = cache.workspace(), checked.dialect, Person(name())
    with noted():
        if checked.search is not None and checked.topic_id is not None:
            review = review_of_search(
                *(workspace, checked.topic_id, checked.search),
                dialect=dialect,
                is_counted=checked.is_counted,
                requestor=requestor,
            )
        else:
            parsed = parse(checked.text, dialect)
            review = review_of_string(
                workspace, parsed, checked.counted_in, is_named=dialect is not None, requestor=requestor
            )
        open_review(review.review_id)
