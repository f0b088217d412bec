"""The Audit page, with the record of a search: its items, the PRISMA flow and the next steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from typing import Any

import streamlit as st

from core.audit.flow import Flow, FlowNumber, flow_of
from core.audit.prisma_items import FLOW_TEMPLATES, TEMPLATE, WITH_REASONS
from core.audit.prisma_report import diagram_of
from core.audit.prisma_s import FilledItem, completeness, fill
from core.audit.strategies import AnswerState, AuditAnswer, AuditFacts
from core.errors import InputError
from core.text import listed, lower_first, many
from core.types import Ids, unique_ids
from dashboard import cache, state
from dashboard.audit.fields import (
    DONE,
    ITEM,
    LONGEST_TEXT,
    NEXT_VIEW,
    STANDINGS,
    VIEW,
    close_one,
    draw_blocks,
    draw_lines,
    draw_mistake,
    draw_picture,
    field_key,
    fill_in,
    first_line,
    lately,
    let_go,
    next_items,
    noted,
    open_item,
    open_one,
    open_view,
    opened,
    typed,
)
from dashboard.audit.record_facts import known_of
from dashboard.audit.report import draw_bundle, draw_report
from dashboard.audit.review import draw_reviews
from dashboard.kit import publication_lists
from dashboard.kit.components import draw_download, draw_page
from dashboard.kit.link_controls import choose_one
from dashboard.kit.publication_lists import GroupOfCell, ListedRow, PublicationGroup
from dashboard.library.duplicates import merge_rows
from dashboard.messages import guarded, sentence
from dashboard.status import why_locked
from dashboard.visitors.conflicts import draw_conflict, keep_seen, saving, seen
from dashboard.visitors.names import name
from dashboard.words import plain, when
from data.audit.reports import DIAGRAM_FORMATS, diagram_bytes, flow_records, found_ids, reported_sources
from data.audit.searches import RULES, confirm_likely, repeated_records, say, unsay
from data.library.duplicates import proposals
from data.library.records import ASKED, apart, source_publications

# Ways to answer: confirm, write an answer, mark as not done, and withdraw an answer.

WORDS: dict[AnswerState, str] = {"confirmed": "confirmed", "own": "in own words", "not done": "not done"}


def words_key(topic_id: str, item: str) -> str:
    return field_key("words", topic_id, item)


def is_typed(topic_id: str, item: str) -> bool:
    return bool(str(typed(words_key(topic_id, item)) or "").strip())


def draw_saying(topic_id: str, filled: FilledItem) -> None:
    item, locked = filled.item.item, why_locked()
    if filled.answer is not None:
        _draw_answer(topic_id, filled.answer)
    key = words_key(topic_id, item)
    if not is_typed(topic_id, item):
        keep_seen(key, filled.answer)
    fill_in(key, filled.answer.text if filled.answer is not None and filled.answer.state == "own" else "")
    st.text_area(
        "In your own words",
        key=key,
        height=110,
        max_chars=LONGEST_TEXT,
        placeholder=filled.item.asks,
        help="Replaces the recorded text. With “Not done”, it is saved as the reason.",
        disabled=bool(locked),
    )
    draw_conflict(key, lambda: let_go(key))
    with st.container(horizontal=True):
        can_confirm = bool(filled.recorded) and filled.state not in DONE
        if can_confirm:
            st.button(
                "Confirm",
                key=f"audit-confirm-{item}",
                icon=":material/check:",
                type="primary",
                disabled=bool(locked),
                help=locked or "Confirms the text above.",
                on_click=_confirm,
                args=(topic_id, filled),
            )
        st.button(
            "Save answer",
            key=f"audit-own-{item}",
            icon=":material/save:",
            disabled=bool(locked),
            help=locked,
            type="primary" if filled.state == "open" and not can_confirm else "secondary",
            on_click=_say_own,
            args=(topic_id, item),
        )
        if filled.item.may_be_left:
            st.button(
                "Not done",
                key=f"audit-not-{item}",
                icon=":material/block:",
                disabled=bool(locked),
                help=locked or "Not part of the search. The report states this.",
                on_click=_say_not_done,
                args=(topic_id, item),
            )


def _draw_answer(topic_id: str, answer: AuditAnswer) -> None:
    who = answer.said_by or "an unnamed person"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(
            f":material/how_to_reg: {plain(f'Answered by {who} on {when(answer.said_at)}: {WORDS[answer.state]}.')}",
            width="content",
        )
        st.button(
            "Withdraw",
            key=f"audit-unsay-{answer.item}",
            icon=":material/undo:",
            type="tertiary",
            disabled=bool(why_locked()),
            help=why_locked() or "Removes the answer and shows the recorded text again.",
            on_click=_take_back,
            args=(topic_id, answer.item),
        )


def _confirm(topic_id: str, filled: FilledItem) -> None:
    with noted():
        save_answer(topic_id, filled.item.item, "confirmed", filled.recorded)
        state.say_once("audit", f"Confirmed: {filled.item.title}.")


def _say_own(topic_id: str, item: str) -> None:
    with noted():
        text = str(lately(words_key(topic_id, item)) or "").strip()
        if not text:
            raise InputError("nothing to save: write an answer or choose another option")
        save_answer(topic_id, item, "own", text)
        state.say_once("audit", "Saved.")


def _say_not_done(topic_id: str, item: str) -> None:
    with noted():
        save_answer(topic_id, item, "not done", str(lately(words_key(topic_id, item)) or "").strip())
        state.say_once("audit", "Saved as not done.")


def save_answer(topic_id: str, item: str, how: AnswerState, text: str) -> None:
    """Save an answer; its field then shows the stored value."""
    key = words_key(topic_id, item)
    with saving(key):
        say(cache.workspace().store, topic_id, item, state=how, text=text, said_by=name(), seen=seen(key))
    let_go(key)


def _take_back(topic_id: str, item: str) -> None:
    """Withdraw an answer. A typed answer returns to its field, where it can be saved again."""
    with noted():
        key = words_key(topic_id, item)
        with saving(key):
            unsay(cache.workspace().store, topic_id, item, seen=seen(key))
        state.say_once("audit", "Answer withdrawn.")


# An open item: its text in a report, the facts behind it, and the ways to answer.

PEER_REVIEW = "prisma-s:14"


def draw_item(topic_id: str, filled: FilledItem) -> None:
    item = filled.item
    st.caption(plain(item.asks))
    if filled.text:
        draw_lines(filled.text)
    elif filled.recorded:
        draw_lines(filled.recorded)
    else:
        st.markdown("*Nothing recorded and not answered yet.*")
    for warning in filled.warnings:
        st.warning(plain(warning), icon=":material/warning:")
    if filled.change:
        st.warning(plain(filled.change), icon=":material/sync_problem:")
    if filled.answer is not None and filled.recorded and filled.recorded != filled.text:
        with st.expander("Recorded by Queryscape"):
            draw_lines(filled.recorded)
    if filled.evidence:
        st.caption(plain(filled.evidence))
    facts = known_of(topic_id)
    groups: dict[str, GroupOfCell] = {
        "prisma-s-searches-records": lambda row, column: source_group(facts, row) if column == PUBLICATIONS else None,
        "prisma-s-records": lambda row, column: (
            source_group(facts, len(facts.recorded) + row) if column == PUBLICATIONS else None
        ),
        "prisma-s-duplicates": lambda row, column: duplicates_group(facts, row) if column == "Number" else None,
    }
    draw_blocks(filled.blocks, key=f"audit-block-{item.number}", groups=groups)
    if filled.next_step:
        st.caption(f":material/arrow_forward: {plain(filled.next_step)}")
    if item.item == PEER_REVIEW:
        st.button(
            "Peer review",
            key="audit-to-review",
            icon=":material/rate_review:",
            on_click=open_view,
            args=("Peer review",),
        )
    draw_saying(topic_id, filled)


def duplicates_group(facts: AuditFacts, row: int) -> PublicationGroup:
    """Return the records or publications counted in a row of item 16's table."""
    workspace, topic_id, counted = cache.workspace(), facts.topic_id, facts.deduplication
    sources = reported_sources(workspace, facts)
    rules = [*(rule for rule, _ in counted.by_rule), RULES[ASKED]]
    if row == 0:
        every = repeated_records(workspace.store, topic_id, sources)
        records: tuple[ListedRow, ...] = tuple(
            {"Title": each.title, "File": each.source, "Number": each.number} for each in every
        )
        return PublicationGroup("Records", rows=records, noun="record")
    if row <= len(rules):
        rule = rules[row - 1]
        rows = merge_rows(repeated_records(workspace.store, topic_id, sources, rule))
        return PublicationGroup(f"Merged by {rule}", rows=rows, noun="record")
    if row == len(rules) + 1:
        ids_of = source_publications(workspace.store, topic_id)
        return PublicationGroup("Publications remaining", unique_ids(i for source in sources for i in ids_of[source]))
    if row == len(rules) + 2:
        return PublicationGroup("Kept separate", rows=_pair_rows(apart(workspace.store, topic_id)), noun="pair")
    pairs = [proposal.pair for proposal in proposals(workspace, topic_id)]
    rows = _pair_rows([(pair.a, pair.b) for pair in pairs])
    return PublicationGroup("Undecided", rows=rows, noun="pair")


def _pair_rows(pairs: Sequence[tuple[str, str]]) -> tuple[ListedRow, ...]:
    ids = unique_ids(i for pair in pairs for i in pair)
    titles = dict(zip(ids, cache.workspace().store.headlines(ids).titles, strict=True))
    return tuple({"Publication": titles[a] or a, "Similar to": titles[b] or b} for a, b in pairs)


# The sixteen items in their four parts, each an expandable row.


def draw_items(topic_id: str, filled: Sequence[FilledItem]) -> None:
    """Draw the items, at most one of them open. Text typed in others is kept."""
    wanted = opened(ITEM)
    if wanted is not None and wanted not in {each.item.item for each in filled}:
        st.warning("Unknown item in the link: choose one of the sixteen below.", icon=":material/link_off:")
        close_one(ITEM)
        wanted = None
    if wanted is not None and state.is_first("audit-linked-item"):
        state.bring_into_sight(f"audit-row-{next(each.item.number for each in filled if each.item.item == wanted)}")
    for part, items in groupby(filled, key=lambda each: each.item.part):
        st.markdown(f"## {plain(part)}")
        with st.container(border=True, gap="xxsmall"):
            for each in items:
                _draw_row(topic_id, each, is_open=each.item.item == wanted)


def _draw_row(topic_id: str, filled: FilledItem, *, is_open: bool) -> None:
    item, standing = filled.item, STANDINGS[filled.state]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"audit-row-{item.number}"):
        st.button(
            f"{item.number}  {item.title}",
            key=f"audit-item-{item.number}",
            icon=":material/expand_less:" if is_open else ":material/expand_more:",
            type="tertiary",
            help=plain(item.asks),
            on_click=close_one if is_open else open_one,
            args=(ITEM,) if is_open else (ITEM, item.item),
        )
        st.badge(standing.word, icon=standing.icon, color=standing.colour)
        if is_typed(topic_id, item.item):
            st.badge("Unsaved text", icon=":material/edit_note:", color="orange")
    if not is_open:
        st.caption(plain(first_line(filled.text) or f"State {item.asks[:1].lower()}{item.asks[1:]}"))
        return
    with guarded(), st.container(key=f"audit-open-{item.number}"):
        draw_item(topic_id, filled)


# The completeness of the record in one line, and the next steps.


def draw_head(facts: AuditFacts, filled: Sequence[FilledItem]) -> None:
    told = completeness(filled)
    n_done = sum(each.state in DONE for each in filled)
    st.markdown(f"**{plain(told.sentence)}**")
    st.progress(n_done / max(len(filled), 1))
    counts = Counter(each.state for each in filled)
    with st.container(horizontal=True, gap="small", key="audit-states"):
        for at, standing in STANDINGS.items():
            if counts[at]:
                st.badge(f"{counts[at]} {standing.many}", icon=standing.icon, color=standing.colour)
    _draw_confirm(facts, filled)
    _draw_next(filled)
    draw_mistake()


CONFIRMED = "audit-confirmed-together"


def _draw_confirm(facts: AuditFacts, filled: Sequence[FilledItem]) -> None:
    topic_id, items = state.value(CONFIRMED) or ("", ())
    items = tuple(item for item in items if topic_id == facts.topic_id and item in facts.answers)
    if items:
        st.button(
            f"Undo: {many(len(items), 'confirmation')}",
            key="audit-undo-confirmed",
            icon=":material/undo:",
            type="tertiary",
            disabled=bool(why_locked()),
            on_click=_undo_confirmed,
            args=(topic_id, items),
        )
    items_likely = [one for one in filled if one.state == "likely"]
    numbers = [number for number in flow_of(facts).numbers if number.state == "likely" and number.n is not None]
    if len(items_likely) + len(numbers) < 2:
        return
    locked = why_locked()
    parts = ((len(items_likely), "prefilled item"), (len(numbers), "prefilled number"))
    st.button(
        f"Confirm {listed([many(n, noun) for n, noun in parts if n])}",
        key="audit-confirm-all",
        icon=":material/done_all:",
        disabled=bool(locked),
        help=locked or "Look through them below first. Each can be withdrawn.",
        on_click=_confirm_all,
        args=(facts,),
    )
    confirmed = [line for one in items_likely for line in one.denials]
    if numbers:
        listed_numbers = "; ".join(f"{lower_first(number.label)}: {number.n:,}" for number in numbers)
        confirmed.append(f"In the flow diagram, {listed_numbers}.")
    if confirmed:
        st.caption(plain(f"It also confirms: {' '.join(confirmed)}"))


def _confirm_all(facts: AuditFacts) -> None:
    with noted():
        confirmed = confirm_likely(cache.workspace().store, facts, said_by=name())
        let_go(*(words_key(facts.topic_id, item) for item in confirmed))
        let_go(*(field_key("flow", facts.topic_id, item) for item in confirmed))
        state.set_value(CONFIRMED, (facts.topic_id, confirmed))
        state.say_once("audit", f"Confirmed: {many(len(confirmed), 'answer')}.")


def _undo_confirmed(topic_id: str, items: Ids) -> None:
    with noted():
        for item in items:
            unsay(cache.workspace().store, topic_id, item)
        let_go(*(key(topic_id, item) for item in items for key in (words_key, partial(field_key, "flow"))))
        state.set_value(CONFIRMED, None)
        state.say_once("audit", "The confirmations were withdrawn.")


def _draw_next(filled: Sequence[FilledItem]) -> None:
    waiting = next_items(filled)
    with st.container(border=True, key="audit-next"):
        if not waiting:
            st.markdown("**All items are answered.** You can create the appendix.")
            st.button(
                "Create report",
                key="audit-to-report",
                icon=":material/description:",
                on_click=open_view,
                args=("Report",),
            )
            return
        st.markdown("**Next steps**")
        for each in waiting:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.button(
                    f"{each.item.number}  {each.item.title}",
                    key=f"audit-next-{each.item.number}",
                    icon=STANDINGS[each.state].icon,
                    type="tertiary",
                    on_click=open_item,
                    args=(each.item.item, each.item.number),
                )
                st.caption(plain(sentence(each.next_step)), width="content")


# The PRISMA 2020 flow: recorded numbers, fields for those to enter, and the diagram.

MOST = 1_000_000_000
IN_A_ROW = 3
RECORDED_ONLY = "flow:topic"
"""This number can't be overruled."""


def draw_flow(facts: AuditFacts) -> None:
    flow = flow_of(facts)
    st.markdown("## PRISMA 2020 flow")
    picture, remarks = st.columns([0.66, 0.34], gap="large")
    with picture:
        _draw_picture(facts)
    with remarks:
        _draw_template(facts, flow)
        for each in (*flow.disagreements, *flow.warnings):
            st.warning(plain(each), icon=":material/warning:")
        for each in flow.notes:
            st.caption(plain(each))
    _draw_flow_counts(facts, flow)
    _draw_sources(facts, flow)
    numbers = [number for number in flow.numbers if number.item != RECORDED_ONLY]
    for place in range(0, len(numbers), IN_A_ROW):
        for column, number in zip(st.columns(IN_A_ROW, gap="large"), numbers[place : place + IN_A_ROW], strict=False):
            with column:
                _draw_number(facts, number)


MIME = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}


def _draw_picture(facts: AuditFacts) -> None:
    with st.container(key="audit-flow-picture"):
        draw_picture(diagram_of(facts))
    with st.container(horizontal=True, gap="small"):
        for form in DIAGRAM_FORMATS:
            draw_download(
                form.upper(),
                partial(diagram_bytes, facts, form),
                file_name=f"prisma-2020-flow.{form}",
                mime=MIME[form],
                key=f"audit-flow-{form}",
            )


def _draw_template(facts: AuditFacts, flow: Flow) -> None:
    key, locked = field_key("flow", facts.topic_id, TEMPLATE), why_locked()
    fill_in(key, flow.template, partial(_say_template, facts.topic_id))
    st.selectbox(
        "Diagram",
        list(FLOW_TEMPLATES),
        format_func=FLOW_TEMPLATES.__getitem__,
        key=key,
        disabled=bool(locked),
        help=locked or "The four diagrams of PRISMA 2020. Saved when you choose one.",
    )


def _say_template(topic_id: str, template: object) -> None:
    say(cache.workspace().store, topic_id, TEMPLATE, state="own", text=str(template), said_by=name())


def _draw_flow_counts(facts: AuditFacts, flow: Flow) -> None:
    counted = [number for number in flow.numbers if number.n is not None]
    if not counted:
        return
    st.caption("Numbers in the flow")
    publication_lists.draw_table(
        [{"Stage": each.label, "Number": each.n, "Status": STANDINGS[each.state].word} for each in counted],
        lambda row, column: flow_group(facts, counted[row]) if column == "Number" else None,
        key="audit-flow-counts",
        hint="Click a number from a recorded search to list its records.",
        column_config={"Number": st.column_config.NumberColumn(format="localized")},
    )


def flow_group(facts: AuditFacts, number: FlowNumber) -> PublicationGroup | None:
    """Return the records behind a number of the flow; None: there are none, or a person entered another number."""
    records = flow_records(cache.workspace(), facts).get(number.item, ())
    if len(records) != number.n:
        return None
    rows: tuple[ListedRow, ...] = tuple(
        {
            "Title": each.title or None,
            "Version": each.version,
            "File": each.source or None,
            "Number": each.number,
            **({"Unreadable": each.problem} if each.problem else {}),
        }
        for each in records
    )
    return PublicationGroup(number.label, rows=rows, noun="record")


PUBLICATIONS = "Publications"


def _draw_sources(facts: AuditFacts, flow: Flow) -> None:
    st.caption("Records by source")
    rows: list[dict[str, str | int | None]] = [
        {"Source": each.name, "Version": each.version or None, "Records": each.n, PUBLICATIONS: each.n_publications}
        for each in flow.sources
    ]
    if not rows:
        st.markdown("None yet.")
        return
    rows.append({"Source": "Total, without duplicates", "Version": None, "Records": None, PUBLICATIONS: facts.n_found})
    number = st.column_config.NumberColumn(format="localized")
    publication_lists.draw_table(
        rows,
        lambda row, column: source_group(facts, row) if column == PUBLICATIONS else None,
        key="audit-flow-sources",
        hint="Click a number to list its publications.",
        column_config={"Records": number, PUBLICATIONS: number},
    )


def source_group(facts: AuditFacts, row: int) -> PublicationGroup | None:
    """Return the publications of one source of the flow, or of all after the last; None: no results are known."""
    sources = flow_of(facts).sources
    source = sources[row] if row < len(sources) else None
    if (facts.n_found if source is None else source.n_publications) is None:
        return None
    text = "All reported searches" if source is None else source.name if source.number else f"Version {source.version}"
    return PublicationGroup(text, found_ids(cache.workspace(), facts, source))


def _draw_number(facts: AuditFacts, number: FlowNumber) -> None:
    """Draw a field for a number. Recorded numbers can also be overruled: more may have come from elsewhere."""
    topic_id = facts.topic_id
    key, locked = field_key("flow", topic_id, number.item), why_locked()
    more: dict[str, Any] = {
        "key": key,
        "placeholder": "Not answered yet",
        "disabled": bool(locked),
    }
    more |= {"help": locked or "Saved when you leave the field. Clear it to withdraw the answer."}
    save = partial(_say_number, topic_id, number)
    if number.item in WITH_REASONS:
        answer = facts.answers.get(number.item)
        fill_in(key, answer.text if answer is not None else "", save)
        st.text_area(plain(number.label), height=80, max_chars=LONGEST_TEXT, **more)
    else:
        fill_in(key, number.n, save)
        # Without a value, a cleared field would hold 0: an answer that nobody gave.
        st.number_input(plain(number.label), value=None, min_value=0, max_value=MOST, step=1, **more)
    standing = STANDINGS[number.state]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(plain(f"{standing.word}. {number.sentence}".strip()), width="content")
        if number.state in ("likely", "changed") and number.recorded is not None:
            st.button(
                f"Confirm {number.recorded:,}",
                key=f"audit-flow-confirm-{number.item}",
                icon=":material/check:",
                type="tertiary",
                disabled=bool(locked),
                on_click=_confirm_number,
                args=(topic_id, number, key),
            )


def _say_number(topic_id: str, number: FlowNumber, n: object) -> None:
    if n is None or n == "":
        unsay(cache.workspace().store, topic_id, number.item)
    else:
        how: AnswerState = "confirmed" if n == number.recorded else "own"
        say(cache.workspace().store, topic_id, number.item, state=how, text=str(n), said_by=name())


def _confirm_number(topic_id: str, number: FlowNumber, key: str) -> None:
    with noted():
        say(
            cache.workspace().store, topic_id, number.item, state="confirmed", text=str(number.recorded), said_by=name()
        )
        let_go(key)


# The view "Record": the completeness of a search's record, item by item, and the next steps.


def draw_record() -> None:
    topic_id = state.read_topic()
    if topic_id is None:
        st.info("No topics yet. Build the demo on the Workbench, or import files in the Library.")
        return
    facts = known_of(topic_id)
    if not facts.searches and not facts.recorded:
        st.info("No searches yet, so most of the record is empty. Import the files of your searches in the Library.")
    filled = fill(facts)
    draw_head(facts, filled)
    draw_items(topic_id, filled)
    with guarded():
        draw_flow(facts)


# Audit: everything that another person needs to check this search and to repeat it.

VIEWS: dict[str, Callable[[], None]] = {
    "Record": draw_record,
    "Peer review": draw_reviews,
    "Report": draw_report,
    "Bundle": draw_bundle,
}


def render() -> None:
    draw_page("Audit", _draw, notes="audit")


def _draw() -> None:
    if (wanted := state.value(NEXT_VIEW)) in VIEWS:
        state.set_value(VIEW, wanted)
        state.set_value(NEXT_VIEW, None)
    view = choose_one(st.segmented_control, "View", list(VIEWS), VIEW, required=True, label_visibility="collapsed")
    with guarded():
        VIEWS[view]()


if __name__ == "__main__":
    render()
