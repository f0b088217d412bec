"""Read a search string from an argument, a text file, a search file of another program, or a stored version."""

from __future__ import annotations

import codecs
import sys
from pathlib import Path

from core.errors import FileError, InputError
from core.query.parser import parse
from core.query.translation import SearchDocument, looks_like_document, read_documents
from core.query.tree import DialectId, Finding, ParsedQuery
from core.text import many
from dashboard.kit.output import say
from data.lookup import version_with_text
from data.query.search import dialect_of
from data.store import Store

LARGEST_FILE = 2_000_000
"""Bytes."""


def read_query(text: str | None, file: Path | None, dialect: DialectId | None) -> ParsedQuery:
    """Read the query from one of the two places, a search file in its platform's dialect unless `dialect` is given."""
    return read_search(text, file, dialect)[0]


def read_search(text: str | None, file: Path | None, dialect: DialectId | None) -> tuple[ParsedQuery, tuple[str, ...]]:
    """Read the query as `read_query` does, and the databases listed in a search file."""
    if (text is None) == (file is None):
        raise InputError("give the search string either as an argument or with --file FILE")
    if file is not None:
        text = file_text(file)
    assert text is not None
    document = document_in(text)
    if document is None:
        return parse(text, dialect), ()
    if document.platform and document.dialect is None and dialect is None:
        say(f'Note: the platform "{document.platform}" is unknown; the dialect is detected from the text.')
    return document.parsed(dialect), document.database


def warn_of_errors(parsed: ParsedQuery) -> tuple[Finding, ...]:
    """Print and return the errors of a search string that is run as it is, each with its place; also with --quiet."""
    errors = tuple(finding for finding in parsed.findings if finding.severity == "error")
    if errors:
        say(
            f"Warning: the search string has {many(len(errors), 'error')} and is run as it is. "
            'Fix it with the help of "queryscape query check", and run it again.',
            "yellow",
            always=True,
        )
    for error in errors:
        message = error.message.rstrip(".")
        say(f"  characters {error.span.start}-{error.span.end}: {message}.", "yellow", always=True)
    return errors


def version_query(store: Store, topic: str, label: str, dialect: DialectId | None) -> ParsedQuery:
    """Read the query of a version in the dialect in which it was run, unless `dialect` is given."""
    version = version_with_text(store, topic, label).version
    return parse(version.text, dialect or dialect_of(version))


def file_text(file: Path) -> str:
    """Read a file in any encoding; - is standard input."""
    try:
        if str(file) == "-":
            content = sys.stdin.buffer.read(LARGEST_FILE + 1)
        else:
            with file.open("rb") as opened:
                content = opened.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as e:
        raise FileError(f"{file} can't be read ({getattr(e, 'strerror', None) or e}): check the path") from e
    if len(content) > LARGEST_FILE:
        raise FileError(f"{file} has more than {LARGEST_FILE:,} bytes: choose a file with a search string")
    return text_of(content, str(file))


def text_of(content: bytes, name: str) -> str:
    """Decode UTF-8, else the encodings of old editors and spreadsheets."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", errors="replace")
    if b"\x00" in content:
        raise FileError(f"{name} is not a text file: save the search string as plain text")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def document_in(text: str) -> SearchDocument | None:
    """Return the first search of a JSON document; None: the text is the search itself."""
    if not looks_like_document(text):
        return None
    documents = read_documents(text)
    if len(documents) > 1:
        say(f"Note: the file has {len(documents)} searches; the first is used.")
    return documents[0]
