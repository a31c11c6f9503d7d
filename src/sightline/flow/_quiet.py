"""Keeps what libraries log, such as addresses with secrets, from the logs of the program."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["quiet"]


@contextmanager
def quiet(*libraries: str) -> Iterator[None]:
    """While the loggers of libraries are asked, nothing of them reaches the handlers of the program."""
    loggers = [logging.getLogger(name) for name in libraries]
    before = [logger.propagate for logger in loggers]
    for logger in loggers:
        logger.propagate = False
    try:
        yield
    finally:
        for logger, propagate in zip(loggers, before, strict=True):
            logger.propagate = propagate
