"""Words and phrases that publications have in common, as the demo model counts them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from core.text import STOP_WORDS, folded, words
from data.stems import Stems

LONGEST = 3
"""Words of a phrase, one with hyphens counted once."""
BOILERPLATE = 0.3
"""Share of the publications from which a sentence that they have word for word is the publisher's, not theirs."""
FEWEST_ALIKE = 3
OF_ONE_WORD = 0.5
"""What a publication counts that has one word, where a phrase counts 1: one word says little."""
OF_TITLE = 0.5
"""What it counts more to stand in the title or the keywords."""
OF_TOPIC = 1.5
"""Times what a phrase counts that has a word of the topic."""
IN_LONGER = 0.75
"""Share of a phrase's publications that a longer one has to have for the shorter to say nothing by itself."""
_SENTENCE = re.compile(r"[^.!?\n]+")
_CLAUSE = re.compile(r"[^,:;()\[\]–—\"“”/]+")
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_PAST = re.compile(r"[a-z]{2,}[^e]ed|[a-z]{3,}(?:ates|izes|ises)")
_ADVERB = re.compile(r"(?!famil|suppl|assembl|anomal|monopol|butterf|repl)[a-z]{3,}ly")
"""A phrase with one of these is likely cut out of a clause."""
_BEFORE_NAMES = frozenset(words("a an and as at by for from in of on or the to under with"))
_VERBS = frozenset(
    words("""
    act acts affect affects allow allows ask asks balanced bear bears become becomes begin begins begun bind binds
    blame bring brings brought build builds built buy buying came carries carry cause causes come comes compare
    compares contribute contributes cut cuts decide decides decrease decreases depend depends describe describes
    double doubled doubles doubling draw draws drew earn earns eat emit emits enter enters estimate estimates exceed
    exceeds exist exists expect expects explain explains face faces fall falls favour favours fear fears feed feeds
    feel fell find finds fit fits follow follows forbid forbids gave get gets give given gives go goes govern
    governs grew grow grows halving happen happens harm harms held help helps hold holds hurt improve improves
    include includes increase increases keep keeps kept know knows lack lacks lead leads learn learns leave leaves
    leaving left lengthen lengthens let lets lie lies limit lose loses lost lower lowers made make makes matter
    matters mean means meet meets move moves need needs occur occurs offer offers outweigh outweighs pay pays plan
    play plays profit profits promise promises promote promotes protect protects provide provides put puts raise
    raises reach reaches read reads reduce reduces relate relates relieve relieves rely remain remains require
    requires rest rests rise rises rose run runs save saves say says seek seeks seem seems seen send sends serve
    serves set sets shorten shortened shortens simulate simulates slept slow slows speak speaks spoil spoils spread
    spreads stand stands start starts stay stays stop stops struggle struggles suffer suffers suggest suggests
    support supports take taken takes tell tells tend tends think thinks took try turn turns undergo undergoes
    understand unsettle unsettles varies vary wake wakes want wants weigh weighs went woke write
    """)
)
"""Words that are verbs more often than anything else."""
DULL = frozenset(
    words("""
    able abroad abstract advice again age-old ahead aim aims alone alongside already also always amid analyses
    analysis another answer answers anything apart approach approaches around author authors average background
    based behind beneath beside besides best better case cases cent certain change changes clear common conclusion
    conclusions cooler countries country data day days degree degrees despite difference differences different
    earlier early effect effects eight ever every everybody everything evidence factor factors far few fewer figure
    finding findings first five form forms four full further general goal goals good group groups half hardly help
    high higher highest hour hours however idea ideas importance important index inside issue issues kind kinds
    known large larger largest last late later least left less level levels likely line lines list lists literature
    little long longer low lower lowest made made-up main major many marked matter mean measure measurement
    measurements measures method methods minute minutes model models month months moreover much near nearby never
    new next nine nobody normal nothing number numbers objective objectives often once one onto order ordinary other
    others outside overall own paper papers part participants parts pattern people per percent period person place
    places point points poor possible previous prior problem problems publication publications published purpose
    question questions range ranges rarely rate rates reason reasons record recorded records report reports research
    researchers respectively result results review right role sample samples scheme score scores second seconds
    seldom sensor sensors set sets seven several share short shorter show shows significant significantly similar
    single site sites six size sizes small smaller somebody something sometimes soon state step steps still strong
    stronger studies study survey systematic table task tasks ten test tests therefore thing things third three
    throughout time times together total trial trials twice two type types typical unit units up use users usual
    value values various warmer way ways weak weaker week weeks well whereas whole work works year years yet
    """)
)
"""Words that tell one text from another as little as stop words do."""


@dataclass(frozen=True, slots=True)
class Text:
    """One publication as it stands in a prompt."""

    title: str = ""
    abstract: str = ""
    keywords: str = ""
    """With semicolons between them."""


@dataclass(slots=True)
class Phrase:
    """A phrase in all of its forms."""

    forms: Counter[str] = field(default_factory=Counter)
    """As it is written, and how often."""
    rows: set[int] = field(default_factory=set)
    """Publications that have it."""
    in_titles: set[int] = field(default_factory=set)
    """Those that have it in the title or among the keywords."""

    @property
    def n(self) -> int:
        """Publications that have it."""
        return len(self.rows)

    @property
    def text(self) -> str:
        """The form that is written most often."""
        return max(self.forms, key=lambda form: (self.forms[form], form))


class Phrases:
    """What some publications have in common."""

    def __init__(self, texts: Sequence[Text], stems: Stems, topic: Iterable[str]) -> None:
        self.n = len(texts)
        named = {word for word in topic if word not in STOP_WORDS}
        self.topic = frozenset(stems.of(named))
        self.found: dict[tuple[str, ...], Phrase] = {}
        self._stems = stems
        self._dull = DULL - named
        dull = _alike(texts)
        for row, text in enumerate(texts):
            for is_title, clause in _clauses(text, dull):
                self._count(row, clause, is_title=is_title)
        self.weights = self._weights()

    def common(self, *, fewest: int, trust: bool) -> list[tuple[float, tuple[str, ...]]]:
        """Those that at least so many have, what says most first. `trust`: every publication counts the same."""
        often = {key: phrase for key, phrase in self.found.items() if phrase.n >= fewest}
        worth = {key: self._worth(key, phrase, trust) for key, phrase in often.items()}
        inside = _inside_longer(often)
        return sorted(((worth[key], key) for key in often if key not in inside), key=lambda each: (-each[0], each[1]))

    def _worth(self, key: tuple[str, ...], phrase: Phrase, trust: bool) -> float:
        def weight(rows: Iterable[int]) -> float:
            return sum(1.0 if trust else self.weights[row] for row in rows)

        counted = weight(phrase.rows) + OF_TITLE * weight(phrase.in_titles)
        return counted * (OF_ONE_WORD if len(key) == 1 else 1.0) * (OF_TOPIC if self.topic & set(key) else 1.0)

    def _weights(self) -> list[float]:
        """How much of the topic each publication has."""
        n = max(len(self.topic), 1)
        has = Counter(row for stem in self.topic for row in self.found.get((stem,), Phrase()).rows)
        return [has[row] / n for row in range(self.n)]

    def _count(self, row: int, clause: str, *, is_title: bool) -> None:
        found = [folded(word) for word in _WORD.findall(clause)]
        stems = [self._stems.of(words(word)) for word in found]
        for start in range(len(found)):
            for n in range(1, LONGEST + 1):
                run = found[start : start + n]
                if len(run) < n:
                    break
                if not _says(run, DULL if n == 1 else self._dull):
                    continue
                if _PAST.fullmatch(run[0]) and start and found[start - 1] not in _BEFORE_NAMES:
                    continue  # "we compared sleep", but "of supervised learning"
                phrase = self.found.setdefault(tuple(chain(*stems[start : start + n])), Phrase())
                phrase.forms[" ".join(run)] += 1
                phrase.rows.add(row)
                if is_title:
                    phrase.in_titles.add(row)


def _says(run: Sequence[str], dull: Collection[str]) -> bool:
    """Whether a run of words may be a phrase."""
    if any(word in STOP_WORDS or word.isdigit() or word in _VERBS or _ADVERB.fullmatch(word) for word in run):
        return False
    if any(_PAST.fullmatch(word) for word in (run[1:] or run)):
        return False
    if any(word in dull or len(word) < 2 or word[0].isdigit() for word in (run[0], run[-1])):
        return False
    return len(run) > 1 or len(run[0]) > 2


def _alike(texts: Sequence[Text]) -> frozenset[str]:
    """Sentences that many of the publications have word for word."""
    n_with = Counter(each for text in texts for each in set(_sentences(text.abstract)))
    return frozenset(each for each, n in n_with.items() if n >= max(FEWEST_ALIKE, BOILERPLATE * len(texts)))


def _sentences(text: str) -> list[str]:
    return [each.strip() for each in _SENTENCE.findall(text) if each.strip()]


def _clauses(text: Text, dull: frozenset[str]) -> Iterator[tuple[bool, str]]:
    """Stretches that no phrase leaves, and whether they stand in the title or the keywords."""
    for clause in _CLAUSE.findall(text.title):
        yield True, clause
    for keyword in text.keywords.split(";"):
        yield True, keyword
    for sentence in _sentences(text.abstract):
        if sentence not in dull:
            for clause in _CLAUSE.findall(sentence):
                yield False, clause


def _inside_longer(often: Mapping[tuple[str, ...], Phrase]) -> set[tuple[str, ...]]:
    """Phrases that hardly occur but inside a longer one."""
    inside = set()
    for key, phrase in often.items():
        for n in range(2, len(key)):
            for start in range(len(key) - n + 1):
                part = key[start : start + n]
                if part in often and phrase.n >= IN_LONGER * often[part].n:
                    inside.add(part)
    return inside
