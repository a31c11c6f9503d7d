"""Addresses of databases, files and services as flows write them: which scheme they have, and how they may be shown."""

import logging
import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from sightline.errors import UsageError
from sightline.redaction import HIDDEN, hide_passwords

# One letter is a drive of Windows. Schemes are the same in capitals, and have dialects (`postgresql+psycopg`).
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
_SECRET_OPTION = re.compile(r"(?i)([^=&?]*(?:password|passwd|pwd|secret|token|key)[^=&]*=)[^&#]*")


def scheme_of(text: str) -> str:
    """The scheme of an address, in small letters; nothing for the name of a file.

    >>> scheme_of("PostgreSQL://anna@db/shop"), scheme_of("mysql+pymysql://h/db"), scheme_of("C:/prices.csv")
    ('postgresql', 'mysql+pymysql', '')
    """
    found = _SCHEME.match(text)
    return found[1].lower() if found else ""


def check_server(address: str, form: str) -> None:
    """Say that the address of a server is malformed; not what is in it, since it may be a secret in the wrong place."""
    try:
        parts = urlsplit(address)
        well_formed = bool(parts.hostname or "host=" in parts.query or not parts.netloc) and (parts.port or 1) > 0
    except ValueError:
        well_formed = False
    if not well_formed or re.search(r"[\0-\x20\x7f]", address):
        raise UsageError(
            f"The address of the database is malformed; write it as `{form}`, with `/`, `@`, `#` and the like in a "
            "password as `%2F`, `%40`, `%23`."
        )


def shown_place(place: str) -> str:
    """An address as it may be shown: passwords are also given as `?password=…`, and tokens in many ways.

    >>> shown_place("postgresql://anna:secret@db/shop?sslpassword=x&a=1")
    'postgresql://anna@db/shop?sslpassword=…&a=1'
    """
    if "://" not in place:
        return place
    path, question, query = place.partition("?")
    shown = hide_passwords(path).replace(f":{HIDDEN}@", "@")
    return shown + question + _SECRET_OPTION.sub(r"\1…", query)


# Keeps what libraries log, such as addresses with secrets, from the logs of the program.

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
