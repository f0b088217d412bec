"""The Peer review view: start, edit, sign, exchange and merge reviews of a search string."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from core.audit.press import (
    DOMAINS,
    NO_TOPIC,
    PARTS,
    VERDICTS,
    DomainReview,
    OtherText,
    Person,
    PressEvidence,
    Request,
    Review,
    ReviewState,
    edited_parts,
    shown,
    words_of,
)
from core.audit.press_exchange import LARGEST_FILE, as_json, file_name, press_document
from core.audit.searches import Search
from core.errors import NotFoundError
from core.protocols import OnStage
from core.report import MADE_WITH
from core.text import many, upper_first
from dashboard import cache, state
from dashboard.audit.fields import (
    LONGEST_LINE,
    LONGEST_TEXT,
    REVIEW,
    VIEW,
    Colour,
    close_one,
    draw_lines,
    draw_mistake,
    draw_table,
    field_key,
    fill_in,
    lately,
    let_go,
    noted,
    open_review,
    opened,
    settle,
    typed,
)
from dashboard.audit.report_files import REPORT_FORMATS, document_file
from dashboard.audit.string_check import SEARCH as CHECKED_SEARCH
from dashboard.audit.string_check import draw_check, string_in, take_string
from dashboard.explore.versions import called
from dashboard.jobs import Job
from dashboard.kit.components import draw_download
from dashboard.messages import guarded, is_deleted, sentence
from dashboard.status import JobFamily, draw_end, forget, is_watched, why_locked
from dashboard.visitors.names import name
from dashboard.words import plain, when
from data.audit.reviews import (
    ReviewImport,
    bring_review,
    choose,
    delete_review,
    load_review,
    new_review,
    reply,
    review_of_search,
    reviews,
    save_review,
    sign,
)
from data.library.searches import named_searches
from data.store import VersionRow, utc_now

# Fields of a review: each is saved when it loses focus, and unsaved text stays in it.

NO_VERDICT = ""


def part_key(review_id: str, part: str) -> str:
    return field_key("part", review_id, part)


def draw_text(review: Review, part: str, label: str, *, height: int = 90, off: str = "", hint: str = "") -> None:
    """Draw a text area. `off`: reason why it is disabled; empty: it is enabled."""
    key = _filled(review, part)
    st.text_area(
        label,
        key=key,
        height=height,
        max_chars=LONGEST_TEXT,
        placeholder=hint,
        disabled=bool(off or why_locked()),
        help=off or why_locked(),
    )


def draw_line(review: Review, part: str, label: str, *, off: str = "") -> None:
    key = _filled(review, part)
    st.text_input(
        label,
        key=key,
        max_chars=LONGEST_LINE,
        disabled=bool(off or why_locked()),
        help=off or why_locked(),
    )


def draw_verdict(review: Review, part: str, label: str, *, off: str = "") -> None:
    key = _filled(review, part)
    st.radio(
        label,
        [NO_VERDICT, *VERDICTS],
        key=key,
        horizontal=True,
        format_func=lambda at: VERDICTS.get(at, "Undecided"),
        disabled=bool(off or why_locked()),
        help=off or why_locked(),
    )


def _filled(review: Review, part: str) -> str:
    key = part_key(review.review_id, part)
    fill_in(key, PARTS[part].read(review), partial(_save, review.review_id, part))
    return key


def _save(review_id: str, part: str, content: object) -> None:
    """Save a part of a review. The review is reloaded first, to keep changes made on another page."""
    store, text = cache.workspace().store, str(content or "").strip()
    review = load_review(store, review_id)
    if PARTS[part].read(review) != text:
        save_review(store, PARTS[part].write(review, text))


def forget_fields(review_id: str) -> None:
    """Make all fields show the stored values when they are drawn next."""
    let_go(*(part_key(review_id, part) for part in PARTS))


# Starting a review: the version, the requestor, and information for the reviewer.

LINES = {"affiliation": "Your affiliation", "email": "Your email", "database": "Database and platform"}
TEXTS = {
    "question": ("Research question", "Which street trees cool a city at night?"),
    "included": ("Inclusion criteria", ""),
    "excluded": ("Exclusion criteria", ""),
    "notes": ("Notes for the reviewer", ""),
}
MORE = ("included", "excluded", "notes")
REQUEST_JOBS = JobFamily("press-request")


def draw_begin(topic_id: str | None) -> None:
    """Draw the form. Its contents stay until a review was started with it."""
    st.markdown("## Request a review")
    if topic_id is None:
        st.caption("No topics yet.")
        return
    job = REQUEST_JOBS.find(_job_name(topic_id))
    if is_watched(job):
        return
    if job is not None and job.finished:
        _open(topic_id, job)
    draw_end(job)
    strings = reviewable_strings(topic_id)
    if not strings:
        st.caption("This topic has neither a version nor a recorded search with a search string to review.")
        return
    chosen = strings[_choose_string(topic_id, strings)]
    _text(topic_id, "question")
    _line(topic_id, "database", hint=chosen.name if isinstance(chosen, Search) else "")
    with st.expander("More about the search and you"):
        for what in MORE:
            _text(topic_id, what)
        _line(topic_id, "affiliation")
        _line(topic_id, "email")
        key = _key(topic_id, "wanted_by")
        fill_in(key, "")
        st.text_input("Needed by (date)", key=key, max_chars=LONGEST_LINE)
    st.button(
        "Request review",
        key="audit-begin-review",
        type="primary",
        icon=":material/rate_review:",
        disabled=bool(why_locked()),
        help=why_locked() or "Checks the search string and collects evidence for each domain.",
        on_click=_begin,
        args=(topic_id, chosen),
    )


def reviewable_strings(topic_id: str) -> dict[str, VersionRow | Search]:
    """Return the versions and the recorded searches that have a search string, by their names in the list."""
    store = cache.workspace().store
    versions = {row.version.label: row for row in store.versions(topic_id) if row.version.text.strip()}
    searches = named_searches(store, topic_id)
    return {**versions, **{f"Search: {name}": search for name, search in searches.items() if search.text.strip()}}


FOLLOWED = "audit-begin-followed"
"""The recorded search that was checked last, which is offered for review."""


def _choose_string(topic_id: str, strings: Mapping[str, VersionRow | Search]) -> str:
    selection = state.read_selection()
    key = _key(topic_id, "version")
    checked = f"Search: {state.value(CHECKED_SEARCH)}"
    follows = checked in strings and state.value(FOLLOWED) != checked
    if lately(key) not in strings or follows:
        let_go(key)
    versions = [name for name, string in strings.items() if not isinstance(string, Search)]
    usual = selection.label if selection is not None and selection.label in versions else [*strings, *versions][-1]
    if follows:
        state.set_value(FOLLOWED, checked)
    fill_in(key, checked if follows else usual)

    def title(name: str) -> str:
        string = strings.get(name)
        return name if string is None or isinstance(string, Search) else called(string)

    return str(st.selectbox("Search string of", list(strings), key=key, format_func=title))


def _key(topic_id: str, what: str) -> str:
    return field_key(f"begin-{what}", topic_id)


def _job_name(topic_id: str) -> str:
    return f"{state.visitor()}:{topic_id}"


def _text(topic_id: str, what: str) -> None:
    key, (label, hint) = _key(topic_id, what), TEXTS[what]
    fill_in(key, "")
    st.text_area(label, key=key, height=80, max_chars=LONGEST_TEXT, placeholder=hint)


def _line(topic_id: str, what: str, hint: str = "") -> None:
    key = _key(topic_id, what)
    fill_in(key, "")
    st.text_input(LINES[what], key=key, max_chars=LONGEST_LINE, placeholder=hint)


def _begin(topic_id: str, string: VersionRow | Search) -> None:
    """Start a review. The form's contents are dropped only when the review exists."""
    settle()
    entries = {what: str(typed(_key(topic_id, what)) or "").strip() for what in (*LINES, *TEXTS, "wanted_by")}
    requestor = Person(name(), entries.pop("affiliation"), entries.pop("email"))
    selection = state.read_selection()
    embedder = selection.embedder if selection is not None and selection.topic_id == topic_id else None

    def work(on_stage: OnStage) -> tuple[str]:
        on_stage("collecting evidence")
        asked: Any = {"requestor": requestor, "request": Request(**entries), "embedder": embedder}
        if isinstance(string, Search):
            review = review_of_search(cache.workspace(), topic_id, string, **asked)
        else:
            review = new_review(cache.workspace(), topic_id, string.version.label, **asked)
        return (review.review_id,)

    REQUEST_JOBS.start(_job_name(topic_id), "Requesting review", work)


def _open(topic_id: str, job: Job) -> None:
    forget(job)
    let_go(*(_key(topic_id, what) for what in (*LINES, *TEXTS, "wanted_by")))
    (review_id,) = job.outcome
    open_review(review_id)
    st.rerun()


# Conflicts, where both sides wrote in the same place: both texts, and the choice.


def draw_both(review: Review) -> None:
    if not review.others:
        return
    st.warning("You both edited the same fields. Choose a text for each below.", icon=":material/call_split:")
    for number, other in enumerate(review.others):
        with st.container(border=True, key=f"audit-both-{number}"):
            st.markdown(f"**{plain(sentence(words_of(other.part))[:-1])}**")
            left, right = st.columns(2, gap="large")
            with left:
                st.caption("Current text")
                draw_lines(_standing(review, other) or "Empty.")
            with right:
                st.caption(plain(f"Text by the {other.side}"))
                draw_lines(_words(other) or "Empty.")
            _draw_choice(review, number, other)


def _standing(review: Review, other: OtherText) -> str:
    if other.part in PARTS:
        return shown(PARTS[other.part], PARTS[other.part].read(review))
    return review.text if other.part == "string" else ""


def _words(other: OtherText) -> str:
    return shown(PARTS[other.part], other.text) if other.part in PARTS else other.text


def _draw_choice(review: Review, number: int, other: OtherText) -> None:
    with st.container(horizontal=True):
        for take_it, label in ((False, "Keep current"), (True, "Use the other")):
            if take_it and other.part not in PARTS:
                continue
            st.button(
                label,
                key=f"audit-both-{number}-{take_it}",
                disabled=bool(why_locked()),
                help=why_locked(),
                on_click=_choose,
                args=(review.review_id, number, take_it),
            )


def _choose(review_id: str, number: int, take_it: bool) -> None:
    with noted():
        choose(cache.workspace().store, review_id, number, take_it=take_it)
        forget_fields(review_id)


# An imported file: its changes, and the conflicts.

UPLOAD, BROUGHT, BROUGHT_BOX = "audit-review-file", "audit-brought", "audit-brought-box"


def draw_bring(topic_id: str | None) -> None:
    """Draw the upload field. A new review is added; a known one is merged with the stored one."""
    st.markdown("## Import a review file")
    st.caption("Choose the file that the other person sent you. If you both edited a field, both texts are kept.")
    number = state.flag(UPLOAD)  # a new key empties the field
    file = st.file_uploader(
        "Review file",
        type=["json", "txt", "csv"],
        key=f"{UPLOAD}-{number}",
        label_visibility="collapsed",
        max_upload_size=LARGEST_FILE // 10**6,
        disabled=bool(why_locked()),
    )
    if file is None:
        return
    if text := string_in(file.getvalue(), file.name):
        st.info("This file has a search string, not a review.", icon=":material/info:")
        st.button(
            "Check this search string",
            key="audit-bring-string",
            icon=":material/fact_check:",
            on_click=_check,
            args=(text,),
        )
        return
    st.button(
        "Import",
        key="audit-bring",
        type="primary",
        icon=":material/move_to_inbox:",
        on_click=bring,
        args=(topic_id, file.getvalue()),
    )


def _check(text: str) -> None:
    """Check a search string that was taken for a review."""
    state.raise_flag(UPLOAD)
    close_one(REVIEW)
    take_string(text)
    state.bring_into_sight(VIEW)


def bring(topic_id: str | None, content: bytes) -> None:
    with noted():
        brought = bring_review(cache.workspace(), content, topic_id=topic_id)
        forget_fields(brought.review.review_id)
        state.set_value(BROUGHT, brought)
        state.raise_flag(UPLOAD)
        open_review(brought.review.review_id)
        state.bring_into_sight(BROUGHT_BOX)


def draw_brought(review_id: str) -> None:
    """Draw the changes made by the last file, until they are dismissed."""
    brought = state.value(BROUGHT)
    if not isinstance(brought, ReviewImport) or brought.review.review_id != review_id:
        return
    with st.container(border=True, key=BROUGHT_BOX):
        st.markdown("**Imported changes**")
        st.markdown("\n".join(f"- {plain(line)}" for line in brought_lines(brought)))
        if brought.edited:
            st.warning(plain("Changed after signing: " + ", ".join(brought.edited) + "."), icon=":material/warning:")
        st.button("Close", key="audit-put-away", type="tertiary", on_click=state.set_value, args=(BROUGHT, None))


def brought_lines(brought: ReviewImport) -> list[str]:
    if brought.is_new:
        lines = ["New review added."]
    else:
        n = len(brought.taken)
        lines = [f"{many(n, 'field')} changed: {', '.join(brought.taken)}." if n else "No changes."]
    if brought.both_kept:
        lines.append(f"You both edited: {', '.join(brought.both_kept)}. Both texts are kept; choose below.")
    return [*lines, *map(sentence, brought.notes)]


# Exporting a review: the file for the other person, the review as a report, and deletion.

FORMATS = ("html", "docx", "md", "json")


def draw_handing(review: Review) -> None:
    with st.container(horizontal=True, key="audit-handing"):
        st.download_button(
            "Download review file",
            lambda: as_json(review).encode(),
            file_name=file_name(review),
            mime="application/json",
            key="audit-review-out",
            icon=":material/outgoing_mail:",
            help="For the other person to import. Contains the search string, evidence, verdicts and comments.",
            on_click="ignore",
        )
        with st.popover("Import file", icon=":material/move_to_inbox:", disabled=bool(why_locked())):
            draw_bring(review.topic)
        with st.popover("Report", icon=":material/description:"):
            _draw_formats(review)
        with st.popover("More", icon=":material/more_horiz:"):
            st.button(
                "Delete review",
                key="audit-delete-review",
                icon=":material/delete:",
                disabled=bool(why_locked()),
                on_click=_ask,
                args=(review.review_id,),
            )
    if state.value(ASKED) == review.review_id:
        state.set_value(ASKED, None)
        _ask_before_deleting(review)


ASKED = "audit-delete-asked"


def _ask(review_id: str) -> None:
    state.set_value(ASKED, review_id)


def _draw_formats(review: Review) -> None:
    def content(ending: str) -> bytes:
        document = press_document(review, made_at=utc_now(), made_with=MADE_WITH)
        return document_file(document, REPORT_FORMATS[ending])

    stem = file_name(review).split(".")[0]
    for ending in FORMATS:
        form = REPORT_FORMATS[ending]
        draw_download(
            form.label,
            partial(content, ending),
            file_name=f"{stem}.{ending}",
            mime=form.mime,
            key=f"audit-review-{ending}",
            width="stretch",
        )


@st.dialog("Delete review?")
def _ask_before_deleting(review: Review) -> None:
    st.markdown(plain(f"This deletes the review of {review.subject} with all its verdicts and comments."))
    st.caption("Downloaded files are not affected; you can import them again.")
    delete = partial(delete_review, cache.workspace().store, review.review_id)
    if is_deleted(delete, key="audit-delete", otherwise="Keep"):
        close_one(REVIEW)
        state.say_once("audit", "Review deleted.")
        st.rerun()


# The reviews of a topic, and their states.

STATES: dict[ReviewState, tuple[str, str, Colour]] = {
    "requested": ("Requested", ":material/outgoing_mail:", "gray"),
    "under review": ("Under review", ":material/rate_review:", "blue"),
    "signed": ("Signed", ":material/draw:", "green"),
    "replied": ("Signed and answered", ":material/mark_chat_read:", "green"),
}
"""State in words, with an icon and a colour."""


def draw_list(found: Sequence[Review]) -> None:
    """Draw a card for each review, last changed first."""
    if not found:
        st.info("No reviews of this topic yet.")
    for review in found:
        with st.container(border=True, key=f"audit-review-{review.review_id}"):
            words, button = st.columns([0.8, 0.2], vertical_alignment="center")
            with words:
                with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                    st.markdown(f"**{plain(upper_first(review.subject))}**", width="content")
                    draw_state(review)
                st.caption(plain(facts_of(review)))
            with button, st.container(horizontal_alignment="right"):
                st.button(
                    "Open",
                    key=f"audit-open-review-{review.review_id}",
                    icon=":material/open_in_full:",
                    on_click=open_review,
                    args=(review.review_id,),
                )


def draw_state(review: Review) -> None:
    word, icon, colour = STATES[review.state]
    st.badge(word, icon=icon, color=colour)


def facts_of(review: Review) -> str:
    parts = [
        f"Requested by {review.requestor.name or 'an unnamed person'} on {when(review.requested_at)}",
        f"reviewer: {review.reviewer.name or 'not named yet'}",
        f"{review.n_decided} of {len(DOMAINS)} domains have a verdict",
    ]
    if review.overall is not None:
        parts.append(f"overall: {VERDICTS[review.overall].lower()}")
    if review.signature is not None:
        parts.append(f"signed on {when(review.signature.signed_at)}")
    return " · ".join(parts)


# The reviewer signs with a name; then the requestor replies.

REOPENED = "audit-reopened"


def why_settled(review: Review) -> str:
    """Return the reason why the reviewer's fields are disabled; empty: they are enabled."""
    if review.signature is None or state.value(REOPENED) == review.review_id:
        return ""
    return "Signed: the reviewer's fields are locked. Reopen the review below to change them."


def draw_signing(review: Review) -> None:
    with st.container(border=True, key="audit-signing"):
        if review.signature is None or state.value(REOPENED) == review.review_id:
            _draw_sign(review)
        else:
            _draw_signed(review)


def _draw_sign(review: Review) -> None:
    st.markdown("**Reviewer's signature**")
    name_at, affiliation_at, email_at = st.columns(3)
    with name_at:
        draw_line(review, "reviewer.name", "Reviewer's name")
    with affiliation_at:
        draw_line(review, "reviewer.affiliation", "Affiliation")
    with email_at:
        draw_line(review, "reviewer.email", "Email")
    st.button(
        "Sign review",
        key="audit-sign",
        type="primary",
        icon=":material/draw:",
        disabled=bool(why_locked()),
        help=why_locked() or "Signs with this name and the current time. Later changes are marked.",
        on_click=_sign,
        args=(review.review_id,),
    )
    st.caption("A signature reveals later changes. It doesn't prove who signed.")


def _draw_signed(review: Review) -> None:
    signature = review.signature
    if signature is None:
        return
    st.markdown(f"**Signed by {plain(signature.name)}** on {plain(when(signature.signed_at))}")
    if changed := edited_parts(review):
        st.warning(plain(f"Changed since: {', '.join(changed)}."), icon=":material/warning:")
    if review.replied_at:
        st.caption(plain(f"The requestor finished replying on {when(review.replied_at)}."))
    with st.container(horizontal=True):
        st.button(
            "Finish replying",
            key="audit-replied",
            icon=":material/mark_chat_read:",
            disabled=bool(why_locked()),
            type="secondary" if review.replied_at else "primary",
            help=why_locked() or "Marks all replies as complete. The signature stays valid.",
            on_click=_reply,
            args=(review.review_id,),
        )
        st.button(
            "Reopen",
            key="audit-reopen",
            icon=":material/lock_open:",
            type="tertiary",
            disabled=bool(why_locked()),
            help="Unlocks the reviewer's fields. The review must then be signed again.",
            on_click=state.set_value,
            args=(REOPENED, review.review_id),
        )


def _sign(review_id: str) -> None:
    with noted():
        sign(cache.workspace().store, review_id)
        state.set_value(REOPENED, None)
        forget_fields(review_id)
        state.say_once("audit", "Signed.")


def _reply(review_id: str) -> None:
    with noted():
        reply(cache.workspace().store, review_id)
        state.say_once("audit", "Replies marked as complete.")


# An open review: the request, the string, six domains with their evidence, the overall verdict, and the signature.


def draw_review(review: Review) -> None:
    st.button(
        "All reviews",
        key="audit-all-reviews",
        icon=":material/arrow_back:",
        type="tertiary",
        on_click=close_one,
        args=(REVIEW,),
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header(plain(f"Review of {review.subject}"), anchor=False, width="content")
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
    of_topic = "" if review.topic == NO_TOPIC else f" of {review.topic}"
    st.caption(plain(f"{upper_first(review.subject)}{of_topic}, as stored with this review.{counted}"))
    with st.expander("Request", expanded=review.state == "requested"):
        draw_text(review, "request.question", "Research question")
        left, right = st.columns(2)
        with left:
            draw_line(review, "requestor.name", "Requestor")
            draw_line(review, "requestor.affiliation", "Affiliation")
            draw_line(review, "requestor.email", "Email")
        with right:
            draw_line(review, "request.database", "Database and platform")
            draw_line(review, "request.wanted_by", "Needed by (date)")
        draw_text(review, "request.included", "Inclusion criteria")
        draw_text(review, "request.excluded", "Exclusion criteria")
        draw_text(review, "request.notes", "Notes for the reviewer")


def _draw_domain(review: Review, domain: DomainReview, settled: str) -> None:
    about = domain.about
    with st.container(border=True, key=f"audit-domain-{about.number}"):
        head, asks = st.columns([0.75, 0.25], vertical_alignment="center")
        head.markdown(f"**{about.number}  {plain(about.title)}**")
        with asks, st.container(horizontal_alignment="right"), st.popover("Questions to consider", type="tertiary"):
            st.markdown("\n".join(f"- {plain(question)}" for question in about.asks))
        evidence, words = st.columns([0.5, 0.5], gap="large")
        with evidence:
            _draw_evidence(domain)
        with words:
            draw_verdict(review, f"{domain.domain}.verdict", "Verdict", off=settled)
            draw_text(review, f"{domain.domain}.comments", "Reviewer's comments", off=settled)
            if review.signature is not None or domain.reply:
                draw_text(review, f"{domain.domain}.reply", "Requestor's reply")


def _draw_evidence(domain: DomainReview) -> None:
    """Draw the evidence of a domain. Items that deserve attention come first and are marked in words."""
    st.caption("Evidence from Queryscape")
    if not domain.evidence:
        st.markdown("None. This is not a verdict: some problems can't be detected automatically.")
    lines = [_one_line(each) for each in sorted(domain.evidence, key=lambda each: not each.look)]
    if lines:
        st.markdown("\n".join(lines))
    for place, table in enumerate(domain.tables):
        draw_table(table, key=f"audit-evidence-{domain.domain}-{place}")


def _one_line(evidence: PressEvidence) -> str:
    mark = ":orange-badge[Look] " if evidence.look else ""
    return f"- {mark}{plain(evidence.text)}"


def _draw_overall(review: Review, settled: str) -> None:
    with st.container(border=True, key="audit-domain-overall"):
        st.markdown("**Overall**")
        draw_verdict(review, "overall.verdict", "Overall verdict", off=settled)
        draw_text(review, "overall.comments", "Overall comments", off=settled)
        if review.signature is not None or review.overall_reply:
            draw_text(review, "overall.reply", "Requestor's overall reply")


# The view "Peer review": a list, or the open review.

WHAT = (
    "Another person reviews a search string in the six domains of PRESS 2015. You exchange one file: it goes out "
    "with evidence from Queryscape and comes back with verdicts and comments."
)


def draw_reviews() -> None:
    draw_mistake()
    if (review_id := opened(REVIEW)) is not None:
        try:
            review = load_review(cache.workspace().store, review_id)
        except NotFoundError:
            close_one(REVIEW)
            st.info("The review in the link was not found. Choose one below.")
        else:
            state.write_in_link(REVIEW, [review_id])
            draw_brought(review_id)
            draw_review(review)
            return
    topic_id = state.read_topic()
    is_checked = draw_check(topic_id, bring)
    with st.expander("Two-person review", expanded=not is_checked, icon=":material/group:"):
        st.caption(WHAT)
        store = cache.workspace().store
        draw_list([*(() if topic_id is None else reviews(store, topic_id)), *reviews(store, NO_TOPIC)])
        left, right = st.columns(2, gap="large")
        with left:
            draw_begin(topic_id)
        with right:
            draw_bring(topic_id)
