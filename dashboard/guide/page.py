"""The page Guide: its pages in Markdown, and the dialects of search strings with their constructs to choose from."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from pathlib import Path

import streamlit as st

from core.query.dialects import DIALECTS
from dashboard import state
from dashboard.guide.dialects import CONSTRUCTS, MARKS, DialectConstruct, cell
from dashboard.guide.pages import DIALECTS_PAGE, guide_headings, guide_parts, guide_titles
from dashboard.kit.link_controls import choose_named, choose_one
from dashboard.messages import guarded
from dashboard.words import plain

LEGEND = (
    f"{MARKS['exact']} exact: the dialect can ask for the same. {MARKS['converted']} converted: Queryscape writes the "
    f"closest search string, which finds more (wider), less (narrower), or partly something else (other). "
    f"{MARKS['lost']} lost: the dialect can’t ask for it, so a translation leaves it out and reports that."
)
SOURCE = (
    "The tables that read and write search strings follow the documentation of the databases. No search was run in a "
    "database to check them. Subject headings are those of the default database of each platform. MeSH headings are "
    "checked and exploded if a MeSH file is loaded (Library > Headings, or `get mesh --from FILE`); without one, they "
    "match by name."
)


def draw_construct(construct: DialectConstruct) -> None:
    """Show how each dialect writes a construct."""
    rows = []
    for dialect_id, dialect in DIALECTS.items():
        found = cell(construct, dialect_id)
        verdict = f"{MARKS[found.mark]} {found.mark.capitalize()}{f', {found.change}' * bool(found.change)}"
        rows.append({"Dialect": dialect.label, "Translation": verdict, "Search string": found.code})
    st.dataframe(rows, hide_index=True, height="content")


def draw_overview(constructs: tuple[DialectConstruct, ...]) -> None:
    """Show which dialects can express each construct."""
    rows = [
        {"Construct": each.name, **{DIALECTS[to].label: MARKS[cell(each, to).mark] for to in DIALECTS}}
        for each in constructs
    ]
    st.dataframe(
        rows, hide_index=True, height="content", column_config={"Construct": st.column_config.Column(pinned=True)}
    )


def draw_dialects(title: str) -> None:
    st.header(title)
    st.write("What each dialect of search strings can express, and what is lost in a translation.")
    st.caption(
        "To check a search string by the six domains of PRESS, paste it on the page Audit under Peer review. "
        "No topic is needed."
    )
    group_column, construct_column = st.columns(2)
    group = choose_named(group_column, "Kind of construct", {title: title for title in CONSTRUCTS}, "constructs")
    by_name = {construct.name: construct for construct in CONSTRUCTS[group]}
    name = choose_named(construct_column, "Construct", {each: each for each in by_name}, "construct")
    chosen = by_name[name]
    st.write(f"In {DIALECTS[chosen.dialect].label} it is written like this:")
    st.code("\n".join(chosen.lines), language=None)
    draw_construct(chosen)
    st.subheader(group)
    draw_overview(CONSTRUCTS[group])
    st.caption(LEGEND)
    st.caption(SOURCE)


MOST_WITHOUT_LIST = 3
"""Headings of a page that needs no list of them."""


def draw_page(name: str) -> None:
    for at, part in enumerate(guide_parts(name)):
        if part.picture is not None:
            st.html(picture_html(part.picture, part.text))
            continue
        title, _, rest = part.text.partition("\n") if at == 0 else ("", "", part.text)
        if title:
            st.markdown(title)
            draw_headings(name)
        st.markdown(rest)


def draw_headings(name: str) -> None:
    """List a page's headings, each as a link to it."""
    headings = guide_headings(name)
    if len(headings) > MOST_WITHOUT_LIST:
        st.caption("On this page: " + " · ".join(f"[{plain(words)}](#{place})" for words, place in headings))


def picture_html(picture: Path, words: str) -> str:
    """Return a picture of the guide with its description; `st.image` would stop one that moves."""
    content = b64encode(picture.read_bytes()).decode("ascii")
    return (
        f'<figure style="margin:0"><img src="data:image/webp;base64,{content}" alt="{escape(words)}" '
        f'style="max-width:100%;border:1px solid #8884;border-radius:0.5rem">'
        f'<figcaption style="opacity:0.75;font-size:0.875rem">{escape(words)}</figcaption></figure>'
    )


def render() -> None:
    st.title("Guide")
    group = st.query_params.get("guide")
    if group in CONSTRUCTS:  # a link made before the guide had pages
        state.set_value("guide", DIALECTS_PAGE)
        state.set_value("constructs", group)
    titles = guide_titles()
    list_column, text_column = st.columns([0.25, 0.75], gap="large")
    with list_column.container(key="guide-pages"):
        name = choose_one(st.radio, "Page", list(titles), "guide", names=titles)
    with text_column:
        if name == DIALECTS_PAGE:
            draw_dialects(titles[name])
        else:
            draw_page(name)


if __name__ == "__main__":
    with guarded():
        render()
