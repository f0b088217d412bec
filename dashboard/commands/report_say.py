"""`report say`: an answer to what nobody recorded, or a word that what was prefilled is right."""

from __future__ import annotations

from pathlib import Path

import click

from core.audit.reporting.about_strategies import completeness, fill
from core.audit.reporting.numbers import flow_of
from core.audit.reporting.saying import ITEMS
from core.audit.types import AnswerState, AuditFacts
from core.errors import InputError, NotFoundError
from dashboard.commands import options
from dashboard.commands.output import print_json, results, shown
from dashboard.commands.query_files import file_text
from data.audit.gathering.here import say, unsay
from data.audit.reports import Asked, record
from data.lookup import check_topic
from data.workspace import Workspace


@click.command("say")
@click.argument("item")
@options.topic
@click.option("--text", default=None, help="The answer, in your words; of a number of the flow diagram, the number.")
@click.option("--file", type=click.Path(path_type=Path), default=None, help="The answer, from a text file; - is input.")
@click.option("--confirm", is_flag=True, help="What is prefilled is right.")
@click.option("--not-done", is_flag=True, help="This was no part of the search.")
@click.option("--take-back", is_flag=True, help="Take the answer back.")
@click.option("--by", default="", help="Who says so.")
@options.data_dir
@options.as_json
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
    """Answer an item of the record: its number (1 to 16) or its name, such as prisma-s:5 or flow:screened."""
    ways = {"--text": text is not None, "--file": file is not None, "--confirm": confirm, "--not-done": not_done}
    ways["--take-back"] = take_back
    if sum(ways.values()) != 1:
        raise InputError(f"say one of {', '.join(ways)}")
    named = f"prisma-s:{item}" if item.isdecimal() else item
    if file is not None:
        text = file_text(file)
    with Workspace.open(data_dir) as workspace:
        check_topic(workspace.store, topic)
        facts = record(workspace, Asked("prisma-s", topic))
        recorded = _recorded(facts, named)
        if take_back:
            if named not in facts.answers:
                raise NotFoundError(f"nobody has said anything about {named}, so there is nothing to take back")
            unsay(workspace.store, topic, named)
        else:
            state: AnswerState = "confirmed" if confirm else "not done" if not_done else "own"
            if confirm and not recorded:
                raise InputError(f"nothing is recorded or prefilled for {named} to confirm: say it with --text")
            words = recorded if confirm else (text or "").strip()
            if state == "own" and not words:
                raise InputError("an answer needs words: --text TEXT, or take the one before back with --take-back")
            say(workspace.store, topic, named, state=state, text=words, said_by=by.strip())
        after = record(workspace, Asked("prisma-s", topic))
    _tell(topic, named, after, as_json=as_json)


def _recorded(facts: AuditFacts, named: str) -> str:
    """What Queryscape would say there by itself; an error if there is no such item."""
    for one in fill(facts):
        if one.item.item == named:
            return one.recorded
    numbers = {number.item: number for number in flow_of(facts).numbers}
    if named in numbers:
        known = numbers[named].recorded
        return "" if known is None else str(known)
    raise NotFoundError(f'no item "{named[:80]}": there is 1 to {len(ITEMS)}, {", ".join(numbers)}')


def _tell(topic: str, named: str, facts: AuditFacts, *, as_json: bool) -> None:
    """`report say --json`: topic, item, state, text, said_by, said_at, completeness; null where nothing is said now."""
    filled, answer = fill(facts), facts.answers.get(named)
    states = {one.item.item: one.state for one in filled} | {n.item: n.state for n in flow_of(facts).numbers}
    complete = completeness(filled)
    if as_json:
        print_json(
            {
                "topic": topic,
                "item": named,
                "state": states[named],
                "text": answer.text if answer else None,
                "said_by": answer.said_by if answer else None,
                "said_at": answer.said_at if answer else None,
                "completeness": complete.sentence,
            }
        )
        return
    what = "kept" if answer else "taken back"
    results().print(shown(f"{named} of {topic}: {what}. {complete.sentence}"), soft_wrap=True)
