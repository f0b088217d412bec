"""The scripted demo model that proposes keywords: it counts words and phrases and is not a language model.

It is there so that writing can be seen at work without a key. It reads the same prompts as a model, answers in the same
form, knows nothing but what stands in them, and gives the same answer to the same prompt. Of core publications it knows
those that it is shown. It has no synonyms and does not know what a word means: what many of the publications write is
all that it goes by.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from typing import Any

from core.protocols import Answer
from core.query.spelling import other_english, singular
from core.text import STOP_WORDS, between, code_in, words
from core.writer.asking.reading import KINDS, MODES, N_WANTED
from core.writer.types import Mode, ReadingKind
from data.stems import Stems
from data.writer.demo_phrases import Phrase, Phrases, Text

DEMO_MODEL = "demo"
LABEL = "demo (not a language model)"
VERSION = "demo-keywords-1"
LOST = "This is a scripted demo model. It can only propose keywords for a search string."
FORMS = (
    "{flat}",
    "```json\n{flat}\n```",
    "Here are my keywords:\n\n```json\n{flat}\n```",
    "<think>Counting what the publications have in common.</think>\n{flat}",
)
"""How it words an answer where nobody holds it to a form, since models differ in that."""
FEWEST = 2
"""Publications that have a phrase."""
FEWEST_SHARE: Mapping[Mode, float] = {"strict": 0.12, "moderate": 0.18, "creative": 0.06}
"""Share of them that have it, where there are many. Strict takes only what has a word of the topic."""
TRUSTED: tuple[ReadingKind, ...] = ("core", "supporting")
"""Readings that belong to the topic as a whole; of others the publications with the topic's words count most."""
SHORTEST_BEGINNING = 4
LONGEST_ENDING = 3
"""Letters that a * stands for: a plural."""
MOST_REMOVED = 5
_WANTED = re.compile(r"^Propose up to ([0-9]{1,4}) (?:keywords|changes)\.", re.MULTILINE)
_CHUNK = re.compile(r"[^,:;()\[\]–—\"“”/.?!]+")
_IN_STRING = re.compile(r'"([^"]+)"|([^\s()"]+)')


@dataclass(frozen=True, slots=True)
class _Asked:
    """What stands in a prompt."""

    topic: str
    mode: Mode
    kind: ReadingKind
    n_wanted: int
    negative: tuple[str, ...]
    texts: tuple[Text, ...]
    found: tuple[Text, ...]
    """Of a string that is to be improved: what it finds; `texts` is what it misses."""
    string: str | None


class DemoWriterModel:
    """Proposes words and phrases that many of the publications in a prompt have."""

    model_id = DEMO_MODEL
    fingerprint = VERSION

    def __init__(self) -> None:
        self._stems = Stems()

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        """Keywords in one of several forms, as models do it, or that there is nothing to propose."""
        said = self._said(system, user)
        if said is None:
            return _answer(system, user, LOST)
        form = FORMS[sha256(user.encode()).digest()[0] % len(FORMS)]
        return _answer(system, user, form.format(flat=json.dumps(said, ensure_ascii=False)))

    def ask_json(
        self, system: str, user: str, *, schema: Mapping[str, Any], max_tokens: int, temperature: float
    ) -> Answer:
        """Keywords in the form that is asked for."""
        said = self._said(system, user)
        if said is None:
            return _answer(system, user, LOST)
        keys = [key for key in schema.get("properties", said) if key in said]
        return _answer(system, user, json.dumps({key: said[key] for key in keys}, ensure_ascii=False))

    def _said(self, system: str, user: str) -> dict[str, Any] | None:
        asked = _read(system, user)
        if asked is None:
            return None
        if asked.string is None:
            return {"keywords": list(islice(self._keywords(asked), asked.n_wanted))}
        return self._changes(asked, asked.string)

    def _keywords(self, asked: _Asked) -> Iterator[dict[str, str]]:
        """What says most first, each with what was counted."""
        phrases = Phrases(asked.texts, self._stems, words(asked.topic))
        yield from self._of_topic(asked, phrases)
        fewest = min(max(FEWEST, round(FEWEST_SHARE[asked.mode] * phrases.n)), max(phrases.n, 1))
        said = {tuple(self._stems.of(words(chunk))) for chunk in _chunks(asked.topic)}
        for _, key in phrases.common(fewest=fewest, trust=asked.kind in TRUSTED):
            if key in said or self._is_unwanted(key, asked) or not (asked.mode != "strict" or phrases.topic & set(key)):
                continue
            phrase = phrases.found[key]
            place = "specific" if len(key) > 1 and phrases.topic & set(key) else "general"
            texts = _spellings(phrase)
            for text in texts:
                yield {"keyword": text, "reason": _counted(phrase, phrases.n), "list": place}
                if asked.mode == "creative" and (other := _other_spelling(text)) is not None and other not in texts:
                    yield {"keyword": other, "reason": f'Another spelling of "{text}".', "list": place}

    def _of_topic(self, asked: _Asked, phrases: Phrases) -> Iterator[dict[str, str]]:
        """The topic's own phrases, in the form in which they are written; without anything to read, its words too."""
        for chunk in _chunks(asked.topic):
            key = tuple(self._stems.of(words(chunk)))
            if self._is_unwanted(key, asked):
                continue
            phrase = phrases.found.get(key)
            texts = _spellings(phrase) if phrase else [chunk]
            reason = f"It stands in the topic's name. {_counted(phrase, phrases.n) if phrase else ''}".strip()
            place = "specific" if len(key) > 1 else "general"
            for text in texts:
                yield {"keyword": text, "reason": reason, "list": place}

    def _changes(self, asked: _Asked, string: str) -> dict[str, Any]:
        """To add: what is missed has more often than what is found. To remove: what nothing that is found has."""
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
            reason = f"In {phrase.n} of {missed.n} publications that are missed and in {there.n if there else 0} of "
            reason += f"{found.n} that are found."
            added += [{"keyword": text, "reason": reason, "list": place} for text in _spellings(phrase)[:1]]
        return {"add": added[: asked.n_wanted], "remove": self._idle(string, found)[:MOST_REMOVED]}

    def _idle(self, string: str, found: Phrases) -> list[dict[str, str]]:
        """Phrases of a string that no publication has which it finds; words with a * are left alone."""
        if not found.n:
            return []
        terms = [quoted for quoted, _ in _IN_STRING.findall(string) if quoted and "*" not in quoted]
        return [
            {"keyword": term, "reason": f"None of the {found.n} publications that were shown as found has it."}
            for term in dict.fromkeys(terms)
            if tuple(self._stems.of(words(term))) not in found.found and len(words(term)) > 1
        ]

    def _is_unwanted(self, key: Sequence[str], asked: _Asked) -> bool:
        runs = (" ".join(self._stems.of(words(text))) for text in asked.negative)
        return any(f" {run} " in f" {' '.join(key)} " for run in runs if run)


def _read(system: str, user: str) -> _Asked | None:
    """What a prompt asks for; None: it is no prompt for keywords."""
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
        mode=next((mode for mode, said in MODES.items() if said in system), "moderate"),
        kind=next((kind for kind, said in KINDS.items() if said in outside), "nearest"),
        n_wanted=int(wanted[1]) or N_WANTED,
        negative=tuple(negative),
        texts=tuple(_texts(user, name, code)),
        found=tuple(_texts(user, "found publication", code)),
        string=string,
    )


def _outside(user: str, code: str) -> str:
    """What stands between no marks."""
    return re.sub(rf"^\[([^\n]+) {code}\]\n.*?\n\[end of \1 {code}\]$", "", user, flags=re.MULTILINE | re.DOTALL)


def _texts(user: str, name: str, code: str) -> Iterator[Text]:
    n = 1
    while (text := between(user, f"{name} {n}", code)) is not None or f"[there is no {name} {n} {code}]" in user:
        parts = dict(line.split(": ", 1) for line in (text or "").splitlines() if ": " in line)
        yield Text(parts.get("Title", ""), parts.get("Abstract", ""), parts.get("Keywords", ""))
        n += 1


def _chunks(topic: str) -> list[str]:
    """Stretches of the topic's name between its small words.

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
    """One text for each spelling; forms that differ by a plural are one, with a * where that covers them."""
    groups: dict[str, list[str]] = {}
    for form, n in phrase.forms.most_common():
        usual = " ".join(singular(word) or word for word in words(form))
        if n > 1 or not groups or usual in groups:
            groups.setdefault(usual, []).append(form)
    return [_covering(_hyphened_alike(forms)) for forms in groups.values()]


def _hyphened_alike(forms: Sequence[str]) -> list[str]:
    """Without hyphens where some have them and others don't: the search takes both for the same."""
    spaced = list(dict.fromkeys(form.replace("-", " ") for form in forms))
    return list(forms) if len(spaced) == len(forms) else spaced


def _covering(forms: Sequence[str]) -> str:
    """One text for forms of one phrase.

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
    """British for American, or the other way round; None: there is no other."""
    found = text.split(" ")
    other = [other_english(word) or word for word in found]
    return " ".join(other) if other != found and "*" not in text else None


def _counted(phrase: Phrase, n: int) -> str:
    in_titles = f", in {len(phrase.in_titles)} of them in the title or the keywords" if phrase.in_titles else ""
    return f"In {phrase.n} of the {n} publications that were read{in_titles}."


def _answer(system: str, user: str, text: str) -> Answer:
    return Answer(text, LABEL, len(words(system)) + len(words(user)), len(words(text)), finish="stop")
