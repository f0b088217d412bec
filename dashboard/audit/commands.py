"""The `report` commands: write, check and rebuild reports, answer items, and run peer reviews."""

from __future__ import annotations

import time
from dataclasses import asdict, replace
from pathlib import Path, PurePosixPath
from typing import Any, get_args

import click

from core.audit.flow import Flow, flow_of
from core.audit.press import DOMAINS, VERDICTS, Domain, Person, Request, Review, Verdict, edited_parts, words_of
from core.audit.press_exchange import as_json as exchange_text
from core.audit.press_exchange import file_name, press_document, shown_other
from core.audit.prisma_s import Completeness, FilledItem, completeness, fill
from core.audit.strategies import ANSWERED
from core.errors import FileError, FormatError, InputError, NotFoundError
from core.report import MADE_WITH, ReportDocument, ReportKind, whole
from core.text import listed, many
from core.types import unique_ids
from dashboard.audit.check_command import check_command
from dashboard.audit.record_commands import check_place, confirm_command, diagram_command, say_command
from dashboard.audit.report_files import REPORT_FORMATS, ReportFormat, document_file, format_of, report_file
from dashboard.kit import options, scoring
from dashboard.kit.lazy_commands import LazyGroup
from dashboard.kit.output import NONE, print_json, results, row, say, table, tell
from dashboard.kit.progress import waiting
from data.audit.bundle import RebuiltBundle, read_bundle, rebuild
from data.audit.bundle_archive import Bundle
from data.audit.reports import FinishedReport, ReportRequest, make, record
from data.audit.reviews import (
    bring_review,
    choose,
    load_review,
    new_review,
    reply,
    review_of_search,
    reviews,
    save_review,
    sign,
)
from data.changes import author
from data.explore.workspace import Workspace
from data.files import disk_errors, written_aside
from data.importers.source import read_bytes
from data.library.searches import find_search
from data.lookup import check_topic
from data.store import Store, utc_now

# `report --out`: make and write a report.


def make_report(asked: ReportRequest, out: str, *, force: bool, data_dir: Path | None, as_json: bool) -> None:
    """Make the requested report and write it to `out`, atomically."""
    form, began = format_of(out), time.perf_counter()
    if form.form == "zip" and asked.kind != "audit":
        raise InputError(f"a bundle holds the whole audit: omit --what {asked.kind}, or choose another file extension")
    check_place(Path(out), force=force)
    with (
        Workspace.open(data_dir) as workspace,
        waiting(f"Reporting {asked.topic_id}") as on_stage,
    ):
        made = make(workspace, asked, on_stage=on_stage)
        on_stage("writing")
        content = report_file(made, form)
        with written_aside(Path(out)) as file:
            file.write(content)
    seconds = time.perf_counter() - began
    if made.without_quality:
        say(f"Note: {made.without_quality}", "yellow")
    document = _document(made, form, out, len(content), seconds)
    if as_json:
        print_json(document)
    else:
        _print(made, form, document)


def _document(made: FinishedReport, form: ReportFormat, out: str, n_bytes: int, seconds: float) -> dict[str, Any]:
    """Return `report --json`: topic, kind, file, format, versions, n_bytes, seconds, completeness, abstracts, notes.

    `completeness`: how many of the sixteen items of PRISMA-S are known, likely, open, said and changed, the total, and
    the same as a sentence; `abstracts`: whether abstracts are included; `notes`: what is missing and why.
    """
    return {
        "topic": made.asked.topic_id,
        "kind": made.asked.kind,
        "file": out,
        "format": form.ending,
        "versions": list(made.labels),
        "n_bytes": n_bytes,
        "seconds": round(seconds, 3),
        "completeness": asdict(completeness(fill(made.audit))),
        "abstracts": made.abstracts is not None,
        "notes": [made.without_quality] if made.without_quality else [],
    }


def _print(made: FinishedReport, form: ReportFormat, document: dict[str, Any]) -> None:
    n = len(made.labels)
    size = document["n_bytes"] / 1024
    shown_size = f"{size / 1024:.1f} MB" if size >= 1024 else f"{max(1, round(size)):,} KB"
    what = f"{made.document.title}, {many(n, 'version')}"
    tell(
        f"{what}: written as {form.label} to {document['file']} ({shown_size}, {document['seconds']:.1f} s).",
        soft_wrap=True,
    )
    if made.asked.kind in ("audit", "prisma-s"):
        tell(document["completeness"]["sentence"], soft_wrap=True)
    if form.ending == "html":
        tell("Open it in a browser; print it there to get a PDF.", soft_wrap=True)


# `report --check`: the completeness of a search's record, item by item, with the next steps.

LONGEST = 300
"""Characters of an answer shown in a table; --json has all of it."""
STATES = {
    "known": "known",
    "likely": "to confirm",
    "open": "open",
    ANSWERED: "answered",
    "changed": "has changed",
}


def check_record(topic: str, labels: tuple[str, ...] | None, data_dir: Path | None, *, as_json: bool) -> None:
    with Workspace.open(data_dir) as workspace:
        facts = record(workspace, ReportRequest("prisma-s", topic, labels))
    filled, flow = fill(facts), flow_of(facts)
    if as_json:
        versions = list(dict.fromkeys(search.version for search in facts.searches))
        print_json(_report_check_document(topic, versions, filled, completeness(filled), flow))
    else:
        _report_check_print(topic, filled, completeness(filled), flow)


def item_document(one: FilledItem) -> dict[str, Any]:
    """Return one of `items` of `report --check --json`.

    `state`: known (recorded), likely (to be confirmed), open, said, or changed (differs from what was confirmed);
    `text`: the text in a report; `said_by` and `said_at`: null without an answer.
    """
    return {
        "item": one.item.item,
        "number": one.item.number,
        "title": one.item.title,
        "part": one.item.part,
        "state": one.state,
        "text": one.text,
        "next_step": one.next_step,
        "recorded": one.recorded,
        "warnings": list(one.warnings),
        "said_by": one.answer.said_by if one.answer else None,
        "said_at": one.answer.said_at if one.answer else None,
    }


def _report_check_document(
    topic: str, versions: list[str], filled: tuple[FilledItem, ...], complete: Completeness, flow: Flow
) -> dict[str, Any]:
    """Return `report --check --json`: topic, versions, completeness, items, flow, disagreements, flow warnings."""
    numbers = [
        {"item": number.item, "label": number.label, "n": number.n, "state": number.state, "note": number.sentence}
        for number in flow.numbers
    ]
    return {
        "topic": topic,
        "versions": versions,
        "completeness": asdict(complete),
        "items": [item_document(one) for one in filled],
        "flow": numbers,
        "template": flow.template,
        "disagreements": list(flow.disagreements),
        "warnings": list(flow.warnings),
    }


def _report_check_print(topic: str, filled: tuple[FilledItem, ...], complete: Completeness, flow: Flow) -> None:
    grid = table(f"{topic}: PRISMA-S record", "Item", "Title", "State", "Answer", "Next", right=(0,))
    for one in filled:
        row(grid, str(one.item.number), one.item.title, STATES[one.state], _short(one.text), one.next_step or NONE)
    results().print(grid)
    results().print()
    numbers = table("Numbers of the PRISMA 2020 flow diagram", "Item", "Stage", "n", "State", right=(2,))
    for number in flow.numbers:
        shown_n = NONE if number.n is None else f"{number.n:,}"
        row(numbers, number.item, number.label, shown_n, STATES[number.state])
    results().print(numbers)
    warnings = unique_ids([*(warning for one in filled for warning in one.warnings), *flow.warnings])
    for sentence in (*warnings, *flow.disagreements, complete.sentence):
        tell(sentence, soft_wrap=True)


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return (flat if len(flat) <= LONGEST else flat[: LONGEST - 1].rstrip() + "…") or NONE


# `report --from`: check a bundle from someone else and rebuild its reports.

ENDINGS = tuple(f".{ending}" for ending in (*REPORT_FORMATS, "pdf", "doc", "htm"))


def rebuild_bundle(path: Path, out: str | None, *, force: bool, as_json: bool) -> None:
    """Check, rebuild and compare a bundle; `out` saves the tables in a folder, or the report as a file.

    After reporting the results, exit with status 2 if a file was edited, or if a table or a score differs.
    """
    if out is not None:
        _check_out(out, force=force)
    bundle = read_bundle(path)
    rebuilt = rebuild(bundle)
    written = [] if out is None else _write(bundle, rebuilt, out)
    document = _report_from_document(path, bundle, rebuilt, written)
    if as_json:
        print_json(document)
    else:
        _report_from_print(document)
    if not document["same"]:
        n = len(rebuilt.differing) or len(rebuilt.differing_scores)
        what = "file" if rebuilt.differing else "score"
        first = (*rebuilt.differing, *rebuilt.differing_scores)[0]
        raise FormatError(
            f"{n:,} {what}{'' if n == 1 else 's'} of {path} differed after rebuilding, the first: {first}"
        )


def _check_out(out: str, *, force: bool) -> None:
    if _is_file(out):
        if format_of(out).form == "zip":
            raise InputError(
                "a bundle can't be written from a bundle: give a folder for the tables, or a report file (.html)"
            )
        check_place(Path(out), force=force)
        return
    folder = Path(out)
    if folder.is_file():
        raise FileError(f"{out} is a file: give a folder for the tables, or a report file such as {out}.html")
    if not folder.absolute().parent.is_dir():
        raise FileError(f"the folder {folder.parent} does not exist: create it, or choose another")
    if folder.is_dir() and any(folder.iterdir()) and not force:
        raise FileError(f"{out} is not empty: choose another folder, or write to it with --force")


def _is_file(out: str) -> bool:
    return out.lower().endswith(ENDINGS) and not Path(out).is_dir()


def _write(bundle: Bundle, rebuilt: RebuiltBundle, out: str) -> list[str]:
    if _is_file(out):
        content = document_file(as_one(bundle, rebuilt), format_of(out), rebuilt.quality)
        with written_aside(Path(out)) as file:
            file.write(content)
        return [out]
    for name, content in rebuilt.tables.items():
        place = Path(out).joinpath(*PurePosixPath(name).parts)
        with disk_errors(place):
            place.parent.mkdir(parents=True, exist_ok=True)
        with written_aside(place) as file:
            file.write(content)
    return [str(Path(out).joinpath(*PurePosixPath(name).parts)) for name in rebuilt.tables]


def as_one(bundle: Bundle, rebuilt: RebuiltBundle) -> ReportDocument:
    return whole(rebuilt.documents, topic=bundle.audit.topic_id, made_at=bundle.made_at, made_with=bundle.made_with)


def _report_from_document(path: Path, bundle: Bundle, rebuilt: RebuiltBundle, written: list[str]) -> dict[str, Any]:
    """Return `report --from --json`.

    Keys: bundle, topic, versions, made_at, made_with, n_files, same, n_tables, differing, differing_scores,
    largest_difference, taken_over, abstracts, written. `same`: every table is identical byte for byte, and every score
    within 1e-9; `differing`: files that are not identical; `taken_over`: what can't be rebuilt and why. An edited
    bundle gives no document but exit status 2.
    """
    return {
        "bundle": str(path),
        "topic": bundle.audit.topic_id,
        "versions": [version.label for version in bundle.quality.versions],
        "made_at": bundle.made_at,
        "made_with": bundle.made_with,
        "n_files": len(bundle.files),
        "same": not rebuilt.differing and not rebuilt.differing_scores,
        "n_tables": len(rebuilt.tables),
        "differing": list(rebuilt.differing),
        "differing_scores": list(rebuilt.differing_scores),
        "largest_difference": rebuilt.largest_difference,
        "taken_over": list(rebuilt.taken_over),
        "abstracts": bundle.abstracts is not None,
        "written": written,
    }


def _report_from_print(document: dict[str, Any]) -> None:
    n, differing = document["n_tables"], document["differing"]
    versions = ", ".join(document["versions"])
    lines = [
        f"{document['topic']} · {versions} · created {document['made_at']} with {document['made_with']}",
        f"Complete: {document['n_files']:,} files, all checksums match.",
        f"Rebuilt: {n:,} tables"
        + (f"; files that differ: {len(differing):,}" if differing else ", all identical byte for byte."),
        *(f"  {name}" for name in differing),
        f"Largest difference between a stored and a recomputed score: {document['largest_difference']:.2g}.",
        *(f"  {sentence}" for sentence in document["differing_scores"]),
        *(["Copied, not rebuilt:"] if document["taken_over"] else []),
        *(f"  {sentence}" for sentence in document["taken_over"]),
        "Abstracts: included." if document["abstracts"] else "Abstracts: not included.",
    ]
    if document["written"]:
        first = document["written"][0]
        more = len(document["written"]) - 1
        lines.append(f"Written: {first}" + (f" and {more:,} more" if more else ""))
    for line in lines:
        tell(line, soft_wrap=True)


# A peer review in the output of commands: a table, and the keys of their JSON.


def review_document(review: Review) -> dict[str, Any]:
    """Return the --json of every `report press` command.

    Keys: review, topic, version, state, requestor, reviewer, requested_at, signed_at, edited_after_signing, replied_at,
    overall, domains, n_others, others, is_search. `state`: requested, under review, signed or replied; `overall`:
    verdict (none, suggested or required), comments and reply; `domains`: number, domain, title, n_evidence,
    n_to_look_at, verdict, comments, reply; `n_others`: texts in conflict, written by one side where the other wrote
    too; `others`: each with its number for `choose`, place, side, written_at, text; `is_search`: the string is the one
    of a recorded search, and `version` is its name.
    """
    signature = review.signature
    return {
        "review": review.review_id,
        "topic": review.topic,
        "version": review.version,
        "state": review.state,
        "requestor": asdict(review.requestor),
        "reviewer": asdict(review.reviewer),
        "requested_at": review.requested_at,
        "signed_at": signature.signed_at if signature else None,
        "edited_after_signing": list(edited_parts(review)),
        "replied_at": review.replied_at or None,
        "overall": {"verdict": review.overall, "comments": review.overall_comments, "reply": review.overall_reply},
        "domains": [
            {
                "number": each.about.number,
                "domain": each.domain,
                "title": each.about.title,
                "n_evidence": len(each.evidence),
                "n_to_look_at": sum(evidence.look for evidence in each.evidence),
                "verdict": each.verdict,
                "comments": each.comments,
                "reply": each.reply,
            }
            for each in review.domains
        ],
        "n_others": len(review.others),
        "others": [
            {
                "number": number,
                "place": words_of(other.part),
                "side": other.side,
                "written_at": other.written_at or None,
                "text": shown_other(other),
            }
            for number, other in enumerate(review.others, start=1)
        ],
        "is_search": review.is_search,
    }


def verdict_words(verdict: Verdict | None) -> str:
    """Return the verdict as worded in the form, or a dash."""
    return VERDICTS[verdict] if verdict else NONE


def print_review(review: Review) -> None:
    title = f"{review.topic} · {review.version} · peer review {review.review_id[:8]}, {review.state}"
    grid = table(title, "", "Domain", "Evidence", "Worth a look", "Verdict", "Comments", "Reply", right=(0, 2, 3))
    for each in review.domains:
        n_look = sum(evidence.look for evidence in each.evidence)
        cells = (str(each.about.number), each.about.title, str(len(each.evidence)), str(n_look))
        row(grid, *cells, verdict_words(each.verdict), each.comments or NONE, each.reply or NONE)
    results().print(grid)
    verdict = VERDICTS[review.overall] if review.overall else "no verdict yet"
    overall = f"Overall: {verdict}. {review.overall_comments}".strip()
    tell(overall, soft_wrap=True)
    if review.signature is not None:
        signed = f"Signed by {review.signature.name} on {review.signature.signed_at}."
        tell(signed, soft_wrap=True)
        edited = edited_parts(review)
        if edited:
            say(f"Note: changed after signing, so it must be signed again: {listed(edited)}.", "yellow")
    _print_others(review)


def _print_others(review: Review) -> None:
    if not review.others:
        return
    grid = table("Conflicting texts from the other side", "", "Place", "By", "Text", right=(0,))
    for number, other in enumerate(review.others, start=1):
        row(grid, str(number), words_of(other.part), f"the {other.side}", " ".join(shown_other(other).split()))
    results().print(grid)
    say(f"Next: report press choose {review.review_id[:8]} 1 --take, or --let-go.")


# `report press comment|sign|reply|choose`: entries of both sides of a peer review.

_NUMBERS = "1 to 6, or its id: " + ", ".join(domain.id for domain in DOMAINS)


def find_review(store: Store, named: str) -> Review:
    """Find the review with this id, or the only one whose id starts with it."""
    every = [review.review_id for review in reviews(store)]
    found = [review_id for review_id in every if review_id == named] or [i for i in every if i.startswith(named)]
    if not every:
        raise NotFoundError(
            "no peer reviews in this workspace: request one with report press begin, or import one with report "
            "press bring"
        )
    if not found:
        raise NotFoundError(f'no peer review "{named[:80]}": choose one of {", ".join(i[:8] for i in every[:8])}')
    if len(found) > 1:
        raise InputError(f'"{named}" matches {", ".join(i[:12] for i in found[:8])}: give a longer id')
    return load_review(store, found[0])


def domain_named(named: str) -> Domain:
    """Find a domain by its number or its id."""
    for domain in DOMAINS:
        if named in (str(domain.number), domain.id):
            return domain
    raise InputError(f'PRESS has no domain "{named[:80]}": choose {_NUMBERS}')


@click.command("comment")
@click.argument("review_id", metavar="REVIEW")
@click.option("--domain", default=None, help=f"Domain: {_NUMBERS}. [default: the review as a whole]")
@click.option(
    "--verdict", type=click.Choice(get_args(Verdict)), default=None, help="Verdict: which revisions are needed."
)
@click.option("--text", default=None, help="Comment; replaces the previous one.")
@click.option("--by", default=None, help="The reviewer's name.")
@click.option("--affiliation", default=None, help="The affiliation.")
@options.output
def comment_command(
    review_id: str,
    domain: str | None,
    verdict: Verdict | None,
    text: str | None,
    by: str | None,
    affiliation: str | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Give a verdict or a comment on one domain, or on the whole string (as the reviewer)."""
    if verdict is None and text is None and by is None and affiliation is None:
        raise InputError("nothing to save: give --verdict, --text or --by")
    with Workspace.open(data_dir) as workspace:
        review = find_review(workspace.store, review_id)
        if domain is None:
            comments = review.overall_comments if text is None else text
            review = replace(review, overall=verdict or review.overall, overall_comments=comments)
        else:
            about = review.domain(domain_named(domain).id)
            comments = about.comments if text is None else text
            review = review.with_domain(replace(about, verdict=verdict or about.verdict, comments=comments))
        review = save_review(workspace.store, _named(review, by, affiliation))
    _report_press_write_tell(review, as_json=as_json)


def _named(review: Review, by: str | None, affiliation: str | None) -> Review:
    was = review.reviewer
    person = Person(
        was.name if by is None else by.strip(),
        was.affiliation if affiliation is None else affiliation.strip(),
        was.email,
    )
    return replace(review, reviewer=person)


@click.command("sign")
@click.argument("review_id", metavar="REVIEW")
@click.option("--by", default=None, help="The reviewer's name, if not given yet.")
@options.output
def sign_command(review_id: str, by: str | None, data_dir: Path | None, as_json: bool) -> None:
    """Sign the review with the date (as the reviewer). Later edits are visible."""
    with Workspace.open(data_dir) as workspace:
        review = find_review(workspace.store, review_id)
        if by is not None:
            review = save_review(workspace.store, _named(review, by, None))
        review = sign(workspace.store, review.review_id)
    _report_press_write_tell(review, as_json=as_json)


@click.command("reply")
@click.argument("review_id", metavar="REVIEW")
@click.option(
    "--domain", "replies", nargs=2, multiple=True, metavar="DOMAIN TEXT", help=f"Reply on one domain: {_NUMBERS}."
)
@click.option("--text", default=None, help="Reply on the review as a whole.")
@options.output
def reply_command(
    review_id: str, replies: tuple[tuple[str, str], ...], text: str | None, data_dir: Path | None, as_json: bool
) -> None:
    """Reply to the review (as the requestor). Signed parts don't change."""
    if not replies and text is None:
        raise InputError("nothing to save: give --domain 2 TEXT, or --text TEXT")
    entries = {domain_named(domain).id: words for domain, words in replies}
    with Workspace.open(data_dir) as workspace:
        review = find_review(workspace.store, review_id)
        review = reply(workspace.store, review.review_id, replies=entries, overall=text)
    _report_press_write_tell(review, as_json=as_json)


@click.command("choose")
@click.argument("review_id", metavar="REVIEW")
@click.argument("number", type=click.IntRange(min=1))
@click.option("--take/--let-go", "take_it", default=None, help="Use the other side's text, or drop it.")
@options.output
def choose_command(review_id: str, number: int, take_it: bool | None, data_dir: Path | None, as_json: bool) -> None:
    """Resolve a conflict: use the other side's text, given by its number, or drop it.

    If you use it, the replaced text is kept among the conflicts.
    """
    if take_it is None:
        raise InputError("choose --take to use the other text, or --let-go to drop it")
    with Workspace.open(data_dir) as workspace:
        review = find_review(workspace.store, review_id)
        review = choose(workspace.store, review.review_id, number - 1, take_it=take_it)
    _report_press_write_tell(review, as_json=as_json)


def _report_press_write_tell(review: Review, *, as_json: bool) -> None:
    if as_json:
        print_json(review_document(review))
        return
    print_review(review)
    if review.signature is None and review.reviewer.name == "" and review.state == "under review":
        say("Note: the reviewer needs a name to sign: --by NAME.", "yellow")


# `report press`: the peer review of a search string, from the request to the reply.

LARGEST_FILE = 16 * 1024 * 1024
"""Bytes of a file to import; reviews are far smaller."""


@click.group(cls=LazyGroup)
def press() -> None:
    """Have a search string peer reviewed in the six domains of PRESS 2015; two people exchange one file.

    You: begin, export. The other person: bring, comment, sign, export. Then you: bring, reply. Without a second person,
    check reports on any search string at once.
    """


@press.command("list")
@click.option("--topic", default=None, help="Only reviews of this topic. [default: all]")
@options.output
def list_command(topic: str | None, data_dir: Path | None, as_json: bool) -> None:
    """List the peer reviews in this workspace, last changed first."""
    with Workspace.open(data_dir) as workspace:
        if topic is not None:
            check_topic(workspace.store, topic)
        found = reviews(workspace.store, topic)
    if as_json:
        print_json({"reviews": [review_document(review) for review in found]})
        return
    if not found:
        say('No peer reviews yet. Request one with "report press begin --topic T --version V".')
        return
    grid = table(
        "Peer reviews", "Review", "Topic", "Version or search", "State", "Domains", "Verdict", "Reviewer", right=(4,)
    )
    for review in found:
        verdict = VERDICTS[review.overall] if review.overall else NONE
        decided = f"{review.n_decided} of {len(review.domains)}"
        name = review.reviewer.name or NONE
        row(grid, review.review_id[:8], review.topic, review.version, review.state, decided, verdict, name)
    results().print(grid)


@press.command("begin")
@options.topic
@click.option("--version", "label", default=None, help="Version to review.")
@click.option("--search", "number", type=int, default=None, help="Recorded search to review, by its number.")
@click.option("--by", "requestor", default="", help="Your name, as the requestor.")
@click.option("--affiliation", default="", help="The affiliation.")
@click.option("--question", default="", help="The research question.")
@click.option("--database", default="", help="Database and platform of the search string.")
@click.option("--included", default="", help="Inclusion criteria.")
@click.option("--excluded", default="", help="Exclusion criteria.")
@click.option("--notes", default="", help="Notes for the reviewer.")
@click.option("--wanted-by", default="", help="Date by which the review is needed.")
@options.embedder
@options.output
def begin_command(
    topic: str,
    label: str | None,
    number: int | None,
    requestor: str,
    affiliation: str,
    embedder: str | None,
    data_dir: Path | None,
    as_json: bool,
    **texts: str,
) -> None:
    """Request a review of a version or a recorded search, with evidence about its search string for each domain."""
    person = Person(requestor.strip() or author(), affiliation.strip())
    request = Request(**{name: text.strip() for name, text in texts.items()})
    if (label is None) == (number is None):
        raise InputError("choose the search string to review with either --version LABEL or --search NUMBER")
    with Workspace.open(data_dir) as workspace:
        if label is not None:
            review = new_review(workspace, topic, label, requestor=person, request=request, embedder=embedder)
        else:
            search = find_search(workspace.store, topic, number or 0)
            review = review_of_search(workspace, topic, search, requestor=person, request=request, embedder=embedder)
    if as_json:
        print_json(review_document(review))
        return
    print_review(review)
    next_step = f"report press export {review.review_id[:8]} --out {file_name(review)}"
    say(f"Next: {next_step}, and send the file to the reviewer.")


@press.command("export")
@click.argument("review_id", metavar="REVIEW")
@click.option(
    "--out", required=True, help="Output file: .press.json to exchange; .html, .docx or .md to read and print."
)
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@options.output
def export_command(review_id: str, out: str, force: bool, data_dir: Path | None, as_json: bool) -> None:
    """Write a review to a file, to exchange or to read."""
    check_place(Path(out), force=force)
    with Workspace.open(data_dir) as workspace:
        review = find_review(workspace.store, review_id)
    content = _content(review, out)
    with written_aside(Path(out)) as file:
        file.write(content)
    if as_json:
        print_json({**review_document(review), "file": out, "n_bytes": len(content)})
    else:
        tell(f"Review of {review.subject} ({review.state}) written to {out}.", soft_wrap=True)


def _content(review: Review, out: str) -> bytes:
    if out.lower().endswith(".json"):
        return exchange_text(review).encode()
    form = format_of(out)
    if form.form == "zip":
        raise FileError(
            "a review can't be written as a bundle: choose .press.json to exchange it, or .html, .docx or .md to "
            "read it"
        )
    return document_file(press_document(review, made_at=utc_now(), made_with=MADE_WITH), form)


@press.command("bring")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--topic", default=None, help="Topic to add a new review to. [default: the topic in the file]")
@options.output
def bring_command(file: Path, topic: str | None, data_dir: Path | None, as_json: bool) -> None:
    """Import the other side's file; an existing review is merged without losing text."""
    content = _bytes_of(file)
    with Workspace.open(data_dir) as workspace:
        if topic is not None:
            check_topic(workspace.store, topic)
        brought = bring_review(workspace, content, topic_id=topic)
    review = brought.review
    if as_json:
        told = {"is_new": brought.is_new, "taken": brought.taken, "both_kept": brought.both_kept}
        print_json({**review_document(review), **told, "edited": brought.edited, "notes": brought.notes})
        return
    print_review(review)
    changed = (
        "New review added." if brought.is_new else f"Changed by the file: {', '.join(brought.taken) or 'nothing'}."
    )
    tell(changed, soft_wrap=True)
    if in_file := [part for part in brought.edited if part not in edited_parts(review)]:
        say(f"Note: changed after signing, in the file: {listed(in_file)}.", "yellow")
    for note in brought.notes:
        say(f"Note: {note}", "yellow")


def _bytes_of(file: Path) -> bytes:
    """Read the file; raise an error if it can't be read or is far too large."""
    try:
        with file.open("rb") as opened:
            content = opened.read(LARGEST_FILE + 1)
    except OSError as e:
        raise FileError(f"{file} can't be read ({e.strerror or e}): check its name") from e
    if len(content) > LARGEST_FILE:
        raise FileError(f"{file} is larger than {LARGEST_FILE // 1024**2} MB, too large for a review")
    return content


for command in (check_command, comment_command, sign_command, reply_command, choose_command):
    press.add_command(command)


# `report`: the audit of a search as a file, its completeness, and the rebuilding of a bundle.

KINDS: tuple[ReportKind, ...] = get_args(ReportKind)


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    epilog=options.examples(
        "report --topic masks --check", "report --topic masks --out audit.docx", "report --from bundle.zip"
    ),
)
@click.option("--topic", default=None, help="Topic name.")
@click.option("--version", "labels", multiple=True, help="Version label (repeatable). [default: all]")
@click.option(
    "--what",
    type=click.Choice(KINDS),
    default=None,
    help="Part of the audit to report. [default: audit, which is all of it]",
)
@click.option("--out", default=None, help="Output file: .html, .docx, .md, .json, or .zip for a bundle.")
@click.option("--final", is_flag=True, help="Leave out everything that is still to be answered. [default: no]")
@click.option(
    "--reference",
    type=click.Path(path_type=Path),
    default=None,
    help="Word document whose styles, page, header and footer a .docx report takes.",
)
@click.option("--abstracts", is_flag=True, help="Include abstracts in the report. [default: no]")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@click.option("--check", is_flag=True, help="Only show how complete the record is, item by item, with the next steps.")
@click.option(
    "--from",
    "bundle",
    type=click.Path(path_type=Path),
    default=None,
    help="Check a bundle and rebuild its reports; --out saves the tables (a folder) or the report (a file).",
)
@options.embedder
@scoring.settings
@options.output
@click.pass_context
def report(context: click.Context, /, **given: Any) -> None:
    """Report on a search so that another person can check and repeat it: PRISMA-S, peer review (PRESS) and scores.

    report --topic T --out FILE writes it, --check lists what is missing, and --from BUNDLE rebuilds someone else's
    bundle. "say" answers items without a record, "press" runs a peer review. Everything stays on this machine.
    """
    asked = [p.name for p in context.command.params if p.name and options.is_given(context, p.name)]
    if context.invoked_subcommand is not None:
        if asked:
            flag = "--version" if asked[0] == "labels" else f"--{asked[0].replace('_', '-')}"
            raise click.UsageError(f"put {flag} after {context.invoked_subcommand}, not before it", context)
        return
    if given["bundle"] is not None:
        _refuse(context, "bundle", ("topic", "labels", "what", "check", "abstracts", "embedder", "final", "reference"))
        rebuild_bundle(given["bundle"], given["out"], force=given["force"], as_json=given["as_json"])
        return
    if given["topic"] is None:
        raise InputError("choose a topic with --topic T (topics lists them), or a bundle with --from BUNDLE")
    if given["check"]:
        _refuse(context, "check", ("what", "out", "abstracts", "force", "embedder", "final", "reference"))
        check_record(given["topic"], given["labels"] or None, given["data_dir"], as_json=given["as_json"])
        return
    if given["out"] is None:
        raise InputError(
            "choose a file with --out FILE (.html, .docx, .md, .json, or .zip for a bundle), or use --check"
        )
    make_report(_asked(given), given["out"], force=given["force"], data_dir=given["data_dir"], as_json=given["as_json"])


report.add_command(say_command)
report.add_command(confirm_command)
report.add_command(diagram_command)
report.add_command(press)


def _refuse(context: click.Context, mode: str, others: tuple[str, ...]) -> None:
    """Raise an error if an option was given that has no meaning in this mode."""
    words = {"bundle": "--from", "labels": "--version"}
    for name in others:
        if options.is_given(context, name):
            raise InputError(f"{words.get(name, '--' + name)} can't be used with {words.get(mode, '--' + mode)}")


def _asked(given: dict[str, Any]) -> ReportRequest:
    flags = {name: value for name, value in given.items() if name in _SETTINGS}
    return ReportRequest(
        given["what"] or "audit",
        given["topic"],
        tuple(dict.fromkeys(given["labels"])) or None,
        given["embedder"],
        scoring.read_settings(flags),
        given["abstracts"],
        given["final"],
        None if given["reference"] is None else read_bytes(given["reference"]),
    )


_SETTINGS = {
    parameter.name for parameter in click.command()(scoring.settings(lambda **flags: None)).params if parameter.name
}
