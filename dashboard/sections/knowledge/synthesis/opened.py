"""One query opened: what it is made from, every prompt, every answer, and what was read out of it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.knowledge.synthesis.reading import Call, Made
from core.knowledge.synthesis.steps import checked_ids
from dashboard import state
from dashboard.figures.upset import short
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase
from data.knowledge.synthesis.keeping import InStore, SynthesisRow

LONGEST, FEW = 110, 8
CALL_LABELS = {
    "extract": "Properties read by",
    "fuse": "Worded by",
    "rewrite": "Worded anew by",
    "filter": "Checked by",
}
OPENED = "synthesis-item"


def draw_opened(base: KnowledgeBase, keeper: InStore, row: SynthesisRow, made: Sequence[Made]) -> None:
    """A choice of a query, and all that is kept of it."""
    by_id = {str(each.sampled.item): each for each in made}
    state.settle_named(OPENED, list(by_id))
    item = str(st.selectbox("Open a query", list(by_id), key=OPENED, format_func=lambda each: _item_label(by_id, each)))
    state.write_in_link(OPENED, [item])
    opened = by_id[item]
    sampled, came = opened.sampled, opened.outcome
    st.markdown(f"**{plain(came.query or came.reason or 'Not worded yet')}**")
    st.caption(
        plain(
            f"Relation: {sampled.relation} · Properties: {'; '.join(came.properties) or 'none'} · "
            f"Made from: {sampled.gold_title} ({sampled.gold_id})"
        )
    )
    for note in (*came.notes, *(f"the query does not name {name}" for name in came.missing_names)):
        st.caption(plain(note))
    calls = keeper.calls(sampled.item)
    _draw_verdicts(base, row, opened)
    for call in calls:
        if call.place.step != "filter":
            _draw_call(call, _title(call))
    checks = {f"{_title(call)}: {_of(opened, call)}": call for call in calls if call.place.step == "filter"}
    if checks:
        chosen = st.selectbox("Open a check", list(checks), key=f"check-{row.synthesis_id}-{item}")
        _draw_call(checks[str(chosen)], str(chosen))


def _item_label(by_id: dict[str, Made], item: str) -> str:
    made = by_id.get(item)
    return item if made is None else f"{item}: {short(made.outcome.query or made.outcome.reason or '–', LONGEST)}"


def _draw_verdicts(base: KnowledgeBase, row: SynthesisRow, opened: Made) -> None:
    verdicts, accepted = opened.outcome.verdicts, opened.outcome.accepted
    if not verdicts:
        return
    gold = opened.sampled.gold_id
    rows = base.rows_of(list(verdicts))
    titles = {entity.entity_id: entity.title for entity in base.entities(list(rows.values()))}
    models = {model: [said.get(model, "–") for said in verdicts.values()] for model in row.settings.filters}
    st.dataframe(
        {
            "Answer": [f"{doc_id} (gold)" if doc_id == gold else doc_id for doc_id in verdicts],
            "Title": [titles.get(doc_id, "–") for doc_id in verdicts],
            "Counts": ["yes" if doc_id in accepted else "no" for doc_id in verdicts],
            **{f"{model} says": said for model, said in models.items()},
        },
        hide_index=True,
        height="content" if len(verdicts) < FEW else 300,
    )


def _title(call: Call) -> str:
    again = f", attempt {call.place.number + 1}" if call.place.number and call.place.step != "filter" else ""
    return f"{CALL_LABELS[call.place.step]} {call.place.model}{again}"


def _of(opened: Made, call: Call) -> str:
    ids = checked_ids(opened.sampled)
    return ids[call.place.number] if call.place.number < len(ids) else "?"


def _draw_call(call: Call, title: str) -> None:
    """As it was sent and as it came, never read as Markdown."""
    with st.expander(plain(title)):
        said = "; ".join(call.read.texts) or f"nothing: {call.read.refused}"
        st.caption(plain(f"Read out of the answer: {said}"))
        for name, text in (("Answer", call.answer), ("Prompt", call.prompt.user), ("Task", call.prompt.system)):
            st.caption(name)
            st.code(text or " ", language=None, wrap_lines=True)
        counts = [
            f"{n:,} tokens of {what}"
            for what, n in (("prompt", call.n_prompt_tokens), ("answer", call.n_answer_tokens))
            if n is not None
        ]
        st.caption(plain(" · ".join([*counts, call.fingerprint, call.made_at])))
