"""Ctrl-C and `kill`: the work ends early and in order, so that browsers are closed and temporary files removed."""

import os
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from types import FrameType

INTERRUPTED = 128 + signal.SIGINT
"""The exit status after Ctrl-C."""
AGAIN_SECONDS = 0.05  # until a signal that was not heard comes again; by then what swallowed it is over


class Terminated(SystemExit):
    """The program was asked to end; its code is the exit status."""


def heed_signals() -> None:
    """Turn signals into exceptions: Ctrl-C is a KeyboardInterrupt, `kill` and a closed terminal are Terminated.

    A signal that whoever started us wants ignored (`nohup`, a job in the background) stays ignored. An exception that
    is raised where Python can only report it, as in a `__del__`, comes again until it is heard.
    """
    handlers = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: _terminate, signal.SIGHUP: _terminate}
    for number, handler in handlers.items():
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)
    sys.unraisablehook = partial(_once_more, sys.unraisablehook)


def asked_to_end(error: BaseException | None) -> int:
    """The exit status if an error was caused by a signal, 0 otherwise.

    Python before 3.12 makes a RuntimeError of what is raised while a class names its members, and extension modules
    make an ImportError of what is raised while they are imported.

    >>> asked_to_end(KeyboardInterrupt()), asked_to_end(ValueError())
    (130, 0)
    """
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return INTERRUPTED
        if isinstance(error, Terminated):
            return int(str(error.code))
        error = error.__cause__
    return 0


def _once_more(tell: Callable[["sys.UnraisableHookArgs"], object], lost: "sys.UnraisableHookArgs") -> None:
    """Send the signal again whose exception was lost; tell of other errors as before."""
    status = asked_to_end(lost.exc_value)
    if not status:
        tell(lost)
        return
    again = threading.Timer(AGAIN_SECONDS, os.kill, (os.getpid(), status - 128))
    again.daemon = True
    again.start()


def _terminate(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - a handler's signature
    raise Terminated(128 + number)
