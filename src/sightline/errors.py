"""Every error that Sightline raises, as one tree.

* SightlineError
    * SourceError            something named as a source did not become a page
        * UnreachableError   no such file, host or answer
        * RefusedError       our own rules say no: scheme, private address, robots.txt
        * LimitError         a limit of the settings was reached
        * DeadlineError      it took longer than allowed
        * BlockedError       the site answered with a block page or a log-in wall
        * UnreadableError    the bytes are not what they should be
        * BrowserError       the browser crashed, hung or answered nonsense
            * ActionError    an element could not be clicked, filled or the like
            * CrashError     the tab of a session crashed
    * VerificationError      a page is not of the template that a wrapper was learned for
    * BrowserMissing         no Chromium, Chrome or Edge on this machine
    * MissingExtra           an optional dependency is not installed
    * JobCancelled           a job was asked to stop before it was done
    * OutputError            a result could not be written
        * SchemaChanged      the columns of a load do not fit those of its target
    * ConflictError          somebody else has changed what was to be saved
    * UsageError             an argument makes no sense

One warning (a UserWarning): CoercionWarning, when values do not fit the type that was asked for.

A message is one sentence or two: what happened, to what, and what to do next.
Each class is described in docs/errors.md; a test compares the two.
"""

from typing import Any

from sightline.redaction import hide_passwords, redacted

__all__ = [
    "ActionError",
    "BlockedError",
    "BrowserError",
    "BrowserMissing",
    "CoercionWarning",
    "ConflictError",
    "CrashError",
    "DeadlineError",
    "JobCancelled",
    "LimitError",
    "MissingExtra",
    "OutputError",
    "RefusedError",
    "SchemaChanged",
    "SightlineError",
    "SourceError",
    "UnreachableError",
    "UnreadableError",
    "UsageError",
    "VerificationError",
]


class SightlineError(Exception):
    """Any error that Sightline raises on purpose. Its text never holds a secret or the password of an address."""

    def __str__(self) -> str:
        return redacted(super().__str__())

    @property
    def message(self) -> str:
        """The sentence, for a terminal or the JSON contract."""
        return str(self)


class SourceError(SightlineError):
    """A source did not become a page; `source` is what the user named."""

    def __init__(self, source: str, problem: str) -> None:
        super().__init__(f"{source}: {problem}")
        self.source: str = hide_passwords(source)
        self.problem = problem

    def __reduce__(self) -> tuple[type, tuple[str, ...]]:
        """Carry both parts through pickling, which workers in other processes need."""
        return type(self), (self.source, self.problem)


class UnreachableError(SourceError):
    """There is no such file, host or answer.

    `passing` says that the same request may succeed a little later: the connection broke, or the site is in trouble.
    """

    def __init__(self, source: str, problem: str, *, passing: bool = False) -> None:
        super().__init__(source, problem)
        self.passing = passing

    def __reduce__(self) -> tuple[Any, ...]:
        """Carry that through pickling as well."""
        return type(self), (self.source, self.problem), {"passing": self.passing}


class RefusedError(SourceError):
    """Our rules forbid fetching it: its scheme, its address, the site's robots.txt, or a download without a folder."""


class LimitError(SourceError):
    """A limit was reached; `limit` is the name of the setting that raises it."""

    def __init__(self, source: str, problem: str, *, limit: str) -> None:
        super().__init__(source, problem)
        self.limit = limit

    def __reduce__(self) -> tuple[type, tuple[str, ...]]:
        """Pickle by way of a function, since `limit` is given by keyword."""
        return _limit_error, (self.source, self.problem, self.limit)  # type: ignore[return-value]


def _limit_error(source: str, problem: str, limit: str) -> LimitError:
    return LimitError(source, problem, limit=limit)


class DeadlineError(SourceError):
    """It took longer than the settings allow."""


class BlockedError(SourceError):
    """The site answered with a block page or a log-in wall instead of its content.

    `page` is that page, to look at, or None where it was not kept; it stays behind when the error is pickled.
    """

    def __init__(self, source: str, problem: str, *, page: object = None) -> None:
        super().__init__(source, problem)
        self.page = page


class UnreadableError(SourceError):
    """The bytes are damaged, truncated, or of an unsupported kind."""


class BrowserError(SourceError):
    """The browser crashed, hung or gave no usable answer for this page."""


class ActionError(BrowserError):
    """A session could not act on an element: it is covered, invisible, disabled or missing.

    `xpath` is the element's path, `cover` describes what is in front of it (or is empty), and `screenshot` shows the
    window at that moment, as the bytes of a PNG (or is None).
    """

    def __init__(
        self, source: str, problem: str, *, xpath: str = "", cover: str = "", screenshot: bytes | None = None
    ) -> None:
        super().__init__(source, problem)
        self.xpath = xpath
        self.cover = cover
        self.screenshot = screenshot

    def __reduce__(self) -> tuple[type, tuple[str, ...]]:
        """Pickle by way of a function, since all but two parts are given by keyword."""
        parts = (self.source, self.problem, self.xpath, self.cover, self.screenshot)
        return _action_error, parts  # type: ignore[return-value]


def _action_error(source: str, problem: str, xpath: str, cover: str, screenshot: bytes | None) -> ActionError:
    return ActionError(source, problem, xpath=xpath, cover=cover, screenshot=screenshot)


class CrashError(BrowserError):
    """The tab of a session crashed, or its whole browser did; `session.renew()` opens the page in a fresh tab."""


class VerificationError(SightlineError):
    """A page is not of the template that a wrapper was learned for; nothing was extracted from it."""

    def __init__(self, page: str, problem: str) -> None:
        super().__init__(f"{page}: {problem}")
        self.page = page
        self.problem = problem

    def __reduce__(self) -> tuple[type, tuple[str, ...]]:
        """Carry both parts through pickling."""
        return type(self), (self.page, self.problem)


class BrowserMissing(SightlineError):
    """No Chromium, Chrome or Edge was found, or none that can do what was asked; `problem` says what is missing."""

    def __init__(
        self,
        problem: str = "No Chromium, Chrome or Edge was found on this machine; run `sightline doctor --install`, "
        "set SIGHTLINE_BROWSER to its path, or work without a browser with `--static`.",
    ) -> None:
        super().__init__(problem)


class MissingExtra(SightlineError):
    """An optional dependency that is needed for this is not installed."""

    def __init__(self, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs an optional part; install it with `pip install 'sightline-data[{extra}]'`.")
        self.extra = extra
        self.purpose = purpose

    def __reduce__(self) -> tuple[type, tuple[str, ...]]:
        """Carry both parts through pickling."""
        return type(self), (self.extra, self.purpose)


class OutputError(SightlineError):
    """A result could not be written; nothing half-written is left behind."""


class SchemaChanged(OutputError):
    """The columns of a load do not fit the table it goes to; `statements` are what would change the table.

    Nothing was delivered. The first statement may be safe and the second one not: the message tells them apart.
    """

    def __init__(self, target: str, message: str, statements: tuple[str, ...]) -> None:
        super().__init__(message)
        self.target = target
        self.statements = statements

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """Carry all parts through pickling."""
        return type(self), (self.target, str(self), self.statements)


class ConflictError(SightlineError):
    """What was to be saved has another version by now; `version` is that one, or None if it was deleted."""

    def __init__(self, name: str, problem: str, version: str | None) -> None:
        super().__init__(f"{name}: {problem}")
        self.name = name
        self.problem = problem
        self.version = version

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """Carry all parts through pickling."""
        return type(self), (self.name, self.problem, self.version)


class UsageError(SightlineError, ValueError):
    """An argument makes no sense; the message says which one, and what to use instead."""


class JobCancelled(SightlineError):
    """A job was asked to stop; `done` is the number of sources it had finished."""

    def __init__(self, done: int) -> None:
        super().__init__(f"The job was cancelled after {done} source{'s' * (done != 1)}; run it again for the rest.")
        self.done = done

    def __reduce__(self) -> tuple[type, tuple[int]]:
        """Carry the number through pickling."""
        return type(self), (self.done,)


class CoercionWarning(UserWarning):
    """Values do not fit the type of their column, which was to be kept; their texts are in a second column."""
