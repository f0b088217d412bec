"""What Streamlit's theme can't say: less air at the top, the landscape as large as can be, nothing that jumps."""

from __future__ import annotations

import streamlit as st

# Static rules of our own; no user text ever comes here.
_RULES = """
<style>
[data-testid="stMainBlockContainer"] { padding: 1.1rem 1.5rem 3rem; max-width: none; }
[data-testid="stHeader"] { height: 1.9rem; min-height: 0; background: transparent; pointer-events: none; }
[data-testid="stHeader"] > * { pointer-events: auto; }
[data-testid="stToolbar"] { height: 1.9rem; top: 0; }
[data-testid="stAppDeployButton"], [data-testid="stStatusWidget"] { display: none; }
[data-testid="stSidebarHeader"] { padding: 0.5rem 1rem 0; height: auto; }
[data-testid="stSidebarContent"] [data-testid="stVerticalBlock"] { gap: 0.75rem; }
[data-testid="stMain"] [data-testid="stVerticalBlock"] { gap: 0.6rem; }
[class*="st-key-wide-"] { overflow-x: auto; }
[class*="st-key-wide-"] > [data-testid="stElementContainer"] { min-width: 50rem; }
.js-plotly-plot { font-variant-numeric: tabular-nums; }
[data-testid="stLayoutWrapper"]:has(> :is([class*="st-key-payloads"], [class*="st-key-later"])),
[data-testid="stElementContainer"]:is(.st-key-tour) { position: absolute; height: 0; overflow: hidden; }
[data-testid="stLayoutWrapper"]:has(> :is(.st-key-query-said, .st-key-audit-said):empty) { display: none; }
[data-testid="stSidebar"] [aria-label="Clear value"] { display: none; }
[class*="st-key-entities-"] button {
  justify-content: flex-start; text-align: left; padding: 0.15rem 0; min-height: 1.75rem; line-height: 1.3;
}
[class*="st-key-entities-"] button div { justify-content: flex-start; text-align: left; }
[class*="st-key-entities-"] button p { text-decoration: underline; text-underline-offset: 2px; text-align: left; }
[class*="st-key-audit-row-"] button, .st-key-audit-next [data-testid="stBaseButton-tertiary"] {
  min-height: 1.6rem; padding: 0 0.2rem; text-align: left;
}
.st-key-trail button { padding-left: 0.2rem; padding-right: 0.2rem; }
.st-key-hero > div > [data-testid="stHorizontalBlock"], .st-key-hero [data-testid="stHorizontalBlock"] { gap: 1rem; }
.st-key-query textarea { font-size: 0.9rem; line-height: 1.35; }
.st-key-live-came { min-height: 1.7rem; gap: 0.2rem 0.8rem; }
.st-key-live-came button { min-height: 1.6rem; padding: 0 0.2rem; }
@media (min-width: 1181px) {
  .st-key-live-came { flex-wrap: nowrap; height: 1.7rem; white-space: nowrap; overflow: hidden; }
}
.st-key-query-row [data-testid="stHorizontalBlock"] { align-items: flex-end; }
@media (max-width: 1180px) {
  .st-key-hero [data-testid="stHorizontalBlock"] { flex-direction: column; }
  .st-key-hero [data-testid="stColumn"] { width: 100% !important; flex: 1 1 100% !important; min-width: 100%; }
}
</style>
"""


def apply_look() -> None:
    """Once at the head of every run."""
    st.html(_RULES)
