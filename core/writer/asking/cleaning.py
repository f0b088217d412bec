"""What of a text is a keyword. What stands around one is taken off; what is in doubt is said and not taken unasked."""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass

from core.query.repair.candidates import SHORTEST_WORD
from core.text import STOP_WORDS, words
from core.writer.asking.languages import mixed_word
from core.writer.types import Keyword

MOST_WORDS = 6
MOST_SIGNS = 60
SHORTEST_BEGINNING = 4
"""Letters that stand before a *."""
MOST_PARTS = 12
"""Keywords that are offered out of one text."""
MOST_OF_TEXT = 2_000
MOST_ROUNDS = 20
"""Of taking off what stands around a keyword; where more stands there, no keyword stands within."""
_AMID = "It may be several keywords, joined by a word"
_UNSEEN = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
"""Left behind by page layouts; they say nothing."""
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u061c\u200e\u200f\u202a-\u202e\u2061-\u206f\ud800-\udfff\ufff9-\ufffb"
    "\U000e0000-\U000e01ef]"
)
"""Control signs, and those that turn the direction of writing: what is seen may not be what is there."""
_TYPED = str.maketrans(
    dict.fromkeys("“”„‟«»＂″", '"') | dict.fromkeys("‘’‚‛ʼ`´", "'") | dict.fromkeys("‐‑‒–—―−", "-") | {"⁄": "/"}
)
_TAG = re.compile(r"</?[a-zA-Z!][^<>]{0,200}>?")
_SCRIPT = re.compile(r"<\s*(?:script|style|iframe|svg|img|object)\b", re.IGNORECASE)
_ADDRESS = re.compile(r"[a-z]{2,10}://|\bwww\.|\S@\S+\.\w|\b10\.\d{4,}/|\bjavascript:|\bdata:", re.IGNORECASE)
_NUMBERED = re.compile(r"\A\s*(?:[-*•]\s+|\(?\d{1,3}[.)]\s+|#\d{1,3}\s+|(?:e\.g|i\.e)\.,?\s+|the\s+)", re.IGNORECASE)
"""What stands before a keyword in a list or a sentence."""
_MARKDOWN = re.compile(r"\A(\*\*|__|\*|_|~~)(?=\S)(.*\S)\1\Z")
_TEXT_FIELDS = (
    "ti|ab|kw|tw|tiab|ti,ab|ti,ab,kw|mp|ts|title|abstract|title/abstract|text word|keywords?|topic|all fields?"
)
_FIELD = re.compile(
    rf"\A\s*(?:title-abs-key|title-abs|(?:{_TEXT_FIELDS})\s*[:=])\s*|\s*\[(?:{_TEXT_FIELDS})\]\s*\Z|\.(?:{_TEXT_FIELDS})\.\s*\Z",
    re.IGNORECASE,
)
"""Where to look, said of a keyword: in title, abstract or keywords, as it is done anyway."""
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
"""What stands in a form where somebody is to write."""
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
"""Words that nearly every publication may have; alone they find everything."""


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What of a text can be taken."""

    keywords: tuple[Keyword, ...]
    """One where there is no problem; else what a person may take of it, perhaps nothing."""
    problem: str | None
    """Why it is not taken unasked, in one sentence; None: it is a keyword."""
    phrase: Keyword | None = None
    """The whole of it, if only a small word amid it makes it look like several: search and rescue."""


def clean(text: str) -> Cleaned:
    """A keyword without what stands around it, or what is wrong with it.

    >>> clean(' "Street-trees" [tiab] ').keywords
    (Keyword(text='Street-trees', phrase=True, fields=()),)
    >>> [each.text for each in clean("heat AND trees").keywords], clean("heat AND trees").problem
    (['heat', 'trees'], 'It has a Boolean operator in it (AND).')
    """
    given = text[:MOST_OF_TEXT]
    plain = plainly(given)
    problem = _refused(plain) or ("It is very long." if len(text) > MOST_OF_TEXT else None)
    if problem is not None:
        return Cleaned((), problem)
    bare = _bare(_LINES.sub(" ; ", plain))
    if bare and (problem := _refused(bare)) is not None:
        return Cleaned((), problem)
    if (problem := _in_parts(plain, bare)) is not None:
        whole = Keyword(bare) if problem.startswith(_AMID) and _wrong(bare) is None else None
        return Cleaned(_parts(bare) if whole is None else (whole, *_parts(bare)), problem, whole)
    problem = _hidden(given) or _wrong(bare)
    if problem is None:
        return Cleaned((Keyword(bare),), None)
    mended = _sound(_mended(bare))
    return Cleaned((mended,) if mended else (), problem)


def plainly(text: str) -> str:
    """A text in typed quotes, hyphens and spaces, without signs that nobody sees."""
    seen = unicodedata.normalize("NFKC", _HIDDEN.sub("", _UNSEEN.sub("", html.unescape(text))))
    return unicodedata.normalize("NFC", _HIDDEN.sub("", _UNSEEN.sub("", seen.translate(_TYPED)))).strip()


def _hidden(text: str) -> str | None:
    return "It holds signs that nobody sees." if _HIDDEN.search(html.unescape(text)) else None


def _refused(plain: str) -> str | None:
    """What is wrong with a text of which nothing is worth taking."""
    if not plain or plain.casefold() in _BLANKS:
        return "There is no keyword in it." if plain else "It is empty."
    if _SCRIPT.search(plain) or _ADDRESS.search(plain):
        return "It holds an address or a piece of a page, not a keyword."
    if _ORDERS.search(plain):
        return "It reads like an instruction or an answer, not like a keyword."
    if _QUESTION.match(plain):
        return "It is a question, not a keyword."
    return None


def _bare(plain: str) -> str:
    """Without list numbers, markdown, field names and marks around it."""
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
    """Why a text may be several keywords."""
    if _TAG.search(plain):
        return "It has HTML in it."
    if found := _OPERATOR.search(bare):
        return f"It has a Boolean operator in it ({found[0]})."
    if _HEADING.search(bare):
        return "It asks for a field or a subject heading, not for words."
    numberless = _DIGITS.sub("", bare)
    if '"' in numberless and _SMALL_OPERATOR.search(numberless):
        return "It has a Boolean operator in it."
    if found := _SMALL_OPERATOR.search(numberless):
        return f'{_AMID} ("{found[0]}").'
    if "\n" in plain:
        return "It has several lines: it may be several keywords."
    if found := _BREAKS.search(numberless):
        if found[0] in ",;|/+":
            return f'It may be several keywords: "{found[0]}" stands in it.'
        return "It has brackets, quotes or colons in it."
    return None


def _parts(bare: str) -> tuple[Keyword, ...]:
    wanted = _AFTER_NOT.sub("", _TAG.sub(" | ", _HEADING.sub("", bare)))
    pieces = _BREAKS.split(_SMALL_OPERATOR.sub("|", _OPERATOR.sub("|", wanted)))
    good = {each.key: each for piece in pieces[: 4 * MOST_PARTS] if (each := _sound(piece)) is not None}
    return tuple(good.values())[:MOST_PARTS]


def _sound(piece: str) -> Keyword | None:
    """A piece as a keyword, if nothing is wrong with it."""
    bare = _bare(piece)
    if _refused(bare) or _in_parts(bare, bare) or _wrong(bare) or _bare(bare) != bare:
        return None
    return Keyword(bare)


def _wrong(bare: str) -> str | None:
    """What is wrong with one piece of text."""
    found = words(bare)
    if not found:
        return "There is no word in it."
    if len(found) > MOST_WORDS:
        return f"It has {len(found)} words: a keyword has {MOST_WORDS} at most."
    if len(bare) > MOST_SIGNS:
        return f"It has {len(bare)} signs: a keyword has {MOST_SIGNS} at most."
    if odd := sorted(set(_SIGNS.findall(_DIGITS.sub("", bare)))):
        return f"It has signs that no keyword has ({' '.join(odd[:5])})."
    if (word := mixed_word(bare)) is not None:
        return f'It mixes letters of two scripts in one word ("{word}").'
    return _wrong_wildcard(bare) or _wrong_words(bare, found)


def _wrong_wildcard(bare: str) -> str | None:
    if any(word.endswith("?") for word in bare.split()):
        return "A word of it ends with a question mark, which may ask or stand for a letter."
    for word in bare.split():
        beginning = re.split(r"[*?]", word, maxsplit=1)[0]
        if beginning == word:
            continue
        if len(words(beginning)) == 0:
            return "It has a wildcard where a word should begin."
        if len(words(beginning)[-1]) < SHORTEST_BEGINNING and "*" in word:
            return f'"{word}" is cut off after so few letters that it fits very many words.'
        if re.search(r"[*?]{2}", word):
            return "It has several wildcards side by side."
    return None


def _wrong_words(bare: str, found: list[str]) -> str | None:
    if all(word.isdigit() for word in found):
        return "It is a number."
    if all(word in STOP_WORDS or word.isdigit() for word in found):
        return "It has only words that every text has."
    if all(word in STOP_WORDS or word.isdigit() or word in _SAYS_LITTLE for word in found):
        return "It says nothing of the topic: nearly every publication may have it."
    if len(found) > 1 and len(set(found)) == 1:
        return "It says one word several times."
    if all(len(word) < SHORTEST_WORD for word in found) and not _is_short_name(bare):
        return "It is too short to say what it means."
    if len(found) > 1 and (found[0] in _NOT_FIRST or found[-1] in _NOT_LAST):
        return f'It begins or ends amid a phrase ("{found[0] if found[0] in _NOT_FIRST else found[-1]}").'
    return None


def _is_short_name(bare: str) -> bool:
    """An abbreviation such as UV, 5G or R&D."""
    return bare.upper() == bare and len("".join(words(bare))) > 1


def _mended(bare: str) -> str:
    """What may have been meant."""
    kept = " ".join(_SIGNS.sub(" ", re.sub(r"(?<![\w])[*?]+|[*?]{2,}|\?(?!\w)", " ", bare)).split())
    found = kept.split()
    while found and found[0].casefold() in _NOT_FIRST:
        found = found[1:]
    while found and found[-1].casefold() in _NOT_LAST:
        found = found[:-1]
    return " ".join(found)


def shown(text: str, limit: int) -> str:
    """A text as a list shows it: one line, in signs that can be kept, cut if it is long."""
    line = " ".join(_UNSEEN.sub("", text[: 4 * limit]).split())
    line = "".join(sign if sign.isprintable() else "\ufffd" for sign in line)
    return line if len(line) <= limit else f"{line[:limit].rstrip()} […]"
