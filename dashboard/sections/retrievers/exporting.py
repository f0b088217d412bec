"""The leaderboard and its runs as files."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from core.ranking.check import Run
from dashboard import cache, state
from dashboard.sections.retrievers.board import Board
from dashboard.words import plain
from data.collections.run_files import write_run
from data.exports.leaderboard import LeaderboardFile, csv_text, html_text, latex_text

FORMS: Mapping[str, tuple[str, str, Callable[[LeaderboardFile], str]]] = {
    "CSV": ("csv", "text/csv", csv_text),
    "LaTeX": ("tex", "application/x-tex", latex_text),
    "HTML": ("html", "text/html", html_text),
}


def draw_exports(board: Board, against: str | None, labels: Mapping[str, str]) -> None:
    """A button for each form of the leaderboard, and one for a run."""
    file = _file(board, against, labels)
    stem = _stem(f"{board.collection.name} {board.split or ''} leaderboard")
    with st.container(horizontal=True, key="exports", vertical_alignment="bottom"):
        for label, (suffix, mime, write) in FORMS.items():
            _button(label, partial(_text, write, file), f"{stem}.{suffix}", mime)
        _draw_run(board)


def _text(write: Callable[[LeaderboardFile], str], file: LeaderboardFile) -> bytes:
    """Excel takes a table without a mark for cp1252."""
    return write(file).encode("utf-8-sig" if write is csv_text else "utf-8")


def _button(label: str, content: Callable[[], bytes], name: str, mime: str) -> None:
    st.download_button(
        label,
        content,
        file_name=name,
        mime=mime,
        key=f"export-{label}",
        icon=":material/download:",
        on_click="ignore",
    )


def _file(board: Board, against: str | None, labels: Mapping[str, str]) -> LeaderboardFile:
    notes = ["The collection is made up."] if board.collection.made_up else []
    if board.compat:
        notes.append(f"Scored as {board.compat} does.")
    metrics = board.leaderboard.scores[0].values if board.leaderboard.scores else {}
    title = board.collection.name + (f", {board.split}" if board.split else "")
    return LeaderboardFile(
        board.leaderboard, {metric: labels.get(metric, metric) for metric in metrics}, title, against, notes
    )


def _draw_run(board: Board) -> None:
    names = list(board.names)
    state.settle_named("export-run", names)
    name = st.selectbox("Run", names, key="export-run", width=220)
    saved = board.runs[names.index(name)]
    run, key = saved.run, f"no-word-{saved.run_id}-{saved.made_at}"
    if key not in cache.ranked():
        cache.keep_ranked(key, _no_word(run))
    if odd := cache.ranked().get(key):
        st.caption(plain(f'A TREC file separates by spaces, so the id "{odd[:60]}" can\'t stand in one.'))
        return
    _button(
        "Run (TREC)", lambda: _run_bytes(run, name), f"{_stem(f'{board.collection.name} {name}')}.run", "text/plain"
    )


def _no_word(run: Run) -> str | None:
    """An id that a file with spaces between its columns can't hold."""
    return next((i for ids in (run.query_ids, run.doc_ids) for i in ids if i.split() != [i]), None)


def _run_bytes(run: Run, name: str) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        write_run(Run(name, run.query_ids, run.doc_ids, run.starts, run.rows, run.scores), path)
        return path.read_bytes()


def _stem(name: str) -> str:
    return re.sub(r"[^\w.]+", "-", name.lower()).strip("-.")[:80] or "leaderboard"
