"""Preview a search: the translated string with its losses, hit counts, time and price."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from core.errors import QueryscapeError
from core.protocols import OnStage
from core.query.adaptation import Loss
from core.query.tree import ParsedQuery
from core.sources.source_forms import LABELS, PreparedSearch, SourceId
from core.text import listed
from dashboard import cache
from dashboard.messages import draw_problem, sentence
from dashboard.sources.jobs import PreviewAnswer, SourceSearch, prepare, preview_job, preview_of, stop_previews
from dashboard.status import JobFamily, forget
from dashboard.words import plain
from data.sources.fetch import Preview
from data.sources.registry import standing_of

MOST_PREPARED = 64
SHOWN_LOSSES = 8
LONGEST_SHOWN = 20_000
"""Characters of a text that are shown."""
LONGEST_PLACE = 80
WHOLE = "The whole search string"
TRANSLATION_JOBS = JobFamily("live-prepared", lane="count")
LONGEST_AT_ONCE = 3_000
"""Longest text, in characters, that is translated while the page is drawn; longer ones can take seconds."""
READING = "Translating the search string for each source …"
TALL = 700
"""Number of characters from which a text scrolls in its own box."""
STATUS_WORDS = {
    "exact": "the same",
    "widened": "finds more",
    "narrowed": "finds less",
    "unsupported": "means something else",
}


@dataclass(frozen=True, slots=True)
class SourceTranslation:
    """A string translated for a source, or the reason why it can't be."""

    prepared: PreparedSearch | None
    problem: str = ""
    is_coming: bool = False
    """True: the translation is in progress."""


COMING = SourceTranslation(None, is_coming=True)


def what_is_sent(wish: SourceSearch, parsed: ParsedQuery, source: SourceId) -> SourceTranslation:
    """Translate each text once, a long one in the background; nothing is sent."""
    kept, key = cache.kept("live-prepared", MOST_PREPARED), wish.key(source)

    def work(on_stage: OnStage | None = None) -> None:
        try:
            kept[key] = SourceTranslation(prepare(wish, parsed, source))
        except QueryscapeError as e:
            kept[key] = SourceTranslation(None, str(e))

    if key not in kept and len(wish.text) <= LONGEST_AT_ONCE:
        work()
    elif key not in kept:
        job = TRANSLATION_JOBS.start_once(key, "Translating the search string", work)
        if not job.is_over:
            return COMING
        forget(job)
        if job.error:
            return SourceTranslation(None, job.error)
    found: SourceTranslation | None = kept.get(key)
    return COMING if found is None else found


@st.fragment(run_every=0.5)
def until_prepared(wish: SourceSearch, sources: tuple[SourceId, ...]) -> None:
    if not all(TRANSLATION_JOBS.is_running(wish.key(source)) for source in sources):
        st.rerun()
    st.caption(READING, width="content")


def how_it_is_sent(prepared: PreparedSearch) -> str:
    """Describe the translation in one line.

    >>> from core.sources.source_forms import Form
    >>> how_it_is_sent(PreparedSearch("pubmed", "pubmed", "heat", (Form(0, "heat"),), is_unchanged=True))
    'Sent exactly as typed.'
    """
    n = len(prepared.losses)
    if prepared.is_unchanged:
        text = "Sent exactly as typed"
    elif not n:
        text = "Translated without loss"
    else:
        text = f"Translated; {'1 term changes' if n == 1 else f'{n:,} terms change'} meaning"
    if (forms := len(prepared.forms)) > 1:
        text += f"; too long for one request, so it is sent in {forms:,} parts and the results are combined"
    return f"{text}."


def draw_sent(prepared: PreparedSearch, text: str, key: str) -> None:
    st.caption(how_it_is_sent(prepared))
    _draw_text(prepared.text)
    if len(prepared.forms) > 1:
        with st.expander(f"The {len(prepared.forms):,} parts", key=f"live-forms-{key}"):
            for form in prepared.forms:
                _draw_text(form.text)
    _draw_losses(prepared.losses, text, key)


def _draw_text(text: str) -> None:
    st.code(text[:LONGEST_SHOWN], language=None, wrap_lines=True, height=170 if len(text) > TALL else "content")
    if len(text) > LONGEST_SHOWN:
        st.caption(f"The first {LONGEST_SHOWN:,} of {len(text):,} characters are shown; all of them are sent.")


def _draw_losses(losses: tuple[Loss, ...], text: str, key: str) -> None:
    if not losses:
        return
    lines = [loss_line(loss, text) for loss in losses]
    st.markdown("\n".join(lines[:SHOWN_LOSSES]))
    if rest := lines[SHOWN_LOSSES:]:
        kinds = listed(sorted({STATUS_WORDS[loss.status] for loss in losses[SHOWN_LOSSES:]}))
        with st.expander(f"{len(rest):,} more: {kinds}", key=f"live-losses-{key}"):
            st.markdown("\n".join(rest))


def loss_line(loss: Loss, text: str) -> str:
    """Format one loss, with the part of the text it affects.

    >>> loss_line(Loss(0, 0, 6, "widened", "Wildcards are left out."), "adapt* AND heat")
    '- :small[**adapt\\\\*** (finds more): Wildcards are left out\\\\.]'
    """
    place = " ".join(text[loss.start : loss.end].split())
    if place == " ".join(text.split()):
        place = WHOLE
    if len(place) > LONGEST_PLACE:
        place = f"{place[: LONGEST_PLACE - 21]} … {place[-18:]}"
    words = plain(sentence(loss.message))
    status = STATUS_WORDS[loss.status]
    return f"- :small[**{plain(place or WHOLE)}** ({status}): {words}]"


# A source's answer before a run: hit count, calls, time, price, and the effect of the cap.

NOT_ASKED = "Not queried yet"
LONGEST_NOTE = 240
"""Characters of a source's note that are always visible."""
WAITING = "Waiting for the answer"


def draw_answer(wish: SourceSearch, source: SourceId) -> PreviewAnswer | None:
    answered = preview_of(wish, source)
    preview = answered.preview if answered else None
    is_waiting = answered is None and preview_job(wish, source) is not None
    st.metric("Hits in source", total_of(preview), help=None if preview is None else plain(preview.sentence))
    if answered is None:
        st.caption(WAITING if is_waiting else NOT_ASKED)
    elif preview is None:
        draw_problem(answered.problem)
    else:
        _draw_takes(preview, source)
    return answered


def total_of(preview: Preview | None) -> str:
    """Format the total, as a range if there are several forms."""
    if preview is None:
        return "–"
    if preview.least == preview.most_found:
        return f"{preview.least:,}"
    return f"{preview.least:,} to {preview.most_found:,}"


def too_little(preview: Preview, source: SourceId) -> str:
    """Return a warning if the day's budget is too small for the run; empty if it is enough."""
    return standing_of(cache.workspace().store, source).shortfall(preview.estimate.dollars)


def _draw_takes(preview: Preview, source: SourceId) -> None:
    if preview.least != preview.most_found:
        st.caption(plain(preview.sentence))
    st.caption(plain(f"A run takes: {preview.estimate.sentence[:1].lower()}{preview.estimate.sentence[1:]}"))
    if short := too_little(preview, source):
        st.warning(plain(short), icon=":material/money_off:")
    if preview.cap.is_capped:
        st.warning(plain(f"{preview.cap.sentence} {preview.cap.advice}".strip()), icon=":material/filter_alt:")
    for note in preview.notes:
        if len(note) <= LONGEST_NOTE:
            st.caption(plain(sentence(note)))
    if long := [note for note in preview.notes if len(note) > LONGEST_NOTE]:
        with st.expander(f"Notes from {LABELS[source]}", key=f"live-notes-{source}"):
            for note in long:
                st.caption(plain(sentence(note[:LONGEST_SHOWN])))


def are_asked(wish: SourceSearch, sources: tuple[SourceId, ...]) -> bool:
    return any(preview_job(wish, source) is not None for source in sources)


@st.fragment(run_every=0.5)
def draw_asking(wish: SourceSearch, sources: tuple[SourceId, ...], n_answered: int) -> None:
    n_now = count_answered(wish, sources)
    if n_now != n_answered or not are_asked(wish, sources):
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(n_now / len(sources), text=f"{n_now:,} of {len(sources):,} sources have answered")
        st.button("Stop", key="live-preview-stop", on_click=stop_previews)


def count_answered(wish: SourceSearch, sources: tuple[SourceId, ...]) -> int:
    return sum(preview_of(wish, source) is not None for source in sources)
