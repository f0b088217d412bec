"""Messages of the layers below name options of the command; in Python they name arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from core.errors import QueryscapeError

ARGUMENTS = {
    r"--data-dir": "qs.open(FOLDER)",
    r"--force": "force=True",
    r"--column (\w+)=(\w+)": r'columns={"\1": "\2"}',
    r"--column": "columns=",
    r"(?:embed )?--embedder (\w[\w:-]*)": r'embedder="\1"',
    r"--(embedder|format|topic|metrics|retrievers|regions|budget) (?=\w)": r"\1=",
    r"--(embedder|format|topic|metrics|retrievers|regions|budget)": r"\1=",
}
"""Options, and the arguments of the library that do the same."""


def with_arguments(message: str) -> str:
    """Replace the options in a message by arguments.

    >>> with_arguments("map its columns: --column title=NAME"), with_arguments("overwrite it with --force")
    ('map its columns: columns={"title": "NAME"}', 'overwrite it with force=True')
    """
    for option, argument in ARGUMENTS.items():
        message = re.sub(rf"(?<![\w-]){option}(?![\w-])", argument, message)
    return message


@contextmanager
def python_wording() -> Iterator[None]:
    """Raise errors with arguments in place of options."""
    try:
        yield
    except QueryscapeError as e:
        if (message := with_arguments(str(e))) != str(e):
            e.args = (message,)
        raise
