"""The exception tree. A message is one line: what is wrong, where, and what to do.

QueryscapeError
├── InputError                  a value or a table passed in is not valid
│   ├── SettingsError           a setting outside its range
│   ├── MisalignedError         ids and rows that belong together have different lengths
│   └── NoCoreError             recall is undefined: the topic has no core publications
├── NotFoundError               a topic, version or embedder that is not in the workspace
├── ConflictError               another person changed the same thing in the meantime
├── FileError                   a file or folder that is missing or can't be read
│   ├── FormatError             a file that was read but has the wrong content
│   └── DownloadError           a download that failed or arrived damaged
├── ServiceError                an external service refused, failed or sent an invalid response
│   ├── EndsAllError            key, address or model refused, or credit spent: further requests would fail too
│   │   └── BudgetSpentError    the daily credit or the user's budget is spent
│   ├── OutOfReachError         no connection: offline by choice, no internet, or a proxy in between
│   ├── RefusedRequestError     a service rejected a request and gave a reason
│   ├── FormatChangedError      a service answered in an undocumented format
│   └── LostPlaceError          a service no longer knows the position at which a page should begin
└── StoreError                  the workspace's own files
    ├── CorruptStoreError       the store, or a file it lists, is damaged
    ├── NewerStoreError         the store was written by a later Queryscape
    ├── OlderStoreError         the store has a layout that can no longer be upgraded
    ├── StoreInUseError         another process has the store open
    ├── ReadOnlyError           the workspace can only be read
    └── DiskFullError           no space left to write
"""

from __future__ import annotations


class QueryscapeError(Exception):
    """Base class of all errors that the user can act on."""


class InputError(QueryscapeError):
    """A value or a table passed in is not valid."""


class NotAllowedError(QueryscapeError):
    """A visitor asks for something that only the owner of the workspace may do."""


class SettingsError(InputError):
    """A setting outside its range."""


class MisalignedError(InputError):
    """Ids and rows that belong together have different lengths."""


class NoCoreError(InputError):
    """Recall is undefined: the topic has no core publications."""


class NotFoundError(QueryscapeError):
    """A topic, version or embedder that is not in the workspace."""


class ConflictError(QueryscapeError):
    """Another person changed the same thing in the meantime. `theirs` is its value now."""

    def __init__(self, message: str, *, changed_by: str = "", changed_at: str = "", theirs: object = None) -> None:
        super().__init__(message)
        self.changed_by, self.changed_at, self.theirs = changed_by, changed_at, theirs


class NoTopicError(NotFoundError):
    """No topic has exactly this name. A command may take it for the beginning of one of the `names`."""

    def __init__(self, message: str, topic_id: str, names: tuple[str, ...]) -> None:
        super().__init__(message)
        self.topic_id, self.names = topic_id, names


class FileError(QueryscapeError):
    """A file or folder that is missing or can't be read."""


class FormatError(FileError):
    """A file that was read but has the wrong content."""


class DownloadError(FileError):
    """A download that failed or arrived damaged."""


class ServiceError(QueryscapeError):
    """An external service refused, failed or sent an invalid response."""


class EndsAllError(ServiceError):
    """The key, the address or the model is refused, or the credit is spent: every further request would fail too."""


class BudgetSpentError(EndsAllError):
    """The daily credit or the user's budget is spent."""


class OutOfReachError(ServiceError):
    """There is no connection: offline by choice, no internet, or a proxy that answers instead of the service."""


class FormatChangedError(ServiceError):
    """A service answered in an undocumented format. `raw` is its response."""

    def __init__(self, message: str, raw: bytes = b"") -> None:
        super().__init__(message)
        self.raw = raw


class RefusedRequestError(ServiceError):
    """A service rejected a request as too long, malformed or not found. `words` is the service's own message."""

    def __init__(self, message: str, status: int = 0, words: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.words = words


class LostPlaceError(ServiceError):
    """A service no longer knows the position at which a page should begin: the form is read again from its start."""


class StoreError(QueryscapeError):
    """The workspace's own files can't be used."""


class CorruptStoreError(StoreError):
    """The store, or a file it lists, is damaged."""


class NewerStoreError(StoreError):
    """The store was written by a later Queryscape."""


class OlderStoreError(StoreError):
    """The store has a layout that can no longer be upgraded."""


class StoreInUseError(StoreError):
    """Another process has the store open."""


class ReadOnlyError(StoreError):
    """The workspace can only be read."""


class DiskFullError(StoreError):
    """No space left to write."""
