"""The `report` commands about the record: answer an item, confirm what is likely, and draw the flow diagram."""

from __future__ import annotations

from pathlib import Path

import click

from core.audit.flow import flow_of
from core.audit.prisma_items import ALL_FLOW_LABELS, ITEMS, TEMPLATE, TITLE_PAGE
from core.audit.prisma_s import completeness, fill
from core.audit.strategies import ANSWERED, AnswerState, AuditFacts
from core.errors import FileError, InputError, NotFoundError
from core.text import many
from dashboard.kit import options
from dashboard.kit.output import print_json, tell
from dashboard.kit.search_strings import file_text
from data.audit.reports import DIAGRAM_FORMATS, ReportRequest, diagram_bytes, record
from data.audit.searches import confirm_likely, unsay
from data.audit.searches import say as save_answer
from data.changes import author
from data.explore.workspace import Workspace
from data.files import written_aside
from data.lookup import check_topic


def check_place(path: Path, *, force: bool) -> None:
    """Raise an error if the file can't be written here, before any work is done."""
    if path.is_dir():
        raise FileError(f"{path} is a folder: give a file name")
    if not path.absolute().parent.is_dir():
        raise FileError(f"the folder {path.parent} does not exist: create it, or choose another")
    if path.exists() and not force:
        raise FileError(f"{path} already exists: choose another name, or overwrite it with --force")


@click.command("say")
@click.argument("item")
@options.topic
@click.option("--text", default=None, help="Answer in your own words; for the flow diagram, a number.")
@click.option(
    "--file", type=click.Path(path_type=Path), default=None, help="Text file with the answer (- for standard input)."
)
@click.option("--confirm", is_flag=True, help="Confirm the prefilled answer.")
@click.option("--not-done", is_flag=True, help="Mark the item as not part of the search.")
@click.option("--take-back", is_flag=True, help="Withdraw the answer.")
@click.option("--by", default="", help="Your name.")
@options.output
def say_command(
    item: str,
    topic: str,
    text: str | None,
    file: Path | None,
    confirm: bool,
    not_done: bool,
    take_back: bool,
    by: str,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Answer an item of the record, by number (1 to 16) or by name, such as prisma-s:5 or flow:screened."""
    ways = {"--text": text is not None, "--file": file is not None, "--confirm": confirm, "--not-done": not_done}
    ways["--take-back"] = take_back
    if sum(ways.values()) != 1:
        raise InputError(f"give exactly one of {', '.join(ways)}")
    named = f"prisma-s:{item}" if item.isdecimal() else item
    if file is not None:
        text = file_text(file)
    with Workspace.open(data_dir) as workspace:
        check_topic(workspace.store, topic)
        facts = record(workspace, ReportRequest("prisma-s", topic))
        recorded = _recorded(facts, named)
        if take_back:
            if named not in facts.answers:
                raise NotFoundError(f"{named} has no answer to withdraw")
            unsay(workspace.store, topic, named)
        else:
            state: AnswerState = "confirmed" if confirm else "not done" if not_done else "own"
            if confirm and not recorded:
                raise InputError(f"{named} has no recorded or prefilled text to confirm: answer with --text")
            words = recorded if confirm else (text or "").strip()
            if state == "own" and not words:
                raise InputError(
                    "the answer is empty: give one with --text, or withdraw the current one with --take-back"
                )
            save_answer(workspace.store, topic, named, state=state, text=words, said_by=by.strip() or author())
        after = record(workspace, ReportRequest("prisma-s", topic))
    _tell(topic, named, after, as_json=as_json)


def _recorded(facts: AuditFacts, named: str) -> str:
    """Return the text prefilled from the record; raise an error if there is no such item."""
    for one in fill(facts):
        if one.item.item == named:
            return one.recorded
    numbers = {number.item: number for number in flow_of(facts).numbers}
    if named in numbers:
        known = numbers[named].recorded
        return "" if known is None else str(known)
    if named in ALL_FLOW_LABELS or named in TITLE_PAGE or named == TEMPLATE:
        return ""
    raise NotFoundError(
        f'no item "{named[:80]}": choose 1 to {len(ITEMS)}, {", ".join((TEMPLATE, *ALL_FLOW_LABELS, *TITLE_PAGE))}'
    )


def _tell(topic: str, named: str, facts: AuditFacts, *, as_json: bool) -> None:
    """Print `report say --json`: topic, item, state, text, said_by, said_at, completeness; null without an answer."""
    filled, answer = fill(facts), facts.answers.get(named)
    states = {one.item.item: one.state for one in filled} | {n.item: n.state for n in flow_of(facts).numbers}
    complete = completeness(filled)
    if as_json:
        print_json(
            {
                "topic": topic,
                "item": named,
                "state": states.get(named, ANSWERED if answer else "open"),
                "text": answer.text if answer else None,
                "said_by": answer.said_by if answer else None,
                "said_at": answer.said_at if answer else None,
                "completeness": complete.sentence,
            }
        )
        return
    what = "saved" if answer else "withdrawn"
    tell(f"{named} of {topic}: {what}. {complete.sentence}", soft_wrap=True)


@click.command("confirm")
@options.topic
@click.option("--by", default="", help="Your name.")
@options.output
def confirm_command(topic: str, by: str, data_dir: Path | None, as_json: bool) -> None:
    """Confirm every prefilled item and number of the record. Answers of people stay; "say" withdraws one."""
    with Workspace.open(data_dir) as workspace:
        check_topic(workspace.store, topic)
        facts = record(workspace, ReportRequest("prisma-s", topic))
        denials = [line for one in fill(facts) if one.state == "likely" for line in one.denials]
        confirmed = confirm_likely(workspace.store, facts, said_by=by.strip() or author())
        complete = completeness(fill(record(workspace, ReportRequest("prisma-s", topic))))
    if as_json:
        print_json(
            {"topic": topic, "confirmed": list(confirmed), "completeness": complete.sentence, "denials": denials}
        )
        return
    tell(f"{topic}: {many(len(confirmed), 'prefilled answer')} confirmed. {complete.sentence}", soft_wrap=True)
    if denials:
        tell(f"This also says: {' '.join(denials)} Correct what is not so with `report say`.", soft_wrap=True)


@click.command("diagram")
@options.topic
@click.option("--version", "labels", multiple=True, help="Version label (repeatable). [default: all]")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Output file: .svg, .png or .docx.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@options.output
def diagram_command(
    topic: str, labels: tuple[str, ...], out: Path, force: bool, data_dir: Path | None, as_json: bool
) -> None:
    """Draw the PRISMA 2020 flow diagram. "say flow:template --text new-other" chooses another of the four."""
    form = next((form for form in DIAGRAM_FORMATS if out.suffix.lower() == f".{form}"), None)
    if form is None:
        raise InputError(f"a diagram is a .svg, .png or .docx file, got {out.name}")
    check_place(out, force=force)
    with Workspace.open(data_dir) as workspace:
        facts = record(workspace, ReportRequest("prisma-s", topic, labels or None))
    with written_aside(out) as file:
        file.write(diagram_bytes(facts, form))
    flow = flow_of(facts)
    if as_json:
        numbers = {number.item: number.n for number in flow.numbers}
        warnings = [*flow.warnings, *flow.disagreements]
        print_json({"topic": topic, "template": flow.template, "flow": numbers, "warnings": warnings, "file": str(out)})
        return
    for sentence in (f"Written: {out}", *flow.warnings, *flow.disagreements):
        tell(sentence, soft_wrap=True)
