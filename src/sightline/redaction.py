r"""What must not leave the program: secrets, however they are spelled, and passwords inside addresses.

Whoever reads a secret says so with `remember`. From then on every error, every line of the terminal and of the log,
every kept state and every answer of the servers passes `redacted`, which knows all of them. A secret is compared with
the text as it decodes, not with a list of spellings: `p~é` is found in `p%7E%E9`, `p~&eacute;` and `p~\u00e9` alike.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import unescape
from threading import Lock
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

__all__ = [
    "HIDDEN",
    "SHORTEST_SECRET",
    "Redaction",
    "forget_secrets",
    "hide_passwords",
    "redacted",
    "redacted_in",
    "remember",
    "remember_passwords",
    "without_secrets",
    "without_secrets_in",
]

STRUCK = "•"
HIDDEN = 3 * STRUCK
# A secret of fewer characters is part of many words, and taking it out of every message would leave nothing to read.
SHORTEST_SECRET = 4
SHORTEST_LINE = 8  # of a secret of several lines, such as a key: an error may quote one of them
LAYERS = 3  # `%2525` is encoded three times; nothing real is encoded more often

_USER = re.compile(r"([a-z][a-z0-9+.-]*)(://)([^\s/?#\"'<>`]*)@", re.IGNORECASE)
_WEB = ("http", "https", "ftp", "ftps", "ws", "wss")  # their users are often tokens
# A step of a path that looks like a token: Slack's have 9 to 24 letters and digits.
_TOKEN_STEP = re.compile(r"(?=.*[0-9])[^/]{8,}|[^/]{20,}")
_ENCODED = re.compile(
    rb"(?:%[0-9A-Fa-f]{2})+|(?:\\u[0-9A-Fa-f]{4})+|\\x[0-9A-Fa-f]{2}|\\[\"'\\/bfnrt]|&(?:#\d+|#[xX][0-9A-Fa-f]+|\w+);|\+"
)
_HINTS = ("%", "\\", "&", "+")
_ESCAPES = {"b": b"\b", "f": b"\f", "n": b"\n", "r": b"\r", "t": b"\t"}
# What pages are written in besides UTF-8; a browser encodes what a form sends as its page is encoded.
_ENCODINGS = (
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "iso-8859-2", "iso-8859-15", "koi8-r"),
    *("shift_jis", "euc-jp", "gb18030", "big5", "euc-kr", "utf-16-be", "utf-16-le"),
)


class Redaction:
    """Some secrets, and what is left of a text without them.

    >>> Redaction(["p~é"])("user=anna&password=p%7E%E9")
    'user=anna&password=•••'
    """

    def __init__(self, secrets: Iterable[str] = (), *, shortest: int = 1) -> None:
        self._shortest = shortest
        self._texts: dict[str, tuple[bytes, ...]] = {}
        for secret in secrets:
            self.add(secret)

    def __bool__(self) -> bool:
        return bool(self._texts)

    def add(self, secret: str) -> None:
        """Take out one more secret; of an address also its password and tokens, of several lines each of them."""
        known = dict(self._texts)
        for part in _parts(secret):
            if len(part) >= self._shortest:
                known[part] = _bytes_of(part)
        # The longest first, so that no rest of one stays behind another.
        self._texts = dict(sorted(known.items(), key=lambda one: len(one[0]), reverse=True))

    def __call__(self, text: str) -> str:
        """The text with each secret in it replaced by three dots."""
        return self._without(text, lambda _: HIDDEN)

    def struck(self, text: str) -> str:
        """A text of the same length, since words of a page are counted by their characters."""
        return self._without(text, lambda length: STRUCK * length)

    def _without(self, text: str, instead: Callable[[int], str]) -> str:
        spans = sorted(self._spans(text))
        if not spans:
            return text
        parts, end = [], 0
        for begin, until in _joined(spans):
            parts += [text[end:begin], instead(until - begin)]
            end = until
        return "".join([*parts, text[end:]])

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where secrets are in a text: as they are, and as they are when it is decoded."""
        for secret in self._texts:
            yield from _found(text, secret)
        if not self._texts or not any(hint in text for hint in _HINTS):
            return
        content, places = _as_bytes(text)
        for _ in range(LAYERS):
            before = content
            content, places = _decoded(content, places)
            blank = content.replace(b"+", b" ")  # before the next layer takes a `\\` away that is part of the secret
            for spellings in self._texts.values():
                for spelling in spellings:
                    for begin, end in _found(blank, spelling):
                        yield places[begin][0], places[end - 1][1]
            if content == before:
                return


def _joined(spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Spans that touch none of the others, for some that may."""
    last: tuple[int, int] | None = None
    for begin, end in spans:
        if last is not None and begin < last[1]:
            last = (last[0], max(last[1], end))
            continue
        if last is not None:
            yield last
        last = (begin, end)
    if last is not None:
        yield last


def _found(text: Any, part: Any) -> Iterator[tuple[int, int]]:
    """Every place of a part in a text, or of bytes in bytes."""
    begin = text.find(part)
    while begin >= 0:
        yield begin, begin + len(part)
        begin = text.find(part, begin + 1)


def _parts(secret: str) -> set[str]:
    """What must not be repeated of a secret."""
    lines = secret.splitlines()
    found = {secret, secret.strip(), *_parts_of_address(secret)}
    if len(lines) > 1:
        found |= {line.strip() for line in lines if len(line.strip()) >= SHORTEST_LINE}
    found |= {unicodedata.normalize(form, one) for one in found for form in ("NFC", "NFD")}
    return {one for one in found if one}


def _parts_of_address(secret: str) -> set[str]:
    """Password, query and tokens of an address, as they are written and as they are meant."""
    address = secret.partition(":")[2] if secret.startswith("sqlalchemy:") else secret
    try:
        parts = urlsplit(address.strip())
        user, password = parts.username or "", parts.password or ""
    except ValueError:
        return set()
    if "://" not in address:
        return set()
    found = {password, parts.query, *(value for _, value in parse_qsl(parts.query))}
    found |= {step for step in parts.path.split("/") if _TOKEN_STEP.fullmatch(step)}
    if _TOKEN_STEP.fullmatch(user):
        found.add(user)
    found |= {unquote(one) for one in found}
    return {one for one in found if len(one) >= SHORTEST_SECRET}


# ---------------------------------------------------------------------- decoding


def _bytes_of(secret: str) -> tuple[bytes, ...]:
    """How a secret is written in bytes; `+` and a blank are the same in a form."""
    found = [secret.encode("utf-8", "surrogatepass")]
    if not secret.isascii():
        for encoding in _ENCODINGS:
            try:
                found.append(secret.encode(encoding))
            except UnicodeEncodeError:
                continue
    return tuple(dict.fromkeys(one.replace(b"+", b" ") for one in found))


def _as_bytes(text: str) -> tuple[bytes, list[tuple[int, int]]]:
    """The bytes of a text, and for each of them the character that it is of."""
    parts = [character.encode("utf-8", "surrogatepass") for character in text]
    places = [(place, place + 1) for place, part in enumerate(parts) for _ in part]
    return b"".join(parts), places


def _decoded(content: bytes, places: list[tuple[int, int]]) -> tuple[bytes, list[tuple[int, int]]]:
    """Bytes with one layer of encoding less, and the place of each."""
    parts, found, end = [], [], 0
    for match in _ENCODED.finditer(content):
        parts.append(content[end : match.start()])
        found += places[end : match.start()]
        for length, meant in _meant(match[0]):
            begin = match.start() + length[0]
            span = (places[begin][0], places[match.start() + length[1] - 1][1])
            parts.append(meant)
            found += [span] * len(meant)
        end = match.end()
    parts.append(content[end:])
    return b"".join(parts), found + places[end:]


def _meant(code: bytes) -> Iterator[tuple[tuple[int, int], bytes]]:
    """What an encoded part means, each piece with where it is in the part."""
    if code.startswith(b"%"):
        for place in range(0, len(code), 3):
            yield (place, place + 3), bytes.fromhex(code[place + 1 : place + 3].decode())
    elif code == b"+":
        yield (0, 1), b" "
    elif code.startswith(b"\\u"):
        units = bytes.fromhex(code.replace(b"\\u", b"").decode())
        yield (0, len(code)), units.decode("utf-16-be", "surrogatepass").encode("utf-8", "surrogatepass")
    elif code.startswith(b"\\x"):
        yield (0, len(code)), chr(bytes.fromhex(code[2:].decode())[0]).encode()
    elif code.startswith(b"\\"):
        yield (0, 2), _ESCAPES.get(chr(code[1]), code[1:])
    else:
        yield (0, len(code)), unescape(code.decode()).encode("utf-8", "surrogatepass")


# ---------------------------------------------------------------------- passwords in addresses


def hide_passwords(text: str) -> str:
    """A text without the passwords of the addresses in it; of web addresses the user is hidden, too.

    >>> hide_passwords("postgresql://anna:hunter2@db/shop and https://token@shop.example/")
    'postgresql://anna:•••@db/shop and https://•••@shop.example/'
    """
    return _USER.sub(_hidden_user, text) if "://" in text and "@" in text else text


def _hidden_user(found: re.Match[str]) -> str:
    scheme, slashes, user = found[1], found[2], found[3]
    name, colon, _ = user.partition(":")
    if scheme.lower() in _WEB:
        return f"{scheme}{slashes}{HIDDEN}@"
    return f"{scheme}{slashes}{name}{colon}{HIDDEN if colon else ''}@"


# ---------------------------------------------------------------------- the secrets of this process

_lock = Lock()
_known = Redaction(shortest=SHORTEST_SECRET)


def remember(secret: str) -> str:
    """Keep a secret out of everything that leaves this process from now on; returns it."""
    with _lock:
        _known.add(secret)
    return secret


def remember_passwords(text: str) -> None:
    """Keep the passwords of the addresses in a text out of everything, also where they are without their address."""
    for found in _USER.finditer(text):
        password = found[3].partition(":")[2]
        if password:
            remember(password)
            remember(unquote(password))


def forget_secrets() -> None:
    """Know no secrets any more, as in a new process."""
    global _known
    with _lock:
        _known = Redaction(shortest=SHORTEST_SECRET)


def redacted(text: str) -> str:
    """A text as it may leave the program: without any secret that was read, and without passwords in addresses.

    >>> _ = remember("correct horse")
    >>> redacted("https://a:b@shop.example/?q=correct+horse"), forget_secrets()
    ('https://•••@shop.example/?q=•••', None)
    """
    return without_secrets(hide_passwords(text))


def without_secrets(text: str) -> str:
    """A text without any secret that was read; addresses stay as they are, since they may be what was extracted."""
    return _known(text)


def redacted_in(value: Any) -> Any:
    """A document of plain values with every text redacted; keys stay, since programs look for them.

    >>> redacted_in({"to": ["smtp://anna:hunter2@mail.example"], "rows": 3})
    {'to': ['smtp://anna:•••@mail.example'], 'rows': 3}
    """
    return _changed(value, redacted)


def without_secrets_in(value: Any) -> Any:
    """A document of plain values without any secret that was read."""
    return _changed(value, without_secrets) if _known else value


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: _changed(one, change) for key, one in value.items()}
    return [_changed(one, change) for one in value] if isinstance(value, list | tuple) else value
