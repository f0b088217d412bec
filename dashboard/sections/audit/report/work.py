"""Work that the page has done in the background: reports, bundles, and looking into bundles. Kept for each visitor."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace

from core.audit.whole import Document
from core.protocols import OnStage
from dashboard import cache, state
from dashboard.jobs import Job
from dashboard.reports.files import REPORT_FORMATS, report_file
from dashboard.words import many
from data.audit.bundle.checking import Rebuilt, read_bundle, rebuild
from data.audit.bundle.decoding import Bundle
from data.audit.reports import Asked, Made, make

REPORT, BUNDLE, LOOK = "audit-report", "audit-bundle", "audit-look"
MOST_KEPT = 6
"""Of a kind, over all visitors."""


@dataclass(frozen=True, eq=False, slots=True)
class MadeBundle:
    """A bundle that can be downloaded."""

    made: Made
    content: bytes


@dataclass(frozen=True, eq=False, slots=True)
class Looked:
    """A bundle that was read and rebuilt."""

    name: str
    bundle: Bundle
    rebuilt: Rebuilt


def job_key(what: str) -> str:
    """The job of this visitor."""
    return f"{what}:{state.visitor()}"


def job_of(what: str) -> Job | None:
    """How far it is; None: nothing of the kind was begun."""
    return cache.jobs().find(job_key(what))


def found(what: str) -> Made | MadeBundle | Looked | None:
    """What came of it."""
    return cache.kept(what, MOST_KEPT).get(state.visitor())


def put_away(what: str) -> None:
    """Forget what came, and the job."""
    cache.kept(what, MOST_KEPT).pop(state.visitor(), None)
    cache.jobs().forget(job_key(what))


def make_report(asked: Asked) -> None:
    """Have it made; the one before is shown until then."""
    kept, who = cache.kept(REPORT, MOST_KEPT), state.visitor()

    def work(on_stage: OnStage) -> None:
        kept[who] = make(cache.workspace(), asked, on_stage=on_stage)

    cache.jobs().start(job_key(REPORT), "Making the report", work, lane="long", anew=True)


def make_bundle(asked: Asked) -> None:
    """The whole audit as one file."""
    kept, who, whole = cache.kept(BUNDLE, MOST_KEPT), state.visitor(), replace(asked, kind="audit")

    def work(on_stage: OnStage) -> None:
        made = make(cache.workspace(), whole, on_stage=on_stage)
        on_stage("writing the bundle")
        kept[who] = MadeBundle(made, report_file(made, REPORT_FORMATS["zip"]))

    cache.jobs().start(job_key(BUNDLE), "Making the bundle", work, lane="long", anew=True)


def look_into(name: str, content: bytes) -> None:
    """Read it and build everything in it again. Nothing in the workspace is looked at or changed."""
    kept, who = cache.kept(LOOK, MOST_KEPT), state.visitor()
    kept.pop(who, None)

    def work(on_stage: OnStage) -> None:
        on_stage("checking every file of the bundle")
        bundle = read_bundle(io.BytesIO(content), name=name)
        on_stage("counting and building everything again")
        kept[who] = Looked(name, bundle, rebuild(bundle))

    cache.jobs().start(job_key(LOOK), "Looking into the bundle", work, lane="long", anew=True)


def summary_line(document: Document) -> str:
    """How much is in it.

    >>> summary_line(Document("press", "A", "", (), "", ""))
    '0 tables, 0 figures'
    """
    return f"{many(len(list(document.tables)), 'table')}, {many(len(list(document.figures)), 'figure')}"
