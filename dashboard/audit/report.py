"""The Report and Bundle views: choose versions, build the files, and check a received bundle."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256

import streamlit as st

from core.audit.prisma_items import MOST_ON_TITLE_PAGE
from core.audit.prisma_s import fill
from core.errors import FormatError
from core.protocols import OnStage
from core.report import AnswerPrompt, Paragraph, Remark, ReportDocument, ReportHeading, ReportKind
from core.text import listed, many
from dashboard import cache, state
from dashboard.audit.fields import VERSIONS, field_key, fill_in
from dashboard.audit.record_facts import known_of
from dashboard.audit.report_files import REPORT_FORMATS, document_file, report_file
from dashboard.explore.versions import called, draw_settings
from dashboard.kit.components import draw_download
from dashboard.kit.link_controls import choose_many, choose_one
from dashboard.messages import guarded, sentence
from dashboard.status import JobFamily, draw_early_end, draw_end, is_watched, why_locked
from dashboard.visits import upload_limit
from dashboard.words import plain, when
from data.audit.bundle import RebuiltBundle, read_bundle, rebuild
from data.audit.bundle_archive import LARGEST_ZIP, Bundle
from data.audit.house_style import open_reference
from data.audit.reports import FinishedReport, ReportRequest, make
from data.audit.searches import answers, say, unsay

# Background work of the page: reports, bundles, and checks of bundles. Results are kept per visitor.

REPORT_JOBS, BUNDLE_JOBS, CHECK_JOBS = (
    JobFamily(name, lane="long", most=6) for name in ("audit-report", "audit-bundle", "audit-look")
)


@dataclass(frozen=True, eq=False, slots=True)
class FinishedBundle:
    made: FinishedReport
    content: bytes


@dataclass(frozen=True, eq=False, slots=True)
class BundleCheck:
    name: str
    bundle: Bundle
    rebuilt: RebuiltBundle


def make_report(asked: ReportRequest) -> None:
    """Start making the report; the previous one is shown until it is finished."""
    REPORT_JOBS.make(
        state.visitor(), "Creating report", lambda on_stage: make(cache.workspace(), asked, on_stage=on_stage)
    )


def make_bundle(asked: ReportRequest) -> None:
    whole = replace(asked, kind="audit")

    def make_whole(on_stage: OnStage) -> FinishedBundle:
        made = make(cache.workspace(), whole, on_stage=on_stage)
        on_stage("writing the bundle")
        return FinishedBundle(made, report_file(made, REPORT_FORMATS["zip"]))

    BUNDLE_JOBS.make(state.visitor(), "Creating bundle", make_whole)


def look_into(name: str, content: bytes) -> None:
    """Read a bundle and rebuild everything in it. The workspace is neither read nor changed."""
    CHECK_JOBS.results.pop(state.visitor(), None)

    def look(on_stage: OnStage) -> BundleCheck:
        on_stage("checking the files")
        bundle = read_bundle(io.BytesIO(content), name=name)
        on_stage("recomputing scores and reports")
        return BundleCheck(name, bundle, rebuild(bundle))

    CHECK_JOBS.make(state.visitor(), "Checking bundle", look)


def summary_line(document: ReportDocument) -> str:
    """Summarise the contents of a report.

    >>> summary_line(ReportDocument("press", "A", "", (), "", ""))
    '0 tables, 0 figures'
    """
    return f"{many(len(list(document.tables)), 'table')}, {many(len(list(document.figures)), 'figure')}"


# Settings of a report or a bundle: versions, embedder and evaluation settings.

KIND_KEY = "audit_what"
KINDS: dict[ReportKind, tuple[str, str]] = {
    "audit": ("The whole audit", "Record, peer reviews and query quality report in one document."),
    "prisma-s": ("PRISMA-S appendix", "The 16 items and the flow diagram."),
    "press": ("Peer review", "Reviews of these versions in the six PRESS 2015 domains."),
    "checklist": ("PRISMA-S checklist", "One page: each of the 16 items with the section that reports it."),
    "quality": (
        "Query quality report",
        "Scores, landscape, curves, core publications, terms and reliability.",
    ),
}
NEED_SCORES: frozenset[ReportKind] = frozenset({"audit", "quality"})
WITH_RECORD: frozenset[ReportKind] = frozenset({"audit", "prisma-s", "checklist"})
ABSTRACTS, FINAL, REFERENCE = "audit_abstracts", "audit_final", "audit-reference"
ALL = "Every version"


def choose_kind() -> ReportKind:
    kinds = list(KINDS)
    names = {kind: name for kind, (name, _) in KINDS.items()}
    control = st.segmented_control
    chosen = choose_one(control, "What", kinds, KIND_KEY, usual=kinds[0], names=names, required=True, wrap=True)
    st.caption(KINDS[chosen][1])
    return chosen


def choose(topic_id: str, kind: ReportKind) -> ReportRequest:
    rows = {row.version.label: row for row in cache.workspace().store.versions(topic_id)}
    missing = state.missing_in_link(VERSIONS, rows)
    chosen = choose_many(
        st,
        "Versions",
        list(rows),
        VERSIONS,
        placeholder=ALL,
        format_func=lambda at: called(rows[at]) if at in rows else at,
        help="Leave empty for all visible versions with results.",
    )
    if missing:
        st.warning(plain(f"Not found, but listed in the link: {', '.join(missing)}."), icon=":material/link_off:")
    selection = state.read_selection()
    embedder = selection.embedder if selection is not None else None
    more: Mapping[str, object] = {}
    if kind in NEED_SCORES and embedder is not None:
        st.caption(plain(f"Similarities use {embedder}, chosen at the top."))
        more = {"settings": draw_settings(embedder)}
    fill_in(ABSTRACTS, False)
    abstracts = st.toggle(
        "Include abstracts",
        key=ABSTRACTS,
        help="IDs and titles are enough to repeat the search. Publishers may not allow redistribution, so "
        "abstracts are excluded unless you opt in.",
    )
    return ReportRequest(kind, topic_id, tuple(chosen) or None, embedder, abstracts=bool(abstracts), **more)  # type: ignore[arg-type]


def choose_look(asked: ReportRequest) -> ReportRequest:
    """Draw the choices of a report that a bundle doesn't have: a final copy, the title page and the style."""
    fill_in(FINAL, False)
    final = st.toggle(
        "Final copy",
        key=FINAL,
        help="Leaves out what is still to be answered and all hints for you. An item without an answer reads “Not "
        "reported.”",
    )
    if final and asked.kind in WITH_RECORD:
        _draw_open_items(asked.topic_id)
    return replace(asked, final=bool(final), reference=_draw_title_page(asked.topic_id))


def _draw_open_items(topic_id: str) -> None:
    """Say which items a final copy would leave without an answer, or with one that nobody has confirmed."""
    filled = fill(known_of(topic_id))
    for state_, words in (
        ("open", "not answered, so the final copy says “Not reported” there"),
        ("likely", "not confirmed, but the final copy states it as a fact"),
    ):
        if items := [f"{one.item.number} {one.item.title}" for one in filled if one.state == state_]:
            st.warning(plain(f"{listed(items)}: {words}."), icon=":material/warning:")


def _draw_title_page(topic_id: str) -> bytes | None:
    """Draw the fields of the title page and of the style of the Word file; return the document with the style."""
    store, locked = cache.workspace().store, why_locked()
    said = answers(store, topic_id)
    with st.expander("Title page and style", icon=":material/title:"):
        for item, label in TITLE_LABELS.items():
            key = field_key("title", topic_id, item)
            fill_in(key, said[item].text if item in said else "", partial(_say_title, topic_id, item))
            st.text_input(label, key=key, max_chars=MOST_ON_TITLE_PAGE, disabled=bool(locked), help=locked or None)
        file = st.file_uploader(
            "Word document with your style (.docx)",
            type=["docx"],
            key=REFERENCE,
            help="The Word report takes its fonts, headings, page, header and footer. Its text is not used.",
        )
    if file is None:
        return None
    try:
        open_reference(data := file.getvalue(), file.name)
    except FormatError as e:
        st.warning(plain(sentence(str(e))), icon=":material/warning:")
        return None
    return data


TITLE_LABELS = {
    "title:review": "Title of the review",
    "title:authors": "Authors",
    "title:registration": "Registration, such as a PROSPERO number",
}


def _say_title(topic_id: str, item: str, text: object) -> None:
    store = cache.workspace().store
    if str(text or "").strip():
        say(store, topic_id, item, state="own", text=str(text))
    else:
        unsay(store, topic_id, item)


# A finished report: its contents, and the files to download.

FILE_FORMATS = ("html", "docx", "md", "json")
MOST_HEADINGS = 60


def draw_made(made: FinishedReport, *, is_asked: bool) -> None:
    with st.container(border=True, key="audit-made"):
        st.markdown(f"**{plain(made.document.title)}**")
        labels = "every version" if made.asked.labels is None else ", ".join(made.asked.labels)
        facts = [KINDS[made.asked.kind][0], made.asked.topic_id, labels, f"created {when(made.made_at)}"]
        facts += [summary_line(made.document), f"{'with' if made.abstracts is not None else 'without'} abstracts"]
        st.caption(plain(" · ".join(facts)))
        if not is_asked:
            st.caption(":material/info: The choices above have changed. Create the report again to include them.")
        if made.without_quality:
            st.warning(plain(sentence(made.without_quality)), icon=":material/warning:")
        _draw_files(made)
        st.caption("For a PDF, open the HTML in a browser and print it (A4).")
    draw_contents(made.document)


def _draw_files(made: FinishedReport) -> None:
    stem = file_stem(made)
    with st.container(horizontal=True, key="audit-files"):
        for ending in FILE_FORMATS:
            form = REPORT_FORMATS[ending]
            draw_download(
                form.label,
                partial(report_file, made, form),
                file_name=f"{stem}.{ending}",
                mime=form.mime,
                key=f"audit-file-{ending}",
                type="primary" if ending == "html" else "secondary",
            )


def file_stem(made: FinishedReport) -> str:
    words = re.findall(r"[a-z0-9]+", f"{made.asked.topic_id} {made.asked.kind} {made.made_at[:10]}".lower())
    return "-".join(words)[-100:] or "report"


def draw_contents(document: ReportDocument) -> None:
    draw_lead(document)
    n = sum(isinstance(block, ReportHeading) for block in document.blocks)
    with st.expander(f"Contents ({n:,} parts, {summary_line(document)})"):
        draw_headings(document)
    if n_open := sum(isinstance(block, AnswerPrompt) for block in document.blocks):
        many = "item still needs" if n_open == 1 else "items still need"
        st.caption(f"{n_open:,} {many} an answer: see Record.")


def draw_lead(document: ReportDocument) -> None:
    heading = ""
    for block in document.blocks:
        if isinstance(block, ReportHeading):
            heading = block.text if block.level > 2 else ""
        if isinstance(block, Paragraph) and block.is_lead:
            if heading:
                st.markdown(f"**{plain(heading)}**")
                heading = ""
            st.markdown(plain(block.text))
        elif isinstance(block, Remark) and block.is_warning:
            st.warning(plain(block.text), icon=":material/warning:")


def draw_headings(document: ReportDocument) -> None:
    headings = [block for block in document.blocks if isinstance(block, ReportHeading)]
    lines = [f"{'  ' * max(each.level - 2, 0)}- {plain(each.text)}" for each in headings[:MOST_HEADINGS]]
    st.markdown("\n".join(lines) or "Nothing.")
    if len(headings) > MOST_HEADINGS:
        st.caption(f"And {len(headings) - MOST_HEADINGS:,} more.")


# The view "Report": the settings, and the files to download.


def draw_report() -> None:
    topic_id = state.read_topic()
    if topic_id is None:
        st.info("No topics to report on yet.")
        return
    kind = choose_kind()
    with guarded():
        asked = choose_look(choose(topic_id, kind))
        _draw_make(asked)
    made = REPORT_JOBS.results.get(state.visitor())
    if isinstance(made, FinishedReport):
        with guarded():
            draw_made(made, is_asked=made.asked == asked)


def _draw_make(asked: ReportRequest) -> None:
    _draw_start(REPORT_JOBS, "Create report", make_report, asked, key="audit-make", icon=":material/description:")


def _draw_start(
    family: JobFamily, label: str, start: Callable[[ReportRequest], None], asked: ReportRequest, *, key: str, icon: str
) -> bool:
    """Draw the button that starts a job, or the job's progress; return False while it runs."""
    job = family.find(state.visitor())
    if is_watched(job):
        return False
    st.button(label, key=key, type="primary", icon=icon, on_click=start, args=(asked,))
    draw_end(job)
    return True


# A bundle received from someone else: whether it was edited, what was rebuilt, and what differs.

LAST, FILE = "audit-looked-at", "audit-bundle-in"
MOST_NAMED = 20
REBUILT_FORMATS = ("html", "docx", "md")


def draw_look() -> None:
    """Draw the upload field; the previous result stays until it is dismissed."""
    st.markdown("## Check a bundle")
    st.caption("Checking doesn't change this workspace or unpack files to disk.")
    file = st.file_uploader(
        "Bundle",
        type=["zip"],
        key=f"{FILE}-{state.flag(FILE)}",
        label_visibility="collapsed",
        max_upload_size=upload_limit(LARGEST_ZIP // 1024**2),
    )
    if file is not None:
        content = file.getvalue()
        mark = sha256(content).hexdigest()
        if state.value(LAST) != mark:
            state.set_value(LAST, mark)
            look_into(file.name, content)
    job = CHECK_JOBS.find(state.visitor())
    if is_watched(job):
        return
    if job is not None:
        draw_early_end(job, "Stopped.", icon=None)
    looked = CHECK_JOBS.results.get(state.visitor())
    if isinstance(looked, BundleCheck):
        _draw_looked(looked)
    if job is not None:
        st.button("Close", key="audit-look-away", type="tertiary", icon=":material/close:", on_click=_put_away)


def _put_away() -> None:
    CHECK_JOBS.results.pop(state.visitor(), None)
    CHECK_JOBS.forget(state.visitor())
    state.set_value(LAST, None)
    state.raise_flag(FILE)


def _draw_looked(looked: BundleCheck) -> None:
    bundle, rebuilt = looked.bundle, looked.rebuilt
    with st.container(border=True, key="audit-looked"):
        st.markdown(f"**{plain(looked.name)}**")
        st.caption(plain(f"{rebuilt.audit.topic_id} · created {when(bundle.made_at)} with {bundle.made_with}"))
        st.markdown(f":material/verified: {many(len(bundle.files), 'file')}, all checksums match.")
        _draw_difference(looked)
        if rebuilt.taken_over:
            with st.expander(f"Not rebuilt here ({len(rebuilt.taken_over):,})"):
                st.caption("Taken from the bundle unchanged.")
                st.markdown("\n".join(f"- {plain(sentence(each))}" for each in rebuilt.taken_over))
        st.caption("Abstracts are included." if bundle.abstracts is not None else "Abstracts are not included.")
    for number, document in enumerate(rebuilt.documents):
        about = f"{document.title}: {document.subtitle}" if document.kind == "press" else document.title
        with st.expander(plain(about)):
            _looking_draw_files(looked, number)
            draw_lead(document)
            draw_headings(document)


def _draw_difference(looked: BundleCheck) -> None:
    rebuilt = looked.rebuilt
    scores = "between a stored and a recomputed score"
    largest = f"The largest difference {scores} is {rebuilt.largest_difference:.1g}."
    if not rebuilt.differing and not rebuilt.differing_scores:
        n = many(len(rebuilt.tables), "table")
        st.success(f"No differences: {n} rebuilt byte for byte.", icon=":material/check_circle:")
        st.caption(largest)
        return
    named = [*rebuilt.differing, *rebuilt.differing_scores]
    shown = [f"- {plain(each)}" for each in named[:MOST_NAMED]]
    more = [f"- and {len(named) - MOST_NAMED:,} more"] if len(named) > MOST_NAMED else []
    st.warning("\n".join(["Differences after rebuilding:", "", *shown, *more]), icon=":material/difference:")
    st.caption(largest)


def _looking_draw_files(looked: BundleCheck, number: int) -> None:
    document = looked.rebuilt.documents[number]
    with st.container(horizontal=True):
        for ending in REBUILT_FORMATS:
            form = REPORT_FORMATS[ending]
            draw_download(
                form.label,
                partial(document_file, document, form, looked.rebuilt.quality),
                file_name=f"{document.kind}-{number + 1}.{ending}",
                mime=form.mime,
                key=f"audit-rebuilt-{number}-{ending}",
            )


# The view "Bundle": the whole audit as one file, and checking a received bundle.

BUNDLE_SENTENCE = (
    "One file to reproduce the audit: search strings as sent, times, counts, result IDs, similarities, settings, "
    "tables and figures. Another machine can rebuild the same tables from it, offline."
)


def draw_bundle() -> None:
    make, look = st.columns(2, gap="large")
    with make, guarded():
        _view_draw_make()
    with look, guarded():
        draw_look()


def _view_draw_make() -> None:
    st.markdown("## Create a bundle")
    st.caption(BUNDLE_SENTENCE)
    topic_id = state.read_topic()
    if topic_id is None:
        st.caption("No topics yet.")
        return
    asked, icon = choose(topic_id, "audit"), ":material/package_2:"
    if not _draw_start(BUNDLE_JOBS, "Create bundle", make_bundle, asked, key="audit-make-bundle", icon=icon):
        return
    bundle = BUNDLE_JOBS.results.get(state.visitor())
    if isinstance(bundle, FinishedBundle):
        _draw_made(bundle, is_asked=bundle.made.asked.labels == asked.labels and bundle.made.asked.topic_id == topic_id)


def _draw_made(bundle: FinishedBundle, *, is_asked: bool) -> None:
    made = bundle.made
    with st.container(border=True, key="audit-bundle-made"):
        st.markdown(f"**{plain(made.asked.topic_id)}**")
        st.caption(plain(f"Created {when(made.made_at)} · {size_words(len(bundle.content))}"))
        if not is_asked:
            st.caption(":material/info: The choices above have changed. Create the bundle again to include them.")
        draw_download(
            "Download bundle",
            bundle.content,
            file_name=f"{file_stem(made)}-bundle.zip",
            mime="application/zip",
            key="audit-bundle-file",
        )


def size_words(n: int) -> str:
    """Format a number of bytes.

    >>> size_words(900), size_words(45_300), size_words(3_400_000)
    ('900 bytes', '45 kB', '3.4 MB')
    """
    if n < 1_000:
        return f"{n} bytes"
    return f"{n / 1e3:.0f} kB" if n < 1e6 else f"{n / 1e6:.1f} MB"
