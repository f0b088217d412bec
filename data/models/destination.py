"""Destinations of questions to models and of texts to embed, and the key that goes with them.

OPENAI_API_KEY goes to OpenAI, and to OPENAI_BASE_URL, which comes from the environment as the key does. An address from
a form, an option, a config file or a stored run has a key of its own, in a variable that is named after its host. So an
address that somebody else wrote can't collect a key.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from core.errors import InputError
from data.http.keys import check_encrypted, host_of, origin_of

KEY = "OPENAI_API_KEY"
ADDRESS = "OPENAI_BASE_URL"
USUAL_ADDRESS = "https://api.openai.com/v1"
GEMINI_ADDRESS = "https://generativelanguage.googleapis.com/v1beta/openai"
VLLM_ADDRESS = "http://localhost:8000/v1"
HOMES = {KEY: USUAL_ADDRESS, "GEMINI_API_KEY": GEMINI_ADDRESS, "VLLM_API_KEY": VLLM_ADDRESS}
"""The address that each well-known variable belongs to."""
PREFIX = "QUERYSCAPE_KEY_"
_IN_A_NAME = {".": "_", "-": "__", ":": "___"}


@dataclass(frozen=True, slots=True)
class Destination:
    address: str
    variable: str
    """The variable with the key for this host, set or not."""
    key: str = field(default="", repr=False)

    @property
    def host(self) -> str:
        return host_of(self.address)

    @property
    def words(self) -> str:
        how = f"with the key in {self.variable}" if self.key else f"without a key ({self.variable} is not set)"
        return f"Sends to {self.host}, {how}."


def find_destination(base_url: str | None = None, option: str = "--base-url") -> Destination:
    """Return the place of this address, else of OPENAI_BASE_URL, else OpenAI. `option`: where the address was given."""
    address = _checked(base_url or os.environ.get(ADDRESS) or USUAL_ADDRESS, option)
    names = _usual_variables(address) or (own_variable(address),)
    variable = next((name for name in names if _value(name)), names[-1])
    key = _value(variable)
    if not (key.isascii() and key.isprintable()):
        raise InputError(f"the variable {variable} has characters that no key has: check it")
    if key:
        check_encrypted(address, variable)
    return Destination(address, variable, key)


def own_variable(address: str) -> str:
    """Return the name of the variable for the key of any host: a dot becomes _, a hyphen __, and a colon ___.

    >>> own_variable("https://llm.my-lab.example/v1"), own_variable("http://localhost:8080")
    ('QUERYSCAPE_KEY_LLM_MY__LAB_EXAMPLE', 'QUERYSCAPE_KEY_LOCALHOST___8080')
    """
    host = host_of(address).strip("[]").replace("]", "")
    return PREFIX + "".join(_IN_A_NAME.get(sign, sign) for sign in host).upper()


def _usual_variables(address: str) -> tuple[str, ...]:
    """Return the well-known variables that belong to an address; the last one is named where none is set."""
    place, own = origin_of(address), os.environ.get(ADDRESS, "").strip()
    found = [name for name, home in HOMES.items() if origin_of(home) == place]
    if own and origin_of(_checked(own, ADDRESS)) == place and KEY not in found:
        found.append(KEY)
    return tuple(found)


def _value(variable: str) -> str:
    return os.environ.get(variable, "").strip()


def _checked(address: str, option: str) -> str:
    try:
        parts = urlsplit(address.strip())
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits = False
    if not fits:
        raise InputError(f"{option} must be an address such as http://localhost:11434/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        where = own_variable(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}")
        raise InputError(f"{option} must not contain a name, password or query: put the key in the variable {where}")
    return address.strip().rstrip("/")
