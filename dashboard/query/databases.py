"""The databases of a platform such as Ovid: labels, defaults, and validation of typed names."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import InputError
from core.query.dialects import DIALECTS
from core.query.dialects.meanings import thesaurus_of
from core.query.exports import laid_out
from core.query.tree import DialectId, Heading, ParsedQuery, Thesaurus


def has_databases(dialect_id: DialectId) -> bool:
    """Return True if the dialect belongs to a platform with several databases."""
    return len(DIALECTS[dialect_id].databases) > 1


def is_database(name: str, dialect_id: DialectId) -> bool:
    return name in DIALECTS[dialect_id].databases


def checked_database(name: str | None, dialect_id: DialectId, option: str) -> str:
    """Return the database's name in the dialect's table; empty if none was given.

    >>> checked_database("Embase", "ovid", "--database")
    'embase'
    """
    if name is None:
        return ""
    dialect = DIALECTS[dialect_id]
    if not has_databases(dialect_id):
        raise InputError(f"{dialect.label} has only one database: leave out {option}, or choose another dialect")
    known = name.strip().lower()
    if not is_database(known, dialect_id):
        *most, last = dialect.databases
        raise InputError(f'{dialect.label} has no database "{name}": {option} takes {", ".join(most)} or {last}')
    return known


def database_named_in(names: Sequence[str], dialect_id: DialectId) -> str:
    """Return the database meant by the names in a search file; empty if there is none, or several.

    >>> database_named_in(["Ovid MEDLINE(R) ALL"], "ovid"), database_named_in(["MEDLINE", "Embase"], "ovid")
    ('medline', '')
    """
    known = [database for database in DIALECTS[dialect_id].databases if database != "other"]
    found = {database for name in names for database in known if database in name.lower()}
    return found.pop() if len(found) == 1 else ""


def database_in_text(parsed: ParsedQuery) -> str:
    """Return the database named in a header of the text, such as Embase (Ovid); empty if there is none, or several.

    >>> from core.query.parser import parse
    >>> database_in_text(parse("Database: Embase <1974 to 2020 March 12>\\n1 exp stroke/\\n2 cva.ti.\\n3 or/1-2"))
    'embase'
    """
    return database_named_in(laid_out(parsed.text).databases, parsed.dialect)


def default_database(dialect_id: DialectId) -> str:
    """Return the default database; empty if there is no choice.

    >>> default_database("ovid"), default_database("wos")
    ('medline', '')
    """
    return next(iter(_with(dialect_id, DIALECTS[dialect_id].thesaurus)), "")


def other_database(dialect_id: DialectId, database: str) -> str:
    """Return the platform's first database with another thesaurus; empty if there is none.

    >>> other_database("ovid", "medline")
    'embase'
    """
    alike = _with(dialect_id, thesaurus_of(DIALECTS[dialect_id], database))
    return next((name for name in DIALECTS[dialect_id].databases if name not in alike), "")


def _with(dialect_id: DialectId, thesaurus: Thesaurus) -> list[str]:
    return [name for name, other in DIALECTS[dialect_id].databases.items() if other == thesaurus]


def needs_database(parsed: ParsedQuery) -> bool:
    """Return True if the choice of a database can change a translation: only subject headings depend on it."""
    return any(isinstance(node, Heading) for node in parsed.nodes)
