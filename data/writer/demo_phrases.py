"""Words and phrases that publications have in common, as the demo model counts them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.text import STOP_WORDS, folded, words
from data.stems import Stems

LONGEST = 3
"""Words of a phrase."""
BOILERPLATE = 0.3
"""Share of the publications from which a sentence that they have word for word is the publisher's, not theirs."""
FEWEST_ALIKE = 3
OF_LENGTH = (0.0, 0.5, 1.0, 1.0)
"""What a publication with one, two and three words counts: one word says little."""
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
_VERBS = frozenset(
    words("""
    act acts affect affects allow allows ask asks balanced become becomes begin begins begun bind binds blame bring
    brings brought build builds built buy buying came carry carries cause causes come comes compare compares contribute
    contributes cut cuts decide decides decrease decreases depend depends describe describes double doubles draw draws
    drew earn earns eat emit emits enter enters estimate estimates exceed exceeds exist exists expect expects explain
    explains face faces fall falls favour favours fear fears feed feeds feel fell find finds fit fits follow follows
    forbid forbids gave get gets give gives given go goes grow grows grew happen happens help helps hold holds held hurt
    improve improves include includes increase increases keep keeps kept know knows lack lacks lead leads learn learns
    leave leaves left lengthen lengthens let lets lie lies lies limit lose loses lost lower lowers made make makes
    matter matters mean means meet meets move moves need needs occur occurs offer offers pay pays play plays plan profit
    profits promise promises promote promotes protect protects provide provides put puts raise raises reach reaches read reads
    reduce reduces relate relates rely remain remains require requires rest rests rise rises rose run runs save saves
    say says seek seeks seem seems seen send sends serve serves set sets shorten shortens shortened slow slows slept
    speak speaks spoil spoils spread spreads stand stands start starts stay stays stop stops struggle struggles suffer
    suffers suggest suggests support supports take takes taken tell tells tend tends think thinks took try turn turns
    understand undergo undergoes unsettle unsettles vary varies wake wakes want wants went weigh weighs woke write
    """)
)
"""Words that are verbs more often than anything else."""
DULL = frozenset(
    words("""
    study studies paper papers result results method methods data analysis analyses approach approaches effect effects
    show shows new based different high higher highest low lower lowest large larger largest small smaller two three
    four five six seven eight nine ten one per cent percent number numbers part parts publication publications abstract
    well also clear marked first second third last year years month months week weeks day days hour hours minute minutes
    degree degrees time times group groups model models sample samples work works earlier later review evidence
    question questions difference differences pattern change changes value values level levels many several every
    another difference case cases people person participants site sites place places use users measure measures
    measurement measurements period half share rate rates important importance significant significantly respectively
    however therefore moreover whereas aim aims objective objectives background conclusion conclusions purpose
    finding findings published known role factor factors long short full early late best better good poor way ways
    country countries author authors research researchers literature systematic survey report reports data set sets
    beneath behind beside besides inside outside despite amid onto throughout alongside nearby ahead apart abroad left
    right often always never sometimes seldom rarely already ever soon others other longer shorter warmer cooler earlier
    together alone around again nobody everybody somebody nothing everything something anything half twice once hardly
    second seconds ordinary usual normal typical various certain similar able age-old further next previous later prior
    advice scheme help idea ideas thing things matter point points line lines form forms state order case reason
    reasons answer answers problem problems issue issues goal goals task tasks step steps test tests trial trials
    sensor sensors record records recorded score scores index unit units list lists table figure range ranges
    type types kind kinds size sizes small single common general overall total average mean main major made-up up made
    less least fewer few little strong stronger weak weaker possible likely whole own less much far near still yet
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
        self.topic = frozenset(stems.of(word for word in topic if word not in STOP_WORDS | DULL))
        self.found: dict[tuple[str, ...], Phrase] = {}
        self._stems = stems
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
        return counted * OF_LENGTH[len(key)] * (OF_TOPIC if self.topic & set(key) else 1.0)

    def _weights(self) -> list[float]:
        """How much of the topic each publication has."""
        n = max(len(self.topic), 1)
        has = Counter(row for stem in self.topic for row in self.found.get((stem,), Phrase()).rows)
        return [has[row] / n for row in range(self.n)]

    def _count(self, row: int, clause: str, *, is_title: bool) -> None:
        found = [folded(word) for word in _WORD.findall(clause)]
        stems = self._stems.of(found)
        for start in range(len(found)):
            for n in range(1, LONGEST + 1):
                run = found[start : start + n]
                if len(run) < n:
                    break
                if not _says(run):
                    continue
                phrase = self.found.setdefault(tuple(stems[start : start + n]), Phrase())
                phrase.forms[" ".join(run)] += 1
                phrase.rows.add(row)
                if is_title:
                    phrase.in_titles.add(row)


def _says(run: Sequence[str]) -> bool:
    """Whether a run of words may be a phrase."""
    if any(word in STOP_WORDS or word.isdigit() or word in _VERBS or _ADVERB.fullmatch(word) for word in run):
        return False
    if _PAST.fullmatch(run[-1]) or any(_PAST.fullmatch(word) for word in run[1:]):
        return False  # at the beginning it may tell what kind: supervised learning
    if any(word in DULL or len(word) < 2 or word[0].isdigit() for word in (run[0], run[-1])):
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
