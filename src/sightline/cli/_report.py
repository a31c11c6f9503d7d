"""What every command reports about its sources: entries of the JSON contract, error messages, an exit status."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from typing import Any, TypeVar

import typer

from sightline.cli._console import complain, output, print_json, remark
from sightline.cli._signals import asked_to_end
from sightline.cli._sources import LOADING
from sightline.cli._text import clean
from sightline.data import Verdict
from sightline.errors import SightlineError
from sightline.jobs import Outcome
from sightline.page import Page
from sightline.settings import Settings, describe

__all__ = ["SUSPICIOUS", "Reporter", "entry", "exit_with", "in_flags"]

FAILED, SUSPICIOUS = 1, 3  # exit statuses

InFlags = Callable[[str], str]
T = TypeVar("T")


def entry(
    source: str,
    kind: str,
    document: Any = None,
    verdict: Verdict = "ok",
    error: SightlineError | None = None,
    told: InFlags | None = None,
) -> dict[str, Any]:
    """One result of the JSON contract; `told` puts sentences into the words of the command line."""
    failure = {"type": type(error).__name__, "message": (told or in_flags)(error.message)} if error else None
    return {
        "source": source,
        "kind": kind,
        "verdict": "failed" if error else verdict,
        kind: document,
        "error": failure,
    }


def in_flags(text: str, besides: Collection[str] = (), *, of: tuple[type[Settings], ...] = ()) -> str:
    """A sentence that names settings, with the flags of the command line instead; words of `besides` stay.

    All commands know the settings of loading; `of` are those of the command beside them.

    >>> in_flags("is larger than 50 MB; raise document_bytes to read it."), in_flags("raise `nodes` to read all")
    ('is larger than 50 MB; raise --document-bytes to read it.', 'raise --nodes to read all')
    """

    def flag(found: re.Match[str]) -> str:
        name = found[1] or found[2]
        return found[0] if name in besides else f"--{name.replace('_', '-')}"

    return _settings_in_text((*LOADING.values(), *of)).sub(flag, text)


@cache
def _settings_in_text(kinds: tuple[type[Settings], ...]) -> re.Pattern[str]:
    """In backquotes a name is a setting; otherwise only one that isn't a word of English."""
    names = sorted({declared.name for kind in kinds for declared in describe(kind)}, key=len, reverse=True)
    return re.compile(rf"`({'|'.join(names)})`|\b({'|'.join(name for name in names if '_' in name)})\b")


def exit_with(*verdicts: str | None) -> None:
    """Exit with status 1 if anything failed, 3 if anything is suspicious; otherwise return.

    Errors have been said by now. That something is suspicious is the last line of standard error: in a pipe, people see
    that line and not the status.
    """
    status = _status(verdicts)
    if status == SUSPICIOUS:
        remark("verdict: suspicious")
    if status:
        raise typer.Exit(status)


def _status(verdicts: Collection[str | None]) -> int:
    return FAILED if "failed" in verdicts else SUSPICIOUS if "suspicious" in verdicts else 0


class Reporter:
    """Collects the entries of all sources, in order."""

    def __init__(self, kind: str, *, json: bool, told: InFlags = in_flags, several: bool = True) -> None:
        """`told` puts sentences into the words of the command; one without `several` sources counts none."""
        self.kind = kind
        self.json = json
        self._told = told
        self._several = several
        self.entries: list[dict[str, Any]] = []
        self._gaps: tuple[str, ...] = ()  # of the page taken last
        self._cut = False  # whether something is missing from any page
        self._ended = 0  # the exit status, if the work was ended early

    def __enter__(self) -> "Reporter":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        """End the work early on Ctrl-C or `kill`, and keep the results of the sources that were finished by then."""
        self._ended = asked_to_end(error)
        if not self._ended:
            return False
        count = len(self.entries)
        if self._several:
            finished = f"{count:,} source{'s' * (count != 1)} finished"
            remark(f"Ended early: {finished}, the others are missing from the results.")
        return True

    @property
    def ended_early(self) -> bool:
        """Whether sources are missing because the work was interrupted."""
        return self._ended != 0

    @property
    def verdicts(self) -> list[str]:
        """The verdicts on all sources; what was learned from pages of which something is missing is suspicious."""
        return [entry["verdict"] for entry in self.entries] + ["suspicious"] * self._cut

    def take(self, outcome: Outcome[T]) -> tuple[Page, T] | None:
        """The page and its results; None if the source failed, which is then reported."""
        if outcome.error is not None or outcome.page is None or outcome.found is None:
            assert outcome.error is not None
            self.fail(outcome.source, outcome.error)
            return None
        for note in outcome.notes:
            remark(clean(self._told(note)), source=outcome.source)
        self._gaps = outcome.page.gaps
        self._cut |= bool(self._gaps)
        return outcome.page, outcome.found

    def found(self, outcomes: Iterable[Outcome[T]]) -> Iterator[tuple[str, Page, T]]:
        """Source, page and results, for every source that did not fail."""
        for outcome in outcomes:
            opened = self.take(outcome)
            if opened is not None:
                yield outcome.source, *opened

    def fail(self, source: str, error: SightlineError) -> None:
        """Report that a source failed."""
        complain(self._told(error.message))
        self.entries.append(entry(source, self.kind, error=error, told=self._told))
        output.exit_status = _status(self.verdicts)

    def add(self, source: str, document: Any, verdict: Verdict = "ok") -> None:
        """Add the document of a source; if something is missing from its page, it is not `ok`."""
        gaps = [self._told(gap) for gap in self._gaps]
        told = entry(source, self.kind, document, "suspicious" if gaps and verdict == "ok" else verdict)
        self.entries.append({**told, "gaps": gaps} if gaps else told)
        output.exit_status = _status(self.verdicts)

    def finish(self) -> None:
        """Print the JSON document if wanted, and exit with the status that follows from the verdicts."""
        if self.json:
            print_json({"results": self.entries, **({"complete": False} if self._ended else {})})
        if self._ended:
            raise typer.Exit(self._ended)
        exit_with(*(entry["verdict"] for entry in self.entries))
