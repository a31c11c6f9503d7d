"""Keeps what libraries log, such as addresses with secrets, from the logs of the program."""

import logging
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["quiet"]

_lock = threading.Lock()
_users: Counter[str] = Counter()
_before: dict[str, bool] = {}


@contextmanager
def quiet(*libraries: str) -> Iterator[None]:
    """While a block runs, in whatever thread, nothing that libraries log reaches the handlers of the program."""
    with _lock:
        for name in libraries:
            _users[name] += 1
            if _users[name] == 1:
                _before[name] = logging.getLogger(name).propagate
                logging.getLogger(name).propagate = False
    try:
        yield
    finally:
        with _lock:
            for name in libraries:
                _users[name] -= 1
                if not _users[name]:
                    logging.getLogger(name).propagate = _before.pop(name)
