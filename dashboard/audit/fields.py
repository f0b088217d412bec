"""Navigation, text fields and report blocks of the Audit page, and the status of items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from threading import RLock
from time import monotonic
from types import MappingProxyType
from typing import Any, Literal, NoReturn

import streamlit as st

from core.audit.prisma_s import FilledItem
from core.audit.strategies import ANSWERED, ItemState
from core.errors import QueryscapeError
from core.pictures import svg
from core.report import (
    AnswerPrompt,
    Block,
    Figure,
    Listing,
    Paragraph,
    Remark,
    ReportColumn,
    ReportHeading,
    Strategy,
    Table,
)
from dashboard import state
from dashboard.kit import publication_lists
from dashboard.kit.publication_lists import GroupOfCell
from dashboard.messages import draw_problem, sentence
from dashboard.status import why_locked
from dashboard.words import plain
from data.store import content_hash

PAGE = "audit/page.py"
VIEW, NEXT_VIEW = "audit", "audit_next"
"""Keys of the current view, and of the view to show next."""
ITEM, REVIEW, VERSIONS = "audit_item", "audit_review", "audit_versions"
"""Keys of the open item and review, and of the reported versions; all are in the link."""


def opened(key: str) -> str | None:
    """Return the item or the review opened here or by the link; None: none."""
    if not state.is_chosen(key):
        return None
    asked = state.asked_for(key) if state.value(key, "") is not None else ()
    return asked[0] if asked else None


def open_one(key: str, name: str) -> None:
    """Open this item or this review on the next rerun."""
    state.set_value(key, name)
    state.write_in_link(key, [name])


def open_item(item: str, number: int) -> None:
    """Open an item of the record on the next rerun, and scroll to it."""
    open_one(ITEM, item)
    state.bring_into_sight(f"audit-row-{number}")


def open_review(review_id: str) -> None:
    """Open a review on the next rerun, at its top."""
    open_one(REVIEW, review_id)
    state.bring_into_sight("audit-all-reviews")


def close_one(key: str) -> None:
    state.set_value(key, None)
    state.write_in_link(key, [])


def open_view(view: str) -> None:
    """Show another view on the next rerun, from its top."""
    state.set_value(NEXT_VIEW, view)
    state.bring_into_sight(VIEW)


def link_to_report(topic_id: str, labels: Sequence[str], *, label: str, embedder: str | None = None) -> None:
    link = {"topic": topic_id, "audit": "Report", VERSIONS: list(labels)}
    link |= {} if len(labels) != 1 else {"version": labels[0]}
    link |= {} if embedder is None else {"embedder": embedder}
    st.page_link(PAGE, label=label, icon=":material/fact_check:", query_params=link)


def open_report(topic_id: str, label: str) -> NoReturn:
    """Go to the view Report with this version, whatever topic is selected."""
    state.choose_topic_next(topic_id)
    state.choose_version_next(label)
    st.switch_page(PAGE, query_params={VIEW: "Report", VERSIONS: [label]})


# Text typed on this page, kept until it is saved: through other items, other pages and failed saves.
#
# Streamlit interrupts a run at any access to the session state once the next click has arrived, even inside a field's
# on-change callback; that change is then never reported again. So fields have no callbacks. At the start of every run,
# and first in every button's callback, `settle` compares the value of each field with the last one shown and saves the
# difference. It reads one copy of the state and writes into one object, so nothing can interrupt it.
#
# What a run fills in is lost if the next run begins before the browser gets it; the field then holds what it had
# before, or its default. So the next run fills it in again, and `settle` saves no value from before.

HELD = "audit-held"
LONGEST_LINE, LONGEST_TEXT = 120, 20_000
SENT_SECONDS = 2.0
"""Time in which the browser gets what a run has drawn, also on a busy machine."""
ONE_AT_A_TIME = RLock()
"""Changes to a part of a review are read, changed and written under this lock: two at once would lose one."""


@dataclass(slots=True)
class AuditField:
    shown: Any
    """Value of the field when it was last saved."""
    save: Callable[[Any], None]
    is_over: bool = False
    """True: the next rerun shows the stored value, whatever the field contains now."""


@dataclass(slots=True)
class UnsavedInput:
    """Unsaved input of one visitor. It is changed in place."""

    typed: dict[str, Any] = field(default_factory=dict)
    """Typed and unsaved values, by field."""
    fields: dict[str, AuditField] = field(default_factory=dict)
    unsent: dict[str, Any] = field(default_factory=dict)
    """Fields filled in that the browser may not have got, with the value that it had before; None: it had none."""
    ended: float | None = None
    """The time when the last run ended; None: it was interrupted, or runs now."""
    mistake: str | None = None
    """Latest error, until it is shown."""


def field_key(what: str, *about: str) -> str:
    return f"audit-{what}-{content_hash(list(about))[:12]}"


def typed(key: str) -> Any:
    """Return the typed and unsaved value; None: there is none."""
    return held().typed.get(key)


def lately(key: str) -> Any:
    return state.snapshot().get(key, typed(key))


def fill_in(key: str, kept: Any, save: Callable[[Any], None] | None = None) -> None:
    """Prepare a field before it is drawn: fill in unsaved input or the stored value, even if another page changed it.

    `save` is called with the value of the field as soon as it changes; None: a button saves it.
    """
    held_now, now = held(), state.value(key)
    before = held_now.fields.get(key)
    if before is not None and key in held_now.unsent:
        old = held_now.unsent[key]
        now = before.shown if now == old or not (old or now) else now
        state.set_value(key, now)
    if now is None or before is None or before.is_over or (save and now == before.shown and _text(now) != kept):
        filled = held_now.typed.get(key, kept)
        held_now.unsent.setdefault(key, now)
        state.set_value(key, filled)
        shown = filled if save is None else kept
    else:
        shown = before.shown
    held_now.fields[key] = AuditField(shown, save or partial(held_now.typed.__setitem__, key))


def _text(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


def settle() -> None:
    """Save the current values of all fields. One that can't be saved stays in its field for the next run to retry."""
    with ONE_AT_A_TIME:
        now = state.snapshot()
        held_now = now.get(HELD)
        if not isinstance(held_now, UnsavedInput):
            return
        if held_now.ended is not None and monotonic() - held_now.ended > SENT_SECONDS:
            held_now.unsent.clear()
        held_now.ended = None
        for key, one in list(held_now.fields.items()):
            if one.is_over or key not in now or now[key] == one.shown:
                continue
            if key in held_now.unsent and (now[key] == held_now.unsent[key] or not (held_now.unsent[key] or now[key])):
                continue  # not typed: the field still has what it had before, or is empty as at first
            held_now.typed.pop(key, None)
            try:
                one.save(now[key])
            except QueryscapeError as e:
                held_now.typed[key] = now[key]
                held_now.mistake = str(e)
            else:
                one.shown = now[key]


def note_end() -> None:
    """Call this at the end of a run: soon after it, the browser has got all that was filled in."""
    held().ended = monotonic()


def put_in(key: str, text: str) -> None:
    """Replace what is in a field, as if it was typed."""
    let_go(key)
    held().typed[key] = text


def let_go(*keys: str) -> None:
    """Make these fields show the stored value again, after it was saved or changed."""
    held_now = held()
    for key in keys:
        held_now.typed.pop(key, None)
        if key in held_now.fields:
            held_now.fields[key].is_over = True


def held() -> UnsavedInput:
    found = state.snapshot().get(HELD)
    if not isinstance(found, UnsavedInput):
        found = UnsavedInput()
        state.set_value(HELD, found)
    return found


# Saving input: an error is shown on the page, and what was typed stays.


@contextmanager
def noted() -> Iterator[None]:
    """Save typed values, then run a button's callback; an error is shown by the next run.

    In the callback, save to the store first, and write to the session state last: that may be interrupted.
    """
    with ONE_AT_A_TIME:
        settle()
        try:
            yield
        except QueryscapeError as e:
            held().mistake = str(e)


def draw_mistake() -> None:
    """Draw the latest error, or why answers can't be given. It has a fixed place, so that no field below moves."""
    with st.container(key="audit-answer"):
        if reason := why_locked():
            st.info(reason, icon=":material/lock:")
        mistake, held().mistake = held().mistake, None
        if mistake:
            draw_problem(mistake)
            st.toast(plain(sentence(mistake)), icon=":material/error:")  # visible in any part of the page


# Blocks of a report on the page. All text from users or sources stays text.

MOST_ROWS = 500
MOST_WHOLE, MOST_PIXELS = 10, 360
"""Most rows of a table that is shown whole, and the height in pixels of others."""


def draw_blocks(blocks: Iterable[Block], *, key: str, groups: Mapping[str, GroupOfCell] = MappingProxyType({})) -> None:
    """Draw blocks in order. `groups`: by table name, the publications counted by its cells."""
    for place, block in enumerate(blocks):
        draw_block(block, key=f"{key}-{place}", groups=groups)


def draw_block(block: Block, *, key: str, groups: Mapping[str, GroupOfCell]) -> None:
    match block:
        case ReportHeading():
            st.markdown(f"**{plain(block.text)}**")
        case Paragraph():
            draw_lines(block.text)
        case Listing():
            sign = "1." if block.is_numbered else "-"
            st.markdown("\n".join(f"{sign} {plain(item)}" for item in block.items))
        case Strategy():
            if block.caption:
                st.caption(plain(block.caption))
            st.code(block.text, language=None, wrap_lines=True)
        case Table():
            draw_table(block, key=key, group_of=groups.get(block.name))
        case Figure():
            draw_picture(block)
        case AnswerPrompt():
            st.caption(f":material/edit: {plain(block.text)}")
        case Remark():
            st.warning(plain(block.text), icon=":material/warning:") if block.is_warning else st.caption(
                plain(block.text)
            )


def draw_lines(text: str) -> None:
    """Draw each line as a paragraph."""
    lines = [plain(line) for line in text.splitlines() if line.strip()]
    if lines:
        st.markdown("\n\n".join(lines))


def draw_table(table: Table, *, key: str, group_of: GroupOfCell | None = None) -> None:
    """Draw a table with its caption above and its note below."""
    if table.caption:
        st.caption(plain(table.caption))
    if not table.rows:
        st.caption("No rows.")
    else:
        titles = unique(column.title for column in table.columns)
        rows = [dict(zip(titles, row, strict=True)) for row in table.rows[:MOST_ROWS]]
        height: Any = "content" if len(rows) <= MOST_WHOLE else MOST_PIXELS
        config: Any = dict(zip(titles, map(_config, table.columns), strict=True))
        look: Any = {"height": height, "column_config": config}
        if group_of is None:
            st.dataframe(rows, hide_index=True, key=key, placeholder="–", **look)
        else:
            publication_lists.draw_table(rows, group_of, key=key, **look)
    if len(table.rows) > MOST_ROWS:
        st.caption(f"Showing the first {MOST_ROWS:,} of {len(table.rows):,} rows; the report has all.")
    if table.note:
        st.caption(plain(table.note))


def _config(column: ReportColumn) -> Any:
    if column.kind == "count":
        return st.column_config.NumberColumn(format="localized", width="small")
    if column.kind == "number":
        return st.column_config.NumberColumn(format="%.3f", width="small")
    return st.column_config.TextColumn()


def unique(titles: Iterable[str]) -> list[str]:
    """Make the names of columns unique.

    >>> unique(["n", "of", "n"])
    ['n', 'of', 'n (2)']
    """
    found: list[str] = []
    for title in titles:
        n = 1
        while (shown := title if n == 1 else f"{title} ({n})") in found:
            n += 1
        found.append(shown)
    return found


def draw_picture(figure: Figure) -> None:
    """Draw a picture as an image, so that it is never parsed as HTML. It stays white in the dark theme."""
    st.image(svg(figure.picture, alternative=figure.alternative), width="stretch", alt=figure.alternative)
    if figure.caption:
        st.caption(plain(figure.caption))


# The status of an item, in words and icons, and the items to do next.

Colour = Literal["green", "blue", "gray", "orange"]
NEXT_SHOWN = 3
SHORT = 150
"""Characters of an item's text shown in the list."""


@dataclass(frozen=True, slots=True)
class ItemStatus:
    word: str
    icon: str
    colour: Colour
    many: str
    """Words after a number: "3 to confirm"."""


STANDINGS: dict[ItemState, ItemStatus] = {
    "known": ItemStatus("Recorded", ":material/check_circle:", "green", "recorded"),
    ANSWERED: ItemStatus("Answered", ":material/how_to_reg:", "green", "answered"),
    "likely": ItemStatus("To confirm", ":material/contact_support:", "blue", "to confirm"),
    "open": ItemStatus("Not answered yet", ":material/radio_button_unchecked:", "gray", "open"),
    "changed": ItemStatus("Changed since confirmed", ":material/sync_problem:", "orange", "changed since confirmed"),
}
"""By state, finished ones first."""
DONE: frozenset[ItemState] = frozenset({"known", ANSWERED})
_URGENT: tuple[ItemState, ...] = ("changed", "likely", "open")
"""Changed items come first, then those that take one click, then those that need writing."""


def next_items(filled: Sequence[FilledItem], most: int = NEXT_SHOWN) -> list[FilledItem]:
    waiting = [each for each in filled if each.state not in DONE]
    return sorted(waiting, key=lambda each: _URGENT.index(each.state))[:most]


def first_line(text: str) -> str:
    """Return the start of a text, in one line.

    >>> first_line("PubMed was searched.\\nThen OpenAlex.")
    'PubMed was searched. …'
    """
    lines = [" ".join(line.split()) for line in text.strip().splitlines() if line.strip()]
    if not lines:
        return ""
    first = lines[0]
    if len(first) > SHORT:
        return f"{first[:SHORT].rstrip()} …"
    return f"{first} …" if len(lines) > 1 else first
