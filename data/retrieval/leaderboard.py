"""Write a leaderboard as CSV, LaTeX or HTML."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

from core.retrieval.leaderboard import ALPHA, Leaderboard, Mark, RunScores, best_runs, comparison, highest, marks
from core.text import harmless, many, on_one_line

SIGNS: Mapping[Mark, str] = {"better": "▲", "worse": "▼"}
LATEX_SIGNS: Mapping[Mark, str] = {"better": r"$^{\triangle}$", "worse": r"$^{\triangledown}$"}
LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "−": r"$-$",
}
STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:15px/1.45 system-ui,sans-serif;margin:2rem;max-width:70rem}"
    "div{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "th,td{padding:.3rem .9rem;text-align:right;border-bottom:1px solid #8885}"
    "th:first-child{text-align:left}small{display:block;opacity:.75}caption{text-align:left;padding-bottom:.6rem}"
)


@dataclass(frozen=True, eq=False)
class LeaderboardFile:
    leaderboard: Leaderboard
    labels: Mapping[str, str]
    """The metrics to include, in order, with their display names."""
    title: str
    """The collection and its split."""
    against: str | None = None
    """The run that the signs compare with; None: the best on each metric."""
    notes: Sequence[str] = ()
    """Notes for the reader, such as differing definitions or synthetic data."""

    @property
    def counted(self) -> str:
        board = self.leaderboard
        n = len(board.query_ids)
        text = f"{many(n, 'query')} scored"
        out = board.n_without_judgments
        text += f", {out:,} without a positive judgment left out" if out else ""
        silent = [f"{run.name} answers {run.n_answered:,}" for run in board.scores if run.n_unanswered]
        text += f"; unanswered ones count 0: {', '.join(silent)}" if silent else ""
        most = [f"{self.labels.get(m, m)} {value:.3f}" for m, value in board.ceilings.items() if value < 1]
        return text + (f"; highest possible: {', '.join(most)}" if most else "")

    @property
    def reading(self) -> str:
        base = self.against or "the best of the column"
        return (
            f"{SIGNS['better']} / {SIGNS['worse']}: clearly better / worse than {base} "
            f"(paired randomization test, p < {ALPHA:g} after Holm's correction). Brackets: 95 % bootstrap interval."
        )

    @cached_property
    def signs(self) -> Mapping[str, Mapping[str, Mark]]:
        """By metric: the runs that are clearly better or worse."""
        return {metric: marks(self.leaderboard, metric, against=self.against) for metric in self.labels}

    @cached_property
    def best(self) -> Mapping[str, frozenset[str]]:
        """By metric: the runs with the highest value, unless all runs share it."""
        return {metric: highest(self.leaderboard, metric) for metric in self.labels}

    def base(self, metric: str) -> str | None:
        """Return the run that the signs of this metric compare with; None: no run has a value."""
        order = best_runs(self.leaderboard, metric)
        return self.against or (order[0].name if order else None)


def csv_text(file: LeaderboardFile) -> str:
    """Write one line per run with full precision: each metric has its interval, its reference run and p against it."""
    out = io.StringIO(newline="")
    lines = csv.writer(out, lineterminator="\r\n")
    heads = ["run", "collection", "queries_scored", "queries_left_out", "queries_unanswered"]
    for metric in file.labels:
        heads += [metric, f"{metric}_low", f"{metric}_high", f"{metric}_compared_with", f"{metric}_p_holm"]
    lines.writerow(heads)
    board = file.leaderboard
    for run in board.scores:
        cells: list[object] = [harmless(run.name), harmless(file.title), len(board.query_ids)]
        cells += [board.n_without_judgments, run.n_unanswered]
        for metric in file.labels:
            cells += _csv_cells(file, run, metric)
        lines.writerow(cells)
    return out.getvalue()


def _csv_cells(file: LeaderboardFile, run: RunScores, metric: str) -> list[object]:
    value, interval, base = run.values.get(metric), run.intervals.get(metric), file.base(metric)
    pair = comparison(file.leaderboard, metric, base, run.name) if base else None
    numbers = [value, *(interval or (None, None))]
    told = [harmless(pair.a), repr(float(pair.p_holm))] if pair else ["", ""]
    return [*("" if n is None else repr(float(n)) for n in numbers), *told]


def latex_text(file: LeaderboardFile) -> str:
    """Write a table for a paper; it needs the packages booktabs and amssymb."""
    columns = list(file.labels)
    head = " & ".join(["Run", *(latex(label) for label in file.labels.values())])
    rows = []
    for run in file.leaderboard.scores:
        cells = [latex(run.name), *(_latex_cell(file, run, metric) for metric in columns)]
        ends = ["", *(_latex_ends(run, metric) for metric in columns)]
        rows += [" & ".join(cells) + r" \\", " & ".join(ends) + r" \\"]
    reading = latex(file.reading)
    for name, sign in SIGNS.items():
        reading = reading.replace(sign, LATEX_SIGNS[name])
    caption = " ".join([latex(f"{file.title}. {file.counted}."), reading, *(latex(note) for note in file.notes)])
    return "\n".join(
        [
            "% needs \\usepackage{booktabs,amssymb}",
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{caption}}}",
            rf"\begin{{tabular}}{{l{'r' * len(columns)}}}",
            r"\toprule",
            head + r" \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def latex(text: str) -> str:
    r"""Escape a text for LaTeX.

    >>> print(latex("50 % of_x {1}"))
    50 \% of\_x \{1\}
    """
    return "".join(LATEX.get(c, c) for c in " ".join(text.split()) if c.isprintable())


def _latex_cell(file: LeaderboardFile, run: RunScores, metric: str) -> str:
    value = run.values.get(metric)
    if value is None:
        return "--"
    text = rf"\textbf{{{value:.3f}}}" if run.name in file.best[metric] else f"{value:.3f}"
    sign = file.signs[metric].get(run.name)
    return text + (LATEX_SIGNS[sign] if sign else "")


def _latex_ends(run: RunScores, metric: str) -> str:
    interval = run.intervals.get(metric)
    return rf"{{\scriptsize [{interval.low:.3f}, {interval.high:.3f}]}}" if interval else ""


def html_text(file: LeaderboardFile) -> str:
    """Write a standalone page without scripts, in the reader's light or dark colour scheme."""
    head = "".join(f'<th scope="col">{escape(label)}</th>' for label in file.labels.values())
    rows = []
    for run in file.leaderboard.scores:
        cells = "".join(f"<td>{_html_cell(file, run, metric)}</td>" for metric in file.labels)
        rows.append(f'<tr><th scope="row">{escape(on_one_line(run.name))}</th>{cells}</tr>')
    notes = "".join(f"<p>{escape(note)}</p>" for note in (file.reading, *file.notes))
    title = escape(on_one_line(file.title))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>'
        f"<h1>{title}</h1><div><table><caption>{escape(file.counted)}</caption>"
        f'<thead><tr><th scope="col">Run</th>{head}</tr></thead>\n<tbody>\n'
        + "\n".join(rows)
        + f"\n</tbody></table></div>{notes}</body></html>\n"
    )


def _html_cell(file: LeaderboardFile, run: RunScores, metric: str) -> str:
    value, interval = run.values.get(metric), run.intervals.get(metric)
    if value is None:
        return "–"
    text = f"<b>{value:.3f}</b>" if run.name in file.best[metric] else f"{value:.3f}"
    sign = file.signs[metric].get(run.name)
    ends = f"<small>{interval.low:.3f} to {interval.high:.3f}</small>" if interval else ""
    return f"{text}{f' {SIGNS[sign]}' if sign else ''}{ends}"
