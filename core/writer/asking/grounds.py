"""What was read, as a keyword is held against it: whether it stands there, and how it is written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from core.query.spelling import american, singular
from core.text import words
from core.writer.asking.languages import scripts_of
from core.writer.types import Brief, Keyword, Reading

_CAPITAL = re.compile(r"[A-Z][a-z]+")
_APART = " | "
_CHUNK = re.compile(r"[\w*?]+")
_LETTER = r"[^\W_]"


def usual_word(word: str) -> str:
    """One form for singular and plural, British and American.

    >>> usual_word("behaviours"), usual_word("tree")
    ('behavior', 'tree')
    """
    return american(singular(word) or word)


def family(keyword: Keyword) -> str:
    """The same for keywords that differ by a plural, a hyphen or a wildcard at the end.

    British and American spellings stay two: a literal search wants both.

    >>> family(Keyword("Meta-models")) == family(Keyword("metamodel*"))
    True
    """
    return "".join(singular(word) or word for word in words(keyword.text))


class Grounds:
    """The texts of a reading and a brief. What it takes to look into them is done when somebody looks."""

    def __init__(self, reading: Reading, brief: Brief | None = None) -> None:
        self._texts = list(_texts(reading, brief))

    def has(self, keyword: Keyword) -> bool:
        """Whether its words stand side by side somewhere, in whatever form; a wildcard stands for letters."""
        if "*" in keyword.text or "?" in keyword.text:
            return self._has_like(keyword.text)
        run = [usual_word(word) for word in words(keyword.text)]
        return bool(run) and f" {' '.join(run)} " in self._words

    def _has_like(self, text: str) -> bool:
        run = " ".join(filter(None, map(_pattern, _CHUNK.findall(text))))
        return bool(words(text)) and re.search(f" {run} ", self._plain) is not None

    def as_read(self, text: str) -> str:
        """Without capitals that a heading gave it, where it was read without them too.

        >>> from core.types import Publication
        >>> Grounds(Reading("core", (Publication("1", "A city's urban heat"),))).as_read("Urban Heat")
        'urban heat'
        """
        lower = " ".join(word.lower() if _CAPITAL.fullmatch(word) else word for word in text.split())
        return lower if lower != text and re.search(rf"(?<!\w){re.escape(lower)}(?!\w)", self._whole) else text

    @cached_property
    def scripts(self) -> frozenset[str]:
        """Scripts that keywords may be written in."""
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
    """A word with wildcards. Letters behind a * are found where they first stand and nowhere else, which is all that a
    match needs: trying every place takes for ever in texts made for that."""
    first, *others = (
        "".join(_LETTER if piece == "?" else " ".join(words(piece)) for piece in re.split(r"(\?)", part))
        for part in chunk.split("*")
    )
    if not others:
        return first
    amid = "".join(f"(?>{_LETTER}*?{part})" for part in others[:-1] if part)
    return f"{first}{amid}{_LETTER}*{others[-1]}"


def _texts(reading: Reading, brief: Brief | None) -> Iterable[str]:
    for publication in reading.publications:
        yield publication.title
        yield publication.abstract or ""
        yield from publication.keywords
    if brief is not None:
        yield from (brief.topic, brief.description, *brief.questions)
