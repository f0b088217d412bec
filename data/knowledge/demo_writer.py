"""The rule-based demo model that writes queries. It is not a language model.

It shows query synthesis at work without a key. It reads the same prompts as a chat model, uses only their content, and
gives the same answer to the same prompt.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256

from core.protocols import Answer
from core.text import STOP_WORDS, listed, words
from data.query.index import Stems

MODEL = "demo"
LABEL = "demo (not a language model)"
NOTE = "demo is not a language model: it takes words from a text, joins sentences, and compares words"
VERSION = "demo-writer-1"
_MARKED = re.compile(r"\[(\w+) ([0-9a-f]{16})\]\n(.*?)\n\[end of \1 \2\]", re.DOTALL)
_MOST = re.compile(r"^Up to ([0-9]+) of such texts", re.MULTILINE)
_SENTENCE = re.compile(r"[^.!?;\n]+")
_PIECE = re.compile(r"[^,:()–—\"“”]+")
_QUESTION = re.compile(r"\A(Which|What) (.{1,80}?) (are|have|is|were|can|do) (.+?)\?*\Z", re.DOTALL)
LONGEST_PHRASE = 3
GAIN_OF_LENGTH = (0.0, -4.0, 0.9, 0.6)
"""Gain of a phrase by its number of words; a single word is too vague."""
VERB = re.compile(
    r"\A[a-z]+(?:ates|ed)\b|(?:ed|ing|takes?|lost|emits?|gives?|gained|woke|rose|fell|kept|slept|often|held|reduce)\Z"
)
"""Matches a phrase that was probably cut out of a clause, by its beginning or end."""
ENOUGH = 0.75
"""Share of a property's words that must be within one sentence for a document to meet it."""
DULL = frozenset(
    words("""
    study studies paper papers result results method methods data analysis analyses approach effect effects found find
    show shows showed shown made make new based different high low higher lower large small two three four five six
    percent per cent number part parts made-up publication abstract well also clear marked first second third year years
    time group groups model models sample samples work works earlier later found review evidence question questions
    difference differences pattern change changes value values level levels many several every another
    """)
)
"""Words that distinguish texts as little as stop words do."""
OPENINGS = {
    "Researcher": ("I am writing a review. ", "", "", "I am collecting literature. "),
    "Doctor": ("I have a patient to treat. ", "", "This comes up in my practice. "),
    "Medical scientist": ("I work on mechanisms. ", "", ""),
    "Patient": ("I keep wondering. ", "Can somebody help me? ", ""),
    "Customer": ("I want to buy something. ", "", "This is for a present. "),
}


class DemoWriter:
    """A stand-in for a chat model that extracts properties, writes queries and checks answers by counting words."""

    model_id = MODEL
    fingerprint = VERSION

    def __init__(self) -> None:
        self._stem = Stems()

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        parts = {name: text for name, _, text in _MARKED.findall(user)}
        most = _MOST.search(user)
        role = user.partition(":")[0]
        pick = int.from_bytes(sha256(user.encode()).digest()[:4], "big")
        if "document" in parts and "properties" in parts:
            text = self._verdict(parts["properties"].splitlines(), parts["document"])
        elif "document" in parts and most:
            found = self.properties(parts["document"], int(most[1]), join=pick % 5 < 3)
            text = self._list(found, pick // 8)
        elif "relation" in parts:
            text = _fused(parts["relation"], parts.get("properties", "").splitlines(), role, pick)
        elif "query" in parts:
            text = _reworded(parts["query"], pick)
        else:
            text = "This is a scripted demo model. It can only help to write queries."
        return Answer(text, LABEL, len(words(system)) + len(words(user)), len(words(text)))

    # Properties

    def properties(self, document: str, most: int, *, join: bool = False) -> list[str]:
        """Return frequent phrases of the text that share no words. `join`: two of them in one property.

        The first line counts as the title, whose words describe the subject well.
        """
        title, _, text = document.partition("\n")
        counted, named = Counter(self._stems(words(text))), set(self._stems(words(title)))
        found: dict[tuple[str, ...], str] = {}
        often: Counter[tuple[str, ...]] = Counter()
        for phrase in _phrases(text or title):
            stems = tuple(self._stems(words(phrase)))
            if stems and len(set(stems)) == len(stems):
                found.setdefault(stems, phrase)
                often[stems] += 1

        def gain(stems: tuple[str, ...]) -> float:
            usual = sum(counted[stem] + 0.5 * (stem in named) for stem in stems) / len(stems)
            verb = VERB.search(found[stems]) is not None
            return (
                usual
                + 1.5 * (often[stems] - 1) * (len(stems) > 1)
                + GAIN_OF_LENGTH[len(found[stems].split())]
                - 1.5 * verb
            )

        kept: list[str] = []
        used: set[str] = set()
        for stems in sorted(found, key=lambda stems: (-gain(stems), stems)):
            if not used & set(stems) and len(kept) < most + join:
                kept.append(_uncapped(found[stems]))
                used |= set(stems)
        return [" and ".join(kept[:2]), *kept[2:]] if join and kept else kept

    def _list(self, found: Sequence[str], pick: int) -> str:
        """Format a list as models do: usually as JSON, sometimes as lines or within a fence."""
        document = json.dumps(list(found), ensure_ascii=False)
        lines = "\n".join(f"- {each}" for each in found) or "[]"
        return (document, document, f"```json\n{document}\n```", lines)[pick % 4]

    # Answers

    def _verdict(self, properties: Sequence[str], document: str) -> str:
        """Check whether every property has enough of its words within one sentence, or two adjacent ones."""
        sentences = [set(self._stems(words(each))) for each in _SENTENCE.findall(document)]
        pairs = [a | b for a, b in zip(sentences, [*sentences[1:], set()], strict=True)]
        shares = [_share(set(self._stems(words(each))), pairs) for each in properties]
        if not shares or not sentences:
            return "can't tell"
        return "yes" if min(shares) >= ENOUGH else "no" if min(shares) <= 0.5 else "can't tell"

    def _stems(self, found: Sequence[str]) -> list[str]:
        return self._stem.of(
            word for word in found if word not in STOP_WORDS and word not in DULL and not word.isdigit()
        )


def _share(wanted: set[str], places: Sequence[set[str]]) -> float:
    return max((len(wanted & there) / len(wanted) for there in places), default=0.0) if wanted else 0.0


def _uncapped(phrase: str) -> str:
    return phrase[:1].lower() + phrase[1:] if phrase[1:].islower() else phrase


def _phrases(text: str) -> list[str]:
    found = []
    for sentence in _SENTENCE.findall(text):
        for piece in _PIECE.findall(sentence):
            run: list[str] = []
            for word in [*piece.split(), ""]:
                plain = words(word)
                if plain and not any(each in STOP_WORDS or each in DULL or each.isdigit() for each in plain):
                    run.append(word.strip(".'’-"))
                    continue
                found += [
                    " ".join(run[i:j])
                    for i in range(len(run))
                    for j in range(i + 1, min(i + LONGEST_PHRASE, len(run)) + 1)
                ]
                run = []
    return found


def _fused(relation: str, properties: Sequence[str], role: str, pick: int) -> str:
    wanted = listed([each for each in properties if each.strip()] or ["anything"])
    opening = OPENINGS.get(role, ("",))[pick // 16 % len(OPENINGS.get(role, ("",)))]
    found = _QUESTION.match(relation.strip())
    if found is None:
        plain = relation.strip()
        return opening + (f"{plain} It should be about {wanted}.", f"About {wanted}: {plain}")[pick % 2]
    asked, things, verb, rest = found.groups()
    forms = (
        f"{opening}{asked} {things} on {wanted} {verb} {rest}?",
        f"{opening}Is there anything on {wanted} among the {things} that {verb} {rest}?",
        f"{opening}{asked} {things} {verb} {rest}? Only those on {wanted} help me.",
        f"I am looking for {things} that deal with {wanted} and {verb} {rest}.",
        f"{things.capitalize()} that mention {wanted} and {verb} {rest}",
        f"My interest is {wanted}. {asked} {things} {verb} {rest}?",
    )
    return forms[pick % len(forms)]


def _reworded(query: str, pick: int) -> str:
    forms = ("Please help me find this. {}", "{} Thank you.", "Here is what I need: {}")
    return forms[pick % len(forms)].format(query.strip())
