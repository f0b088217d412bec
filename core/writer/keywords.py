"""Clean keywords, check their language, and count them in a corpus."""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, islice, zip_longest
from zlib import crc32

import numpy as np
import numpy.typing as npt

from core.query.explanations import SHORTEST_WORD, says_something
from core.query.match import CorpusTexts
from core.query.spelling import american, singular
from core.query.suggestions import BITS_PER_WORD, Numbers, Suggestion, packed, runs_in, suggest
from core.text import STOP_WORDS, words
from core.writer.sheets import STATISTICS, Brief, Keyword, KeywordProposal, Mode, WriterReading

LATIN, GREEK = "Latin", "Greek"
AT_HOME = frozenset({LATIN, GREEK})
"""Scripts of English texts; Greek letters occur in names of genes, rays and measures."""
_ALIKE = frozenset({LATIN, "Cyrillic", "Armenian", "Cherokee", "Coptic"})
"""Scripts with letters that look the same."""
_GREEK_ALIKE = frozenset("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο")
"""Greek letters that look Latin; α and β are used in Latin words as themselves."""
FEWEST_LETTERS = 0.05
"""The minimum share of a script among a text's letters to count as one of its scripts."""
_SCRIPTS = {
    "CJK": "Chinese or Japanese",
    "HIRAGANA": "Japanese",
    "KATAKANA": "Japanese",
    "HANGUL": "Korean",
}
_SMALL_WORDS = frozenset(
    """
    der das dem des eine einer eines einem und oder nicht mit von vom zum zur für auf aus bei nach über durch gegen
    zwischen im ist sind
    le la les une du de et ou avec sans dans sur sous pour aux chez
    el los las y con sobre para por del al
    il lo gli di della dello delle dei degli nel nella senza tra che
    os um uma com sem na pelo pela dos da ao não
    het een van voor naar bij tussen zonder niet en te
    och att som för inte till från ett av på
    ve ile için bir
    """.split()  # noqa: SIM905
)
"""Function words of other languages, which names and terms may contain too (de novo)."""
_FORMS = re.compile(
    r"\w{3,}(?:mientos?|ciones|zion[ei]|keit(?:en)?|heit(?:en)?|schaft(?:en)?|ungen|ungs\w{3,}|lijke?|heden)\Z"
)
"""Word forms that English does not have."""


@lru_cache(maxsize=4096)
def _script_of(letter: str) -> str:
    name = re.split("[ -]", unicodedata.name(letter, ""), maxsplit=1)[0]
    return _SCRIPTS.get(name, name.capitalize() or "an unknown")


def scripts_in(text: str) -> frozenset[str]:
    """Return the scripts of the letters of a text.

    >>> sorted(scripts_in("β-catenin 2")), scripts_in("тепло")
    (['Greek', 'Latin'], frozenset({'Cyrillic'}))
    """
    return frozenset(_script_of(letter) for letter in set(text) if letter.isalpha())


def scripts_of(texts: Iterable[str]) -> frozenset[str]:
    """Return the scripts that texts are written in, ignoring occasional letters of others."""
    n_letters: Counter[str] = Counter()
    for text in texts:
        for letter, n in Counter(text).items():
            if letter.isalpha():
                n_letters[_script_of(letter)] += n
    total = n_letters.total()
    return AT_HOME | {script for script, n in n_letters.items() if n >= FEWEST_LETTERS * total}


def mixed_word(text: str) -> str | None:
    """Return a word that mixes letters of similar-looking scripts; None: there is none.

    >>> mixed_word("urban heat"), mixed_word("urb\\u0430n heat")
    (None, 'urbаn')
    """
    for word in text.replace("-", " ").split():
        scripts = scripts_in(word)
        if len(scripts & _ALIKE) > 1 or (LATIN in scripts and not _GREEK_ALIKE.isdisjoint(word)):
            return word
    return None


def foreign_script(text: str, at_home: Collection[str]) -> str | None:
    """Return a script of a keyword that does not occur in the texts read; None: there is none."""
    others = sorted(scripts_in(text) - set(at_home))
    return others[0] if others else None


def foreign_word(text: str) -> str | None:
    """Return a word that suggests another language in Latin letters; None: there is none.

    A function word counts only in a phrase. Letters with diacritics count only if case folding keeps them. Names
    and loan words have both, so callers should first check whether the phrase occurs in the texts read.

    >>> foreign_word("îlot de chaleur"), foreign_word("Verbrennungsmotor"), foreign_word("urban heat")
    ('îlot', 'verbrennungsmotor', None)
    """
    found = text.casefold().split()
    for word in found:
        is_small = len(found) > 1 and word in _SMALL_WORDS
        if is_small or _FORMS.match(word) or _has_marks(word):
            return word
    return None


def _has_marks(word: str) -> bool:
    return any(letter.isalpha() and not letter.isascii() and _script_of(letter) == LATIN for letter in word)


# Extraction of keywords from text. Surrounding marks are removed; doubtful keywords are reported, not accepted.

MOST_WORDS = 6
MOST_SIGNS = 60
SHORTEST_BEGINNING = 4
"""The minimum number of letters before a *."""
MOST_PARTS = 12
"""Keywords that are offered from one text."""
MOST_OF_TEXT = 2_000
MOST_ROUNDS = 20
"""The maximum number of rounds in which surrounding marks are removed; beyond it, there is no keyword."""
_AMID = "It may be several keywords, joined by a word"
_UNSEEN = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
"""Invisible characters left by page layouts, without meaning."""
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u061c\u200e\u200f\u202a-\u202e\u2061-\u206f\ud800-\udfff\ufff9-\ufffb"
    "\U000e0000-\U000e01ef]"
)
"""Control characters, and those that change the direction of text: the visible text may not be the actual one."""
_TYPED = str.maketrans(
    dict.fromkeys("“”„‟«»＂″", '"') | dict.fromkeys("‘’‚‛ʼ`´", "'") | dict.fromkeys("‐‑‒–—―−", "-") | {"⁄": "/"}
)
_TAG = re.compile(r"</?[a-zA-Z!][^<>]{0,200}>?")
_SCRIPT = re.compile(r"<\s*(?:script|style|iframe|svg|img|object)\b", re.IGNORECASE)
_ADDRESS = re.compile(r"[a-z]{2,10}://|\bwww\.|\S@\S+\.\w|\b10\.\d{4,}/|\bjavascript:|\bdata:", re.IGNORECASE)
_NUMBERED = re.compile(r"\A\s*(?:[-*•]\s+|\(?\d{1,3}[.)]\s+|#\d{1,3}\s+|(?:e\.g|i\.e)\.,?\s+|the\s+)", re.IGNORECASE)
"""List markers and introductory words before a keyword."""
_MARKDOWN = re.compile(r"\A(\*\*|__|\*|_|~~)(?=\S)(.*\S)\1\Z")
_TEXT_FIELDS = (
    "ti|ab|kw|tw|tiab|ti,ab|ti,ab,kw|mp|ts|title|abstract|title/abstract|text word|keywords?|topic|all fields?"
)
_FIELD = re.compile(
    rf"\A\s*(?:title-abs-key|title-abs|(?:{_TEXT_FIELDS})\s*[:=])\s*|\s*\[(?:{_TEXT_FIELDS})\]\s*\Z|\.(?:{_TEXT_FIELDS})\.\s*\Z",
    re.IGNORECASE,
)
"""Field restrictions on a keyword to title, abstract or keywords, the default."""
_HEADING = re.compile(
    r"\A\s*exp\s|\[[a-z: /]{2,30}\]\s*\Z|/\s*\Z|\A\s*(?:mesh|mh|su|au|so|py|la)\s*[:=]|\.[a-z]{2}\.\Z", re.I
)
_OPERATOR = re.compile(
    r"(?<!\w)(?:AND|OR|NOT|NEAR|ADJ|WITHIN|SAME|XOR)(?:/?\d{1,3})?(?!\w)|(?<!\w)(?:PRE|W|N)/?\d{1,3}(?!\w)|"
    r"(?<!\w)(?:near|adj)/?\d{1,3}(?!\w)|(?<!\w)(?:pre|w|n)/\d{1,3}(?!\w)|&&|\|\|?|~\d*|"
    r"(?<=\s)&(?=\s)|(?<!\S)[+!-](?=\w)"
)
_SMALL_OPERATOR = re.compile(r"(?<!\w)(?:and|or|not)(?!\w)", re.IGNORECASE)
_AFTER_NOT = re.compile(r"(?<!\w)(?:NOT|not)(?!\w).*\Z|(?<!\S)[-!](?=\w).*\Z", re.DOTALL)
_BREAKS = re.compile(r'["()\[\]{}<>,;|/:=]|\s-\s|(?<=[^\W\d_]{2})\+(?=[^\W\d_]{2})')
_LINES = re.compile(r"\s*[\r\n]\s*")
_DIGITS = re.compile(r"(?<=\d)[,/](?=\d)")
_SIGNS = re.compile(r"[^\w\s'.&+*?-]|_")
_ORDERS = re.compile(
    r"\A(?:please|ignore|disregard|pretend|do not|don't|never|act as|you (?:are|must|should)|as an ai)\b|"
    r"\A(?:answer|reply|respond|return|output|print|say|tell|write|exclude|include|delete|drop|add|remove|forget|use|"
    r"search|choose|select|take|propose|repeat|reveal|show)\s+(?:all|the|any|this|these|those|that|every|everything|"
    r"only|nothing|with|me|us|an?|your|my|previous|above)\b|"
    r"\A(?:i|we) (?:can|am|are|will|would|have|do|don't|think|suggest|propose|apologi[sz]e)|"
    r"\b(?:previous|above|prior|these|system) (?:instructions?|prompts?|rules?)\b|"
    r"\byour (?:answer|task|rules|instructions)\b|\b(?:user|assistant|system) ?:|\blanguage model, |\bsorry\b|"
    r"\b(?:can ?not|can't|unable to) (?:help|assist|comply|provide)\b|<\||\|>|\[/?INST\]|"
    r"\bdrop table\b|\bselect \*|\bunion select\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"\A(?:what|which|who|how|why|when|where|does|do|is|are|can)\b.*\?\s*\Z", re.IGNORECASE | re.DOTALL
)
_BLANKS = frozenset(
    ["keyword", "keywords", "one sentence", "string", "text", "null", "none", "nil", "nan", "n/a", "na", "undefined"]
)
"""Placeholders in a form."""
_NOT_FIRST = frozenset(
    words(
        "a an the of and or with for to by from that which is are was were such as than what how why when where "
        "whether without"
    )
)
_NOT_LAST = _NOT_FIRST - {"a"} | frozenset(words("in at into between among under its their these this etc"))
_SAYS_LITTLE = frozenset(
    words("""
    study studies paper papers article articles publication publications result results method methods methodology data
    analysis analyses approach approaches effect effects finding findings research review reviews literature model
    models evidence introduction conclusion conclusions abstract title keywords topic field area example examples
    case cases etc significant significance investigation experiment experiments work works author authors journal
    """)
)
"""Words that nearly every publication may contain; by themselves they match everything."""


@dataclass(frozen=True, slots=True)
class CleaningResult:
    keywords: tuple[Keyword, ...]
    """One keyword if there is no problem; otherwise keywords that a person can choose from, perhaps none."""
    problem: str | None
    """The reason why it is not accepted automatically, in one sentence; None: it is a keyword."""
    phrase: Keyword | None = None
    """The whole phrase, if only a small word within it suggests several keywords: search and rescue."""


def clean(text: str) -> CleaningResult:
    """Extract a keyword from its surroundings, or describe the problem with it.

    >>> clean(' "Street-trees" [tiab] ').keywords
    (Keyword(text='Street-trees', phrase=True, fields=()),)
    >>> [each.text for each in clean("heat AND trees").keywords], clean("heat AND trees").problem
    (['heat', 'trees'], 'It contains a Boolean operator (AND).')
    """
    given = text[:MOST_OF_TEXT]
    plain = plainly(given)
    problem = _refused(plain) or ("It is very long." if len(text) > MOST_OF_TEXT else None)
    if problem is not None:
        return CleaningResult((), problem)
    bare = _bare(_LINES.sub(" ; ", plain))
    if bare and (problem := _refused(bare)) is not None:
        return CleaningResult((), problem)
    if (problem := _in_parts(plain, bare)) is not None:
        whole = Keyword(bare) if problem.startswith(_AMID) and _wrong(bare) is None else None
        return CleaningResult(_parts(bare) if whole is None else (whole, *_parts(bare)), problem, whole)
    problem = _hidden(given) or _wrong(bare)
    if problem is None:
        return CleaningResult((Keyword(bare),), None)
    repaired = _sound(_repaired(bare))
    return CleaningResult((repaired,) if repaired else (), problem)


def plainly(text: str) -> str:
    """Normalise quotes, hyphens and spaces, and remove invisible characters."""
    seen = unicodedata.normalize("NFKC", _HIDDEN.sub("", _UNSEEN.sub("", html.unescape(text))))
    return unicodedata.normalize("NFC", _HIDDEN.sub("", _UNSEEN.sub("", seen.translate(_TYPED)))).strip()


def _hidden(text: str) -> str | None:
    return "It contains invisible characters." if _HIDDEN.search(html.unescape(text)) else None


def _refused(plain: str) -> str | None:
    if not plain or plain.casefold() in _BLANKS:
        return "It contains no keyword." if plain else "It is empty."
    if _SCRIPT.search(plain) or _ADDRESS.search(plain):
        return "It contains an address or part of a page, not a keyword."
    if _ORDERS.search(plain):
        return "It reads like an instruction or an answer, not like a keyword."
    if _QUESTION.match(plain):
        return "It is a question, not a keyword."
    return None


def _bare(plain: str) -> str:
    """Remove list numbers, markdown, field names and punctuation around a keyword."""
    bare, before, n_rounds = plain, None, 0
    while bare != before:
        if (n_rounds := n_rounds + 1) > MOST_ROUNDS:
            return ""
        before = bare
        bare = _NUMBERED.sub("", bare)
        bare = _MARKDOWN.sub(r"\2", bare.strip())
        bare = _FIELD.sub("", bare, count=1).strip()
        bare = (
            bare.rstrip(".,;:!'\"`").lstrip(".,;:'\"`").strip()
            if _is_quoted_whole(bare)
            else bare.strip(".,;: ").rstrip("'")
        )
        bare = bare[1:-1].strip() if _is_in_brackets(bare) else bare
    return " ".join(bare.split())


def _is_quoted_whole(text: str) -> bool:
    return text[:1] in "'\"" and '"' not in text.strip("'\" .,;:")


def _is_in_brackets(text: str) -> bool:
    pairs = {"(": ")", "[": "]", "{": "}"}
    inner = text[1:-1]
    return text[-1:] == pairs.get(text[:1], "none") and not any(sign in inner for sign in "()[]{}")


def _in_parts(plain: str, bare: str) -> str | None:
    if _TAG.search(plain):
        return "It contains HTML."
    if found := _OPERATOR.search(bare):
        return f"It contains a Boolean operator ({found[0]})."
    if _HEADING.search(bare):
        return "It searches a field or a subject heading, not words."
    numberless = _DIGITS.sub("", bare)
    if '"' in numberless and _SMALL_OPERATOR.search(numberless):
        return "It contains a Boolean operator."
    if found := _SMALL_OPERATOR.search(numberless):
        return f'{_AMID} ("{found[0]}").'
    if "\n" in plain:
        return "It has several lines: it may be several keywords."
    if found := _BREAKS.search(numberless):
        if found[0] in ",;|/+":
            return f'It may be several keywords: it contains "{found[0]}".'
        return "It contains brackets, quotes or colons."
    return None


def _parts(bare: str) -> tuple[Keyword, ...]:
    wanted = _AFTER_NOT.sub("", _TAG.sub(" | ", _HEADING.sub("", bare)))
    pieces = _BREAKS.split(_SMALL_OPERATOR.sub("|", _OPERATOR.sub("|", wanted)))
    good = {each.key: each for piece in pieces[: 4 * MOST_PARTS] if (each := _sound(piece)) is not None}
    return tuple(good.values())[:MOST_PARTS]


def _sound(piece: str) -> Keyword | None:
    bare = _bare(piece)
    if _refused(bare) or _in_parts(bare, bare) or _wrong(bare) or _bare(bare) != bare:
        return None
    return Keyword(bare)


def _wrong(bare: str) -> str | None:
    found = words(bare)
    if not found:
        return "It contains no word."
    if len(found) > MOST_WORDS:
        return f"It has {len(found)} words: a keyword has at most {MOST_WORDS}."
    if len(bare) > MOST_SIGNS:
        return f"It has {len(bare)} characters: a keyword has at most {MOST_SIGNS}."
    if odd := sorted(set(_SIGNS.findall(_DIGITS.sub("", bare)))):
        return f"It contains characters that are not allowed in a keyword ({' '.join(odd[:5])})."
    if (word := mixed_word(bare)) is not None:
        return f'It mixes letters of two scripts in one word ("{word}").'
    return _wrong_wildcard(bare) or _wrong_words(bare, found)


def _wrong_wildcard(bare: str) -> str | None:
    if any(word.endswith("?") for word in bare.split()):
        return "One word ends with a question mark, which may be a question or a wildcard."
    for word in bare.split():
        beginning = re.split(r"[*?]", word, maxsplit=1)[0]
        if beginning == word:
            continue
        if len(words(beginning)) == 0:
            return "It has a wildcard at the start of a word."
        if len(words(beginning)[-1]) < SHORTEST_BEGINNING and "*" in word:
            return f'"{word}" is cut so short that it matches too many words.'
        if re.search(r"[*?]{2}", word):
            return "It has several adjacent wildcards."
    return None


def _wrong_words(bare: str, found: list[str]) -> str | None:
    if all(word.isdigit() for word in found):
        return "It is a number."
    if all(word in STOP_WORDS or word.isdigit() for word in found):
        return "It has only words that occur in every text."
    if all(word in STOP_WORDS or word.isdigit() or word in _SAYS_LITTLE for word in found):
        return "It is not specific to the topic: nearly every publication may have it."
    if len(found) > 1 and len(set(found)) == 1:
        return "It repeats a word."
    if all(len(word) < SHORTEST_WORD for word in found) and not _is_short_name(bare):
        return "It is too short to be meaningful."
    if len(found) > 1 and (found[0] in _NOT_FIRST or found[-1] in _NOT_LAST):
        return f'It begins or ends in the middle of a phrase ("{found[0] if found[0] in _NOT_FIRST else found[-1]}").'
    return None


def _is_short_name(bare: str) -> bool:
    """Check for an abbreviation such as UV, 5G or R&D."""
    return bare.upper() == bare and len("".join(words(bare))) > 1


def _repaired(bare: str) -> str:
    kept = " ".join(_SIGNS.sub(" ", re.sub(r"(?<![\w])[*?]+|[*?]{2,}|\?(?!\w)", " ", bare)).split())
    found = kept.split()
    while found and found[0].casefold() in _NOT_FIRST:
        found = found[1:]
    while found and found[-1].casefold() in _NOT_LAST:
        found = found[:-1]
    return " ".join(found)


def shown(text: str, limit: int) -> str:
    """Format a text for a list: on one line, in printable characters, shortened if it is long."""
    line = " ".join(_UNSEEN.sub("", text[: 4 * limit]).split())
    line = "".join(sign if sign.isprintable() else "\ufffd" for sign in line)
    return line if len(line) <= limit else f"{line[:limit].rstrip()} […]"


# Comparison of a keyword with the texts read: its presence and spelling.

_CAPITAL = re.compile(r"[A-Z][a-z]+")
_APART = " | "
_CHUNK = re.compile(r"[\w*?]+")
_LETTER = r"[^\W_]"


def usual_word(word: str) -> str:
    """Return a common form of singular and plural, and of British and American spelling.

    >>> usual_word("behaviours"), usual_word("tree")
    ('behavior', 'tree')
    """
    return american(singular(word) or word)


def family(keyword: Keyword) -> str:
    """Return a key shared by keywords that differ in a plural, a hyphen or a final wildcard.

    British and American spellings stay separate: a literal search needs both.

    >>> family(Keyword("Meta-models")) == family(Keyword("metamodel*"))
    True
    """
    return "".join(singular(word) or word for word in words(keyword.text))


class ReadingTexts:
    """The texts of a reading and a brief, indexed on first use."""

    def __init__(self, reading: WriterReading, brief: Brief | None = None) -> None:
        self._texts = list(_texts(reading, brief))

    def has(self, keyword: Keyword) -> bool:
        """Return True if its words occur consecutively in any form; a wildcard stands for letters."""
        if "*" in keyword.text or "?" in keyword.text:
            return self._has_like(keyword.text)
        run = [usual_word(word) for word in words(keyword.text)]
        return bool(run) and f" {' '.join(run)} " in self._words

    def _has_like(self, text: str) -> bool:
        run = " ".join(filter(None, map(_pattern, _CHUNK.findall(text))))
        return bool(words(text)) and re.search(f" {run} ", self._plain) is not None

    def as_read(self, text: str) -> str:
        """Remove capitals that come from a heading, if the texts also have the lower-case form.

        >>> from core.types import Publication
        >>> ReadingTexts(WriterReading("core", (Publication("1", "A city's urban heat"),))).as_read("Urban Heat")
        'urban heat'
        """
        lower = " ".join(word.lower() if _CAPITAL.fullmatch(word) else word for word in text.split())
        return lower if lower != text and re.search(rf"(?<!\w){re.escape(lower)}(?!\w)", self._whole) else text

    @cached_property
    def scripts(self) -> frozenset[str]:
        return scripts_of(self._texts)

    @cached_property
    def _whole(self) -> str:
        return _APART.join(self._texts)

    @cached_property
    def _plain(self) -> str:
        return f" {_APART.join(' '.join(words(text)) for text in self._texts)} "

    @cached_property
    def _words(self) -> str:
        usual: dict[str, str] = {}
        runs = []
        for text in self._texts:
            found = words(text)
            usual.update({word: usual_word(word) for word in found if word not in usual})
            runs.append(" ".join(usual[word] for word in found))
        return f" {_APART.join(runs)} "


def _pattern(chunk: str) -> str:
    """Build a pattern for a word with wildcards.

    Letters after a * match only at their first occurrence, which is enough for a match: trying every position could
    take forever in adversarial texts."""
    first, *others = (
        "".join(_LETTER if piece == "?" else " ".join(words(piece)) for piece in re.split(r"(\?)", part))
        for part in chunk.split("*")
    )
    if not others:
        return first
    amid = "".join(f"(?>{_LETTER}*?{part})" for part in others[:-1] if part)
    return f"{first}{amid}{_LETTER}*{others[-1]}"


def _texts(reading: WriterReading, brief: Brief | None) -> Iterable[str]:
    for publication in reading.publications:
        yield publication.title
        yield publication.abstract or ""
        yield from publication.keywords
    if brief is not None:
        yield from (brief.topic, brief.description, *brief.questions)


# Keywords counted in the corpus, without a model.

Rows = npt.NDArray[np.integer]
Counted = tuple[Suggestion, str, int]
"""A term, the publications that it was counted in, and their number."""
MOST_PROPOSED = 60
COUNTED = 4
"""The ratio of counted to requested terms, as many of them are redundant."""
LARGEST_SHARE = 0.5
"""A word in more than this share of the corpus is not distinctive, unless it is in the topic's name."""
FEWEST_CORE: dict[Mode, int] = {"strict": 3, "moderate": 2, "creative": 2}
"""The minimum number of core publications in use that contain a term, by mode."""
FROM_CORE: dict[Mode, int] = {"strict": 1, "moderate": 2, "creative": 1}
FROM_NEAR: dict[Mode, int] = {"strict": 0, "moderate": 1, "creative": 1}
"""The numbers of terms taken alternately from core publications and from publications close to them."""
MOST_ALIKE = 2
MOST_STANDING_IN = 50
"""Publications with the topic's words that serve as a substitute for core publications."""
_SAY_LITTLE = frozenset(
    words("""
    abstract aim aims article articles author authors chapter conclude conclusion conclusions discuss discussed
    discusses finding findings introduce introduced investigate investigated literature objective objectives paper
    papers present presented presents propose proposed proposes publication publications published purpose recent
    recently research researchers result results show showed shown shows studied studies study suggest suggests work
    works
    become becomes besides certain considered consists current currently despite due followed following general given
    however includes including interest known last main mainly many necessary need needed needs new novel often one
    part possible provide provided provides related respectively several significant therefore thereby three two
    various well whereas yet
    """)
)
"""Words about the writing of a text, or connecting words, not about its subject."""


def proposals_from_corpus(
    texts: CorpusTexts, rows: Rows, *, brief: Brief, near: Rows | None = None, most: int = MOST_PROPOSED
) -> tuple[KeywordProposal, ...]:
    """Propose words and phrases that distinguish the core publications in use and similar ones, clearest first.

    `rows`: these publications in the corpus; if there are none, publications with the topic's words replace them.
    `near`: publications that the region of the core publications in use accepts. Held-out core publications may be
    among them, but nothing here identifies them.
    """
    if len(rows):
        target, name = np.unique(rows), "core publications in use"
    else:
        target, name = _with_topic_words(texts, brief), "publications with the topic's words"
    least = FEWEST_CORE[brief.mode] if len(rows) else 0
    own = (
        (each, name, len(target)) for each in _clear(texts, target, brief, most, by_rows=True) if each.n_target >= least
    )
    close: Iterable[Counted] = ()
    if near is not None and len(near) and FROM_NEAR[brief.mode]:
        around = np.unique(near)
        close = (
            (each, "publications close to them", len(around))
            for each in _clear(texts, around, brief, most, by_rows=False)
        )
    found: dict[str, KeywordProposal] = {}
    for each, what, n in _in_turn(own, close, brief.mode):
        keyword = Keyword(each.text)
        found.setdefault(keyword.key, KeywordProposal(keyword, _reason(each, what, n, texts.n), reading=STATISTICS))
        if len(found) == most:
            break
    return tuple(found.values())


def _in_turn(own: Iterable[Counted], close: Iterable[Counted], mode: Mode) -> Iterator[Counted]:
    turns = zip_longest(_by(own, FROM_CORE[mode]), _by(close, FROM_NEAR[mode]), fillvalue=())
    return (each for pair in turns for each in chain(*pair))


def _by(found: Iterable[Counted], n: int) -> Iterator[tuple[Counted, ...]]:
    left = iter(found)
    while n and (some := tuple(islice(left, n))):
        yield some


def _reason(each: Suggestion, what: str, n: int, n_all: int) -> str:
    return f"In {each.n_target:,} of {n:,} {what} and in {each.n_corpus:,} of {n_all:,} publications."


def _clear(texts: CorpusTexts, target: Rows, brief: Brief, most: int, *, by_rows: bool) -> Iterator[Suggestion]:
    """Yield terms that distinguish a target, without uninformative and redundant ones.

    `by_rows`: terms in the same publications of the target are considered redundant too.
    """
    topic, negative = set(words(brief.topic)), [_spaced(words(text)) for text in brief.negative]
    found = [
        each
        for each in suggest(texts, target, semantics=brief.semantics, most=COUNTED * most)
        if _tells(each, texts.n, topic) and not any(text in _spaced(each.text.split()) for text in negative)
    ]
    found = list(_without_fragments(found))
    return _once_each(texts, target, found) if by_rows else iter(found)


def _tells(each: Suggestion, n: int, topic: set[str]) -> bool:
    parts = each.text.split()
    if parts[0] in _SAY_LITTLE or parts[-1] in _SAY_LITTLE:
        return False
    return each.n_corpus <= LARGEST_SHARE * n or bool(topic & set(parts))


def _without_fragments(found: list[Suggestion]) -> Iterator[Suggestion]:
    """Keep the shorter of a phrase and its part with equal counts, but the phrase of two words found only together."""
    n_of = {each.text: each.n_corpus for each in found}
    pairs = {
        each.text: tuple(each.text.split())
        for each in found
        if each.text.count(" ") == 1 and all(n_of.get(word) == each.n_corpus for word in each.text.split())
    }
    halves = {word for pair in pairs.values() for word in pair}
    by_size: dict[int, list[str]] = {}
    for each in found:
        if each.text not in halves:
            by_size.setdefault(each.n_corpus, []).append(each.text)
    for each in found:
        shorter = (text for text in by_size.get(each.n_corpus, ()) if len(text) < len(each.text))
        if each.text not in halves and not any(_spaced(s.split()) in _spaced(each.text.split()) for s in shorter):
            yield each


def _spaced(parts: list[str]) -> str:
    return f" {' '.join(parts)} "


def _once_each(texts: CorpusTexts, target: Rows, found: list[Suggestion]) -> Iterator[Suggestion]:
    """Keep at most two terms that occur in the same target publications and equally often in the corpus: such terms
    tend to come from one sentence."""
    runs = {n: runs_in(texts, target, n) for n in {len(each.text.split()) for each in found}}
    numbers = {n: packed(texts, run.starts, n) for n, run in runs.items()}
    n_alike: Counter[tuple[int, bytes]] = Counter()
    for each in found:
        parts = each.text.split()
        here = numbers[len(parts)] == _number(texts, parts)
        sign = each.n_corpus, np.unique(runs[len(parts)].rows[here]).tobytes()
        n_alike[sign] += 1
        if n_alike[sign] <= MOST_ALIKE:
            yield each


def _number(texts: CorpusTexts, parts: list[str]) -> int:
    number = 0
    for part in parts:
        number = number << BITS_PER_WORD | texts.number_of[part]
    return number


def _with_topic_words(texts: CorpusTexts, brief: Brief) -> Numbers:
    """Return the publications with the most topic words; each has at least one.

    Ties are broken by content, not by row: core publications, including held-out ones, have the first rows of a corpus.
    """
    wanted = [word for word in dict.fromkeys(words(brief.topic)) if word not in STOP_WORDS and says_something(word)]
    has = np.zeros(texts.n, dtype=np.int64)
    row_of = np.repeat(np.arange(texts.n), texts.lengths.sum(axis=1))
    for word in wanted:
        if (number := texts.number_of.get(word)) is not None:
            has[np.unique(row_of[texts.tokens == number])] += 1
    best = sorted(np.flatnonzero(has).tolist(), key=lambda row: (-int(has[row]), _sign(texts, row)))
    return np.sort(np.array(best[:MOST_STANDING_IN], dtype=np.intp))


def _sign(texts: CorpusTexts, row: int) -> int:
    terms = (texts.tokens_of(row, field) for field in texts.fields)
    return crc32(b"|".join(each.astype(np.int64).tobytes() for each in terms))
