"""Split text into words, join title and abstract, and make text safe for files, spreadsheets, and prompts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeVar

# The only place that joins title and abstract, and that splits text into words.

HYPHENATED_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_WORD = re.compile(r"[^\W_]+")
_PAUSE = re.compile(r"""[.,;:!?¿¡()\[\]{}"“”„«»…|/—]+|\s[-–]+\s""")
_MARKS = re.compile(r"[\u0300-\u036f]+")


def publication_text(title: str, abstract: str | None) -> str:
    """Join title and abstract into one text, for embedding and matching.

    >>> publication_text("Green warehouses", None)
    'Green warehouses'
    >>> publication_text("Green warehouses", "We review them.")
    'Green warehouses\\nWe review them.'
    """
    return "\n".join(part for part in (title.strip(), (abstract or "").strip()) if part)


def tokens(text: str) -> list[str]:
    """Split text into lower-case words for embedding; hyphens and apostrophes inside a word stay.

    >>> tokens("Meta-models of Petri nets (2019)")
    ['meta-models', 'of', 'petri', 'nets', '2019']
    """
    return HYPHENATED_WORD.findall(text.lower())


def words(text: str) -> list[str]:
    """Split text into words for searching: runs of letters and digits, lower case, without accents; a hyphen separates.

    >>> words("Meta-models: naïve β-lactams")
    ['meta', 'models', 'naive', 'β', 'lactams']
    """
    return _WORD.findall(folded(text))


def clauses(text: str) -> list[list[str]]:
    """Split text into words, grouped by punctuation: no meaningful phrase crosses a group.

    >>> clauses("Resource patterns: support, and well-known tools")
    [['resource', 'patterns'], ['support'], ['and', 'well', 'known', 'tools']]
    """
    return [found for part in _PAUSE.split(folded(text)) if (found := _WORD.findall(part))]


def folded(text: str) -> str:
    """Fold text to lower case, without compatibility forms and accents.

    >>> folded("Ménière’s ﬁeld")
    'meniere’s field'
    """
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFKD", text.lower())))


def listed(names: Sequence[str], most: int | None = None) -> str:
    """Join names as a sentence lists them; of more than `most`, count the others.

    >>> listed(["1", "2", "3"]), listed(["1", "2", "3"], most=1)
    ('1, 2 and 3', '1 and 2 more')
    """
    if most is not None and len(names) > most:
        names = [*names[:most], f"{len(names) - most:,} more"]
    *front, last = names
    return f"{', '.join(front)} and {last}" if front else last


def first_of(names: Sequence[str], most: int, *, between: str = ", ") -> str:
    """Join the first names, and count the others.

    >>> first_of(["1", "2", "3"], most=3), first_of(["1", "2", "3"], most=2)
    ('1, 2, 3', '1, 2 and 1 more')
    """
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return between.join(names[:most]) + more


def cut_to(text: str, most: int) -> str:
    """Return the text, or its beginning and an ellipsis.

    >>> cut_to("smoke", 5), cut_to("smokes", 5)
    ('smoke', 'smok…')
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def on_one_line(text: str, most: int | None = None) -> str:
    """Replace line ends and repeated spaces by one space; with `most`, cut the line to that length.

    >>> on_one_line("heat  OR   warmth"), on_one_line("heat  OR   warmth", 8)
    ('heat OR warmth', 'heat OR…')
    """
    line = " ".join(text.split())
    return line if most is None else cut_to(line, most)


def upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]


STOP_WORDS = frozenset(
    words("""
    a about above across after against all along also although am among an and any are as at be because been
    before being below between both but by can could did do does doing during each either few for from further
    had has have having he her here him his how i if in into is it its itself just may me might more most much
    must my near no nor not of off on once only or other our out over own per same she should since so some such
    than that the their them then there these they this those through thus to too toward towards under until up
    upon us use used using very via was we were what when where whether which while who whom whose why will with
    within without would yet you your
    """)
)
"""Words that carry no information about the subject of a text."""
PUBLISHER_WORDS = frozenset(words("elsevier wiley springer lippincott kluwer wolters karger thieme mdpi hindawi"))
"""Names that are hardly ever the subject of a text."""
SCHOLARLY_WORDS = frozenset(
    words("""
    aim aimed aims analyses analysis analyze analyzed approach approaches article articles assess assessed assessing
    associated association author authors background based compare compared comparing comparison conclude concluded
    conclusion conclusions conducted consider considered contribution contributions current currently demonstrate
    demonstrated demonstrates describe described describes determine determined different discuss discussed discusses
    discussion effect effective effectiveness effects employed evaluate evaluated evaluating evidence examine examined
    examines examining example examples existing explore explored explores exploring finding findings found future
    highlight identified identify identifying impact impacts implication implications important include included
    includes including increase increased increases indicate indicated indicates insight insights introduce introduced
    introduction investigate investigated investigates investigating investigation investigations literature main method
    methodology methods new novel objective objectives observed obtained overview paper papers performed potential
    present presented presents previous previously propose proposed proposes provide provided provides providing
    published purpose recent recently related relevant report reported reports research researchers respectively result
    results reveal revealed review reviewed reviews several show showed shown shows significant significantly similar
    studied studies study studying suggest suggested suggests various
    """)
)
"""Words of scholarly writing, which occur in publications on any subject."""
NUMBER_WORDS = frozenset(
    words("""
    one two three four five six seven eight nine ten eleven twelve hundred hundreds thousand thousands million millions
    billion first second third fourth fifth once twice half double single
    """)
)


def are_near(some: Sequence[int], others: Sequence[int], *, within: int) -> bool:
    """Return True if a position of `some` is at most `within` from one of `others`; both ascend."""
    i = j = 0
    while i < len(some) and j < len(others):
        if abs(some[i] - others[j]) <= within:
            return True
        if some[i] < others[j]:
            i += 1
        else:
            j += 1
    return False


# What two sequences have in common.

Entry = TypeVar("Entry", bound=Hashable)


def common_ends(first: Sequence[object], second: Sequence[object]) -> tuple[int, int]:
    """Return the lengths of the common start and, in what is left, of the common end.

    >>> common_ends("heat wave", "heat in a wave"), common_ends("aa", "a")
    ((5, 4), (1, 0))
    """
    most = min(len(first), len(second))
    head = next((i for i in range(most) if first[i] != second[i]), most)
    most -= head
    tail = next((i for i in range(most) if first[-1 - i] != second[-1 - i]), most)
    return head, tail


def most_pairs(first: Sequence[Entry], second: Sequence[Entry]) -> list[tuple[int, int]]:
    """Pair the places of a longest common subsequence.

    The table is computed one row at a time, as the bits of one number. Reference: Hyyrö (2004).

    >>> most_pairs("heat", "hat")
    [(0, 0), (2, 1), (3, 2)]
    """
    places: dict[Entry, int] = {}
    for i, entry in enumerate(first):
        places[entry] = places.get(entry, 0) | 1 << i
    full = (1 << len(first)) - 1
    row, rows = full, []
    for entry in second:
        matches = row & places.get(entry, 0)
        row = ((row + matches) | (row - matches)) & full
        rows.append(row)
    # Read the pairs from the end back: a clear bit means that the longest subsequence grew there.
    pairs: list[tuple[int, int]] = []
    i, j = len(first), len(rows)
    while i and j:
        if rows[j - 1] >> (i - 1) & 1:
            i -= 1
        elif j > 1 and not rows[j - 2] >> (i - 1) & 1:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    return pairs[::-1]


# Text for a spreadsheet cell: never run as a formula, and unchanged when read back.

STARTS_A_FORMULA = frozenset("=+-@＝＋－＠\t\r\n")


def harmless(text: str) -> str:
    """Put an apostrophe before text that a spreadsheet would run as a formula, even after leading spaces.

    >>> harmless("=1+1"), harmless("- a title"), harmless("tea")
    ("'=1+1", "'- a title", 'tea')
    """
    return f"'{text}" if _begins_a_formula(text) else text


def unguarded(text: str) -> str:
    """Undo `harmless`.

    >>> unguarded(harmless("=1+1")), unguarded("'Tis a title")
    ('=1+1', "'Tis a title")
    """
    return text[1:] if text[:1] == "'" and _begins_a_formula(text[1:]) else text


def _begins_a_formula(text: str) -> bool:
    """Look behind apostrophes too, so that those of the text itself are distinct from the one that was added."""
    return text.lstrip(" '")[:1] in STARTS_A_FORMULA


# Characters that a file can't hold, and their replacements. All other characters stay as they are.

REPLACEMENT = "\ufffd"
_HALF = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_NOT_IN_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")


def writable(text: str) -> str:
    r"""Make text valid for UTF-8: half of a surrogate pair becomes the replacement character.

    >>> writable("tea\ud800")
    'tea�'
    """
    return text if text.isascii() else _HALF.sub(REPLACEMENT, text)


def for_xml(text: str) -> str:
    r"""Make text valid for XML: control characters become their visible symbols, and all line ends become line feeds.

    >>> for_xml("tea\x00\r\nmilk\t\ud800")
    'tea␀\nmilk\t�'
    """
    seen = _CONTROL.sub(lambda found: chr(0x2400 + ord(found[0])), text)
    return _NOT_IN_XML.sub(REPLACEMENT, seen).replace("\r\n", "\n").replace("\r", "\n")


# Third-party texts in a prompt: enclosed in marks with a code that none of the texts can contain.

_LINE_ENDS = re.compile(r"\r\n?|[\x85\u2028\u2029]")
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e01ef]"
)
"""Control characters, and characters that people don't see but a model reads."""
_ROLE_OPENS = re.compile(
    r"(?<=<)(?=[|｜<]|/?(?:s|bos|eos|pad|unk|think|thinking|start_of_turn|end_of_turn|system|user|assistant)>)"
    r"|(?<=\[)(?=/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\])|(?<=[|｜])(?=>)",
    re.IGNORECASE,
)
"""Start of chat marks that some servers interpret, no matter who wrote them: a space turns them into text."""
_CODE = re.compile(r"\ACode of the marks: ([0-9a-f]{16})\n")


@dataclass(frozen=True, slots=True)
class FencedText:
    name: str
    text: str
    is_cut: bool = False
    """True if only the beginning is given."""
    is_always_shown: bool = False
    """True to show empty marks around an empty text; otherwise one mark states that the text is missing."""


def fenced_text(name: str, text: str, limit: int, *, is_always_shown: bool = False) -> FencedText:
    """Return the beginning of a text, in characters that can be sent."""
    return FencedText(name, sendable(text[:limit]).strip(), len(text) > limit, is_always_shown)


def sendable(text: str) -> str:
    """Return the text in characters that can be sent, without any that a server may take for the end of a message."""
    sent = text.encode(errors="replace").decode()
    return _ROLE_OPENS.sub(" ", UNSEEN.sub("", _LINE_ENDS.sub("\n", sent)))


_CONTROL_SIGNS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def fitting(text: str, limit: int) -> str:
    """Shorten a text at the end of a word, and replace characters that can't be sent."""
    kept = text[:limit]
    if len(text) > limit:
        kept = f"{kept.rsplit(maxsplit=1)[0] if ' ' in kept else kept} […]"
    return _CONTROL_SIGNS.sub(" ", kept.encode(errors="replace").decode())


def code_of(texts: Sequence[str]) -> str:
    held = "\0".join(texts).casefold()
    code = sha256(held.encode()).hexdigest()[:16]
    while code in held:
        code = sha256(code.encode() + held.encode()).hexdigest()[:16]
    return code


def fenced(parts: Sequence[FencedText], code: str) -> list[str]:
    """Return the lines of a prompt: the code first, then each text between its marks."""
    lines = [f"Code of the marks: {code}"]
    for each in parts:
        if not each.text and not each.is_always_shown:
            lines.append(f"[there is no {each.name} {code}]")
            continue
        lines += [f"[{each.name} {code}]", each.text]
        lines += [f"[the rest is not given {code}]"] if each.is_cut else []
        lines.append(f"[end of {each.name} {code}]")
    return lines


def code_in(prompt: str) -> str | None:
    """Return the code in the first line of a prompt, or None if it has none."""
    found = _CODE.match(prompt)
    return found[1] if found else None


def between(prompt: str, name: str, code: str) -> str | None:
    """Return the text between the marks of a part, or None if the part is missing."""
    _, opened, rest = prompt.partition(f"\n[{name} {code}]\n")
    text, closed, _ = rest.partition(f"\n[end of {name} {code}]\n")
    return text.removesuffix(f"\n[the rest is not given {code}]") if opened and closed else None


# A model's reasoning before its answer, which is not part of the answer.

_OPENS = re.compile(r"<(think|thinking)>", re.IGNORECASE)
_ENDS = re.compile(r"</(?:think|thinking)>", re.IGNORECASE)


def without_thought(text: str) -> str | None:
    """Return the text after a model's reasoning. Some servers drop its opening mark. None: it never ends.

    >>> without_thought("<think>It may be 3.</think>It is 4."), without_thought("<think>It may")
    ('It is 4.', None)
    """
    stripped = text.lstrip()
    ends = _ENDS.search(stripped)
    if _OPENS.match(stripped):
        return stripped[ends.end() :] if ends else None
    return stripped[ends.end() :] if ends and stripped[:1] not in ("{", "[", "`", "~") else stripped


def signed(value: float, decimals: int = 3) -> str:
    """Format a difference with its sign, a true minus below 0. Zero has none, which would suggest a difference.

    >>> signed(-0.25), signed(1234.5, 1), signed(1200), signed(-0.0001)
    ('−0.250', '+1,234.5', '+1,200', '0')
    """
    text = f"{value:+,}" if isinstance(value, int) else f"{value:+,.{decimals}f}"
    return text.replace("-", "−") if re.search("[1-9]", text) else "0"


def plural_of(noun: str) -> str:
    """Return the plural of a regular noun.

    >>> plural_of("query"), plural_of("search"), plural_of("day")
    ('queries', 'searches', 'days')
    """
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if re.search(r"(s|x|z|ch|sh)$", noun) else f"{noun}s"


def many(n: int, what: str) -> str:
    """Return a number with its noun.

    >>> many(1, "record"), many(1200, "file")
    ('1 record', '1,200 files')
    """
    return f"{n:,} {what if n == 1 else plural_of(what)}"


def was(n: int) -> str:
    return "was" if n == 1 else "were"
