"""Queries that a visitor brings, and results that search engines gave elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from core.judging.types import Field, joined
from core.protocols import OnStage
from core.ranking.check import Query
from dashboard import cache, state
from dashboard.messages import sentence
from dashboard.sections.judge.run.what import (
    What,
    choose_engines,
    choose_k,
    choose_sample,
    collection_names,
)
from dashboard.sections.judge.run.widgets import choose_named
from dashboard.sections.retrievers.adding import draw_nothing_here
from dashboard.words import plain
from data.collections.named_rows import RejectedLine
from data.collections.recognising import pasted_queries, read_collection
from data.demo.writing import DEMO_COLLECTION
from data.judging.fields.results_files import read_results, retriever_field

PASTED = "judge-pasted"
LONGEST = 200_000
"""Characters of queries that are pasted."""
MOST_REJECTED = 20
QUERY_FILES = ["json", "jsonl", "csv", "tsv"]
RESULT_FILES = ["csv", "tsv", "jsonl", "txt"]


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it came from the browser."""

    name: str
    content: bytes

    @property
    def key(self) -> str:
        """The same for the same content."""
        return sha256(self.content).hexdigest()

    @contextmanager
    def on_disk(self) -> Iterator[Path]:
        """Where readers of files find it, for a moment."""
        with TemporaryDirectory(prefix="queryscape-") as folder:
            safe = "".join(c if c.isalnum() or c in "-_. " else "-" for c in Path(self.name).name).strip(". ")
            path = Path(folder) / (safe[-80:] or "file")
            path.write_bytes(self.content)
            yield path


def choose_own() -> What | None:
    """Queries that are pasted or come from a file, answered by retrievers over documents that are here."""
    names = collection_names()
    if not names:
        draw_nothing_here()
        return None
    queries, key = _choose_queries()
    documents_at, k_at = st.columns([0.8, 0.2], vertical_alignment="bottom")
    documents = choose_named(
        documents_at,
        "Documents of",
        names,
        "collection",
        at_first=DEMO_COLLECTION,
        help="These are searched. More are added on the page Retrievers.",
    )
    k = choose_k(k_at)
    wanted = choose_engines(documents)
    if not queries:
        st.info("Paste queries, one on each line, or choose a file with them.")
        return None
    chosen = choose_sample(queries)
    if not wanted or not chosen:
        return None
    document = {
        "source": "own",
        "documents": documents,
        "retrievers": wanted,
        "k": k,
        "query_ids": [query.query_id for query in chosen],
    }

    def make(on_stage: OnStage) -> Field:
        return retriever_field(cache.workspace(), documents, wanted, k=k, queries=chosen, on_stage=on_stage)

    return What.of(document, make, cache.collection_state(documents), key)


def _choose_queries() -> tuple[tuple[Query, ...], str]:
    """What was brought, and what tells it from other queries."""
    paste_at, file_at = st.columns([0.6, 0.4])
    state.hold(PASTED)
    pasted = str(
        paste_at.text_area(
            "Queries",
            key=PASTED,
            height=136,
            max_chars=LONGEST,
            placeholder="effect of street trees on night temperatures\nheat stress of cyclists",
            help="One on each line; or a table with a header, of which one column is called query; or JSON.",
        )
    )
    file = file_at.file_uploader(
        "Or a file",
        type=QUERY_FILES,
        key="judge-query-file",
        help="CSV with a column query, other columns say what kind of query it is; or JSON: a list, or Paper Lantern's "
        "layout.",
    )
    if file is not None:
        if pasted.strip():
            file_at.caption("The file is taken, and what is pasted is left out.")
        return _in_file(Upload(file.name, file.getvalue()))
    if not pasted.strip():
        return (), ""
    read = pasted_queries(pasted)
    _draw_notes(read.notes, read.rejected)
    return read.queries, sha256(pasted.encode(errors="replace")).hexdigest()


def _in_file(upload: Upload) -> tuple[tuple[Query, ...], str]:
    with upload.on_disk() as path:
        read = read_collection(path)
    _draw_notes(read.notes, read.rejected)
    return read.collection.queries, upload.key


def _draw_notes(notes: Sequence[str], rejected: Sequence[RejectedLine]) -> None:
    """What is to be known of what was read."""
    for note in notes:
        st.caption(plain(sentence(note)))
    if rejected:
        with st.expander(f"Left out: {len(rejected):,}", icon=":material/warning:"):
            st.markdown("\n".join(f"- {plain(str(each))}" for each in rejected[:MOST_REJECTED]))


def choose_file() -> What | None:
    """What search engines gave, in one table or several."""
    files = st.file_uploader(
        "Results",
        type=RESULT_FILES,
        key="judge-result-files",
        accept_multiple_files=True,
        help="A row for each result, with the columns engine, query, rank, title and abstract, and if there are any "
        "query_id and doc_id. Other columns say what kind of query it is.",
    )
    st.caption("A row for each result: engine, query, rank, title, abstract. Other columns are kinds of query.")
    uploads = [Upload(file.name, file.getvalue()) for file in files or ()]
    if not uploads:
        st.info("Choose a file with what search engines gave: CSV or JSON Lines.")
        return None
    document = {"source": "file", "files": [upload.name for upload in uploads]}
    return What.of(document, lambda on_stage: _read(uploads, on_stage), *(upload.key for upload in uploads))


def _read(uploads: Sequence[Upload], on_stage: OnStage) -> Field:
    fields = []
    for upload in uploads:
        on_stage(f"reading {upload.name}")
        fields.append(read_results(upload.content, upload.name).field)
    return joined(fields)
