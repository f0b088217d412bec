"""Whether a keyword is written as others here are: its script, and words that no English phrase has."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable
from functools import lru_cache

LATIN, GREEK = "Latin", "Greek"
AT_HOME = frozenset({LATIN, GREEK})
"""Scripts of English texts; Greek letters stand in names of genes, rays and measures."""
_ALIKE = frozenset({LATIN, "Cyrillic", "Armenian", "Cherokee", "Coptic"})
"""Scripts with letters that look the same."""
_GREEK_ALIKE = frozenset("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο")
"""Of Greek the letters that look Latin; α and β stand in Latin words as what they are."""
FEWEST_LETTERS = 0.05
"""Share of the letters of a text from which its script is one that it is written in."""
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
"""Small words of other languages that stand between others; names and terms have some of them too (de novo)."""
_FORMS = re.compile(
    r"\w{3,}(?:mientos?|ciones|zion[ei]|keit(?:en)?|heit(?:en)?|schaft(?:en)?|ungen|ungs\w{3,}|lijke?|heden)\Z"
)
"""Words made as English makes none."""


@lru_cache(maxsize=4096)
def _script_of(letter: str) -> str:
    name = re.split("[ -]", unicodedata.name(letter, ""), maxsplit=1)[0]
    return _SCRIPTS.get(name, name.capitalize() or "an unknown")


def scripts_in(text: str) -> frozenset[str]:
    """The scripts of the letters of a text.

    >>> sorted(scripts_in("β-catenin 2")), scripts_in("тепло")
    (['Greek', 'Latin'], frozenset({'Cyrillic'}))
    """
    return frozenset(_script_of(letter) for letter in set(text) if letter.isalpha())


def scripts_of(texts: Iterable[str]) -> frozenset[str]:
    """The scripts that texts are written in, whatever single letters of others they have."""
    n_letters: Counter[str] = Counter()
    for text in texts:
        for letter, n in Counter(text).items():
            if letter.isalpha():
                n_letters[_script_of(letter)] += n
    total = n_letters.total()
    return AT_HOME | {script for script, n in n_letters.items() if n >= FEWEST_LETTERS * total}


def mixed_word(text: str) -> str | None:
    """A word with letters of two scripts that look alike; None: there is none.

    >>> mixed_word("urban heat"), mixed_word("urb\\u0430n heat")
    (None, 'urbаn')
    """
    for word in text.replace("-", " ").split():
        scripts = scripts_in(word)
        if len(scripts & _ALIKE) > 1 or (LATIN in scripts and not _GREEK_ALIKE.isdisjoint(word)):
            return word
    return None


def foreign_script(text: str, at_home: Collection[str]) -> str | None:
    """A script that a keyword has and nothing that was read; None: there is none."""
    others = sorted(scripts_in(text) - set(at_home))
    return others[0] if others else None


def foreign_word(text: str) -> str | None:
    """A word that speaks for another language written in Latin letters; None: there is none.

    Small words count only amid others, and letters with marks only if they stay what they are: names and loan words
    have both, so whoever asks looks first whether the phrase was read somewhere.

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
