"""Whatever happens to a tagged file on its way, every record in it is accounted for, and quickly."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import FormatError
from data.importers.reading import read_data
from data.importers.source import FileReading

FORMATS = ("ris", "pubmed_nbib", "wos_text", "endnote_tagged", "smart")
words = st.text("abcdefgäéß汤", min_size=1, max_size=8)
sentences = st.lists(words, min_size=2, max_size=6).map(lambda parts: " ".join(parts).capitalize())


@dataclass(frozen=True)
class Small:
    """What a record of these tests says."""

    title: str
    abstract: str
    authors: tuple[str, ...]
    year: int


smalls = st.builds(
    Small, sentences, sentences, st.lists(words, min_size=1, max_size=3).map(tuple), st.integers(1950, 2030)
)


def ris(record: Small, number: int) -> str:
    authors = "".join(f"AU  - {name}\n" for name in record.authors)
    return f"TY  - JOUR\n{authors}TI  - {record.title}\nPY  - {record.year}\nAB  - {record.abstract}\nER  - \n\n"


def nbib(record: Small, number: int) -> str:
    authors = "".join(f"FAU - {name}\n" for name in record.authors)
    first, *rest = record.title.split(" ")
    title = "\n      ".join([first, " ".join(rest)])
    return f"PMID- {number}\nTI  - {title}\nAB  - {record.abstract}\n{authors}DP  - {record.year}\nSO  - x\n\n"


def wos(record: Small, number: int) -> str:
    authors = "\n   ".join(record.authors)
    title = record.title.replace(" ", "\n   ", 1)
    return f"PT J\nAU {authors}\nTI {title}\nAB {record.abstract}\nPY {record.year}\nER\n\n"


def enw(record: Small, number: int) -> str:
    authors = "".join(f"%A {name}\n" for name in record.authors)
    return f"%0 Journal Article\n%T {record.title}\n{authors}%D {record.year}\n%X {record.abstract}\n\n"


def smart(record: Small, number: int) -> str:
    return f".I {number}\n.T\n{record.title}\n.A\n{record.authors[0]}\n.B\nj {record.year}\n.W\n{record.abstract}\n"


WRITERS: dict[str, Callable[[Small, int], str]] = {
    "ris": ris,
    "pubmed_nbib": nbib,
    "wos_text": wos,
    "endnote_tagged": enw,
    "smart": smart,
}


def written(format_id: str, records: Iterable[Small]) -> str:
    """A file of these records."""
    head = "FN Clarivate Analytics Web of Science\nVR 1.0\n" if format_id == "wos_text" else ""
    tail = "EF\n" if format_id == "wos_text" else ""
    return head + "".join(WRITERS[format_id](record, number) for number, record in enumerate(records, 1)) + tail


def without_ends(text: str, rng: random.Random) -> str:
    return re.sub(r"(?m)^(ER  - |ER)\n", lambda found: "" if rng.random() < 0.5 else found[0], text)


def with_blank_lines(text: str, rng: random.Random) -> str:
    return re.sub(r"\n(?=.)", lambda found: "\n\n" if rng.random() < 0.2 else found[0], text)


def with_spaces_at_ends(text: str, rng: random.Random) -> str:
    return re.sub(r"(?m)(?<=.)$", lambda found: rng.choice(["", " ", "\t", "  \u00a0"]), text)


def with_invisible_signs(text: str, rng: random.Random) -> str:
    return re.sub(r"(?m)^(?=TY|PT J|PMID|%0)", lambda found: rng.choice(["", "\u200b", "\ufeff"]), text)


def cut_at_its_end(text: str, rng: random.Random) -> str:
    return text.rstrip()


DAMAGES = (without_ends, with_blank_lines, with_spaces_at_ends, with_invisible_signs, cut_at_its_end)


def encoded(text: str, rng: random.Random) -> bytes:
    text = text.replace("\n", rng.choice(["\n", "\r\n", "\r"]))
    return text.encode(rng.choice(["utf-8", "utf-8-sig", "utf-16", "utf-16-le"]))


def is_accounted_for(reading: FileReading) -> bool:
    return len(reading.records) + len(reading.rejected) >= reading.records_in_file


@pytest.mark.parametrize("format_id", FORMATS)
@settings(deadline=None, max_examples=40)
@given(records=st.lists(smalls, min_size=1, max_size=6), damages=st.sets(st.sampled_from(DAMAGES)), seed=st.integers())
def test_damage_loses_no_record(
    format_id: str, records: list[Small], damages: set[Callable[[str, random.Random], str]], seed: int
) -> None:
    rng = random.Random(seed)
    text = written(format_id, records)
    for damage in sorted(damages, key=lambda damage: damage.__name__):
        text = damage(text, rng)
    reading = read_data(encoded(text, rng), "damaged.txt", format_id=format_id)
    assert [record.title for record in reading.records] == [record.title for record in records]
    assert reading.records_in_file == len(records)
    assert reading.rejected == ()


@pytest.mark.parametrize("format_id", FORMATS)
@settings(deadline=None, max_examples=25)
@given(records=st.lists(smalls, min_size=1, max_size=5))
def test_what_was_written_comes_back(format_id: str, records: list[Small]) -> None:
    reading = read_data(written(format_id, records).encode(), "whole.txt")
    assert reading.format_id == format_id
    assert [(r.title, r.year, r.abstract) for r in reading.records] == [(r.title, r.year, r.abstract) for r in records]
    if format_id != "smart":
        assert [record.authors for record in reading.records] == [tuple(dict.fromkeys(r.authors)) for r in records]
    lines = written(format_id, records).split("\n")
    begin = {"ris": "TY", "pubmed_nbib": "PMID", "wos_text": "PT", "endnote_tagged": "%0", "smart": ".I"}[format_id]
    assert [r.line for r in reading.records] == [at for at, line in enumerate(lines, 1) if line.startswith(begin)]


LINES = """TY  - JOUR|TY - JOUR|TY  -|ER  - |TI  - A title|AB  - text|AB - text|CI  - 95%||1.|<2>|PMID- 123|PMID-
OWN - NLM|TI-|      continued|PT J|TI W|ER|EF|FN ISI Export Format|%0 Book|%T Title|%|%A Kim|.I 1|.T|.W|@article{a,
free text|<pre>|\u200b|AU  - Kim|TY|XX  - ?""".replace("\n", "|").split("|")


@pytest.mark.parametrize("format_id", FORMATS)
@settings(deadline=None, max_examples=80)
@given(lines=st.lists(st.sampled_from(LINES), max_size=14))
def test_any_lines_are_accounted_for(format_id: str, lines: list[str]) -> None:
    reading = read_data("\n".join(lines).encode(), "any.txt", format_id=format_id)
    assert is_accounted_for(reading)


HOSTILE = {
    "one long line": "TY  - JOUR\nTI  - " + "a" * 1_000_000 + "\nER  - \n",
    "a long line without a tag": "TY  - JOUR\nTI  - A\n" + "TY" * 500_000 + "\nER  - \n",
    "a million blank lines": "TY  - JOUR\nTI  - A\n" + "\n" * 1_000_000 + "ER  - \n",
    "blank lines only, and one tag": "\n" * 300_000 + "TY  - JOUR\nTI  - A\nER  - \n",
    "types only": "TY  -\n" * 5_000,
    "types and ends": "TY  - JOUR\nER  - \n" * 5_000,
    "ends only": "TY  - JOUR\nTI  - A\n" + "ER  - \n" * 30_000,
    "titles only": "TY  - JOUR\n" + "TI  - A\n" * 30_000,
    "one continued value": "TY  - JOUR\nAB  - a\n" + "more\n" * 30_000,
    "tags in angle brackets": "TY  - JOUR\nTI  - A\n" + "<a " * 50_000 + "\n" + "<a> " * 30_000 + "\nER  - \n",
    "spaces before nothing": "TY  - JOUR\nTI  - A\n" + " " * 1_000_000 + "x\n<b>" + " " * 30_000 + "x\nER  - \n",
    "medline titles": "PMID- 1\n" + "TI  - A\n" * 15_000,
    "medline paragraphs": "PMID- 1\nTI  - A\n\n" + "MH  - B\n\n" * 15_000,
    "endnote titles": "%0 Book\n" + "%T A\n" * 15_000,
    "endnote authors": "%A A\n" * 30_000,
    "endnote paragraphs": "%0 Book\n%T A\n\n" + "%K B\n\n" * 15_000,
    "wos lines": "FN ISI Export Format\nPT J\nTI A\n" + "   B\n" * 30_000 + "ER\n",
    "smart text": ".I 1\n.W\n" + "text .\n" * 30_000,
    "quotes of another format": "TY  - JOUR\nTI  - A\nER  - \n" + "@article{a,\n}\n\n" * 5_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_read_in_linear_time(name: str) -> None:
    """Were it quadratic, one of them would take hours."""
    reading = read_data(HOSTILE[name].encode(), "hostile.txt")
    assert is_accounted_for(reading)
    assert len(reading.records) + len(reading.rejected) >= 1


@pytest.mark.parametrize("text", ["", "\n\n", "free text\nwithout tags", "a,b\n1,2"])
def test_what_is_no_tagged_file_gives_nothing(text: str) -> None:
    for format_id in FORMATS:
        assert read_data(text.encode(), "a.txt", format_id=format_id).records == ()


def test_an_empty_file_says_so() -> None:
    with pytest.raises(FormatError, match="is empty"):
        read_data(b" \n", "a.ris")
