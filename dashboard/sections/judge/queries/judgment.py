"""One judgment whole: the publication, what the judge was asked and said, word for word, and what people say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.judging.calibration import gives_orders
from core.judging.reading import prompt_text, user_prompt
from core.judging.types import Judged
from core.ranking.check import Query
from dashboard import cache, state
from dashboard.messages import sentence
from dashboard.sections.judge.choosing import Opened
from dashboard.sections.judge.queries.choosing import place_words, title_words
from dashboard.sections.judge.queries.graded import ended_in_words
from dashboard.sections.judge.queries.overruling import draw_overruling
from dashboard.words import plain
from data.judging.export.qrels import prompt_hash
from data.judging.keeping.runs import Kept, answers_to, triple_of

TRIPLE = "judged_triple"
"""Which judgment is looked at."""
LONGEST = 110


def draw_judgment(opened: Opened, query: Query, several: Mapping[str, Sequence[Judged]]) -> None:
    """Choose one of the query's judgments; then all of it. The choice must be settled before."""
    if not several:
        st.info("No engine found anything for this query.")
        return
    key = str(
        st.selectbox(
            "Look closer at",
            list(several),
            key=TRIPLE,
            format_func=lambda each: _label(opened, several[each]) if each in several else each,
        )
    )
    state.write_in_link(TRIPLE, [key])
    places = several[key]
    text, grade = st.columns([0.56, 0.44], gap="large")
    with text:
        _draw_publication(places)
    with grade:
        _draw_verdict(opened, places[0])
        draw_overruling(opened, places[0])
    _draw_words(opened, query, places[0])


def _label(opened: Opened, places: Sequence[Judged]) -> str:
    points = places[0].points
    number = "–" if points is None else f"{opened.judge.rubric.shown(points):g}"
    return f"{number} · {title_words(places[0], LONGEST)} ({place_words(places)})"


def _draw_publication(places: Sequence[Judged]) -> None:
    candidate = places[0].candidate
    st.markdown(f"##### {plain(candidate.title) or 'Without a title'}")
    st.caption(plain(f"Id {candidate.doc_id} · at rank: {place_words(places)}"))
    paragraphs = [plain(part) for part in candidate.abstract.splitlines() if part.strip()]
    st.markdown("\n\n".join(paragraphs) or "*There is no abstract.*")
    if gives_orders(candidate):
        st.warning("This text seems to speak to whoever grades it. The judge is told to read it as text only.")


def _draw_verdict(opened: Opened, judged: Judged) -> None:
    verdict, rubric = judged.verdict, opened.judge.rubric
    if verdict is None:
        st.info("The judge was not asked yet: go on with the run.")
        return
    if verdict.points is None:
        st.markdown(f"**No grade:** {plain(ended_in_words(verdict))}")
    else:
        level = next(grade for grade in rubric.grades if grade.points == verdict.points)
        shown = f"{rubric.shown(level.points):g} of {rubric.shown_max:g}"
        st.markdown(f"**The judge: {shown}, {plain(level.name)}**")
        said = [] if verdict.confidence is None else [f"confidence {verdict.confidence} of 10"]
        st.caption(plain(sentence(", ".join([*said, ended_in_words(verdict)]))))
    if verdict.reason:
        st.markdown(f"> {plain(verdict.reason)}")


def _draw_words(opened: Opened, query: Query, judged: Judged) -> None:
    """What was said and asked, as it was."""
    kept = answers_to(cache.workspace().store, opened.row.judge_key, judged.triple_key)
    judge = opened.judge
    with st.expander("What the judge said, word for word", icon=":material/chat:", key="judged-said"):
        if not kept:
            st.caption("Nothing yet.")
        for each in kept:
            _draw_answer(each)
    with st.expander("What it was asked", icon=":material/help:", key="judged-asked"):
        st.caption(plain(f"Model {judge.settings.model}, prompt {prompt_hash(judge.prompt)}."))
        if judge.prompt == prompt_text(judge.rubric, judge.settings.order):
            st.markdown("This publication, as it was put to the judge:")
            st.code(user_prompt(triple_of(query, judged.candidate)), language=None, wrap_lines=True, height=260)
            st.markdown("Before it, the same for every publication:")
        else:
            st.caption("An earlier version of Queryscape asked in words of its own; the publication was put into them:")
        st.code(judge.prompt, language=None, wrap_lines=True, height=320)


def _draw_answer(kept: Kept) -> None:
    tokens = [n for n in (kept.n_prompt_tokens, kept.n_answer_tokens) if n is not None]
    said = [
        f"Attempt {kept.attempt}",
        kept.made_at[:19].replace("T", " "),
        kept.model,
        ended_in_words(kept.verdict),
    ]
    said += [f"{sum(tokens):,} tokens"] if tokens else []
    st.caption(plain(" · ".join(said)))
    for number, answer in enumerate(kept.answers):
        if number:
            st.caption("Asked again with what was wrong:")
        st.code(answer or "(an empty answer)", language=None, wrap_lines=True)
    if not kept.answers:
        st.caption(plain(f"No answer came: {kept.verdict.reason}"))
