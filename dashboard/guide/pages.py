"""The pages of the guide: plain Markdown that a code host shows, prepared here for the app."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent
DIALECTS_PAGE = "dialects"
ORDER = (
    *("start", "pages", "review", "retrievers", "reproduce", "install", "commands", "options", "library", "formats"),
    *("numbers", DIALECTS_PAGE, "team", "copies", "limits"),
)
"""The names of the pages, as they are listed."""
_COMMENT = re.compile(r"<!--.*?-->\n*", re.DOTALL)
_FENCED = re.compile(r"(^[ ]*```.*?^[ ]*```[ ]*$)", re.DOTALL | re.MULTILINE)
_FENCE_NAME = re.compile(r"^([ ]*```\w+) [^\n]*", re.MULTILINE)
_HEADING = re.compile(r"^(#+) ", re.MULTILINE)
_LINK = re.compile(r"\]\(([\w-]+)\.md(#[\w-]*)?\)")
_PICTURE = re.compile(r"^!\[([^\]]*)\]\(([\w./-]+)\)$", re.MULTILINE)
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


class GuidePart(NamedTuple):
    """A piece of a page: Markdown, or a picture with its description."""

    text: str
    picture: Path | None = None


def guide_titles() -> dict[str, str]:
    """Return the title of each page that is here, by name."""
    return {name: title_of(path) for name in ORDER if (path := FOLDER / f"{name}.md").exists()}


def title_of(path: Path) -> str:
    found = _TITLE.search(path.read_text("utf-8"))
    return found[1] if found else path.stem.capitalize()


def guide_headings(name: str) -> list[tuple[str, str]]:
    """Return the headings of a page, without its title, with the place that a link names."""
    prose = "".join(_FENCED.split((FOLDER / f"{name}.md").read_text("utf-8"))[::2])
    return [(words, place_of(words)) for words in _SECTION.findall(prose)]


def place_of(heading: str) -> str:
    """Return the place that a link to a heading names.

    >>> place_of("Defaults in a config file"), place_of("What isn't there (yet)")
    ('defaults-in-a-config-file', 'what-isnt-there-yet')
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def guide_parts(name: str) -> Iterator[GuidePart]:
    """Yield a page as the app shows it, in order."""
    text = in_app((FOLDER / f"{name}.md").read_text("utf-8"))
    pieces = _PICTURE.split(text)
    yield GuidePart(pieces[0])
    for words, address, after in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
        yield GuidePart(words, (FOLDER / address).resolve())
        yield GuidePart(after)


def in_app(text: str) -> str:
    """Return Markdown without comments and file names, its headings below the title of the app's page.

    >>> in_app("# Start\\n\\nSee [the numbers](numbers.md).")
    '## Start\\n\\nSee [the numbers](?guide=numbers).'
    """
    return "".join(
        _FENCE_NAME.sub(r"\1", piece) if at % 2 else _prose_in_app(piece)
        for at, piece in enumerate(_FENCED.split(_COMMENT.sub("", text)))
    )


def _prose_in_app(text: str) -> str:
    return _LINK.sub(r"](?guide=\1\2)", _HEADING.sub(r"#\1 ", text))
