"""Show the judgments of a query, and let a person overrule a grade."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import shorten

import numpy as np
import streamlit as st

from core.collections import Query
from core.judge.confidence import gives_orders
from core.judge.grades import cells_of
from core.judge.judgments import STATUS_WORDS, JudgedCandidate, JudgeField, Rubric, TripleVerdict
from core.judge.prompts import prompt_text, user_prompt
from dashboard import cache, state
from dashboard.judge.query_list import place_words, title_words
from dashboard.judge.selection import OpenedJudgeRun
from dashboard.kit.theme import COLOURS, Theme
from dashboard.messages import guarded, sentence
from dashboard.status import why_locked
from dashboard.visitors.names import NEEDED, name
from dashboard.words import plain
from data.judge.demo_judge import DEMO_MODEL
from data.judge.export import prompt_hash
from data.judge.runs import StoredAnswer, answers_to, load_judged, overrule, overrules_of, triple_of

# The judgments of one query side by side, as a document: rank, grade, title, reason, and who graded.

LONGEST_TITLE, LONGEST_REASON = 140, 320
MOST_LISTED = 100
"""Maximum number listed per engine."""


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """One engine's answer to the query."""

    engine: str
    judged: tuple[JudgedCandidate, ...]

    def mean(self, rubric: Rubric) -> float | None:
        points = [each.points for each in self.judged if each.points is not None]
        return rubric.shown(sum(points) / len(points)) if points else None

    @property
    def n_valid(self) -> int:
        return sum(each.points is not None for each in self.judged)


def graded_html(columns: Sequence[EngineAnswer], rubric: Rubric, theme: Theme, *, chosen: str | None) -> str:
    """Render all columns; in a narrow window they are stacked. `chosen`: the triple that is open."""
    parts = "".join(_column(column, rubric, chosen) for column in columns)
    return f'{_style(theme)}<div class="qs-graded">{parts}</div>'


def _column(column: EngineAnswer, rubric: Rubric, chosen: str | None) -> str:
    mean = column.mean(rubric)
    text = "nothing found" if not column.judged else f"{column.n_valid:,} of {len(column.judged):,} graded"
    head = "–" if mean is None else f"{mean:.1f}"
    body = "".join(_line(each, rubric, is_open=each.triple_key == chosen) for each in column.judged[:MOST_LISTED])
    n_more = len(column.judged) - MOST_LISTED
    more = f"<p>{n_more:,} more are in the table below.</p>" if n_more > 0 else ""
    label = escape(f"Judgments of {column.engine}", quote=True)
    return (
        f"<section><h2>{escape(column.engine)}</h2><p>Mean <b>{head}</b> · {text}</p>"
        f'<ol aria-label="{label}">{body}</ol>{more}</section>'
    )


def _line(judged: JudgedCandidate, rubric: Rubric, *, is_open: bool) -> str:
    candidate, verdict, points = judged.candidate, judged.verdict, judged.points
    title = escape(_cut(candidate.title or candidate.doc_id, LONGEST_TITLE))
    reason = "" if verdict is None else _cut(verdict.reason, LONGEST_REASON)
    why = judged.overruled.why if judged.overruled is not None else reason
    is_person = judged.overruled is not None
    low, high = rubric.points[0], rubric.points[-1]
    share = 0.0 if points is None else 100 * (points - low) / (high - low)
    number = "–" if points is None else f"{rubric.shown(points):g}"
    marks = " ".join([*(["open"] if is_open else []), *(["none"] if points is None else [])])
    bar = "person" if is_person else "judge"
    return (
        f'<li class="{marks}"><span class="rank">{candidate.rank}</span>'
        f'<span class="grade"><b>{number}</b><i aria-hidden="true"><i class="{bar}" style="width:{share:.0f}%"></i></i>'
        f"</span><span>{title}<small>{escape(grade_words(judged, rubric))}</small>"
        f"<small>{escape(_cut(why, LONGEST_REASON))}</small></span></li>"
    )


def grade_words(judged: JudgedCandidate, rubric: Rubric) -> str:
    """Describe a judgment: its level, its confidence, and its origin unless that is an ordinary answer."""
    verdict, overrule = judged.verdict, judged.overruled
    parts = []
    if judged.points is not None:
        parts.append(next(grade.name for grade in rubric.grades if grade.points == judged.points))
    if overrule is not None:
        own = None if verdict is None or verdict.points is None else rubric.shown(verdict.points)
        parts.append(f"by {overrule.who}; the judge: {'no grade' if own is None else f'{own:g}'}")
    elif verdict is None:
        parts.append("not judged yet")
    else:
        if verdict.confidence is not None:
            parts.append(f"confidence {verdict.confidence}")
        if verdict.status != "ok":
            parts.append(ended_in_words(verdict))
    return " · ".join(parts)


def ended_in_words(verdict: TripleVerdict) -> str:
    """Describe the outcome of one verdict; without an abstract: judged by the title, or not judged at all."""
    if verdict.status != "no_abstract":
        return STATUS_WORDS[verdict.status]
    return "title only" if verdict.is_valid else "not judged: no abstract"


def _cut(text: str, longest: int) -> str:
    return shorten(text, longest, placeholder=" …") if " " in text else text[:longest]


def graded_rows(columns: Sequence[EngineAnswer], rubric: Rubric) -> list[Mapping[str, str | int | float | None]]:
    return [
        {
            "Engine": column.engine,
            "Rank": each.candidate.rank,
            "Grade": None if each.points is None else rubric.shown(each.points),
            "Details": grade_words(each, rubric),
            "Confidence": None if each.verdict is None else each.verdict.confidence,
            "Title": each.candidate.title,
            "Reason": "" if each.verdict is None else each.verdict.reason,
            "Document": each.candidate.doc_id,
        }
        for column in columns
        for each in column.judged
    ]


def _style(theme: Theme) -> str:
    """Return static rules; they never contain user text."""
    c = COLOURS[theme]
    return f"""<style>
.qs-graded {{
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr)); gap: 14px 22px;
}}
.qs-graded section {{ border-top: 3px solid {c["grid"]}; padding-top: 6px; min-width: 0; }}
.qs-graded h2 {{ margin: 0; padding: 0; font-size: 0.98rem; overflow-wrap: anywhere; }}
.qs-graded p {{
  margin: 0 0 6px; color: {c["faint"]}; font-size: 0.82rem; font-variant-numeric: tabular-nums;
}}
.qs-graded p b {{ color: {c["text"]}; }}
.qs-graded ol {{ list-style: none; margin: 0; padding: 0; }}
.qs-graded li {{
  display: grid; grid-template-columns: 1.9em 3em 1fr; column-gap: 6px; margin: 0; padding: 5px 4px 5px 0;
  font-size: 0.88rem; line-height: 1.3; border-left: 3px solid transparent; border-bottom: 1px solid {c["grid"]};
  overflow-wrap: anywhere;
}}
.qs-graded li.open {{ border-left-color: {c["accent"]}; background: {c["panel"]}; }}
.qs-graded li.none .grade b {{ color: {c["warning"]}; }}
.qs-graded .rank {{ color: {c["faint"]}; font-variant-numeric: tabular-nums; padding-left: 5px; }}
.qs-graded .grade {{ font-variant-numeric: tabular-nums; }}
.qs-graded .grade > i {{ display: block; height: 4px; background: {c["grid"]}; margin-top: 2px; }}
.qs-graded .grade > i > i {{ display: block; height: 4px; background: {c["relevant"]}; }}
.qs-graded .grade > i > i.person {{ background: {c["core"]}; }}
.qs-graded small {{ display: block; color: {c["faint"]}; font-size: 0.8rem; }}
</style>"""


# Mean grades of a run in one line, which shows the effect of overruling.

MOST_NAMED = 8
SAME = 1e-9


def run_means(field: JudgeField, judged: Sequence[JudgedCandidate], rubric: Rubric) -> Mapping[str, float | None]:
    """Return each engine's mean grade on the displayed scale, each query with equal weight; None without grades."""
    cells = cells_of(field, judged, cut=rubric.points[-1], judge_alone=False)
    found: dict[str, float | None] = {}
    for engine, column in zip(cells.engines, cells.means.T, strict=True):
        known = column[~np.isnan(column)]
        found[engine] = rubric.shown(float(known.mean())) if len(known) else None
    return found


def draw_means(opened: OpenedJudgeRun, means: Mapping[str, float | None]) -> None:
    n_people = len({each.triple_key for each in opened.judged if each.overruled is not None})
    n_valid = sum(each.points is not None for each in opened.judged)
    named = list(means.items())[:MOST_NAMED]
    more = f" and {len(means) - MOST_NAMED:,} more engines" if len(means) > MOST_NAMED else ""
    parts = [
        f"Mean grade of the whole run: {', '.join(f'{engine} {in_words(mean)}' for engine, mean in named)}{more}",
        f"{n_valid:,} of {len(opened.judged):,} have a grade",
    ]
    if n_people:
        parts.append("1 grade is from a person" if n_people == 1 else f"{n_people:,} grades are from people")
    if opened.judge.settings.model == DEMO_MODEL:
        parts.append("by the demo judge, which is not a language model")
    with st.container(key="judged-means"):
        st.caption(plain(" · ".join(parts)))


def in_words(mean: float | None) -> str:
    """Format a mean with one decimal.

    >>> in_words(61.25), in_words(None)
    ('61.2', '–')
    """
    return "–" if mean is None else f"{mean:.1f}"


def changes_in_words(before: Mapping[str, float | None], after: Mapping[str, float | None]) -> str:
    """List the means that an overruling changes.

    >>> changes_in_words({"a": 40.0, "b": 10.0}, {"a": 60.0, "b": 10.0})
    'mean grade of a: 40.0, now 60.0'
    """
    moved = [
        f"mean grade of {engine}: {in_words(before.get(engine))}, now {in_words(mean)}"
        for engine, mean in after.items()
        if not _same(before.get(engine), mean)
    ]
    return "; ".join(moved) or "no mean changes"


def _same(a: float | None, b: float | None) -> bool:
    return a is b if a is None or b is None else abs(a - b) < SAME


# A person's grade that replaces the judge's: given with a name and a reason, can be withdrawn, and is never lost.

NOTE = "judge"
"""A message that the page shows once."""
LONGEST_WHY = 1_000


@dataclass(frozen=True, slots=True)
class _Said:
    points: int | None
    who: str
    why: str


def draw_overruling(opened: OpenedJudgeRun, judged: JudgedCandidate) -> None:
    rubric, overrule, key = opened.judge.rubric, judged.overruled, judged.triple_key
    if overrule is not None and overrule.points is not None:
        level = next(grade.name for grade in rubric.grades if grade.points == overrule.points)
        st.markdown(
            f"**{plain(overrule.who)}: {rubric.shown(overrule.points):g} of {rubric.shown_max:g}, {plain(level)}**"
        )
        st.markdown(f"> {plain(overrule.why)}")
        st.caption("This grade replaces the judge's, under this rubric, for every judge and engine.")
    if locked := why_locked():
        st.info(locked, icon=":material/lock:")
        return
    with st.popover("Meaning of the grades", icon=":material/help:"):
        lines = [
            f"**{rubric.shown(each.points):g} · {plain(each.name)}**: {plain(each.text)}" for each in rubric.grades
        ]
        st.markdown("\n\n".join(lines))
    with guarded():
        _draw_form(opened, judged)
    if overrule is not None and st.button(
        "Withdraw", key=f"take-back-{key}", icon=":material/undo:", help="The judge's own grade counts again."
    ):
        _keep(opened, key, _Said(None, name() or overrule.who, ""))
    _draw_history(opened, key)


def _draw_form(opened: OpenedJudgeRun, judged: JudgedCandidate) -> None:
    rubric, key = opened.judge.rubric, judged.triple_key
    now = judged.points
    with st.form(f"overrule-{key}", border=True):
        st.markdown("**Your grade**")
        points = st.selectbox(
            "Grade",
            [grade.points for grade in rubric.grades],
            index=None if now is None else rubric.points.index(now),
            placeholder="Choose a grade",
            key=f"overrule-points-{key}",
            format_func=lambda each: _level(opened, each),
            help="Choose the judge's own grade to confirm it and remove the judgment from the list to check.",
        )
        why = st.text_input(
            "Reason", key=f"overrule-why-{key}", placeholder="One sentence is enough", max_chars=LONGEST_WHY
        )
        is_sent = st.form_submit_button("Overrule", icon=":material/gavel:", type="primary")
    if not is_sent:
        return
    if points is None:
        st.error("Choose a grade.")
    elif not name():
        st.error(NEEDED)
    else:
        _keep(opened, key, _Said(int(points), name(), str(why)))


def _level(opened: OpenedJudgeRun, points: int) -> str:
    rubric = opened.judge.rubric
    name = next(grade.name for grade in rubric.grades if grade.points == points)
    return f"{rubric.shown(points):g} · {name}"


def _keep(opened: OpenedJudgeRun, key: str, correction: _Said) -> None:
    store, rubric = cache.workspace().store, opened.judge.rubric
    overrule(store, rubric, key, correction.points, who=correction.who, why=correction.why)
    before = run_means(opened.field, opened.judged, rubric)
    after = run_means(opened.field, load_judged(store, opened.row, opened.field), rubric)
    what = "Withdrawn" if correction.points is None else "Overruled"
    state.say_once(NOTE, sentence(f"{what}; {changes_in_words(before, after)}"))
    st.rerun()


def _draw_history(opened: OpenedJudgeRun, key: str) -> None:
    past = overrules_of(cache.workspace().store, opened.judge.rubric_key, [key]).get(key, ())
    if not past:
        return
    lines = []
    for each in past:
        what = "withdraws it" if each.points is None else _level(opened, each.points)
        why = f": {each.why}" if each.why else ""
        lines.append(f"- {plain(f'{each.made_at[:16]} {each.who}, {what}{why}'.replace('T', ' ', 1))}")
    with st.expander(f"History ({len(past):,})", icon=":material/history:", key="judged-history"):
        st.markdown("\n".join(lines))


# One judgment in full: the publication, the judge's prompt and answer verbatim, and people's grades.

TRIPLE = "judged_triple"
"""The selected judgment."""
LONGEST = 110


def draw_judgment(opened: OpenedJudgeRun, query: Query, several: Mapping[str, Sequence[JudgedCandidate]]) -> None:
    """Choose one of the query's judgments, and draw it in full. The choice must be settled before."""
    if not several:
        st.info("No engine found anything for this query.")
        return
    key = str(
        st.selectbox(
            "Details of",
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


def _label(opened: OpenedJudgeRun, places: Sequence[JudgedCandidate]) -> str:
    points = places[0].points
    number = "–" if points is None else f"{opened.judge.rubric.shown(points):g}"
    return f"{number} · {title_words(places[0], LONGEST)} ({place_words(places)})"


def _draw_publication(places: Sequence[JudgedCandidate]) -> None:
    candidate = places[0].candidate
    st.markdown(f"### {plain(candidate.title) or 'Without a title'}")
    st.caption(plain(f"Id {candidate.doc_id} · at rank: {place_words(places)}"))
    paragraphs = [plain(part) for part in candidate.abstract.splitlines() if part.strip()]
    st.markdown("\n\n".join(paragraphs) or "*There is no abstract.*")
    if gives_orders(candidate):
        st.warning("This text seems to address the grader. The judge is instructed to treat it as text only.")


def _draw_verdict(opened: OpenedJudgeRun, judged: JudgedCandidate) -> None:
    verdict, rubric = judged.verdict, opened.judge.rubric
    if verdict is None:
        st.info("Not judged yet: resume the run.")
        return
    if verdict.points is None:
        st.markdown(f"**No grade:** {plain(ended_in_words(verdict))}")
    else:
        level = next(grade for grade in rubric.grades if grade.points == verdict.points)
        shown = f"{rubric.shown(level.points):g} of {rubric.shown_max:g}"
        st.markdown(f"**The judge: {shown}, {plain(level.name)}**")
        parts = [] if verdict.confidence is None else [f"confidence {verdict.confidence} of 10"]
        st.caption(plain(sentence(", ".join([*parts, ended_in_words(verdict)]))))
    if verdict.reason:
        st.markdown(f"> {plain(verdict.reason)}")


def _draw_words(opened: OpenedJudgeRun, query: Query, judged: JudgedCandidate) -> None:
    key = judged.triple_key
    kept = answers_to(cache.workspace().store, opened.row.judge_key, [key]).get(key, ())
    judge = opened.judge
    with st.expander("Raw answer of the judge", icon=":material/chat:", key="raw-answer"):
        if not kept:
            st.caption("No answer yet.")
        for each in kept:
            _draw_answer(each)
    with st.expander("Prompt", icon=":material/help:", key="judged-asked"):
        st.caption(plain(f"Model {judge.settings.model}, prompt {prompt_hash(judge.prompt)}."))
        if judge.prompt == prompt_text(judge.rubric, judge.settings.order):
            st.markdown("This publication, as sent to the judge:")
            st.code(user_prompt(triple_of(query, judged.candidate)), language=None, wrap_lines=True, height=260)
            st.markdown("Instructions before it, the same for every publication:")
        else:
            st.caption("An earlier version of Queryscape used a different prompt with this publication:")
        st.code(judge.prompt, language=None, wrap_lines=True, height=320)


def _draw_answer(kept: StoredAnswer) -> None:
    tokens = [n for n in (kept.n_prompt_tokens, kept.n_answer_tokens) if n is not None]
    parts = [
        f"Attempt {kept.attempt}",
        kept.made_at[:19].replace("T", " "),
        kept.model,
        ended_in_words(kept.verdict),
    ]
    parts += [f"{sum(tokens):,} tokens"] if tokens else []
    st.caption(plain(" · ".join(parts)))
    for number, answer in enumerate(kept.answers):
        if number:
            st.caption("Retry with the problem described:")
        st.code(answer or "(an empty answer)", language=None, wrap_lines=True)
    if not kept.answers:
        st.caption(plain(f"No answer: {kept.verdict.reason}"))
