"""The public demo: a server for visitors who are strangers to it. It reaches nothing outside and spends no keys."""

from __future__ import annotations

import os
import re

from core.errors import InputError

VARIABLE = "QUERYSCAPE_DEMO"
MOST_VISITORS = 20
"""Copies of the demo workspace at the same time."""
UPLOAD_MB = 20
MOST_MB = 200
"""Size at which a visitor's copy is deleted."""
JOB_SECONDS = 180.0
"""Time limit of one background job."""
JOBS_AT_ONCE = 2
"""Background jobs of all visitors that compute at the same time."""
IDLE_SECONDS = 3600.0
"""Time without a click after which a copy is deleted."""
COPIES = "queryscape-visits-"
"""Beginning of the name of the folder with the visitors' copies."""
_COPY = re.compile(rf"""[^\s"'()]*{COPIES}[^/\\\s]*[/\\][0-9a-f]{{32}}""")
_NO = ("", "0", "false", "no")
_SECRET = ("_API_KEY", "_KEY", "_TOKEN", "_SECRET")
_ADDRESSES = ("OPENAI_BASE_URL", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "QUERYSCAPE_MAIL")


def is_public_demo() -> bool:
    """Check whether the operator started the server as a public demo."""
    return os.environ.get(VARIABLE, "").strip().lower() not in _NO


def check_not_public_demo(what: str) -> None:
    """Raise an error in the public demo. `what` begins the sentence: "Reading folders"."""
    if is_public_demo():
        raise InputError(switched_off(what))


def switched_off(what: str) -> str:
    return f"{what} is switched off in this public demo: install Queryscape to use it"


def without_paths(text: str) -> str:
    """Return a text without the paths of visitors' copies.

    >>> without_paths(f"can't write /tmp/{COPIES}x1/{32 * 'a'}/vectors")
    "can't write the workspace/vectors"
    """
    return _COPY.sub("the workspace", text)


def forget_secrets() -> None:
    """Remove keys and addresses of services from the environment of this process, so that none can be spent."""
    for name in list(os.environ):
        if name.upper().endswith(_SECRET) or name.upper() in _ADDRESSES:
            del os.environ[name]
    os.environ["QUERYSCAPE_OFFLINE"] = "1"
