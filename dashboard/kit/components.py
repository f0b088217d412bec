"""Mount browser components, draw figures with their files and tables, and apply the page style."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar

import plotly.graph_objects as go
import streamlit as st

from core.text import many
from dashboard import state
from dashboard.kit.browser import (
    SCAPE,
    browser_code,
    finite,
    follow_theme_code,
    navigation_code,
    stub_code,
    visitors_code,
)
from dashboard.kit.link_controls import choose_segment
from dashboard.kit.publication_lists import (
    GroupOfCell,
    GroupOfPoint,
    draw_group,
    draw_table,
    group_of_point,
)
from dashboard.kit.theme import COLOURS, Theme
from dashboard.messages import guarded
from dashboard.words import plain

T = TypeVar("T")

# Static rules; they never contain user text.
_COLOURS = " ".join(
    f"--qs-{role}: light-dark({COLOURS['light'][role]}, {COLOURS['dark'][role]});"
    for role in ("background", "text", "faint")
)
"""Roles that follow the theme where Streamlit's own colours are too faint."""
_RULES = """
[data-testid="stMainBlockContainer"] { padding: 1.1rem 1.5rem 3rem; max-width: none; }
[data-testid="stMain"] { scroll-padding-top: 2rem; }
[data-testid="stHeader"] { height: 1.9rem; min-height: 0; background: transparent; pointer-events: none; }
[data-testid="stHeader"] > * { pointer-events: auto; }
[data-testid="stToolbar"] { height: 1.9rem; top: 0; }
[data-testid="stAppDeployButton"], [data-testid="stStatusWidget"] { display: none; }
[data-testid="stCaptionContainer"] { opacity: 0.75; }
:is([data-testid^="stBaseButton-primary"]:enabled, a[data-testid="stBaseLinkButton-primary"],
.react-aria-ComboBox:not([data-disabled="true"]) [data-tag]) { color: var(--qs-background); }
.react-aria-ComboBox[data-disabled="true"] [data-tag] { color: var(--qs-text); }
[data-testid="stWidgetLabel"][disabled] { color: var(--qs-faint); }
:is([data-testid="stMultiSelect"], [data-testid="stSelectbox"]) button[aria-label^="Clear"] {
  min-width: 24px; min-height: 24px;
}
[data-testid="stDateInput"] [role="spinbutton"] {
  display: inline-block; min-width: 24px; min-height: 24px; line-height: 24px; text-align: center;
}
.st-key-navigation a[aria-current] { background: color-mix(in srgb, var(--qs-faint) 18%, transparent); }
.st-key-page-head { gap: 0.3rem 0.75rem; padding-bottom: 0.4rem; }
.st-key-page-head [data-testid="stCaptionContainer"] p { margin-bottom: 0; }
[data-testid="stButtonGroup"] > div { flex-wrap: wrap; overflow: visible; mask-image: none; -webkit-mask-image: none; }
body:has([data-testid="stExpandSidebarButton"]) .st-key-views { padding-left: 2rem; }
[data-testid="stSidebarHeader"] { padding: 0.5rem 1rem 0; height: auto; }
[data-testid="stSidebarContent"] [data-testid="stVerticalBlock"] { gap: 0.75rem; }
[data-testid="stMain"] [data-testid="stVerticalBlock"] { gap: 0.6rem; }
[class*="st-key-wide-"] { overflow-x: auto; }
[class*="st-key-wide-"] > [data-testid="stElementContainer"] { min-width: 50rem; }
[class*="st-key-wide-30-"] > [data-testid="stElementContainer"] { min-width: 30rem; }
[class*="st-key-wide-40-"] > [data-testid="stElementContainer"] { min-width: 40rem; }
.js-plotly-plot { font-variant-numeric: tabular-nums; }
[data-testid="stLayoutWrapper"]:has(> :is([class*="st-key-payloads"], [class*="st-key-later"])),
[data-testid="stElementContainer"]:is(.st-key-hints, .st-key-sight, .st-key-browser-memory, .st-key-changes),
[data-testid="stElementContainer"]:is(.st-key-theme, .st-key-navigation-part),
[data-testid="stLayoutWrapper"]:has(> .st-key-unseen-title) { position: absolute; height: 0; overflow: hidden; }
[data-testid="stLayoutWrapper"]:has(> :is(.st-key-audit-answer, .st-key-no-result):empty) {
  display: none;
}
[class*="st-key-entities-"] button {
  justify-content: flex-start; text-align: left; padding: 0.15rem 0; min-height: 1.75rem; line-height: 1.3;
}
[class*="st-key-entities-"] button div { justify-content: flex-start; text-align: left; }
[class*="st-key-entities-"] button p { text-decoration: underline; text-underline-offset: 2px; text-align: left; }
[class*="st-key-audit-row-"] button, .st-key-audit-next [data-testid="stBaseButton-tertiary"] {
  min-height: 1.6rem; padding: 0 0.2rem; text-align: left;
}
.st-key-audit-flow-picture img {
  background: #fff; padding: 0.8rem; border: 1px solid #8886; border-radius: 0.5rem; box-sizing: border-box;
}
.st-key-result-place { min-height: 2.5rem; }
.st-key-result { gap: 0.3rem 1rem; }
body[data-draft] .st-key-result { visibility: hidden; }
.st-key-trail button { padding-left: 0.2rem; padding-right: 0.2rem; }
.st-key-hero > div > [data-testid="stHorizontalBlock"], .st-key-hero [data-testid="stHorizontalBlock"] { gap: 1rem; }
.st-key-live-came { min-height: 1.7rem; gap: 0.2rem 0.8rem; }
.st-key-live-came button { min-height: 1.6rem; padding: 0 0.2rem; }
@media (max-width: 640px) { .st-key-guide-pages [role="radiogroup"] { flex-flow: row wrap; gap: 0.1rem 0.8rem; } }
@media (max-width: 1180px) {
  .st-key-hero [data-testid="stHorizontalBlock"] { flex-direction: column; }
  .st-key-hero [data-testid="stColumn"] { width: 100% !important; flex: 1 1 100% !important; min-width: 100%; }
}
@media (forced-colors: active) {
  [data-testid="stButtonGroup"] button:is([data-selected="true"], [aria-checked="true"], [aria-pressed="true"]),
  :is(.st-key-navigation, .st-key-views) a[aria-current] {
    forced-color-adjust: none; background: Highlight !important; color: HighlightText !important;
  }
  [data-testid="stButtonGroup"] button:is([data-selected="true"], [aria-checked="true"], [aria-pressed="true"]) *,
  :is(.st-key-navigation, .st-key-views) a[aria-current] * { color: HighlightText !important; }
  [data-tag] { border: 1px solid CanvasText; }
}
"""


def draw_page(title: str, draw: Callable[[], None], *, notes: str) -> None:
    """Draw a page: its title, its contents, and the note that an action left under this name."""
    st.title(title)
    mount_code()
    with guarded():
        draw()
    if target := state.take_sight():
        mount_part("sight", {"target": f".st-key-{target}", "seq": state.raise_flag("sight")}, key="sight", height=1)
    if note := state.take(notes):
        st.toast(plain(note))


def draw_download(label: str, content: Any, **more: Any) -> None:
    """Draw a button that saves a file, without a rerun of the page."""
    st.download_button(label, content, icon=":material/download:", on_click="ignore", **more)


def choose_view(views: Iterable[str], key: str, label: str = "View") -> str:
    """Draw the names of a page's views side by side; the link always holds the open one."""
    return choose_segment(st, label, views, key=key, label_visibility="collapsed")


def draw_unseen_title(title: str) -> None:
    """Give a page that starts with its controls the first-level heading that screen readers look for."""
    with st.container(key="unseen-title"):
        st.title(title, anchor=False)


# Mounts the browser parts. The code is sent once; a part is mounted with a stub of a few lines and its data.


def _nothing() -> None:
    """Do nothing: Streamlit keeps a part's state only under a name that has a callback."""


# Registered when the module is loaded: registering a component again would mount it again.
_code = st.components.v2.component("queryscape_code", js=browser_code())
_part = st.components.v2.component("queryscape_part", js=stub_code())
_theme = st.components.v2.component("queryscape_theme", js=follow_theme_code())
_navigation = st.components.v2.component("queryscape_navigation", js=navigation_code())
_visitors = st.components.v2.component("queryscape_visitors", js=visitors_code())


def apply_look() -> None:
    """Apply the page style, at the start of every run. Dialogs and menus don't inherit Streamlit's colour scheme."""
    _theme(key="theme", height=1, on_theme_change=_nothing)
    st.html(f"<style>:root {{ {_COLOURS} }} body {{ color-scheme: {current_theme()}; }}{_RULES}</style>")


def mount_navigation(document: Mapping[str, Any]) -> None:
    """Draw nothing; see `dashboard/browser/navigation.js`."""
    _navigation(key=state.NAVIGATION, data={**document, "part": "navigation"}, height=1, on_ask_change=_nothing)


def mount_visitor_part(part: str, document: Mapping[str, Any], key: str, send: str) -> Any:
    """Draw nothing; return what the part has sent under the name `send`. See `dashboard/browser/visitors.js`."""
    listener: dict[str, Any] = {f"on_{send}_change": _nothing}
    sent = _visitors(key=key, data={**document, "part": part}, height=1, **listener)
    return dict(sent).get(send)


def draw_palette_button() -> None:
    _navigation(key="palette-button", data={"part": "palette_button"})


def mount_code() -> None:
    """Mount the code alone, for a page whose parts need no payload."""
    with st.container(key="payloads-code"):
        _code(key="code", data={"scape": SCAPE}, height=1)


def mount_payload(payload: bytes, key: str, *, with_code: bool = False) -> None:
    """Send a payload to the browser. An unchanged one is not sent again."""
    (_code if with_code else _part)(key=key, data=payload, height=1)


def mount_part(
    part: str,
    document: dict[str, Any],
    key: str,
    *,
    height: int | Literal["content"] = "content",
    states: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Draw a part; return the values it has sent so far, by the names in `states`."""
    listeners: dict[str, Any] = {f"on_{name}_change": _nothing for name in states}
    data = finite({**document, "part": part, "scape": SCAPE})
    return dict(_part(key=key, data=data, height=height, **listeners))


def current_theme() -> Theme:
    return "dark" if st.context.theme.type == "dark" else "light"


def draw_folded(items: Sequence[T], draw: Callable[[T], object], *, most: int, more: str = "more") -> None:
    """Draw the first `most` items, and the others in a closed section below, such as "12 older runs"."""
    for item in items[:most]:
        draw(item)
    if len(items) > most:
        with st.expander(f"{len(items) - most:,} {more}"):
            for item in items[most:]:
                draw(item)


# A figure as every page shows it: picture, reading guide, files (PNG, SVG, CSV), and a table of its data.

Row = Mapping[str, str | int | float | None]
MOST_IN_TABLE = 2_000


def draw_figure(
    figure: go.Figure,
    *,
    key: str,
    name: str,
    reading: str,
    rows: Sequence[Row],
    notes: Sequence[str] = (),
    group_of: GroupOfPoint | None = None,
    group_of_row: GroupOfCell | None = None,
    click: str = "Click a bar to list its publications.",
) -> None:
    """Draw a figure. The page must have called `mount_code`.

    `name` is the name of its files, `reading` one line on how to read it, `rows` all data drawn, one mapping of column
    to value each. The figure carries its alternative text as `layout.meta["description"]`; it must not use WebGL, which
    can't be saved as vectors. With `layout.meta["is_wide"]` it keeps the width that its cells need, 50 rem or the
    `layout.meta["rem"]` of 30 or 40, and scrolls sideways if there is less.

    `group_of`: the publications that a point counts, which a click on it lists, as `click` explains; `group_of_row`:
    the same for a row of its table, which can also be reached by keyboard.
    """
    meta = figure.layout.meta or {}
    description = str(meta.get("description", reading))
    with st.container(key=f"figure-{key}"):
        width = f"{meta['rem']}-" if "rem" in meta else ""
        picture = st.container(key=f"wide-{width}{key}") if meta.get("is_wide") else st.container()
        more: dict[str, Any] = {} if group_of is None else {"on_select": "rerun", "selection_mode": "points"}
        event: Any = picture.plotly_chart(
            figure, key=f"chart-{key}", theme=None, alt=description, config={"displayModeBar": False}, **more
        )
        st.caption(plain(f"How to read this: {reading}{'' if group_of is None else f' {click}'}"))
        if group_of is not None and (group := group_of_point(event, group_of)) is not None:
            draw_group(group, key=f"figure-{key}")
        for note in notes:
            st.caption(plain(note))
        draw_files(key=key, name=name, description=description, rows=rows, group_of_row=group_of_row)


def draw_files_of_lines(*, key: str, name: str, description: str) -> None:
    """Draw the files of a live line chart: the browser reads rows and table from the chart itself.

    The chart must be in a container with the key `figure-KEY`, and so must this.
    """
    document = {"target": f"figure-{key}", "name": name, "description": description, "columns": None, "rows": None}
    mount_part("figure_files", document, key=f"files-{key}")


def mount_files(rows: Sequence[Row], *, key: str, name: str, description: str, target: str | None = None) -> list[str]:
    """Draw the buttons that save rows, and a picture if there is a `target`; return the names of the columns."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    document = {
        "target": target,
        "name": name,
        "description": description,
        "columns": columns,
        "rows": [[row.get(column) for column in columns] for row in rows],
    }
    mount_part("figure_files", document, key=f"files-{key}")
    return columns


def draw_files(
    *,
    key: str,
    name: str,
    description: str,
    rows: Sequence[Row],
    picture: bool = True,
    group_of_row: GroupOfCell | None = None,
) -> None:
    """Draw the files of a figure, and its table. `picture`: false if the part draws and saves itself."""
    columns = mount_files(
        rows, key=key, name=name, description=description, target=f"figure-{key}" if picture else None
    )
    with st.expander(f"Table ({many(len(rows), 'row')})"):
        listed = [{column: row.get(column) for column in columns} for row in rows[:MOST_IN_TABLE]]
        if group_of_row is None:
            st.dataframe(listed, hide_index=True, key=f"table-{key}")
        else:
            draw_table(listed, group_of_row, key=f"table-{key}")
        if len(rows) > MOST_IN_TABLE:
            st.caption(f"The first {MOST_IN_TABLE:,} of {len(rows):,} are listed; the CSV has all.")
