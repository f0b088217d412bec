"""How the table of scores looks. Static rules; no user text ever comes here."""

from __future__ import annotations

from dashboard.figures.theme import COLOURS, Theme


def score_table_style(theme: Theme) -> str:
    """The rules, as an element to stand beside the table."""
    c = COLOURS[theme]
    return f"""<style>
.qs-scores {{ overflow-x: auto; position: relative; }}
.qs-scores table {{
  border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.93rem;
}}
.qs-scores th, .qs-scores td {{
  padding: 3px 0 3px 22px; text-align: right; vertical-align: top; white-space: nowrap; border: 0;
}}
.qs-scores thead th {{ border-bottom: 3px solid {c["grid"]}; vertical-align: bottom; white-space: normal; }}
.qs-scores th:first-child {{
  text-align: left; font-weight: 400; padding: 3px 18px 3px 0;
  position: sticky; left: 0; z-index: 1; background: {c["background"]};
}}
.qs-scores .group th {{
  font-weight: 600; padding-top: 12px; color: {c["faint"]}; text-align: left;
  box-shadow: inset 0 -1px {c["grid"]}; z-index: 2;
}}
.qs-scores b {{ font-weight: 700; }}
.qs-scores s {{ color: {c["faint"]}; }}
.qs-scores small {{ display: block; color: {c["faint"]}; font-size: 0.78rem; line-height: 1.15; }}
.qs-scores .difference {{ padding: 3px 0 3px 22px; text-align: left; }}
.qs-scores .difference div {{ display: flex; align-items: center; gap: 12px; }}
.qs-scores .difference div > span {{ min-width: 70px; text-align: right; }}
.qs-scores .difference small {{ min-width: 112px; }}
.qs-scores .track {{ position: relative; display: block; width: 190px; height: 11px; }}
.qs-scores .track i {{ position: absolute; display: block; }}
.qs-scores .zero {{ left: 50%; top: 0; bottom: 0; width: 1px; background: {c["border"]}; }}
.qs-scores .whisker {{ top: 5px; height: 1px; background: {c["text"]}; }}
.qs-scores .dot {{
  top: 2px; width: 7px; height: 7px; margin-left: -3.5px; border-radius: 50%; box-sizing: border-box;
  border: 1.5px solid {c["text"]}; background: {c["background"]};
}}
.qs-scores .dot.clear {{ background: {c["text"]}; }}
.qs-scores .waits {{ background: linear-gradient({c["grid"]}, {c["grid"]}) center / 60% 1px no-repeat; }}
.qs-scores .unseen {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }}
@media (max-width: 640px) {{
  .qs-scores th, .qs-scores td {{ padding-left: 14px; }}
  .qs-scores .difference {{ padding-left: 10px; }}
  .qs-scores .difference div > span {{ min-width: 50px; }}
}}
</style>"""
