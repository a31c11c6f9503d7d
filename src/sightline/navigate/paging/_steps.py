"""How one address leads to another of the same list: the same but for a number."""

import re
from functools import lru_cache
from posixpath import commonprefix
from typing import NamedTuple
from urllib.parse import SplitResult, parse_qsl, urlsplit

from sightline.signals import word_set

_NUMBER = re.compile(r"\d{1,9}")
_INSERTED = re.compile(r"[-_.,/]?(?:[a-z]{0,8}[-_]?)(\d{1,9})[-_.,/]?", re.IGNORECASE)
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d[-/](?:0?[1-9]|1[0-2])(?:[-/]\d{1,2})?(?!\d)")
LONGEST = 2_000  # characters of an address that are looked at
# What pages call the number of a page, or of the first record on it, in addresses.
PAGE_KEYS = word_set("""
    page p pg pn pageno pagenum pagenumber paged pagina seite str strona sivu side currentpage cpage pageindex pageid
    start startindex offset from first skip begin st s o po page_number page_num
    """)
# What they call how much stands on a page, and in which order.
SIZE_KEYS = word_set("""
    limit ipp perpage per_page pagesize page_size size rows count n num show items results max length sort order dir
    """)
# What they call the number of a visit. `sid` is also a story or a section: only long marks of letters and digits count.
SESSION_KEYS = word_set("sid sess session sessionid session_id phpsessid jsessionid oscsid xtcsid zenid cftoken")
_SESSION_MARK = re.compile(r"(?=[a-z_-]*\d)(?=[\d_-]*[a-z])[a-z\d_-]{16,}", re.IGNORECASE)
_SESSION_IN_PATH = re.compile(r";jsessionid=[\w.!-]*", re.IGNORECASE)


class SplitAddress(NamedTuple):
    """An address in parts that are compared."""

    site: str
    path: tuple[str, ...]
    query: tuple[tuple[str, str], ...]


class AddressStep(NamedTuple):
    """What differs between two addresses: a number, what it is called, and where it is."""

    key: str
    own: int | None
    other: int | None

    @property
    def is_page_key(self) -> bool:
        """Whether what is counted is called a page, a start or the like."""
        return self.key in PAGE_KEYS

    @property
    def distance(self) -> int | None:
        """How far the other is; a page without a number is the first."""
        if self.own is None and self.other is None:
            return None
        return (self.other if self.other is not None else 1) - (self.own if self.own is not None else 1)


@lru_cache(maxsize=4_096)
def split_address(address: str) -> SplitAddress | None:
    """An address in parts; None if it isn't a URL.

    >>> split_address("https://www.example.org/a/b/?page=2&q=x")
    SplitAddress(site='example.org', path=('a', 'b'), query=(('page', '2'), ('q', 'x')))
    """
    try:
        parts: SplitResult = urlsplit(without_session(address[:LONGEST]))
        site = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return None
    path = tuple(piece for piece in parts.path.split("/") if piece)
    query = parse_qsl(parts.query.replace(";", "&"), keep_blank_values=True, max_num_fields=None)
    return SplitAddress(site, path, tuple(sorted(query)))


def without_session(address: str) -> str:
    """An address without the number of the visit, which says nothing about where it leads.

    >>> without_session("http://a.b/list;jsessionid=0A9F?page=2&sid=81f0c5e29a6d4b37&q=x")
    'http://a.b/list?page=2&q=x'
    """
    if "?" not in address and ";" not in address:
        return address
    path, mark, query = _SESSION_IN_PATH.sub("", address).partition("?")
    kept = [part for part in query.split("&") if not _is_session(*part.partition("=")[::2])]
    return f"{path}?{'&'.join(kept)}" if kept and mark else path


def _is_session(key: str, value: str) -> bool:
    return key.lower() in SESSION_KEYS and _SESSION_MARK.fullmatch(value) is not None


def step_between(own: SplitAddress, other: SplitAddress) -> AddressStep | None:
    """The step from one address to another; None if they differ in more than a number.

    >>> step_between(split_address("http://a.b/news"), split_address("http://a.b/news/page/2"))
    AddressStep(key='page', own=None, other=2)
    >>> step_between(split_address("http://a.b/?q=x&start=10"), split_address("http://a.b/?q=x&start=20"))
    AddressStep(key='start', own=10, other=20)
    >>> step_between(split_address("http://a.b/news"), split_address("http://a.b/sport"))
    """
    if own.site != other.site:
        return None
    if own.path == other.path:
        return _query_step(dict(own.query), dict(other.query))
    return _path_step(own.path, other.path) if _query_agrees(own, other) else None


def leads_to_date(own: SplitAddress, other: SplitAddress) -> bool:
    """Whether an address names a month or a day that the page itself is not about, as the links of calendars do.

    >>> leads_to_date(split_address("http://a.b/"), split_address("http://a.b/?month=2024-05"))
    True
    """
    values = [value for key, value in other.query if (key, value) not in own.query]
    path = "/".join(other.path)
    return any(map(_DATE.fullmatch, values)) or bool(_DATE.search(path) and not _DATE.search("/".join(own.path)))


def differs_in_size(own: SplitAddress, other: SplitAddress) -> bool:
    """Whether another address shows the same list in another order, or more of it on a page.

    >>> differs_in_size(split_address("http://a.b/?q=x"), split_address("http://a.b/?q=x&limit=50"))
    True
    """
    mine, theirs = dict(own.query), dict(other.query)
    differing = [key.lower() for key in {**mine, **theirs} if mine.get(key) != theirs.get(key)]
    paged = any(key in PAGE_KEYS for key in differing)
    return own.site == other.site and not paged and any(key in SIZE_KEYS for key in differing)


def counts_something_else(own: SplitAddress, other: SplitAddress) -> bool:
    """Whether another address is the same page of a list, as far as that is counted, and counts something beside it.

    >>> shop = split_address("http://a.b/tools?page=1")
    >>> counts_something_else(shop, split_address("http://a.b/tools?page=1&reviews=2"))
    True
    >>> counts_something_else(shop, split_address("http://a.b/tools?page=2"))
    False
    """
    mine, theirs = dict(own.query), dict(other.query)
    differing = [key for key in {**mine, **theirs} if mine.get(key) != theirs.get(key)]
    paged = [key for key in differing if key.lower() in PAGE_KEYS]
    stays = all(mine.get(key, "1") == theirs.get(key, "1") for key in paged)
    beside = [key for key in differing if key not in paged]
    same = own.site == other.site and own.path == other.path
    return same and stays and bool(beside) and all(_is_number(theirs.get(key, "")) for key in beside)


def _query_agrees(own: SplitAddress, other: SplitAddress) -> bool:
    return own.query == other.query or not own.query or not other.query


def _query_step(own: dict[str, str], other: dict[str, str]) -> AddressStep | None:
    differing = [key for key in {**own, **other} if own.get(key) != other.get(key)]
    numbered = [key for key in differing if _is_number(own.get(key, "0")) and _is_number(other.get(key, "0"))]
    if len(differing) > 1:  # further parameters may come with the number of the page, such as how many it holds
        numbered = [key for key in numbered if key.lower() in PAGE_KEYS]
        sides = {
            (key in own, key in other) for key in differing if key not in numbered or (key in own) != (key in other)
        }
        numbered = numbered if len(sides) <= 1 and (True, True) not in sides else []
    if len(numbered) != 1:
        return None
    key = numbered[0]
    return AddressStep(key.lower(), _number(own.get(key)), _number(other.get(key)))


def _path_step(own: tuple[str, ...], other: tuple[str, ...]) -> AddressStep | None:
    """The number in which two paths differ; the shorter one may be without it."""
    if len(own) == len(other):
        differing = [place for place, pair in enumerate(zip(own, other, strict=True)) if pair[0] != pair[1]]
        if len(differing) != 1:
            return None
        return _piece_step(own[differing[0]], other[differing[0]], own[differing[0] - 1] if differing[0] else "")
    shorter, longer = sorted((own, other), key=len)
    if longer[: len(shorter)] == shorter:
        rest = longer[len(shorter) :]
        found = _added(rest)
    elif shorter and "." in shorter[-1] and longer[: len(shorter) - 1] == shorter[:-1]:
        found = _added(longer[len(shorter) - 1 :])  # /news/index.html and /news/page/2
    else:
        return None
    if found is None:
        return None
    key, number = found
    return AddressStep(key, None, number) if longer is other else AddressStep(key, number, None)


def _added(rest: tuple[str, ...]) -> tuple[str, int] | None:
    """The number in what one path has more than the other, and the word before it."""
    if len(rest) > 2 or not rest:
        return None
    numbers = _NUMBER.findall(rest[-1])
    if len(numbers) != 1:
        return None
    words = [*rest[:-1], *re.findall(r"[a-z]+", rest[-1].lower())]
    return (words[0].lower() if words else ""), int(numbers[0])


def _piece_step(own: str, other: str, before: str) -> AddressStep | None:
    mine, theirs = _NUMBER.findall(own), _NUMBER.findall(other)
    if _NUMBER.sub("#", own) == _NUMBER.sub("#", other):
        changed = [pair for pair in zip(mine, theirs, strict=True) if pair[0] != pair[1]]
        if len(changed) != 1:
            return None
        return AddressStep(_word_in(own, before), int(changed[0][0]), int(changed[0][1]))
    if len(theirs) > len(mine) and (number := _inserted(own, other)) is not None:
        return AddressStep(_word_in(other, before), None, number)
    if len(mine) > len(theirs) and (number := _inserted(other, own)) is not None:
        return AddressStep(_word_in(own, before), number, None)
    return None


def _inserted(shorter: str, longer: str) -> int | None:
    """The number that one piece has more than another, with a word and marks around it.

    >>> _inserted("list.html", "list-2.html"), _inserted("t12-cats", "t12-o20-cats"), _inserted("a", "b2")
    (2, 20, None)
    """
    begin = len(commonprefix((shorter, longer)))
    for start in range(begin, -1, -1):  # marks may be shared by both sides: `a-b` in `a-o2-b`
        more = longer[start : len(longer) - len(shorter) + start]
        if longer.endswith(shorter[start:]) and (found := _INSERTED.fullmatch(more)):
            return int(found[1])
        if start < begin - 1:
            break
    return None


def _word_in(piece: str, before: str) -> str:
    """What stands before the last number of a piece, or in the piece before it."""
    words = re.findall(r"([a-z]+)[-_=]?\d", piece.lower())
    return words[-1] if words else before.lower() if _is_number(piece.partition(".")[0]) else ""


def _is_number(text: str) -> bool:
    return bool(_NUMBER.fullmatch(text))


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and _is_number(text) else None
