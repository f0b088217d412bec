"""Access to the app of a workspace: its tokens, the files that only the owner can read, and what a visitor may do."""

from __future__ import annotations

import hmac
import json
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal

from core.errors import InputError, NotAllowedError
from data.files import WorkspacePaths, disk_errors, read_errors
from data.parts import is_alive, part_of, start_of

AccessRole = Literal["owner", "visitor"]
VARIABLE = "QUERYSCAPE_TOKEN"
SHORTEST = 16
"""Characters of a token that a person chooses."""


# Tokens.


def new_token() -> str:
    """Return the token from the environment, else a random one."""
    token = os.environ.get(VARIABLE, "").strip()
    if not token:
        return secrets.token_urlsafe(32)
    if len(token) < SHORTEST or not token.isascii() or not token.replace("-", "").replace("_", "").isalnum():
        raise InputError(
            f"{VARIABLE} must have at least {SHORTEST} letters, digits, - or _: unset it to get a random token"
        )
    return token


def derived(token: str, *facts: str) -> str:
    """Return a secret for these facts, from which the token can't be computed."""
    return hmac.new(token.encode(), "\n".join(facts).encode(), sha256).hexdigest()[:43]


def is_same(one: str, other: str) -> bool:
    """Compare two secrets in a time that tells nothing about them."""
    return hmac.compare_digest(one.encode(), other.encode())


# Files that only this user can read.


def write_private(path: Path, text: str) -> None:
    """Write a file completely or not at all, with mode 0600 from its first byte."""
    aside = part_of(path)
    with disk_errors(path):
        try:
            with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(aside, path)
        finally:
            aside.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class AppAddress:
    """The address of a running app, for its owner and for visitors."""

    base: str
    """Where it listens on this machine, without a token."""
    owner: str
    visitor: str
    pid: int
    started: str
    """When the process began; with `pid`, it names the process."""


def address_file(paths: WorkspacePaths, port: int) -> Path:
    return paths.root / f"address-{port}.json"


def write_address(paths: WorkspacePaths, port: int, address: AppAddress) -> Path:
    file = address_file(paths, port)
    write_private(file, json.dumps(asdict(address)))
    return file


def running_apps(paths: WorkspacePaths) -> list[AppAddress]:
    """Return the addresses of the apps that have this workspace open. An app that was killed leaves its file behind."""
    found = []
    for file in sorted(paths.root.glob("address-*.json")):
        with read_errors(file):
            text = file.read_text("utf-8")
        try:
            found.append(AppAddress(**json.loads(text)))
        except (ValueError, TypeError):
            continue  # not ours
    return [app for app in found if is_alive(app.pid) and start_of(app.pid) == app.started]


# What the person may do for whom the code runs. Commands and notebooks run for the owner; the app says who asks.

ACTIONS = {
    "delete": "Deleting",
    "services": "Asking a model service with the owner's keys",
    "server": "Reading a folder, an address or a model of this server",
}
"""What a visitor may not do, as the beginning of a sentence."""
_reader: list[Callable[[], AccessRole]] = []
_of_job: ContextVar[AccessRole | None] = ContextVar("access_role", default=None)


def read_role_with(reader: Callable[[], AccessRole]) -> None:
    """Tell how the role of the person is found who looks at a page."""
    _reader[:] = [reader]


def current_role() -> AccessRole:
    """Return the role of the person for whom this code runs."""
    return _of_job.get() or (_reader[0]() if _reader else "owner")


@contextmanager
def acting_for(role: AccessRole) -> Iterator[None]:
    """Run work, such as a background job, for a person with this role."""
    token = _of_job.set(role)
    try:
        yield
    finally:
        _of_job.reset(token)


def is_allowed(action: str) -> bool:
    """Check whether the person for whom this code runs may do one of `ACTIONS`."""
    if action not in ACTIONS:
        raise KeyError(action)
    return current_role() == "owner"


def check_allowed(action: str) -> None:
    """Refuse one of `ACTIONS` to a visitor. Called by the function that does it, whoever calls that."""
    if not is_allowed(action):
        raise NotAllowedError(for_owner_only(ACTIONS[action]))


def for_owner_only(what: str) -> str:
    return f"{what} is for the owner of this workspace: ask the person who gave you the address"
