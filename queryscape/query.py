"""Search strings: check, translate, explain, as `queryscape query` does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack, get_args

from core.errors import InputError
from core.text import many
from queryscape.results import QueryCheck, QueryExplanation, QueryTranslation, shortened

if TYPE_CHECKING:
    from core.query.match import Semantics
    from core.query.tree import DialectId
    from queryscape.evaluation import SettingNames
    from queryscape.workspace import TopicVersion, WorkspaceTopic

__all__ = ["check", "explain", "translate"]


def _text(text: object) -> str:
    if not isinstance(text, str):
        raise InputError(f"the search string must be a text, got {type(text).__name__}")
    return text


def read_dialect(name: str | None, what: str = "dialect") -> DialectId | None:
    """Return the dialect with this name or label, in any case.

    >>> read_dialect("Ovid"), read_dialect("Web of Science")
    ('ovid', 'wos')
    """
    from core.query.dialects import DIALECTS

    if name is None:
        return None
    known: dict[str, DialectId] = {each.label.casefold(): dialect for dialect, each in DIALECTS.items()}
    known |= {dialect: dialect for dialect in DIALECTS}
    if not isinstance(name, str) or name.strip().casefold() not in known:
        raise InputError(f'no dialect "{name}" ({what}): choose one of {", ".join(DIALECTS)}')
    return known[name.strip().casefold()]


def check_semantics(semantics: str | None) -> None:
    from core.query.match import Semantics

    if semantics is not None and semantics not in (known := get_args(Semantics)):
        raise InputError(f'no semantics "{semantics}": choose {" or ".join(known)}')


def check_errors(text: str, dialect: DialectId | None) -> None:
    """Raise an error with the first error of a search string and its place."""
    from core.query.checks import lint
    from core.query.parser import parse

    parsed = parse(_text(text), dialect)
    errors = [finding for finding in lint(parsed) if finding.severity == "error"]
    if errors and parsed.root is not None:
        first = errors[0]
        part = shortened(first.span.of(text))
        place = f"character {first.span.start + 1}" + (f', "{part}"' if part else "")
        raise InputError(
            f"the search string has {many(len(errors), 'error')}, first at {place}: {first.message.rstrip('.')}. Fix "
            "it, or run it as it is with with_errors=True"
        )


def check(
    text: str, dialect: str | None = None, *, topic: WorkspaceTopic | None = None, semantics: Semantics = "literal"
) -> QueryCheck:
    """Show how a search string is parsed, and the problems found in it.

    `dialect`: such as pubmed or ovid; default: detected. `topic`: also check against its publications, such as terms
    without hits.

    >>> import queryscape as qs
    >>> qs.query.check("(heat OR cool", "plain")["findings"][0]["severity"]
    'error'
    """
    from core.query.checks import lint
    from core.query.checks.headings import lint_headings
    from dashboard.kit.search_strings import read_query
    from dashboard.query.commands import corpus_findings
    from dashboard.query.documents import check_document
    from data.files import WorkspacePaths
    from data.query.mesh import load_mesh

    check_semantics(semantics)
    parsed = read_query(_text(text), None, read_dialect(dialect))
    if topic is None:
        more = lint_headings(parsed, load_mesh(WorkspacePaths.of()))
    else:
        more = corpus_findings(topic.workspace.opened, topic.name, parsed, semantics)
    return QueryCheck(check_document(parsed, (*lint(parsed), *more)), parsed.text)


def translate(
    text: str,
    *,
    to: str,
    from_: str | None = None,
    database: str | None = None,
    to_database: str | None = None,
    topic: WorkspaceTopic | None = None,
) -> QueryTranslation:
    """Translate a search string to another dialect, and report what is lost.

    `database`, `to_database`: such as embase on ovid. `topic`: its words replace stems that the target refuses.

    >>> import queryscape as qs
    >>> print(qs.query.translate("heat.ti.", to="pubmed", from_="ovid"))
    heat[ti]
    """
    from core.query.translation import translate as translate_query
    from dashboard.kit.search_strings import read_search
    from dashboard.query.commands import translation_document
    from dashboard.query.databases import checked_database, database_in_text, database_named_in

    target = read_dialect(to, "to")
    assert target is not None
    parsed, names = read_search(_text(text), None, read_dialect(from_, "from_"))
    chosen = checked_database(database, parsed.dialect, "database=")
    written_for = chosen or database_named_in(names, parsed.dialect) or database_in_text(parsed)
    meant_for = checked_database(to_database, target, "to_database=")
    vocabulary = () if topic is None else topic.workspace.opened.corpora.of(topic.name).texts.vocabulary
    done = translate_query(parsed, target, database=written_for, to_database=meant_for, vocabulary=vocabulary)
    document = translation_document(
        parsed, target, done, database=written_for, to_database=meant_for, topic=topic.name if topic else None
    )
    return QueryTranslation(document, parsed.text)


def explain(
    text: str | None = None,
    *,
    topic: WorkspaceTopic,
    version: str | TopicVersion | None = None,
    dialect: str | None = None,
    semantics: Semantics | None = None,
    embedder: str | None = None,
    **named: Unpack[SettingNames],
) -> QueryExplanation:
    """Explain why each core publication of a topic is missed, and which edits find it.

    Give either the search string or a `version`. `topic`: of an open workspace, so `topic.explain(text)` is shorter.
    Settings are given by name; see `queryscape.evaluate`.
    """
    from core.query.explanations import explain as explain_missed
    from dashboard.query.commands import ask_topic, disagreements_with
    from dashboard.query.documents import explain_document
    from data.lookup import check_no_label
    from queryscape.evaluation import read_settings
    from queryscape.workspace import WorkspaceTopic, label_of

    if not isinstance(topic, WorkspaceTopic):
        raise InputError('explain needs a topic of an open workspace: explain(text, topic=ws.topic("Name"))')
    if (text is None) == (version is None):
        raise InputError("give either a search string or version=LABEL")
    if text is not None:
        label = _text(text).strip()
        check_no_label(topic.workspace.opened.store, topic.name, text, f'version="{label}"')
    check_semantics(semantics)
    read_settings(None, named)
    given: dict[str, Any] = {
        "label": None if version is None else label_of(version, topic.name),
        "text": text,
        "file": None,
        "dialect": read_dialect(dialect),
        "semantics": semantics,
        "embedder": topic.workspace.embedder_for(topic.name, embedder),
        **named,
    }
    workspace = topic.workspace.opened
    desk, _, asked = ask_topic(workspace, topic.name, given)
    explained = explain_missed(asked, desk.core_ids, with_rescues=desk.core_ids)
    disagreements, known = disagreements_with(workspace, desk, asked)
    return QueryExplanation(explain_document(asked, explained, disagreements, known), asked.text)
