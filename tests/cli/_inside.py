"""Runs the command inside of the tests' own process, where starting a new one is not what is tested.

It is the very `main` that the installed program calls, with its words, streams, folder and environment put in place
and taken away again; `test_command.py` compares the two. Left to real processes (`_command.py`) is what belongs to a
process alone: signals, pipes that close, the encoding of the terminal, and variables that Python reads but once.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from io import BytesIO, TextIOWrapper
from pathlib import Path
from unittest.mock import patch

from sightline.cli import (
    _console,  # noqa: F401 - imported here, as it would keep the width of the terminal of the first command
    main,
)

from ._command import Outcome, environment

HANDLED = (signal.SIGTERM, signal.SIGHUP)  # by `main`, for the rest of the process


def sightline(*arguments: str | Path, stdin: bytes = b"", folder: Path | None = None, **more: str) -> Outcome:
    """Run `sightline` with these arguments; an error that the program does not expect is raised here."""
    output, errors = _written("strict"), _written("backslashreplace")
    with (
        patch.dict(os.environ, environment(**more), clear=True),
        patch.multiple(
            sys,
            argv=["sightline", *map(str, arguments)],
            stdin=TextIOWrapper(BytesIO(stdin), encoding="utf-8"),
            stdout=output,
            stderr=errors,
            unraisablehook=sys.unraisablehook,
        ),
        chdir(folder or Path.cwd()),
        _handlers_kept(),
    ):
        status = _status()
    return Outcome(status, _text(output), _text(errors))


def surroundings() -> tuple[object, ...]:
    """All of the process that a command changes while it runs."""
    handlers = tuple(signal.getsignal(number) for number in HANDLED)
    return (dict(os.environ), Path.cwd(), sys.argv, sys.stdin, sys.stdout, sys.stderr, sys.unraisablehook, handlers)


def _status() -> int:
    """The status with which the program ends."""
    try:
        main()
    except SystemExit as end:
        assert end.code is None or isinstance(end.code, int)
        return end.code or 0
    return 0


def _written(errors: str) -> TextIOWrapper:
    return TextIOWrapper(BytesIO(), encoding="utf-8", errors=errors)


def _text(stream: TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


@contextmanager
def _handlers_kept() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in HANDLED}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
