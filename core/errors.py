"""What can go wrong, as one tree. A message is one line: what is wrong, where, and what to do.

QueryscapeError
├── InputError                  a value or a table that was handed in does not fit
│   ├── SettingsError           a setting outside its range
│   ├── MisalignedError         ids and rows that should travel together have different lengths
│   └── NoCoreError             recall has no meaning: the topic has no core publications
├── NotFoundError               a topic, version or embedder that the workspace does not have
├── FileError                   a file or folder that is missing or can't be read
│   ├── FormatError             a file that was read but does not hold what it should
│   └── DownloadError           a download that failed or arrived damaged
├── ServiceError                an outside service refused, failed or gave nonsense
│   ├── EndsAllError            key, address or model refused, or credit spent: asking on is no use
│   │   └── BudgetSpentError    the credit of a day, or what the user allowed, is spent
│   ├── OutOfReachError         no connection: offline by choice, no internet, or a proxy in between
│   ├── RefusedRequestError     a service does not take what it was sent, and says so
│   ├── FormatChangedError      a service answered in a form that is not the documented one
│   └── LostPlaceError          a service no longer knows the place that a page was to begin at
└── StoreError                  the workspace's own files
    ├── CorruptStoreError       the store, or a file it lists, is damaged
    ├── NewerStoreError         the store was written by a later Queryscape
    ├── OlderStoreError         the store has a layout that is no longer upgraded
    ├── StoreInUseError         another process has the store open
    └── DiskFullError           no room left to write
"""

from __future__ import annotations


class QueryscapeError(Exception):
    """Base of every error that a user can do something about."""


class InputError(QueryscapeError):
    """A value or a table that was handed in does not fit."""


class SettingsError(InputError):
    """A setting outside its range."""


class MisalignedError(InputError):
    """Ids and rows that should travel together have different lengths."""


class NoCoreError(InputError):
    """Recall has no meaning: the topic has no core publications."""


class NotFoundError(QueryscapeError):
    """A topic, version or embedder that the workspace does not have."""


class FileError(QueryscapeError):
    """A file or folder that is missing or can't be read."""


class FormatError(FileError):
    """A file that was read but does not hold what it should."""


class DownloadError(FileError):
    """A download that failed or arrived damaged."""


class ServiceError(QueryscapeError):
    """An outside service refused, failed or gave nonsense."""


class EndsAllError(ServiceError):
    """The key, the address or the model is refused, or the credit is spent: every further question would fail too."""


class BudgetSpentError(EndsAllError):
    """What may be spent in a day is spent, or what the user allowed."""


class OutOfReachError(ServiceError):
    """There is no connection: offline by choice, no internet, or a proxy that answers in the service's place."""


class FormatChangedError(ServiceError):
    """A service answered in a form that is not the documented one. `raw` is what it said."""

    def __init__(self, message: str, raw: bytes = b"") -> None:
        super().__init__(message)
        self.raw = raw


class RefusedRequestError(ServiceError):
    """A service took what it was sent for wrong: too long, not understood, not there. `words` are its own."""

    def __init__(self, message: str, status: int = 0, words: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.words = words


class LostPlaceError(ServiceError):
    """A service no longer knows the place that a page was to begin at: the form is read from its beginning."""


class StoreError(QueryscapeError):
    """The workspace's own files are not as they should be."""


class CorruptStoreError(StoreError):
    """The store, or a file it lists, is damaged."""


class NewerStoreError(StoreError):
    """The store was written by a later Queryscape."""


class OlderStoreError(StoreError):
    """The store has a layout that is no longer upgraded."""


class StoreInUseError(StoreError):
    """Another process has the store open."""


class DiskFullError(StoreError):
    """No room left to write."""
