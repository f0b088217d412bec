"""What an entity says of itself: text and attributes, as a document that is scrolled where it is long."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import streamlit as st

from core.knowledge.spans import EntityText
from dashboard.components.mount import current_theme
from dashboard.figures.theme import COLOURS, Theme

BEGINNING = 1_200
"""Characters of a text that are shown at first."""
MOST_ATTRIBUTES, LONGEST_VALUE = 60, 500


def draw_text(text: EntityText, *, key: str) -> None:
    """The text, its end on request, and the attributes."""
    theme = current_theme()
    if text.text.strip():
        n = len(text.text)
        is_whole = n <= BEGINNING or st.toggle(f"Show all {n:,} characters", key=f"whole-{key}")
        st.html(text_html(text.text if is_whole else f"{text.text[:BEGINNING]} …", theme))
    else:
        st.caption("It has no text.")
    if text.attributes:
        with st.expander(f"Attributes ({len(text.attributes):,})"):
            st.html(attributes_html(text.attributes, theme))
            if len(text.attributes) > MOST_ATTRIBUTES:
                st.caption(f"The first {MOST_ATTRIBUTES} of {len(text.attributes):,} are listed.")


def text_html(text: str, theme: Theme) -> str:
    """In a box of its own, which the keyboard scrolls."""
    border = COLOURS[theme]["grid"]
    style = (
        "white-space: pre-wrap; overflow-wrap: anywhere; max-height: 20rem; overflow-y: auto; font-size: 0.92rem;"
        f"line-height: 1.45; border-left: 3px solid {border}; padding: 2px 10px;"
    )
    return f'<div style="{style}" tabindex="0" role="region" aria-label="Text">{escape(text)}</div>'


def attributes_html(attributes: Mapping[str, str], theme: Theme) -> str:
    """Names and values."""
    colours = COLOURS[theme]
    name = (
        f"text-align: left; vertical-align: top; font-weight: 400; color: {colours['faint']}; padding: 2px 12px 2px 0;"
    )
    rows = "".join(
        f'<tr><th scope="row" style="{name}">{escape(str(each))}</th>'
        f'<td style="overflow-wrap: anywhere; padding: 2px 0;">{escape(_short(str(value)))}</td></tr>'
        for each, value in list(attributes.items())[:MOST_ATTRIBUTES]
    )
    return f'<table style="font-size: 0.88rem; border-collapse: collapse; width: 100%;">{rows}</table>'


def _short(value: str) -> str:
    return value if len(value) <= LONGEST_VALUE else f"{value[:LONGEST_VALUE]} … ({len(value):,} characters)"
