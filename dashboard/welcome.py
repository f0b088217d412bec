"""First steps: an empty workspace, an incomplete topic, and the preparation of a new topic."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Literal

import streamlit as st

from core.errors import QueryscapeError
from core.protocols import OnStage
from core.query.checks import errors_of, fix_errors, lint
from core.query.parser import parse
from core.query.tree import ParsedQuery
from core.text import many, upper_first
from dashboard import cache, state
from dashboard.jobs import Job
from dashboard.kit.components import current_theme
from dashboard.state import Selection
from dashboard.status import JobFamily, draw_end, draw_job, how_it_ended, is_watched, watch, why_locked
from dashboard.visits import is_switched_off
from dashboard.words import plain
from data.demo.loading import bring_demo, bring_demo_topic, bring_litqeval, first_topic
from data.http.download import DownloadProgress
from data.library.records import n_publications
from data.library.searches import load_searches, search_names
from data.lookup import TopicSummary

LARGE = 8_000
"""Number of publications that take more than a moment to index."""
INDEX_JOBS, PREPARATION_JOBS = JobFamily("index", lane="long"), JobFamily("prepare", lane="long")


def is_indexed(selection: Selection) -> bool:
    """Return True if the topic can be searched; if indexing takes a while, show its progress."""
    job = start_indexing(selection)
    if job is None or job.finished:
        return True
    st.header("Indexing this topic")
    st.write("Its publications are indexed for search. This is done once.")
    draw_job(job)
    return False


def start_indexing(selection: Selection) -> Job | None:
    """Index a large topic in the background. None: it is indexed, or takes no time."""
    corpora, topic_id = cache.workspace().corpora, selection.topic_id
    if corpora.is_open(topic_id) or len(cache.workspace().store.topic_publication_ids(topic_id)) < LARGE:
        return None

    def work(on_stage: OnStage) -> None:
        corpora.of(topic_id, on_stage("indexing the publications"))

    key = f"{topic_id}:{cache.workspace().store.topic_state(topic_id)}"
    return INDEX_JOBS.start_once(key, "Indexing the topic", work)


def is_prepared(selection: Selection) -> bool:
    """Return True if the topic can be shown; if not, embed and project it, and show the progress."""
    if cache.workspace().is_ready(selection.topic_id, selection.embedder):
        return True
    st.header("Preparing this topic")
    st.write(
        "Its publications are embedded and placed on the landscape. This is done once for a topic. The first landscape "
        "after a start takes up to a minute, because code is compiled."
    )
    job = _prepare(selection)
    if job.is_over and not job.finished:
        how_it_ended(job)
        draw_import_button("Import publications")
        _draw_texts(_topic(selection.topic_id))
    else:
        watch(job)
    return False


def _prepare(selection: Selection) -> Job:
    return PREPARATION_JOBS.start_once(
        f"{selection.topic_id}:{selection.embedder}",
        "Preparing the topic",
        lambda on_stage: cache.workspace().prepare(selection.topic_id, selection.embedder, on_stage=on_stage),
    )


# An incomplete topic: what it has, what it lacks, and the next step.

MOST_PROBLEMS = 3
"""Problems of a search string that are listed."""
DONE, OPEN = ":material/check_circle:", ":material/radio_button_unchecked:"


def needs_first_steps(topic_id: str) -> bool:
    """Return True if there is nothing to score yet."""
    topic = _topic(topic_id)
    return not topic.n_core or not any(row.n_retrieved is not None for row in topic.versions)


def draw_first_steps(topic_id: str) -> None:
    topic = _topic(topic_id)
    n = n_publications(cache.workspace().store, topic_id)
    has_run = any(row.n_retrieved is not None for row in topic.versions)
    st.title(plain(topic_id))
    st.write("A topic needs three things: publications to search, core publications and a query.")
    if not topic.n_core:
        st.info("This topic has no core publications. Recall needs at least one.", icon=":material/flag:")
    if message := state.take("first"):
        st.error(plain(message), icon=":material/error:")
    has_corpus = n > topic.n_core or has_run
    _step(has_corpus, f"Corpus: {many(n, 'publication')}" if n else "Corpus", "Corpus", "Import a corpus")
    _step(
        bool(topic.n_core),
        f"Core publications: {topic.n_core:,}" if topic.n_core else "Core publications",
        "Core publications",
        "Import core publications",
    )
    _draw_query(topic, has_run, n)


def _topic(topic_id: str) -> TopicSummary:
    return next(t for t in cache.workspace().topics() if t.topic_id == topic_id)


def _step(is_done: bool, words: str, role: str, label: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"{DONE if is_done else OPEN} {words}", width="content")
        if not is_done:
            draw_import_button(label, role)


def draw_import_button(label: str, role: str = "Corpus", width: Literal["content", "stretch"] = "content") -> None:
    if st.button(label, key=f"import-{role}", icon=":material/upload_file:", width=width):
        st.switch_page("library/page.py", query_params={"part": "Import", "as": role})


def _draw_query(topic: TopicSummary, has_run: bool, n: int) -> None:
    st.markdown(f"{DONE if has_run else OPEN} Query")
    if has_run:
        _draw_texts(topic)
    if not n:
        return
    if locked := why_locked():
        st.caption(locked)
        return
    texts = [row.version.text for row in topic.versions if row.version.text]
    key, text = f"first-query-{topic.topic_id}", texts[-1] if texts else ""
    recorded = [search for search in load_searches(cache.workspace().store, topic.topic_id) if search.text.strip()]
    if recorded and not texts:
        by_name = dict(zip(search_names(recorded).values(), recorded, strict=True))
        name = st.selectbox("Recorded search", list(by_name), key=f"first-search-{topic.topic_id}", width=400)
        key, text = f"{key}-{name}", by_name[name].text
    with st.form(f"form-{key}", border=False):  # Ctrl+Enter in a form presses its first button
        st.text_area("Search string", text, key=key, height=110, placeholder='heat AND ("street trees" OR shade*)')
        st.form_submit_button(
            "Run",
            key="run-first",
            type="primary",
            icon=":material/play_arrow:",
            on_click=_run,
            args=(topic.topic_id, key),
            help="Runs the search string on this topic's publications and saves it as a version.",
        )
        shown = str(state.value(key, text))
        if shown.strip() in texts or shown == state.value(f"asked-{key}"):
            _draw_problems(topic.topic_id, key, parse(shown), is_run=shown.strip() in texts)


def _draw_problems(topic_id: str, key: str, parsed: ParsedQuery, *, is_run: bool) -> None:
    """Offer to fix the errors of a search string, or to run it as it is. `is_run`: it was already."""
    errors = errors_of(lint(parsed))
    if not errors:
        return
    places = [f"{error.message.rstrip('.')} (at character {error.span.start + 1})." for error in errors]
    more = f" And {len(places) - MOST_PROBLEMS:,} more." if len(places) > MOST_PROBLEMS else ""
    words = f"{many(len(errors), 'problem')}: {' '.join(places[:MOST_PROBLEMS])}{more}"
    st.error(plain(words), icon=":material/error:")
    fixed = fix_errors(parsed)
    with st.container(horizontal=True):
        if fixed.text != parsed.text:
            label, icon = "Fix and run", ":material/build:"
            st.form_submit_button(label, key="fix-first", icon=icon, on_click=_run, args=(topic_id, key, "fix"))
        if not is_run:
            st.form_submit_button("Run as is", key="as-is-first", on_click=_run, args=(topic_id, key, "as_is"))
    if fixed.text != parsed.text:
        st.caption("Fixed:")
        st.code(fixed.text, language=None, wrap_lines=True)


def _draw_texts(topic: TopicSummary) -> None:
    """Draw what each version retrieved, and its search string."""
    rows = [
        {"Version": row.version.label, "Retrieved": row.n_retrieved, "Search string": row.version.text}
        for row in topic.versions
        if row.n_retrieved is not None
    ]
    st.dataframe(rows, hide_index=True, height="content")


def _run(topic_id: str, key: str, how: Literal["", "fix", "as_is"] = "") -> None:
    """Run the search string. One with errors waits until it is fixed, or to be run as it is."""
    parsed = parse(str(state.value(key, "")))
    if how == "fix":
        parsed = fix_errors(parsed)
        state.set_value(key, parsed.text)
    elif not how and parsed.kind != "empty" and errors_of(lint(parsed)):
        state.set_value(f"asked-{key}", parsed.text)
        return
    try:
        row = cache.workspace().run_query(topic_id, parsed.text, dialect=parsed.dialect)
    except QueryscapeError as e:
        state.say_once("first", upper_first(str(e)) + ".")
        return
    state.choose_version_next(row.version.label)


# An empty workspace: demo data, own files, or a public collection.

DEMO_JOBS = JobFamily("demo", lane="long")
DEMO_REST_JOBS = JobFamily("demo-rest", lane="long")
LITQEVAL_JOBS = JobFamily("litqeval", lane="long")


def start_demo() -> Job:
    """Write the first demo topic in the background, and the rest of the demo data after it."""

    def write_first(on_stage: OnStage) -> None:
        bring_demo_topic(cache.workspace(), first_topic(), on_stage, step="first topic")
        DEMO_REST_JOBS.start("", "Adding two more demo topics", write_rest)

    def write_rest(on_stage: OnStage) -> None:
        bring_demo(cache.workspace(), on_stage)

    return DEMO_JOBS.start("", "Building the example", write_first)


def start_litqeval(where: str) -> Job:
    """Load LitQEval from a folder or an address in the background."""

    def work(on_stage: OnStage) -> None:
        download = on_stage("loading LitQEval")

        def on_download(progress: DownloadProgress) -> None:
            download(progress.file_number, progress.n_files)

        bring_litqeval(
            cache.workspace(), where, on_download=on_download, on_load=lambda done, total, _: download(done, total)
        )

    return LITQEVAL_JOBS.start("", "Loading LitQEval", work)


PICTURES = {"light": "welcome_light.webp", "dark": "welcome_dark.webp"}
"""Written by `python -m tests.browser.pictures`."""


def draw_welcome() -> None:
    start, picture = st.columns([0.36, 0.64], gap="large")
    with start:
        st.title("Queryscape")
        st.write("See what a literature search query finds, what it misses, and how to improve it.")
        draw_demo_button()
        st.caption("Demo data: three topics with four query versions each. Everything stays on this machine.")
        draw_import_button("Import your own files", width="stretch")
        with st.expander("Load LitQEval: 21 research fields with their core publications and queries"):
            draw_litqeval_form()
    picture.image(
        _picture(PICTURES[current_theme()]),
        width="stretch",
        alt="The landscape of a query: each dot is a publication, with the core publications found and missed.",
    )


def _picture(name: str) -> str:
    """Return the picture as a data URL: a separate file may be gone from the server before the browser requests it."""
    return f"data:image/webp;base64,{b64encode(Path(__file__).with_name(name).read_bytes()).decode()}"


def draw_demo_button(label: str = "See an example", *, is_first: bool = True) -> None:
    for family in (DEMO_JOBS, DEMO_REST_JOBS):
        job = family.find()
        if job is not None and not job.finished:
            draw_job(job)
            return
    kind: Literal["primary", "secondary"] = "primary" if is_first else "secondary"
    if st.button(label, type=kind, key="build-demo", width="stretch"):
        if is_first:
            state.choose_topic_next(first_topic().topic_id)
        start_demo()
        st.rerun()


def draw_loading_news() -> None:
    """Show the outcome of loading LitQEval, and a line in the sidebar while demo topics are being added."""
    if news := state.take("loaded"):
        st.toast(plain(news), icon=":material/database:", duration="infinite")
    if DEMO_REST_JOBS.is_running():
        with st.sidebar:
            _watch_demo()


@st.fragment(run_every=1.0)
def _watch_demo() -> None:
    if not DEMO_REST_JOBS.is_running():
        st.rerun()
    with st.container(key="demo-progress"):
        st.caption(":material/hourglass_empty: Adding two more demo topics.")


def open_loaded() -> None:
    """Select one of LitQEval's topics that has result lists, once loaded, for the visitor who loaded it."""
    job = LITQEVAL_JOBS.find()
    if job is None or not job.finished or state.take("loading") is None:
        return
    topics = [topic for topic in cache.workspace().topics() if not topic.made_up]
    ready = [topic for topic in topics if not needs_first_steps(topic.topic_id)]
    has = "has" if len(ready) == 1 else "have"
    state.say_once("loaded", f"{len(ready)} of {many(len(topics), 'topic')} {has} result lists.")
    if ready:
        state.choose_topic_next(ready[0].topic_id)
    st.rerun()


def draw_litqeval_form() -> None:
    if is_switched_off("Loading a collection"):
        return
    if news := state.take("loaded"):
        st.success(plain(news), icon=":material/database:")
    job = LITQEVAL_JOBS.find()
    if is_watched(job):
        return
    draw_end(job)
    with st.form("litqeval", border=False):
        where = st.text_input(
            "Folder or address", placeholder="LitQEval/", help="A copy of the LitQEval repository or its address."
        )
        if st.form_submit_button("Load LitQEval", width="stretch"):
            if not where.strip():
                st.error("Enter a folder on this machine or an address that begins with https://.")
            elif "://" not in where and not Path(where).expanduser().is_dir():
                st.error("This folder doesn't exist on this machine.")
            else:
                start_litqeval(where.strip())
                state.say_once("loading", where)
                st.rerun()
