"""A search string as each source takes it, with what that loses."""

from __future__ import annotations

from collections.abc import Callable

from core.errors import InputError
from core.query.reading.lexer import LONGEST
from core.query.tree import Node, Not, ParsedQuery
from core.query.writing.adapting import Loss
from core.sources.sending import dimensions, europepmc, openalex, pubmed, semanticscholar
from core.sources.sending.beyond_words import dates_of, unread
from core.sources.sending.filters import by_number
from core.sources.sending.saying import LABELS, Said, is_negative
from core.sources.sending.splitting import encoded_size, split
from core.sources.types import Choices, Form, Prepared, SourceId

_USUAL = Choices()
_SAY: dict[SourceId, Callable[[ParsedQuery, Node, Choices], Said]] = {
    "openalex": openalex.say,
    "europepmc": europepmc.say,
    "semanticscholar": semanticscholar.say,
    "dimensions": dimensions.say,
}


def prepare(parsed: ParsedQuery, source: SourceId, choices: Choices = _USUAL, *, room: int | None = None) -> Prepared:
    """The text, or the texts, that are sent to a source.

    `room`: bytes that one text may take when it is percent-encoded; None: any number. A string that was written for
    PubMed goes to PubMed as it is. InputError: there is nothing to search for, or nothing of it can be sent.

    >>> from core.query.reading.parse import parse
    >>> made = prepare(parse("(adapt* OR shade) AND PY=2018-2020"), "openalex")
    >>> made.forms[0].text
    'title_and_abstract.search:(adapt OR shade),publication_year:2018-2020'
    >>> made.losses[1].message
    'OpenAlex takes no * in this filter, so it is left out: only adapt and, with stemming, its usual forms are found.'
    """
    root = _checked(parsed, source)
    if source == "pubmed":
        return _for_pubmed(parsed, choices, room)
    made = _SAY[source](parsed, root, choices)
    if made.root is None or isinstance(made.root, Not):
        raise InputError(_why_nothing(made, source))
    pieces = split(made.root, made.write, room, label=LABELS[source])
    forms = tuple(Form(i, piece.text) for i, piece in enumerate(pieces))
    whole = pieces[0].text if len(pieces) == 1 else made.write(made.root)
    return _prepared(parsed, source, whole, forms, made.losses, choices)


def _prepared(
    parsed: ParsedQuery,
    source: SourceId,
    text: str,
    forms: tuple[Form, ...],
    losses: tuple[Loss, ...],
    choices: Choices,
) -> Prepared:
    is_same = len(forms) == 1 and forms[0].text == parsed.text
    if not (source == parsed.dialect == "pubmed" and is_same):  # PubMed reads even what we can't
        told = {loss.number for loss in losses}
        dates = [loss for loss in dates_of(parsed, LABELS[source]) if loss.number not in told]
        losses = by_number([*losses, *dates, *unread(parsed)])
    return Prepared(source, parsed.dialect, text, forms, losses, is_same and not losses, choices)


def _checked(parsed: ParsedQuery, source: SourceId) -> Node:
    label = LABELS[source]
    if len(parsed.text) > LONGEST:
        n = len(parsed.text)
        raise InputError(f"This has {n:,} characters, and no more than {LONGEST:,} are sent: is it a search string?")
    if parsed.kind == "question":
        raise InputError(f"{label} can't be asked a question in plain words: write words with AND and OR.")
    if parsed.root is None:
        raise InputError(f"There is nothing to search for in {label}: type at least one word.")
    return parsed.root


def _for_pubmed(parsed: ParsedQuery, choices: Choices, room: int | None) -> Prepared:
    if parsed.dialect != "pubmed" and parsed.root is not None and is_negative(parsed.root):
        raise InputError(_needs_something("pubmed"))
    text, losses = pubmed.text_of(parsed)
    if not text.strip():
        why = losses[0].message if losses else "no word is left."
        raise InputError(f"Nothing of this can be sent to PubMed: {why}")
    if room is not None and (size := encoded_size(text)) > room:
        raise InputError(f"PubMed takes {room:,} bytes at once, and this has {size:,}: shorten it.")
    return _prepared(parsed, "pubmed", text, (Form(0, text),), losses, choices)


def _why_nothing(made: Said, source: SourceId) -> str:
    if made.root is not None:
        return _needs_something(source)
    why = made.losses[0].message if made.losses else "no word is left."
    return f"Nothing of this can be sent to {LABELS[source]}: {why}"


def _needs_something(source: SourceId) -> str:
    label = LABELS[source]
    return f"{label} needs something to search for before it can leave anything out: write it before the NOT."
