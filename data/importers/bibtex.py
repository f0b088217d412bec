"""BibTeX and BibLaTeX, including damaged entries and LaTeX markup."""

from __future__ import annotations

import logging
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bibtexparser.model import Entry as Parsed
from bibtexparser.model import ImplicitComment, ParsingFailedBlock
from bibtexparser.splitter import Splitter

from core.library.kinds import kind_of
from core.library.records import RETRACTED_NOTE, Kind, RawFields, doi_of
from core.text import listed
from data.importers.source import Format, ImportEntry, ImportFile, ImportRejection, Note, Part, ReadOptions

# LaTeX markup of BibTeX fields as plain Unicode text, in one pass and without recursion.

_COMBINING = {
    '"': "\u0308",
    "'": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    ".": "\u0307",
    "u": "\u0306",
    "v": "\u030c",
    "H": "\u030b",
    "c": "\u0327",
    "d": "\u0323",
    "b": "\u0331",
    "k": "\u0328",
    "r": "\u030a",
}
_LETTERS = {
    "ss": "ß", "SS": "SS", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "o": "ø", "O": "Ø",
    "l": "ł", "L": "Ł", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ",
    "ng": "ŋ", "NG": "Ŋ",
}  # fmt: skip
_SYMBOLS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ",
    "eta": "η", "theta": "θ", "vartheta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν",
    "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "varsigma": "ς", "tau": "τ", "upsilon": "υ", "phi": "φ",
    "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ",
    "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
    "textalpha": "α", "textbeta": "β", "textgamma": "γ", "textdelta": "δ", "textmu": "μ", "textOmega": "Ω",
    "times": "×", "texttimes": "×", "div": "÷", "pm": "±", "textpm": "±", "cdot": "·", "textperiodcentered": "·",
    "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "leqslant": "≤", "geqslant": "≥", "neq": "≠", "ne": "≠",
    "approx": "≈", "sim": "∼", "simeq": "≃", "equiv": "≡", "infty": "∞", "partial": "∂", "nabla": "∇", "sum": "∑",
    "prod": "∏", "int": "∫", "sqrt": "√", "in": "∈", "cup": "∪", "cap": "∩", "subset": "⊂", "forall": "∀",
    "exists": "∃", "to": "→", "rightarrow": "→", "leftarrow": "←", "Rightarrow": "⇒", "leftrightarrow": "↔",
    "textrightarrow": "→", "textleftarrow": "←", "ell": "ℓ", "prime": "′", "circ": "°", "degree": "°",
    "textdegree": "°", "textmicro": "µ", "bullet": "•", "textbullet": "•", "dots": "…", "ldots": "…", "cdots": "…",
    "textellipsis": "…", "lbrace": "{", "rbrace": "}", "lt": "<", "gt": ">", "textless": "<", "textgreater": ">",
    "langle": "⟨", "rangle": "⟩", "ll": "≪", "gg": "≫", "ast": "*", "textasteriskcentered": "*",
    "textbackslash": "\\", "backslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textbar": "|",
    "textunderscore": "_", "textdollar": "$", "textbraceleft": "{", "textbraceright": "}", "textendash": "–",
    "textemdash": "—", "textquoteleft": "‘", "textquoteright": "’", "textquotedblleft": "“",
    "textquotedblright": "”", "textquotesingle": "'", "textquotedbl": '"', "guillemotleft": "«",
    "guillemotright": "»", "guilsinglleft": "‹", "guilsinglright": "›", "quotedblbase": "„", "textexclamdown": "¡",
    "textquestiondown": "¿", "copyright": "©", "textcopyright": "©", "textregistered": "®", "texttrademark": "™",
    "pounds": "£", "textsterling": "£", "texteuro": "€", "euro": "€", "textyen": "¥", "textcent": "¢", "S": "§",
    "textsection": "§", "P": "¶", "dag": "†", "ddag": "‡", "textordmasculine": "º", "textordfeminine": "ª",
    "textonehalf": "½", "textonequarter": "¼", "textthreequarters": "¾", "textsuperscript": "", "textsubscript": "",
    "quad": " ", "qquad": " ", "newline": " ", "par": " ", "LaTeX": "LaTeX", "TeX": "TeX",
}  # fmt: skip
_DECLARATIONS = frozenset(
    [
        "it",
        "bf",
        "em",
        "rm",
        "sf",
        "tt",
        "sc",
        "sl",
        "itshape",
        "bfseries",
        "upshape",
        "scshape",
        "normalfont",
        "small",
        "large",
        "tiny",
        "displaystyle",
    ]
)

_MARKUP = re.compile(
    r"""\\(?P<accent>["'`^~=.]|[uvHcdbkr](?![A-Za-z]))[ \t\n]*
          (?:\{[ \t]*(?P<held>\\[ij]|[^\W\d_])?[ \t]*\}|(?P<bare>\\[ij](?![A-Za-z])|[^\W\d_]))
      | \\(?P<name>[A-Za-z]+)\*?(?P<after>[ \t\n]*)(?P<opens>\{\}?)?
      | \\(?P<sign>[^A-Za-z])""",
    re.VERBOSE,
)
_SPECIAL = re.compile(r"[\\${}~\ue000-\ue002]|--|``|''")
_MATH = re.compile(r"(?<!\\)\$\$?([^$]{1,300})(?<!\\)\$\$?")
_LOWERED = re.compile(r"(?<!\\)_(?=[{\dA-Za-z\\])")
_RAISED = re.compile(r"(?<!\\)\^(?=\{?[A-Za-z\\])")
_KEPT_OPEN, _KEPT_CLOSE, _KEPT_DOLLAR, _KEPT_TILDE = "\ue000", "\ue001", "\ue002", "\ue003"
_AT_LAST = str.maketrans({"{": "", "}": "", _KEPT_OPEN: "{", _KEPT_CLOSE: "}", _KEPT_DOLLAR: "$", _KEPT_TILDE: "~"})


def plain_from_latex(text: str) -> str:
    r"""Convert LaTeX markup to plain text: compose accents, replace commands by their characters, remove braces.

    >>> plain_from_latex(r"{\"U}ber {M}\'{e}ni{\`e}re \& $\alpha$-\textit{helix} in H$_2$O: 5\,\% -- or more")
    'Über Ménière & α-helix in H2O: 5 % – or more'
    """
    if not _SPECIAL.search(text):
        return text
    if "$" in text:
        text = _MATH.sub(_math, text)
    if "\\" in text:
        text = _MARKUP.sub(_plain, text)
    if "~" in text:
        text = re.sub(r"(?<=[^\s(~])~(?=[^\s~])", " ", text)
    if "--" in text:
        text = re.sub(r"(?<!-)---(?!-)", "—", text)
        text = re.sub(r"(?<!-)--(?!-)", "–", text)
    if "``" in text or "''" in text:
        text = text.replace("``", "“").replace("''", "”")
    return text.translate(_AT_LAST)


def _math(found: re.Match[str]) -> str:
    """Return a formula without its dollars; two prices in one sentence are not a formula."""
    inner = found[1]
    if " " in inner.strip() and not re.search(r"[\\^_{}=<>+]", inner):
        return found[0].replace("$", _KEPT_DOLLAR)
    return _RAISED.sub("", _LOWERED.sub("", inner))


def _plain(found: re.Match[str]) -> str:
    if accent := found["accent"]:
        letter = (found["held"] or found["bare"] or "").lstrip("\\")
        return unicodedata.normalize("NFC", letter + _COMBINING[accent]) if letter else ""
    if name := found["name"]:
        return _named(name, found["after"], found["opens"] or "")
    sign = found["sign"]
    if sign in "{}":
        return _KEPT_OPEN if sign == "{" else _KEPT_CLOSE
    if sign in "\\ ,;:\n\t":
        return " "
    return {"-": "", "/": "", "!": "", "(": "", ")": "", "[": "", "]": ""}.get(sign, sign)


def _named(name: str, after: str, opens: str) -> str:
    opened = "{" if opens == "{" else ""
    if name in _LETTERS:
        return _LETTERS[name] + opened
    if name in _SYMBOLS:
        sign = _SYMBOLS[name].replace("{", _KEPT_OPEN).replace("}", _KEPT_CLOSE).replace("$", _KEPT_DOLLAR)
        sign = sign.replace("~", _KEPT_TILDE)
        return sign + ("" if opens else after) + opened
    if name in _DECLARATIONS:
        return opened
    if opened or opens:
        return opened  # a command around its text: keep the text
    return f"\\{name}{after}"


# Values of BibTeX fields: remove braces and quotes, insert @string values, split lists outside braces.

_BRACES = re.compile(r"(?<!\\)[{}]")
_AND = re.compile(r"(?<!\\)[{}]|\s+and(?=\s)", re.IGNORECASE)
_PLAIN_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_BARE = re.compile(r"[^#]*")
MOST_PUT_IN = 2_000
"""Largest number of characters of @string values in one value; nested strings could double without end."""


def resolved(raw: str, strings: Mapping[str, str]) -> str:
    """Return a value as text: concatenate "a" # jan # {b} and replace names of @string values.

    >>> resolved('"The " # acm # { Press}', {"acm": "ACM"}), resolved("{About {it}}", {}), resolved("2019", {})
    ('The ACM Press', 'About {it}', '2019')
    """
    raw = raw.strip()
    if "#" not in raw:
        if len(raw) > 1 and raw[0] + raw[-1] in ("{}", '""'):
            return raw[1:-1]
        return strings.get(raw.lower(), raw)
    parts, at, room = [], 0, MOST_PUT_IN
    while at < len(raw):
        if raw[at] in " \t\n#":
            at += 1
        elif raw[at] == "{":
            ends = _closing(raw, at)
            parts.append(raw[at + 1 : ends])
            at = ends + 1
        elif raw[at] == '"':
            ends = _quote(raw, at + 1)
            parts.append(raw[at + 1 : ends])
            at = ends + 1
        else:
            bare = _BARE.match(raw, at)
            name = bare[0].strip() if bare else ""
            put_in = strings.get(name.lower(), name)
            room -= len(put_in)
            parts.append(put_in if room >= 0 else name)
            at = bare.end() if bare else at + 1
    return "".join(parts)


def _closing(text: str, start: int) -> int:
    depth = 0
    for brace in _BRACES.finditer(text, start):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.start()
    return len(text)


def _quote(text: str, start: int) -> int:
    depth = 0
    for mark in re.compile(r'(?<!\\)[{}"]').finditer(text, start):
        if mark[0] == '"' and depth <= 0:
            return mark.start()
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
    return len(text)


def runs_on(raw: str) -> bool:
    """Return True if a value runs on into the next field because a comma is missing.

    >>> runs_on("{A title}\\n year = 2001"), runs_on("{E = mc}"), runs_on('"x = " # {y}')
    (True, False, False)
    """
    raw = raw.strip()
    if "=" not in raw:
        return False
    if raw[0] not in '{"':
        return True
    ends = _closing(raw, 0) if raw[0] == "{" else _quote(raw, 1)
    after = raw[ends + 1 :].lstrip()
    return "=" in after and not after.startswith("#")


def names_in(text: str) -> list[str]:
    """Split authors at "and" outside braces; ignore "and others".

    >>> names_in("{Food and Agriculture Organization} and Smith, A. and others")
    ['{Food and Agriculture Organization}', 'Smith, A.']
    """
    cuts, depth, at = [], 0, 0
    for found in _AND.finditer(text):
        if found[0] in "{}":
            depth += 1 if found[0] == "{" else -1
        elif depth == 0:
            cuts.append(text[at : found.start()])
            at = found.end()
    cuts.append(text[at:])
    if depth != 0:
        cuts = _PLAIN_AND.split(text)
    if len(cuts) == 1 and ";" in text:
        cuts = text.split(";")
    names = (" ".join(name.split()) for name in cuts)
    return [name for name in names if name and name.lower() not in ("others", "et al.", "et al")]


def keywords_in(text: str) -> list[str]:
    """Split keywords at semicolons if there are any, otherwise at commas outside braces.

    >>> keywords_in("Aged, 80 and over; Female"), keywords_in("nets, {Smith, Adam}")
    (['Aged, 80 and over', 'Female'], ['nets', '{Smith, Adam}'])
    """
    sign = ";" if ";" in text else ","
    parts, depth, at = [], 0, 0
    for found in re.finditer(rf"(?<!\\)[{{}}]|{sign}", text):
        if found[0] in "{}":
            depth += 1 if found[0] == "{" else -1
        elif depth <= 0:
            parts.append(text[at : found.start()])
            at = found.end()
    parts.append(text[at:])
    return [" ".join(part.split()) for part in parts if part.strip()]


# One entry of BibTeX or BibLaTeX as Queryscape's fields, from any exporter.

KIND_OF: dict[str, Kind] = {
    "article": "article",
    "inproceedings": "conference",
    "conference": "conference",
    "proceedings": "conference",
    "mvproceedings": "conference",
    "book": "book",
    "mvbook": "book",
    "booklet": "book",
    "collection": "book",
    "reference": "book",
    "inbook": "chapter",
    "bookinbook": "chapter",
    "suppbook": "chapter",
    "incollection": "chapter",
    "inreference": "chapter",
    "phdthesis": "thesis",
    "mastersthesis": "thesis",
    "thesis": "thesis",
    "techreport": "report",
    "report": "report",
    "manual": "report",
    "preprint": "preprint",
}

_VENUE = ("journal", "journaltitle", "booktitle", "maintitle", "journal-iso", "shortjournal")
_PAGES = ("pages", "articleno", "art_number", "article-number", "eid")
_KEYWORDS = ("keywords", "keyword", "author_keywords", "index_keywords", "keywords-plus", "key words", "mesh", "tags")
_OWN = ("unique-id", "dimensions_id", "pub_id")
_ABSTRACT = ("abstract", "abstractnote", "annote_abstract")
_COUNTS = ("times-cited", "citations", "citedby", "cited-by", "times_cited")
_PUB = re.compile(r"\bpub\.\d{6,}\b")
_CITED = re.compile(r"\s*cited by:?\s*([\d,]+)", re.IGNORECASE)
_PMID = re.compile(r"\s*PMID:?\s*(\d{1,8})\b", re.IGNORECASE)
_TILDE = re.compile(r"(?<!\\)~")
_IN_A_DATABASE = re.compile(r"(?:WOS|DBLP|PMID|PPR|MEDLINE|BIOSIS|CCC|KJD|SCIELO|INSPEC)[:/]\S+", re.IGNORECASE)
_AFTER_A_DOI = re.compile(r"(?:[?#].*|/(?:full|abstract|pdf|epdf|epub|meta|fulltext|html)/?)+$", re.IGNORECASE)


def entry_fields(
    entry_type: str, key: str, found: Mapping[str, str], parent: Mapping[str, str] | None = None
) -> tuple[RawFields, Sequence[str]]:
    """Convert an entry to Queryscape's fields, and list the fields it does not use. `found` has lower-case names."""
    taker = _Taker(found, parent or {})
    fields: RawFields = {"kind": _kind(entry_type.lower(), taker)}
    fields["title"] = _title(entry_type.lower(), taker)
    fields["abstract"] = taker.text(*_ABSTRACT)
    fields["year"] = taker.text("year", inherited=True) or taker.text("date", "issue_date", inherited=True)
    fields["authors"] = [plain_from_latex(name) for name in names_in(taker.raw("author"))]
    if not fields["authors"]:
        fields["authors"] = [plain_from_latex(name) for name in names_in(taker.raw("editor"))]
    fields["venue"] = taker.text(*_VENUE, inherited=True) or (taker.parent_title if parent else "")
    fields["volume"] = taker.text("volume")
    fields["issue"] = taker.text("number") or taker.text("issue")
    fields["pages"] = taker.text(*_PAGES).replace("–", "-")
    fields["keywords"] = [plain_from_latex(word) for name in _KEYWORDS for word in keywords_in(taker.raw(name))]
    fields["url"] = _address(taker)
    fields["doi"] = _doi(taker, key, fields["url"])
    fields["pmid"] = _pmid(taker, key)
    fields["times_cited"] = taker.text(*_COUNTS) or taker.matching("note", _CITED)
    fields["own_id"] = _own_id(taker, key, fields["url"])
    fields["types"] = _types(taker)
    if taker.look("note").startswith(RETRACTED_NOTE):
        fields["is_retracted"] = True
    fields["language"] = re.split("[;,]", taker.text("language") or taker.text("langid"))
    fields["issn"] = [taker.text("issn")]
    fields["pmcid"] = taker.text("pmcid")
    if "cite" in taker.look("note"):
        noted = plain_from_latex(taker.look("note"))
        for name in CITED:
            if part := re.search(rf"\b{name}: (.*?)(?=; cite_|$)", noted):
                fields[name] = "" if part[1] == "NA" else part[1]  # type: ignore[literal-required]
                taker.raw("note")
    return fields, taker.unused


class _Taker:
    def __init__(self, found: Mapping[str, str], parent: Mapping[str, str]) -> None:
        self._found = found
        self._parent = parent
        self._taken: set[str] = set()

    @property
    def unused(self) -> list[str]:
        return [name for name, text in self._found.items() if text.strip() and name not in self._taken]

    @property
    def parent_title(self) -> str:
        return plain_from_latex(self._parent.get("title", ""))

    def raw(self, name: str) -> str:
        text = self._found.get(name, "")
        if text:
            self._taken.add(name)
        return text

    def look(self, name: str) -> str:
        """Return the text of a field without marking it as used."""
        return self._found.get(name, "")

    def text(self, *names: str, inherited: bool = False) -> str:
        for name in names:
            if text := plain_from_latex(self.raw(name)).strip():
                return text
        values = (plain_from_latex(self._parent.get(name, "")).strip() for name in names) if inherited else ()
        return next((text for text in values if text), "")

    def matching(self, name: str, pattern: re.Pattern[str]) -> str:
        """Match `pattern` at the beginning of a field; mark the field as used only if nothing else is in it."""
        found = pattern.match(self.look(name))
        if found and not self.look(name)[found.end() :].strip(" .;"):
            self._taken.add(name)
        return found[1] if found else ""


def _title(entry_type: str, taker: _Taker) -> str:
    title = taker.text("title")
    subtitle = taker.text("subtitle", "titleaddon")
    if not title and entry_type in ("proceedings", "book", "collection", "mvbook", "mvproceedings"):
        title = taker.text("booktitle")
    return f"{title.rstrip(':')}: {subtitle}" if title and subtitle else title or subtitle


def _kind(entry_type: str, taker: _Taker) -> Kind:
    in_words = kind_of([taker.text("document_type"), taker.text("type")])
    in_words = None if in_words in ("article", "other") else in_words
    archive = f"{taker.look('archiveprefix')} {taker.look('eprinttype')} {taker.look('journal')}".lower()
    if entry_type not in KIND_OF or (entry_type == "article" and taker.look("journal").lower().startswith("arxiv")):
        return in_words or ("preprint" if "arxiv" in archive or "biorxiv" in archive else "other")
    return in_words if in_words and entry_type == "article" else KIND_OF[entry_type]


def _types(taker: _Taker) -> list[str]:
    """Return the publication types as Queryscape, Scopus or Web of Science writes them."""
    texts = taker.text(TYPES, "document_type") or taker.text("type")
    return [] if texts == PREPRINT else [text.strip() for text in texts.split(";")]


TYPES = "publication_types"
"""The field of our own entries for publication types, which does not set the kind."""
PREPRINT = "Preprint"
"""The type of preprints in our own entries."""
CITED = ("cite_source", "cite_label", "cite_string")
"""Fields that CiteSource writes into the note of an entry."""
_HYPHENS = re.compile(r"-(?=-)")
"""Repeated hyphens, which LaTeX would turn into a dash."""


def _address(taker: _Taker) -> str:
    for name in ("url", "link", "ee"):
        raw = _TILDE.sub(r"\\textasciitilde{}", taker.raw(name))  # in an address, a tilde is neither a space nor a dash
        raw = _HYPHENS.sub("-{}", raw)
        if address := plain_from_latex(raw).split():
            return address[0]
    for name in ("howpublished", "note"):
        if found := re.search(r"https?://[^\s{}\\]+", taker.look(name)):
            return found[0]
    return ""


def _doi(taker: _Taker, key: str, url: str) -> str:
    if doi := plain_from_latex(_HYPHENS.sub("-{}", taker.raw("doi"))).strip():
        return doi
    for text in (url, plain_from_latex(taker.look("eprint")), plain_from_latex(taker.look("note")), key):
        text = _AFTER_A_DOI.sub("", text.strip())
        if doi_of(text):
            return text
    return ""


def _pmid(taker: _Taker, key: str) -> str:
    if pmid := taker.text("pmid", "pubmedid", "pubmed-id", "pubmed_id"):
        return pmid
    if "pubmed" in f"{taker.look('eprinttype')} {taker.look('archiveprefix')}".lower():
        return taker.text("eprint")
    found = _PMID.match(key)
    return taker.matching("note", _PMID) or (found[1] if found else "")


def _own_id(taker: _Taker, key: str, url: str) -> str:
    """Return a database's id for the entry. A citation key is not one: "Smith2003" can mean two different works."""
    if own := taker.text(*_OWN):
        return own
    if found := _PUB.search(key) or _PUB.search(url):
        return found[0]
    if found := re.search(r"[?&]eid=([\w.-]+)", url):
        return found[1]
    return key if _IN_A_DATABASE.fullmatch(key) else ""


# BibTeX with broken grammar: a missing brace or comma costs the field it is in, not the entry.

_TYPE = re.compile(r"@[ \t]*([A-Za-z][\w-]*)\s*[{(]\s*")
_HEAD = re.compile(
    r"""(?P<before>\n|,|["}])[ \t]*+,?+[ \t]*+(?P<name>key[ ]words|[A-Za-z][\w+-]*)[ \t]*+=[ \t\n]*+
        (?=[{"]|[\w.-]++[ \t]*+(?:[,\n#})]|\Z))""",
    re.VERBOSE,
)
_KEY = re.compile(r"[^\s,={}\"()]*")


def fields_of_damaged(chunk: str) -> tuple[str, str, list[tuple[str, str]]]:
    """Extract type, key and recognisable fields, from "@" up to the start of the next entry.

    A line that begins with "name = {" starts a field, even if a brace or quote is still open. Within a line, a field
    starts only if none is open.

    >>> fields_of_damaged('@misc{a, title = {Open,\\n year = 2019,\\n note = "x"\\n}')
    ('misc', 'a', [('title', 'Open'), ('year', '2019'), ('note', 'x')])
    """
    opening = _TYPE.match(chunk)
    if opening is None:
        return "", "", []
    key = _KEY.match(chunk, opening.end())
    heads = _heads(chunk, opening.end())
    fields = []
    for position, head in enumerate(heads):
        ends = heads[position + 1].start() if position + 1 < len(heads) else len(chunk)
        # The quote or brace before the next head is still part of this value.
        if position + 1 < len(heads) and heads[position + 1]["before"] in '"}':
            ends += 1
        fields.append((head["name"], _value(chunk[head.end() : ends])))
    return opening[1], key[0] if key else "", fields


def _heads(chunk: str, start: int) -> list[re.Match[str]]:
    heads: list[re.Match[str]] = []
    depth, counted = 0, start
    for head in _HEAD.finditer(chunk, start):
        if head["before"] == "\n":
            depth = 0
        else:
            reached = head.start() + (head["before"] == "}")
            for brace in _BRACES.finditer(chunk, counted, reached):
                depth += 1 if brace[0] == "{" else -1
            if depth > 0 or (heads and _in_quotes(chunk, heads[-1].end(), head)):
                counted = max(reached, counted)
                continue
            depth = 0
        heads.append(head)
        counted = head.end()
    return heads


def _in_quotes(chunk: str, value_starts: int, head: re.Match[str]) -> bool:
    if chunk[value_starts : value_starts + 1] != '"' or head["before"] == '"':
        return False
    return not chunk[value_starts + 1 : head.start()].rstrip().endswith('"')


def _value(text: str) -> str:
    text = text.strip().rstrip(",").strip()
    if text.startswith("{"):
        return _braced(text)
    if text.startswith('"'):
        inner = text[1:]
        if '"' in inner:
            return inner[: inner.rindex('"')]
        return inner.rstrip("}) \t\n,")
    bare = re.match(r"[^\s,{}()#\"]+", text)
    return bare[0] if bare else ""


def _braced(text: str) -> str:
    depth = 0
    for brace in _BRACES.finditer(text):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return text[1 : brace.start()]
    return text[1:].rstrip("} \t\n,")


# BibTeX and BibLaTeX of any exporter. Entries that the parser rejects are read as far as possible.

# Every block that fails is reported here, with its line, so the parser need not print it too.
logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)

_TYPES = "|".join([*KIND_OF, "misc", "unpublished", "online", "electronic", "patent", "dataset", "software"])
_START = re.compile(
    rf"^[ \t]*(?P<at>@[ \t]*(?P<type>[A-Za-z][\w-]*)\s*[{{(])|(?<=[}})])[ \t]*(?P<at_2>@(?P<type_2>{_TYPES})\s*[{{(])",
    re.MULTILINE | re.IGNORECASE,
)
_COMMENT = re.compile(r"^[ \t]*@[ \t]*comment[ \t]*\{", re.MULTILINE | re.IGNORECASE)
_CELL = re.compile(r"[ \t]*@\w+\([^()\n=,]*\)[\"']?[ \t]*(?:[,;\t][^\n]*)?\n")
"""A formula in the first cell of a table's row, "@SUM(1),2021": it ends on its line and has no field."""
_NO_RECORD = frozenset({"string", "comment", "preamble"})
_LOST_FIELD = re.compile(r"\A[\s,}]*[A-Za-z][\w-]*\s*=\s*[{\"\w]")
_MOST_LISTED = 5


@dataclass(frozen=True, slots=True)
class _Start:
    offset: int
    line: int
    ends: int
    """The offset of the next block of any kind."""


@dataclass(frozen=True, slots=True)
class _Raw:
    """An entry with its fields as written; names in lower case."""

    line: int
    entry_type: str
    key: str
    fields: Mapping[str, str]


def bibtex_likeness(source: ImportFile) -> float:
    """Score a source: BibTeX has an "@type{" at the beginning of a line, with a field in it."""
    found = _START.search(source.text, 0, 200_000)
    if found is None:
        return 0.0
    if source.text[: found.start()].lstrip()[:1] in ("{", "[", "<"):
        return 0.0
    if _CELL.match(source.text, found.start()):
        return 0.0
    known = (found["type"] or found["type_2"]).lower()
    return 0.95 if known in KIND_OF or known in _NO_RECORD or known == "misc" else 0.6


def bibtex_starts(source: ImportFile) -> list[int]:
    """Return the lines of "@type{", without strings, comments and preambles."""
    return [start.line for start in _starts(source.text)]


def read_bibtex(source: ImportFile, asked: ReadOptions) -> Iterator[Part]:
    """Read the entries in order. A damaged one is read line by line and listed in a note."""
    text = source.text
    strings, parsed = _parsed(text)
    raws: list[tuple[int, _Raw, bool]] = []
    damaged: list[int] = []
    for start in _starts(text):
        if (entry := parsed.pop(start.offset, None)) is not None:
            raws.append((start.offset, _of_parsed(entry, start.line, strings), False))
        else:
            damaged.append(start.line)
            raws.append((start.offset, _of_damaged(text[start.offset : start.ends], start.line, strings), True))
    for offset, entry in parsed.items():  # in the middle of other text: not counted as a start, but still an entry
        raws.append((offset, _of_parsed(entry, text.count("\n", 0, offset) + 1, strings), False))
    raws.sort(key=lambda raw: raw[0])
    parents = {raw.key.lower(): raw.fields for _, raw, _ in raws}
    commented = _comments(text)
    for position, (offset, raw, is_damaged) in enumerate(raws, start=1):
        if _inside(offset, commented):
            yield ImportRejection(raw.line, "an entry inside @comment{...}, left out", position)
        else:
            yield _part(raw, parents, position, damaged=is_damaged)
    if damaged:
        yield _note(damaged)


def _part(raw: _Raw, parents: Mapping[str, Mapping[str, str]], position: int, *, damaged: bool) -> Part:
    parent = parents.get(raw.fields.get("crossref", "").strip().lower())
    fields, unused = entry_fields(raw.entry_type, raw.key, raw.fields, parent)
    if fields["title"] or fields["abstract"] or fields["doi"] or fields["pmid"]:
        return ImportEntry(raw.line, fields, unused)
    named = f"@{raw.entry_type}{{{raw.key}}}"[:60]
    if damaged:
        return ImportRejection(raw.line, f"{named} is damaged: no title, abstract or DOI can be read", position)
    return ImportRejection(raw.line, f"{named} has no title, abstract, DOI or PubMed number", position)


def _note(damaged: list[int]) -> Note:
    lines = [f"{line:,}" for line in dict.fromkeys(damaged)]
    shown = lines if len(lines) <= _MOST_LISTED else [*lines[:_MOST_LISTED], f"{len(lines) - _MOST_LISTED:,} more"]
    return Note(
        f"damaged entries, read in part: {len(damaged):,} "
        f"(line{'s' if len(lines) > 1 else ''} {listed(shown)}): check their braces, commas and quotes"
    )


def _starts(text: str) -> list[_Start]:
    places: list[tuple[int, bool]] = []
    for found in _START.finditer(text):
        name = "at" if found["at"] else "at_2"
        places.append((found.start(name), (found["type"] or found["type_2"]).lower() not in _NO_RECORD))
    starts, line, counted = [], 1, 0
    for (offset, is_record), (ends, _) in pairwise([*places, (len(text), False)]):
        line += text.count("\n", counted, offset)
        counted = offset
        if is_record:
            starts.append(_Start(offset, line, ends))
    return starts


def _comments(text: str) -> list[tuple[int, int]]:
    """Find the beginnings and ends of comments in braces. After a comment that never ends, find no more."""
    spans: list[tuple[int, int]] = []
    at = 0
    while found := _COMMENT.search(text, at):
        depth, ends = 0, None
        for brace in _BRACES.finditer(text, found.start()):
            depth += 1 if brace[0] == "{" else -1
            if depth <= 0:
                ends = brace.end()
                break
        if ends is None:
            break
        spans.append((found.start(), ends))
        at = ends
    return spans


def _inside(offset: int, spans: list[tuple[int, int]]) -> bool:
    position = bisect_left(spans, (offset, 0)) - 1
    return position >= 0 and offset < spans[position][1]


def _parsed(text: str) -> tuple[dict[str, str], dict[int, Parsed]]:
    """Parse @string values by lower-case name, and valid entries by their offset.

    The parser's own line numbers are not used: it does not count a line that ends in a backslash.
    """
    try:
        library = Splitter(text).split()
    except Exception:  # a fault in the parser: read every entry line by line
        return {}, {}
    strings: dict[str, str] = {}
    for name, string in library.strings_dict.items():
        strings[name.lower()] = resolved(string.value, strings)
    entries: dict[int, Parsed] = {}
    at = 0
    blocks = library.blocks
    for position, block in enumerate(blocks, start=1):
        after = blocks[position] if position < len(blocks) else None
        raw = block.raw or ""
        offset = text.find(raw, at)
        at = max(at, offset)
        entry = block.ignore_error_block if isinstance(block, ParsingFailedBlock) else block  # a key used twice
        cut_off = isinstance(after, ImplicitComment) and _LOST_FIELD.match(after.comment)
        if isinstance(entry, Parsed) and offset >= 0 and not cut_off:
            if not any(runs_on(str(field.value)) for field in entry.fields):
                entries[offset] = entry
            at = offset + len(raw)
    return strings, entries


def _of_parsed(entry: Parsed, line: int, strings: Mapping[str, str]) -> _Raw:
    pairs = [(field.key, resolved(str(field.value), strings)) for field in entry.fields]
    return _Raw(line, entry.entry_type, entry.key, _by_name(pairs))


def _of_damaged(chunk: str, line: int, strings: Mapping[str, str]) -> _Raw:
    entry_type, key, pairs = fields_of_damaged(chunk)
    return _Raw(line, entry_type, key, _by_name([(n, strings.get(v.lower(), v)) for n, v in pairs]))


def _by_name(pairs: list[tuple[str, str]]) -> dict[str, str]:
    """Return one value per name; repeated values are joined if the field is a list, otherwise the first counts."""
    fields: dict[str, str] = {}
    for written, text in pairs:
        name = " ".join(written.lower().split())
        if not fields.get(name):
            fields[name] = text
        elif name in ("keywords", "keyword"):
            fields[name] = f"{fields[name]}; {text}"
        elif name == "author" and text != fields[name]:
            fields[name] = f"{fields[name]} and {text}"
    return fields


BIBTEX = Format("bibtex", "BibTeX", bibtex_likeness, bibtex_starts, read_bibtex)
