"""The scripted demo model that proposes keywords. It is not a language model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

from core.query.spelling import other_english, singular
from core.text import HYPHENATED_WORD, STOP_WORDS, between, code_in, folded, words
from core.writer.prompts import KINDS, MODES, N_WANTED
from core.writer.sheets import Mode, ReadingKind
from data.judge.demo_judge import ScriptedModel
from data.query.index import Stems

# Words and phrases that publications have in common, as the demo model counts them.

LONGEST = 3
"""Longest phrase, in words; a hyphenated word counts once."""
BOILERPLATE = 0.3
"""Share of publications with an identical sentence from which it counts as the publisher's boilerplate."""
FEWEST_ALIKE = 3
OF_ONE_WORD = 0.5
"""Weight of a single word, relative to a phrase: one word says little."""
OF_TITLE = 0.5
"""Extra weight of an occurrence in the title or the keywords."""
OF_TOPIC = 1.5
"""Factor for phrases with a word of the topic."""
IN_LONGER = 0.75
"""A phrase is dropped if a longer one that contains it is in this share of its publications."""
_SENTENCE = re.compile(r"[^.!?\n]+")
_CLAUSE = re.compile(r"[^,:;()\[\]–—\"“”/]+")
_PAST = re.compile(r"[a-z]{2,}[^e]ed|[a-z]{3,}(?:ates|izes|ises)")
_ADVERB = re.compile(r"(?!famil|suppl|assembl|anomal|monopol|butterf|repl)[a-z]{3,}ly")
"""A phrase with one of these is probably a fragment of a clause."""
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
"""Words that are verbs more often than not."""
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
"""Words that distinguish texts as little as stop words do."""


@dataclass(frozen=True, slots=True)
class PromptPublication:
    title: str = ""
    abstract: str = ""
    keywords: str = ""
    """Separated by semicolons."""


@dataclass(slots=True)
class Phrase:
    forms: Counter[str] = field(default_factory=Counter)
    """Frequency of each written form."""
    rows: set[int] = field(default_factory=set)
    """Publications that contain it."""
    in_titles: set[int] = field(default_factory=set)
    """Publications with it in the title or among the keywords."""

    @property
    def n(self) -> int:
        """Number of publications that contain it."""
        return len(self.rows)

    @property
    def text(self) -> str:
        """The most frequent form."""
        return max(self.forms, key=lambda form: (self.forms[form], form))


class Phrases:
    def __init__(self, texts: Sequence[PromptPublication], stems: Stems, topic: Iterable[str]) -> None:
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
        """Return phrases in at least `fewest` publications, by weight. `trust`: weigh all publications alike."""
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
        n = max(len(self.topic), 1)
        has = Counter(row for stem in self.topic for row in self.found.get((stem,), Phrase()).rows)
        return [has[row] / n for row in range(self.n)]

    def _count(self, row: int, clause: str, *, is_title: bool) -> None:
        found = [folded(word) for word in HYPHENATED_WORD.findall(clause)]
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
    if any(word in STOP_WORDS or word.isdigit() or word in _VERBS or _ADVERB.fullmatch(word) for word in run):
        return False
    if any(_PAST.fullmatch(word) for word in (run[1:] or run)):
        return False
    if any(word in dull or len(word) < 2 or word[0].isdigit() for word in (run[0], run[-1])):
        return False
    return len(run) > 1 or len(run[0]) > 2


def _alike(texts: Sequence[PromptPublication]) -> frozenset[str]:
    """Return sentences that many of the publications share verbatim."""
    n_with = Counter(each for text in texts for each in set(_sentences(text.abstract)))
    return frozenset(each for each, n in n_with.items() if n >= max(FEWEST_ALIKE, BOILERPLATE * len(texts)))


def _sentences(text: str) -> list[str]:
    return [each.strip() for each in _SENTENCE.findall(text) if each.strip()]


def _clauses(text: PromptPublication, dull: frozenset[str]) -> Iterator[tuple[bool, str]]:
    """Yield the stretches of text that phrases stay within; True: from the title or the keywords."""
    for clause in _CLAUSE.findall(text.title):
        yield True, clause
    for keyword in text.keywords.split(";"):
        yield True, keyword
    for sentence in _sentences(text.abstract):
        if sentence not in dull:
            for clause in _CLAUSE.findall(sentence):
                yield False, clause


def _inside_longer(often: Mapping[tuple[str, ...], Phrase]) -> set[tuple[str, ...]]:
    """Return phrases that rarely occur outside a longer one."""
    inside = set()
    for key, phrase in often.items():
        for n in range(2, len(key)):
            for start in range(len(key) - n + 1):
                part = key[start : start + n]
                if part in often and phrase.n >= IN_LONGER * often[part].n:
                    inside.add(part)
    return inside


# The scripted demo model that proposes keywords: it counts words and phrases and is not a language model.
#
# It demonstrates query writing without a key. It reads the same prompts as a model, answers in the same form, uses only
# the prompt, and gives the same answer to the same prompt. It knows only the core publications it is shown, no
# synonyms, and not the meaning of words: it relies only on what many of the publications contain.

VERSION = "demo-keywords-1"
LOST = "This is a scripted demo model. It can only propose keywords for a search string."
FORMS = (
    "{flat}",
    "```json\n{flat}\n```",
    "Here are my keywords:\n\n```json\n{flat}\n```",
    "<think>Counting what the publications have in common.</think>\n{flat}",
)
"""Forms of an answer where no schema is enforced, since models vary in that."""
FEWEST = 2
"""Fewest publications with a phrase."""
FEWEST_SHARE: Mapping[Mode, float] = {"strict": 0.12, "moderate": 0.18, "creative": 0.06}
"""Smallest share of publications with a phrase. Strict accepts only phrases with a word of the topic."""
TRUSTED: tuple[ReadingKind, ...] = ("core", "supporting")
"""Readings that are on topic as a whole; in others, publications weigh more the more topic words they contain."""
SHORTEST_BEGINNING = 4
LONGEST_ENDING = 3
"""Letters that a * may replace: a plural ending."""
MOST_REMOVED = 5
_WANTED = re.compile(r"^Propose up to ([0-9]{1,4}) (?:keywords|changes)\.", re.MULTILINE)
_CHUNK = re.compile(r"[^,:;()\[\]–—\"“”/.?!]+")
_IN_STRING = re.compile(r'"([^"]+)"|([^\s()"]+)')


@dataclass(frozen=True, slots=True)
class _Asked:
    topic: str
    mode: Mode
    kind: ReadingKind
    n_wanted: int
    negative: tuple[str, ...]
    texts: tuple[PromptPublication, ...]
    found: tuple[PromptPublication, ...]
    """What a string to be improved finds; `texts` is what it misses."""
    string: str | None


class DemoWriterModel(ScriptedModel):
    """A model that proposes words and phrases shared by many of the publications in a prompt."""

    fingerprint = VERSION
    forms = FORMS
    lost = LOST

    def __init__(self) -> None:
        self._stems = Stems()

    def _reply(self, system: str, user: str) -> dict[str, Any] | None:
        asked = _read(system, user)
        if asked is None:
            return None
        if asked.string is None:
            return {"keywords": list(islice(self._keywords(asked), asked.n_wanted))}
        return self._changes(asked, asked.string)

    def _keywords(self, asked: _Asked) -> Iterator[dict[str, str]]:
        phrases = Phrases(asked.texts, self._stems, words(asked.topic))
        yield from self._of_topic(asked, phrases)
        fewest = min(max(FEWEST, round(FEWEST_SHARE[asked.mode] * phrases.n)), max(phrases.n, 1))
        terms = {tuple(self._stems.of(words(chunk))) for chunk in _chunks(asked.topic)}
        for _, key in phrases.common(fewest=fewest, trust=asked.kind in TRUSTED):
            if (
                key in terms
                or self._is_unwanted(key, asked)
                or not (asked.mode != "strict" or phrases.topic & set(key))
            ):
                continue
            phrase = phrases.found[key]
            place = "specific" if len(key) > 1 and phrases.topic & set(key) else "general"
            texts = _spellings(phrase)
            for text in texts:
                yield {"keyword": text, "reason": _counted(phrase, phrases.n), "list": place}
                if asked.mode == "creative" and (other := _other_spelling(text)) is not None and other not in texts:
                    yield {"keyword": other, "reason": f'Another spelling of "{text}".', "list": place}

    def _of_topic(self, asked: _Asked, phrases: Phrases) -> Iterator[dict[str, str]]:
        """Yield the topic's own phrases in their written forms; with no publications, also its single words."""
        for chunk in _chunks(asked.topic):
            key = tuple(self._stems.of(words(chunk)))
            if self._is_unwanted(key, asked):
                continue
            phrase = phrases.found.get(key)
            texts = _spellings(phrase) if phrase else [chunk]
            reason = f"It is in the topic's name. {_counted(phrase, phrases.n) if phrase else ''}".strip()
            place = "specific" if len(key) > 1 else "general"
            for text in texts:
                yield {"keyword": text, "reason": reason, "list": place}

    def _changes(self, asked: _Asked, string: str) -> dict[str, Any]:
        """Propose terms more frequent in missed than in found publications; remove phrases that no found one has."""
        topic = words(asked.topic)
        missed, found = (Phrases(texts, self._stems, topic) for texts in (asked.texts, asked.found))
        held = f" {' '.join(self._stems.of(words(string)))} "
        added = []
        for _, key in missed.common(fewest=min(FEWEST, max(missed.n, 1)), trust=True):
            phrase, there = missed.found[key], found.found.get(key)
            share = (there.n if there else 0) / max(found.n, 1)
            if f" {' '.join(key)} " in held or self._is_unwanted(key, asked) or phrase.n / missed.n <= share:
                continue
            place = "specific" if len(key) > 1 and missed.topic & set(key) else "general"
            reason = f"In {phrase.n} of {missed.n} missed publications and in {there.n if there else 0} of "
            reason += f"{found.n} found publications."
            added += [{"keyword": text, "reason": reason, "list": place} for text in _spellings(phrase)[:1]]
        return {"add": added[: asked.n_wanted], "remove": self._idle(string, found)[:MOST_REMOVED]}

    def _idle(self, string: str, found: Phrases) -> list[dict[str, str]]:
        """Return the string's phrases that no found publication contains. Words with a * are not tested."""
        if not found.n:
            return []
        terms = [quoted for quoted, _ in _IN_STRING.findall(string) if quoted and "*" not in quoted]
        return [
            {"keyword": term, "reason": f"None of the {found.n} found publications has it."}
            for term in dict.fromkeys(terms)
            if tuple(self._stems.of(words(term))) not in found.found and len(words(term)) > 1
        ]

    def _is_unwanted(self, key: Sequence[str], asked: _Asked) -> bool:
        runs = (" ".join(self._stems.of(words(text))) for text in asked.negative)
        return any(f" {run} " in f" {' '.join(key)} " for run in runs if run)


def _read(system: str, user: str) -> _Asked | None:
    """Parse a prompt; None if it does not ask for keywords."""
    code = code_in(user)
    topic = between(user, "topic", code) if code else None
    wanted = _WANTED.search(outside := _outside(user, code or ""))
    if code is None or topic is None or wanted is None:
        return None
    negative = (between(user, "keywords that are not wanted", code) or "").splitlines()
    string = between(user, "search string", code)
    name = "publication" if string is None else "missed publication"
    return _Asked(
        topic=topic.replace("(made up)", ""),
        mode=next((mode for mode, text in MODES.items() if text in system), "moderate"),
        kind=next((kind for kind, text in KINDS.items() if text in outside), "nearest"),
        n_wanted=int(wanted[1]) or N_WANTED,
        negative=tuple(negative),
        texts=tuple(_texts(user, name, code)),
        found=tuple(_texts(user, "found publication", code)),
        string=string,
    )


def _outside(user: str, code: str) -> str:
    return re.sub(rf"^\[([^\n]+) {code}\]\n.*?\n\[end of \1 {code}\]$", "", user, flags=re.MULTILINE | re.DOTALL)


def _texts(user: str, name: str, code: str) -> Iterator[PromptPublication]:
    n = 1
    while (text := between(user, f"{name} {n}", code)) is not None or f"[there is no {name} {n} {code}]" in user:
        parts = dict(line.split(": ", 1) for line in (text or "").splitlines() if ": " in line)
        yield PromptPublication(parts.get("Title", ""), parts.get("Abstract", ""), parts.get("Keywords", ""))
        n += 1


def _chunks(topic: str) -> list[str]:
    """Split a topic's name at its stop words.

    >>> _chunks("Urban heat and street trees")
    ['urban heat', 'street trees']
    """
    found: list[str] = []
    for clause in _CHUNK.findall(topic):
        run: list[str] = []
        for word in [*words(clause), ""]:
            if word and word not in STOP_WORDS:
                run.append(word)
            elif run:
                found.append(" ".join(run))
                run = []
    return list(dict.fromkeys(found))


def _spellings(phrase: Phrase) -> list[str]:
    """Return one text per spelling; forms that differ only in number are one text, with a * if that covers them."""
    groups: dict[str, list[str]] = {}
    for form, n in phrase.forms.most_common():
        usual = " ".join(singular(word) or word for word in words(form))
        if n > 1 or not groups or usual in groups:
            groups.setdefault(usual, []).append(form)
    return [_covering(_hyphened_alike(forms)) for forms in groups.values()]


def _hyphened_alike(forms: Sequence[str]) -> list[str]:
    """Drop the hyphens if forms differ only in these: the search treats both alike."""
    spaced = list(dict.fromkeys(form.replace("-", " ") for form in forms))
    return list(forms) if len(spaced) == len(forms) else spaced


def _covering(forms: Sequence[str]) -> str:
    """Return one text for all forms of a phrase.

    >>> _covering(["street trees", "street tree"]), _covering(["battery", "batteries"]), _covering(["men", "man"])
    ('street tree*', 'batter*', 'men')
    """
    shortest = min(map(len, forms))
    n = next((i for i in range(shortest) if len({form[i] for form in forms}) > 1), shortest)
    beginning = forms[0][:n]
    last = beginning.split(" ")[-1]
    is_short = max(map(len, forms)) - n <= LONGEST_ENDING
    if len(forms) > 1 and is_short and len(last) >= SHORTEST_BEGINNING and last.isalpha():
        return f"{beginning}*"
    return forms[0]


def _other_spelling(text: str) -> str | None:
    """Convert American to British spelling, or the reverse; None if there is no other."""
    found = text.split(" ")
    other = [other_english(word) or word for word in found]
    return " ".join(other) if other != found and "*" not in text else None


def _counted(phrase: Phrase, n: int) -> str:
    in_titles = f", in {len(phrase.in_titles)} of them in the title or the keywords" if phrase.in_titles else ""
    return f"In {phrase.n} of the {n} publications that were read{in_titles}."
