"""Open a line between processes of one user: a Unix socket in the workspace folder, or loopback TCP with a token."""

from __future__ import annotations

import hmac
import json
import os
import secrets
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import StoreInUseError
from core.version import VERSION
from data.database import SCHEMA_VERSION
from data.files import written_aside
from data.sharing.wire import WireError, from_bytes, to_bytes

SOCKET, PORT = "queryscape.sock", "queryscape.port"
VARIABLE = "QUERYSCAPE_SOCKET"
"""Set to tcp to use loopback TCP also where there are Unix sockets."""
LONGEST_PATH = 100
"""Bytes of a socket's path; systems allow 104 or 108."""
MOST_BYTES = 4 << 30
"""Largest message."""
MOST_IN_HELLO = 4_096
HELLO_SECONDS = 10.0
"""Time for the other side to introduce itself."""
PROTOCOL = 1
"""Changes when messages change."""
LOOPBACK = "127.0.0.1"
_LENGTH = struct.Struct(">Q")


class LineClosedError(OSError):
    """The other side has ended."""


class SocketLine:
    """Messages in both directions over one socket; one thread at a time."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        if connected.family == socket.AF_INET:
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, value: object) -> None:
        self.send_bytes(to_bytes(value))

    def send_bytes(self, data: bytes) -> None:
        head = _LENGTH.pack(len(data))
        if len(data) < 1 << 16:
            self._socket.sendall(head + data)
        else:
            self._socket.sendall(head)
            self._socket.sendall(data)

    def receive(self, most: int = MOST_BYTES) -> Any:
        (n,) = _LENGTH.unpack(self._exactly(_LENGTH.size))
        if n > most:
            raise WireError(f"a message of {n:,} bytes is too long")
        return from_bytes(self._exactly(n))

    def _exactly(self, n: int) -> bytearray:
        data = bytearray()
        while len(data) < n:  # memory grows with what arrives, not with what is announced
            part = self._socket.recv(min(n - len(data), 1 << 20))
            if not part:
                raise LineClosedError("the other side has ended")
            data += part
        return data

    def limit(self, seconds: float | None) -> None:
        self._socket.settimeout(seconds)

    def end_receiving(self) -> None:
        """Let the thread that waits for a message see the end of the line; it can still send."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RD)

    def close(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


# Where the owner of a workspace listens.


@dataclass(frozen=True, slots=True)
class Door:
    """The listening socket of an owner, the file that leads there, and the token that opens it."""

    listening: socket.socket
    file: Path
    token: bytes

    def close(self) -> None:
        self.file.unlink(missing_ok=True)  # first, so that a guest waits for the next owner
        with suppress(OSError):
            self.listening.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts
        self.listening.close()


def _uses_tcp(folder: Path) -> bool:
    if os.environ.get(VARIABLE, "").lower() == "tcp" or not hasattr(socket, "AF_UNIX"):
        return True
    return len(os.fsencode(folder / SOCKET)) > LONGEST_PATH


def open_door(folder: Path) -> Door:
    """Listen for guests. Only the process that has the store open may; what an earlier one left is replaced."""
    for left in (SOCKET, PORT):
        (folder / left).unlink(missing_ok=True)
    if not _uses_tcp(folder):
        listening, file = socket.socket(socket.AF_UNIX), folder / SOCKET
        try:
            listening.bind(str(file))
            file.chmod(0o600)
            listening.listen(64)  # until now, every connection was refused
        except OSError:  # some file systems have no sockets
            listening.close()
            file.unlink(missing_ok=True)
        else:
            return Door(listening, file, b"")
    listening, file = socket.socket(), folder / PORT
    listening.bind((LOOPBACK, 0))
    listening.listen(64)
    token = secrets.token_hex(32)
    document = json.dumps({"port": listening.getsockname()[1], "token": token})
    with written_aside(file) as target:
        if hasattr(os, "fchmod"):
            os.fchmod(target.fileno(), 0o600)
        target.write(document.encode("ascii"))
    return Door(listening, file, token.encode("ascii"))


def connect(folder: Path) -> tuple[SocketLine, bytes] | None:
    """Connect to the owner; return the line and the token. None: no one listens."""
    token = b""
    try:
        if (folder / PORT).exists():
            about = json.loads((folder / PORT).read_text("ascii"))
            token = str(about["token"]).encode("ascii")
            connected = socket.create_connection((LOOPBACK, int(about["port"])), timeout=HELLO_SECONDS)
        elif hasattr(socket, "AF_UNIX") and (folder / SOCKET).exists():
            connected = socket.socket(socket.AF_UNIX)
            connected.settimeout(HELLO_SECONDS)
            try:
                connected.connect(str(folder / SOCKET))
            except OSError:
                connected.close()
                raise
        else:
            return None
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return None
    return SocketLine(connected), token


# Both sides say which Queryscape they are, and prove that they know the token without sending it.


def _proof(token: bytes, side: str, challenge: str) -> str:
    return hmac.new(token, f"{side} {challenge}".encode(), "sha256").hexdigest()


def _about() -> dict[str, Any]:
    return {"queryscape": PROTOCOL, "version": VERSION, "layout": SCHEMA_VERSION, "challenge": secrets.token_hex(16)}


def greet_guest(line: SocketLine, token: bytes) -> bool:
    """Introduce the owner and check the guest. False: it doesn't know the token or is another version."""
    line.limit(HELLO_SECONDS)
    mine = _about()
    line.send(mine)
    theirs = line.receive(MOST_IN_HELLO)
    if not hmac.compare_digest(str(theirs["proof"]), _proof(token, "guest", mine["challenge"])):
        return False
    line.send({"proof": _proof(token, "owner", str(theirs["challenge"]))})
    line.limit(None)
    return True


def greet_owner(line: SocketLine, token: bytes, path: Path) -> None:
    """Introduce this guest and check the owner. Another version of Queryscape raises an error."""
    line.limit(HELLO_SECONDS)
    theirs, mine = line.receive(MOST_IN_HELLO), _about()
    if any(theirs[name] != mine[name] for name in ("queryscape", "version", "layout")):
        raise StoreInUseError(
            f"{path} is open in Queryscape {str(theirs['version'])[:40]}, and this is {VERSION}: close it there, or "
            "use the same version"
        )
    line.send({"proof": _proof(token, "guest", str(theirs["challenge"])), "challenge": mine["challenge"]})
    answer = line.receive(MOST_IN_HELLO)
    if not hmac.compare_digest(str(answer["proof"]), _proof(token, "owner", mine["challenge"])):
        raise LineClosedError("the process that listens there is not the owner")
    line.limit(None)
