"""Navigation, text fields and report blocks of the Audit page, and the status of items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from threading import RLock
from types import MappingProxyType
from typing import Any, Literal, NoReturn

import streamlit as st

from core.audit.prisma_s import Filled
from core.audit.strategies import ItemState
from core.errors import QueryscapeError
from core.pictures import svg
from core.report import Block, Column, Figure, Heading, Listing, Paragraph, Prompt, Remark, Strategy, Table
from dashboard import cache, state
from dashboard.kit import publication_lists
from dashboard.kit.publication_lists import GroupOfCell
from dashboard.messages import sentence
from dashboard.words import plain
from data.store import content_hash

PAGE = "audit/page.py"
VIEW, NEXT_VIEW = "audit", "audit_next"
"""The view that is drawn, and the one that something on the page leads to."""
ITEM, REVIEW, VERSIONS = "audit_item", "audit_review", "audit_versions"
"""The item and the review that are opened, and the versions that are reported; all in the link."""


def opened(key: str) -> str | None:
    """The item or the review that was opened here, or by the link; None: none is."""
    if not state.is_chosen(key):
        return None
    asked = state.asked_for(key) if state.said(key, "") is not None else ()
    return asked[0] if asked else None


def open_one(key: str, name: str) -> None:
    """Show this item or this review as soon as the page is drawn again."""
    state.say(key, name)
    state.write_in_link(key, [name])


def close_one(key: str) -> None:
    state.say(key, None)
    state.write_in_link(key, [])


def open_view(view: str) -> None:
    """Show another view as soon as the page is drawn again."""
    state.say(NEXT_VIEW, view)


def link_to_report(topic_id: str, labels: Sequence[str], *, label: str, embedder: str | None = None) -> None:
    link = {"topic": topic_id, "audit": "Report", VERSIONS: list(labels)}
    link |= {} if len(labels) != 1 else {"version": labels[0]}
    link |= {} if embedder is None else {"embedder": embedder}
    st.page_link(PAGE, label=label, icon=":material/fact_check:", query_params=link)


def open_report(topic_id: str, label: str) -> NoReturn:
    """Go to the view Report with this version, whatever topic is looked at."""
    state.choose_topic_next(topic_id)
    state.choose_version_next(label)
    st.switch_page(PAGE, query_params={VIEW: "Report", VERSIONS: [label]})


# What is typed on this page, kept until it is saved: through other items, other pages and a save that fails.
#
# Streamlit breaks off a run where it reads or writes the session's state once the next click has come, even in what a
# field calls when it changes; what changed then never counts as changed again. So no field calls anything. At the
# head of every run, and first of all in whatever a button calls, `settle` compares what every field says with what it
# showed and saves the difference. It looks at one copy of the state and writes into one object: nothing breaks it
# off.

HELD = "audit-held"
NAME = "audit-name"
LONGEST_NAME = 120
LONGEST_TEXT = 20_000
ONE_AT_A_TIME = RLock()
"""Whoever changes a part of a review reads it, changes it and writes the whole: two at once would lose one change."""


@dataclass(slots=True)
class Field:
    shown: Any
    """What it said when that was last saved."""
    save: Callable[[Any], None]
    is_over: bool = False
    """It is to show what is kept as soon as it is drawn again, whatever it says now."""


@dataclass(slots=True)
class Held:
    """Of one visitor. It is changed in place."""

    typed: dict[str, Any] = field(default_factory=dict)
    """What was typed and not saved yet, by field."""
    fields: dict[str, Field] = field(default_factory=dict)
    mistake: str | None = None
    """What went wrong last, until it is said."""


def field_key(what: str, *about: str) -> str:
    return f"audit-{what}-{content_hash(list(about))[:12]}"


def typed(key: str) -> Any:
    """What was typed and not saved yet; None: nothing."""
    return held().typed.get(key)


def lately(key: str) -> Any:
    return state.snapshot().get(key, typed(key))


def name() -> str:
    return str(lately(NAME) or "").strip()


def fill_in(key: str, kept: Any, save: Callable[[Any], None] | None = None) -> None:
    """Before the field is drawn: what was typed there, else what is kept, also where another page has changed that.

    `save` is called with what the field says as soon as that changes; None: a button will save it.
    """
    held_now, now = held(), state.said(key)
    before = held_now.fields.get(key)
    if now is None or before is None or before.is_over or (save and now == before.shown and _text(now) != kept):
        filled = held_now.typed.get(key, kept)
        state.say(key, filled)
        shown = filled if save is None else kept
    else:
        shown = before.shown
    held_now.fields[key] = Field(shown, save or partial(held_now.typed.__setitem__, key))


def _text(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


def settle() -> None:
    """Save whatever fields say by now. What can't be saved stays in its field, and the next run tries again."""
    with ONE_AT_A_TIME:
        now = state.snapshot()
        held_now = now.get(HELD)
        if not isinstance(held_now, Held):
            return
        for key, one in list(held_now.fields.items()):
            if one.is_over or key not in now or now[key] == one.shown:
                continue
            held_now.typed.pop(key, None)
            try:
                one.save(now[key])
            except QueryscapeError as e:
                held_now.typed[key] = now[key]
                held_now.mistake = str(e)
            else:
                one.shown = now[key]


def let_go(*keys: str) -> None:
    """It is saved, or what is kept has changed: from now on the field shows what is kept."""
    held_now = held()
    for key in keys:
        held_now.typed.pop(key, None)
        if key in held_now.fields:
            held_now.fields[key].is_over = True


def held() -> Held:
    found = state.snapshot().get(HELD)
    if not isinstance(found, Held):
        found = Held()
        state.say(HELD, found)
    return found


# Writing down what a visitor says: a mistake is said on the page, and what was typed stays.


@contextmanager
def noted() -> Iterator[None]:
    """For what a button calls: what was typed counts, and what goes wrong is said by the next run.

    What it has to keep comes first in it, what it says in the session's state last: that may be broken off.
    """
    with ONE_AT_A_TIME:
        settle()
        try:
            yield
        except QueryscapeError as e:
            held().mistake = str(e)


def why_not_said() -> str | None:
    """Why nothing can be said here; None: it can."""
    if cache.workspace().store.is_copy:
        return "This is a copy to look at: what is said about a search is kept where the workspace is open."
    return None


def draw_mistake() -> None:
    """What went wrong, and why nothing can be said. Always one place on the page, so that no field beneath it moves."""
    with st.container(key="audit-said"):
        if reason := why_not_said():
            st.info(reason, icon=":material/lock:")
        mistake, held().mistake = held().mistake, None
        if mistake:
            st.error(plain(sentence(mistake)), icon=":material/error:")
            st.toast(plain(sentence(mistake)), icon=":material/error:")  # whatever part of the page is in view


# Blocks of a report as the page shows them. Every text of a user or a source stays a text.

MOST_ROWS = 500
MOST_WHOLE, MOST_PIXELS = 10, 360
"""Rows of a table that is shown whole, and how high any other is."""


def draw_blocks(blocks: Iterable[Block], *, key: str, groups: Mapping[str, GroupOfCell] = MappingProxyType({})) -> None:
    """In their order, but for headings, which the page has itself. `groups`: by name, what cells of a table count."""
    for place, block in enumerate(blocks):
        draw_block(block, key=f"{key}-{place}", groups=groups)


def draw_block(block: Block, *, key: str, groups: Mapping[str, GroupOfCell]) -> None:
    match block:
        case Heading():
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
        case Prompt():
            st.caption(f":material/edit: {plain(block.text)}")
        case Remark():
            st.warning(plain(block.text), icon=":material/warning:") if block.is_warning else st.caption(
                plain(block.text)
            )


def draw_lines(text: str) -> None:
    """Each line is a paragraph."""
    lines = [plain(line) for line in text.splitlines() if line.strip()]
    if lines:
        st.markdown("\n\n".join(lines))


def draw_table(table: Table, *, key: str, group_of: GroupOfCell | None = None) -> None:
    """With its caption above and its note below."""
    if table.caption:
        st.caption(plain(table.caption))
    if not table.rows:
        st.caption("It has no rows.")
    else:
        titles = unique(column.title for column in table.columns)
        rows = [dict(zip(titles, row, strict=True)) for row in table.rows[:MOST_ROWS]]
        height: Any = "content" if len(rows) <= MOST_WHOLE else MOST_PIXELS
        config: Any = dict(zip(titles, map(_config, table.columns), strict=True))
        look: Any = {"height": height, "placeholder": "–", "column_config": config}
        if group_of is None:
            st.dataframe(rows, hide_index=True, key=key, **look)
        else:
            publication_lists.draw_table(rows, group_of, key=key, **look)
    if len(table.rows) > MOST_ROWS:
        st.caption(f"The first {MOST_ROWS:,} of {len(table.rows):,} rows are shown; the report holds all.")
    if table.note:
        st.caption(plain(table.note))


def _config(column: Column) -> Any:
    if column.kind == "count":
        return st.column_config.NumberColumn(format="localized", width="small")
    if column.kind == "number":
        return st.column_config.NumberColumn(format="%.3f", width="small")
    return st.column_config.TextColumn()


def unique(titles: Iterable[str]) -> list[str]:
    """Names of columns, told apart where two are called the same.

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
    """As an image, so that nothing in it is ever read as a page. It keeps its white ground in the dark theme."""
    st.image(svg(figure.picture, alternative=figure.alternative), width="stretch", alt=figure.alternative)
    if figure.caption:
        st.caption(plain(figure.caption))


# How an item stands, in words and signs, and which items are worth doing next.

Colour = Literal["green", "blue", "gray", "orange"]
NEXT_SHOWN = 3
SHORT = 150
"""Letters of an item's text that stand in the list."""


@dataclass(frozen=True, slots=True)
class Standing:
    word: str
    icon: str
    colour: Colour
    many: str
    """After a number: "3 likely, to be confirmed"."""


STANDINGS: dict[ItemState, Standing] = {
    "known": Standing("Recorded", ":material/check_circle:", "green", "recorded"),
    "said": Standing("Said", ":material/how_to_reg:", "green", "said by a person"),
    "likely": Standing("Likely: confirm it", ":material/contact_support:", "blue", "likely, to be confirmed"),
    "open": Standing("Nobody has said yet", ":material/radio_button_unchecked:", "gray", "open"),
    "changed": Standing("Changed since it was confirmed", ":material/sync_problem:", "orange", "changed since"),
}
"""Those that are done first."""
DONE: frozenset[ItemState] = frozenset({"known", "said"})
_URGENT: tuple[ItemState, ...] = ("changed", "likely", "open")
"""What is wrong by now comes before what takes one click, and that before what has to be written."""


def next_items(filled: Sequence[Filled], most: int = NEXT_SHOWN) -> list[Filled]:
    waiting = [each for each in filled if each.state not in DONE]
    return sorted(waiting, key=lambda each: _URGENT.index(each.state))[:most]


def first_line(text: str) -> str:
    """The beginning of a text, in one line.

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
