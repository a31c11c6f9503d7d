"""Ctrl-C and `kill`: the work ends early and in order, so that browsers are closed and temporary files removed."""

import signal
from types import FrameType

__all__ = ["INTERRUPTED", "Terminated", "heed_signals"]

INTERRUPTED = 128 + signal.SIGINT
"""The exit status after Ctrl-C."""


class Terminated(SystemExit):
    """The program was asked to end; its code is the exit status."""


def heed_signals() -> None:
    """Turn signals into exceptions: Ctrl-C is a KeyboardInterrupt, `kill` and a closed terminal are Terminated.

    A signal that whoever started us wants ignored (`nohup`, a job in the background) stays ignored.
    """
    handlers = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: _terminate, signal.SIGHUP: _terminate}
    for number, handler in handlers.items():
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def _terminate(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - a handler's signature
    raise Terminated(128 + number)
