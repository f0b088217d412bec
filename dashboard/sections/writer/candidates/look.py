"""How the table of candidates looks, over the look of the table of scores. No user text ever comes here."""

from __future__ import annotations

from dashboard.figures.theme import COLOURS, Theme
from dashboard.sections.versions.score_look import score_table_style as score_style


def candidate_table_style(theme: Theme) -> str:
    """The rules, as elements to stand beside the table."""
    c = COLOURS[theme]
    return f"""{score_style(theme)}<style>
.qs-candidates table {{ width: 100%; }}
.qs-candidates th:first-child {{ white-space: normal; min-width: 11rem; max-width: 24rem; overflow-wrap: anywhere; }}
.qs-candidates .over th {{
  border-bottom: 0; padding-bottom: 0; color: {c["faint"]}; font-weight: 400; text-align: right;
}}
.qs-candidates thead tr + tr th {{ font-weight: 400; color: {c["faint"]}; font-size: 0.85rem; white-space: nowrap; }}
.qs-candidates .first {{ padding-left: 40px; }}
.qs-candidates tbody tr:not(.group) > * {{
  border-bottom: 1px solid {c["grid"]}; padding-top: 6px; padding-bottom: 6px;
}}
.qs-candidates tbody tr.chosen > * {{ background: {c["panel"]}; }}
.qs-candidates tbody tr.chosen > th {{ font-weight: 600; }}
.qs-candidates .tag {{
  display: inline-block; margin-left: 8px; padding: 0 6px; border: 1px solid {c["border"]}; border-radius: 8px;
  font-size: 0.75rem; font-weight: 400; color: {c["faint"]};
}}
.qs-candidates .difference {{ padding-left: 40px; }}
.qs-candidates .difference .track {{ width: 150px; }}
@media (max-width: 640px) {{
  .qs-candidates th:first-child {{ min-width: 8.5rem; max-width: 9rem; }}
  .qs-candidates .tag {{ margin-left: 0; margin-right: 6px; }}
  .qs-candidates .first, .qs-candidates .difference {{ padding-left: 18px; }}
}}
</style>"""
