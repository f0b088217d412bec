"""Under which settings versions are scored here: those that were tuned on Explore."""

from __future__ import annotations

from dataclasses import fields

import streamlit as st

from core.settings import EvaluationSettings
from dashboard import state
from dashboard.controls import CONTROLS, COSINE_MODES
from dashboard.tuning import MODE_OF
from dashboard.words import plain


def draw_settings(embedder: str) -> EvaluationSettings:
    """One line, with a way back to the defaults."""
    browser = state.read_browser(embedder)
    settings = browser.tuning.settings
    if browser.mistake:
        st.warning(plain(f"The link could not be followed in full: {browser.mistake}."), icon=":material/link_off:")
    changed = in_words(settings)
    if not changed:
        st.caption("Settings: the defaults. Tune them on Explore.")
        return settings
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(plain(f"Settings, as tuned on Explore: {changed}."), width="content")
        st.button("Use the defaults", key="reset-tuning", type="tertiary", on_click=state.forget_tuning)
    return settings


def in_words(settings: EvaluationSettings) -> str:
    """What differs from the defaults; a threshold only under the mode in which it is in force.

    >>> in_words(EvaluationSettings(beta=1, cosine_mode="fixed", min_similarity=0.5))
    'threshold fixed, similarity threshold 0.5, beta 1'
    """
    default, parts = EvaluationSettings(), []
    for known in fields(settings):
        name, value = known.name, getattr(settings, known.name)
        if name == "cosine_mode" and value is not None:
            parts.append(f"threshold {COSINE_MODES[value][0][:1].lower()}{COSINE_MODES[value][0][1:]}")
        elif name in MODE_OF:
            if settings.cosine_mode == MODE_OF[name]:
                parts.append(f"{CONTROLS[name]['label'].lower()} {value:g}")
        elif name in CONTROLS and value != getattr(default, name):
            parts.append(f"{CONTROLS[name]['label'].lower()} {value:,g}")
    return ", ".join(parts)
