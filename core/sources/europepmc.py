"""Write a search string as the `query` of Europe PMC.

Documentation: Europe PMC, "Search syntax reference" (europepmc.org/searchsyntax) and "Articles RESTful API"
(europepmc.org/RestfulWebService). A field precedes a word, a phrase or a bracket: TITLE:, ABSTRACT:, TITLE_ABS:, KW:
(the authors' keywords and MeSH headings together), PUB_YEAR:[a TO b]. Without a field the full text is searched too, so
every word gets one. * matches any letters; no proximity operator is documented.
"""

from __future__ import annotations

import re
from dataclasses import replace

from core.query.adaptation import Loss, runs_of
from core.query.dialects import DIALECTS
from core.query.leaf_texts import Fields, Note, in_words
from core.query.tree import (
    ANY_ENDING,
    TEXT_FIELDS,
    Group,
    Heading,
    Near,
    Node,
    Not,
    ParsedQuery,
    Range,
    Term,
    in_fields,
    in_order,
    terms_in,
    with_leaves,
)
from core.sources.source_forms import (
    SourceOptions,
    SourceTree,
    WrittenLeaf,
    by_number,
    source_tree,
    unsearched,
    whole_loss,
    with_plain_signs,
    write_words,
    write_years,
)

_LABEL = "Europe PMC"
_DIALECT = replace(DIALECTS["dimensions"], label=_LABEL, wildcards={"*": ANY_ENDING}, window=None)
"""The rules for words are those of Dimensions, except that * is the only wildcard and there is no proximity."""
_NAMED: dict[str, str] = {
    "author": "AUTH",
    "affiliation": "AFF",
    "journal": "JOURNAL",
    "publication_type": "PUB_TYPE",
    "publication_type_only": "PUB_TYPE",
    "doi": "DOI",
    "substance": "CHEM",
    "language": "LANG",
    "pmid": "EXT_ID",
    "identifier": "EXT_ID",
    "full_text": "BODY",
    "subject": "KW",
}
"""Names of the other fields; the first that fits is used."""
_LANGUAGES = {
    "english": "eng", "french": "fre", "german": "ger", "spanish": "spa", "portuguese": "por", "italian": "ita",
    "dutch": "dut", "russian": "rus", "chinese": "chi", "japanese": "jpn", "korean": "kor", "polish": "pol",
    "turkish": "tur", "swedish": "swe", "danish": "dan", "norwegian": "nor", "finnish": "fin", "czech": "cze",
    "hungarian": "hun",
}  # fmt: skip
_LANGUAGE_CODE = re.compile(r"[a-z]{3}")
_EARLIEST, _LATEST = 1500, 3000


def europepmc_form(parsed: ParsedQuery, root: Node, choices: SourceOptions) -> SourceTree:
    """Return the search with a field before every word.

    >>> from core.query.parser import parse
    >>> parsed = parse('TI=(heat OR "heat wave") AND (shade OR tree*) AND PY=2018-2020')
    >>> told = europepmc_form(parsed, parsed.root, SourceOptions())
    >>> print(told.write(told.root))
    TITLE:(heat OR "heat wave") AND (TITLE_ABS:(shade OR tree*) OR KW:(shade OR tree*)) AND PUB_YEAR:[2018 TO 2020]
    """
    del choices
    made = source_tree(root, lambda node, number: _leaf(node))
    losses = [*made.losses, *_about_all(parsed, root)]
    if made.root is None:
        return replace(made, losses=by_number(losses))
    return SourceTree(with_leaves(made.root, _plain), by_number(losses), written)


def _about_all(parsed: ParsedQuery, root: Node) -> list[Loss]:
    found = []
    if loss := unsearched(parsed, root, _LABEL, TEXT_FIELDS):
        found.append(loss)
    if any("keywords" in (term.fields or TEXT_FIELDS) for term in terms_in(root)):
        message = f"{_LABEL} stores MeSH headings among its keywords: words are found there too."
        found.append(whole_loss(parsed, root, "widened", message))
    return found


# Leaves


def _leaf(node: Node) -> WrittenLeaf:
    if isinstance(node, Range):
        return write_years(node)
    if isinstance(node, Heading):
        return _heading(node)
    if isinstance(node, Near):
        made = source_tree(_apart(node), lambda part, number: _leaf(part))
        near: Note = ("widened", f"{_LABEL} has no proximity search: read as AND.")
        return made.root, [near, *((loss.status, loss.message) for loss in made.losses)]
    assert isinstance(node, Term)
    fields = in_order(set(node.fields or TEXT_FIELDS) & set(TEXT_FIELDS))
    if not fields:
        return _value(node)
    made_words, notes = write_words(node, _DIALECT)
    return (None if made_words is None else in_fields(made_words, fields)), notes


def _heading(node: Heading) -> WrittenLeaf:
    name = " ".join(node.name.replace('"', " ").split())
    term = Term((name,), True, ("subject",), span=node.span)
    if not term.chunks:
        return None, [("unsupported", "This heading has no name: left out.")]
    message = f"{_LABEL} searches all keywords for this heading"
    if node.explode:
        return term, [("unsupported", f"{message}, without its narrower headings.")]
    return term, [("widened", f"{message}.")]


def _value(node: Term) -> WrittenLeaf:
    field = next((name for name in _NAMED if name in node.fields), None)
    text = " ".join("".join(piece if isinstance(piece, str) else "*" for piece in node.pieces).split())
    text = re.sub(r'["“”\\]', "", text).strip()
    if field is None or not text:
        return None, [("unsupported", f"{_LABEL} has no field for {in_words(node.fields)}: left out.")]
    if field == "language":
        text = _LANGUAGES.get(text.lower(), text.lower())
        if not _LANGUAGE_CODE.fullmatch(text):
            return None, [("unsupported", f"{_LABEL} has its own codes for languages: left out.")]
    notes: list[Note] = []
    if field == "subject":
        notes.append(("widened", f"{_LABEL} searches all keywords for this."))
    if field != "doi" and "*" in text:
        text = text.replace("*", "")
        notes.append(("narrowed", f"{_LABEL} allows no wildcard here: left out."))
    return replace(node, pieces=(text,), quoted=True, fields=(field,), exact=False), notes


def _apart(node: Node) -> Node:
    if isinstance(node, Near):
        parts = tuple(_apart(part) for part in node.parts)
        return Group("AND", parts, span=node.span)
    if isinstance(node, Term) and len(node.chunks) > 1:  # side by side in a Near
        return replace(node, quoted=True)
    return replace(node, parts=tuple(map(_apart, node.parts))) if isinstance(node, Group) else node


def _plain(node: Node) -> Node:
    return with_plain_signs(node) if isinstance(node, Term) and set(node.fields) <= set(TEXT_FIELDS) else node


# Writing


def written(node: Node) -> str:
    return _text(node, top=True)


def _text(node: Node, *, top: bool = False) -> str:
    if isinstance(node, Not):
        return f"NOT {_text(node.part)}"
    if isinstance(node, Range):
        if node.low is not None and node.low == node.high:
            return f"PUB_YEAR:{node.low}"
        low, high = (_EARLIEST if node.low is None else node.low), (_LATEST if node.high is None else node.high)
        return f"PUB_YEAR:[{low} TO {high}]"
    if isinstance(node, Group):
        text, closed = _group(node)
        return text if top or closed else f"({text})"
    assert isinstance(node, Term)
    if node.fields and node.fields[0] in _NAMED:
        value = f'{_NAMED[node.fields[0]]}:"{node.pieces[0]}"'
        return f"({value} AND SRC:MED)" if node.fields in (("pmid",), ("identifier",)) else value
    runs = [node] if node.quoted else runs_of(node)
    texts = [_anywhere([run]) for run in runs]
    return texts[0] if len(texts) == 1 else f"({' AND '.join(texts)})"


def _group(node: Group) -> tuple[str, bool]:
    if node.operator == "OR":
        lists: dict[Fields, list[Term]] = {}
        others: list[str] = []
        for part in node.parts:
            if isinstance(part, Term) and part.fields[0] in TEXT_FIELDS and (part.quoted or len(part.chunks) == 1):
                lists.setdefault(part.fields, []).append(part)
            else:
                others.append(_text(part))
        texts = [_anywhere(terms) for terms in lists.values()] + others
        return (texts[0], True) if len(texts) == 1 else (" OR ".join(texts), False)
    out = ""
    for part in node.parts:
        out += _text(part) if not out else f" {_text(part)}" if isinstance(part, Not) else f" AND {_text(part)}"
    return out, False


def _anywhere(terms: list[Term]) -> str:
    fields = set(terms[0].fields or TEXT_FIELDS)
    if {"title", "abstract"} <= fields:
        names = ["TITLE_ABS"]
    else:
        names = [name.upper() for name in ("title", "abstract") if name in fields]
    names += ["KW"] if "keywords" in fields else []
    texts = [_word(term) for term in terms]
    inside = texts[0] if len(texts) == 1 else f"({' OR '.join(texts)})"
    alternatives = " OR ".join(f"{name}:{inside}" for name in names)
    return alternatives if len(names) == 1 else f"({alternatives})"


def _word(term: Term) -> str:
    text = " ".join("".join(piece if isinstance(piece, str) else "*" for piece in term.pieces).split())
    is_word = not term.quoted and text.replace("*", "").isalnum()
    return text if is_word else f'"{text}"'
