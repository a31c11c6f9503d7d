"""How to ask for the next page of a list: found by comparing requests, or from one request and its answer."""

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import ne
from typing import Any, Literal, TypeAlias
from urllib.parse import urlsplit

from sightline.extract.behind import elements_of, told_path, value_at
from sightline.navigate.behind._request_parts import RequestPart, parts_of, with_part
from sightline.page import OwnPath, PageAnswer, PageRequest, full_address

TurnKind: TypeAlias = Literal["number", "cursor", "next", "link"]
"""Numbers that grow, such as a page or an offset; a value of the answer before; an address in it, or in its headers."""

PAGES = re.compile(r"^(?:p|pg|pn|page|pageno|page_?num(?:ber)?|page_?index|current_?page|seite|pagina)$", re.IGNORECASE)
OFFSETS = re.compile(r"^(?:offset|start|skip|from|begin|first_?result|start_?(?:index|at|row))$", re.IGNORECASE)
SIZES = re.compile(
    r"^(?:limit|size|count|take|rows|first|n|num|per_?page|page_?size|max_?results|hits)$", re.IGNORECASE
)
CURSORS = re.compile(
    r"^(?:cursor|after|marker|continuation|scroll_?id|page_?token|next_?token|next_?cursor|start_?cursor|end_?cursor|"
    r"continuation_?token|next_?page_?token|last_?(?:id|key|evaluated_?key)|search_?after|next)$",
    re.IGNORECASE,
)
NEXT = re.compile(r"^(?:@odata\.)?next(?:_?(?:page)?_?(?:url|link|href|page|uri))?$", re.IGNORECASE)
MORE = re.compile(r"^(?:has_?(?:next|more)(?:_?(?:page|items|results))?|more|more_?available)$", re.IGNORECASE)
# What changes from request to request and says nothing about the page.
NOISE = re.compile(
    r"^(?:_|t|ts|time(?:stamp)?|nonce|rand(?:om)?|cb|cache_?bust(?:er)?|request_?id|trace_?id|v)$", re.IGNORECASE
)
MOST_PLACES = 2_000  # values of an answer beside its records that are looked at
DEEPEST = 12
LONGEST_NUMBER = 9  # digits; longer ones are times and keys
WEB = ("http://", "https://")


@dataclass(frozen=True)
class Turn:
    """How the request for a page follows from that for the page before, and its answer."""

    kind: TurnKind
    parts: tuple[RequestPart, ...] = ()
    steps: tuple[int, ...] = ()
    """By how much each part grows."""
    path: OwnPath = ()
    """Where the answer says what is next."""
    more: OwnPath = ()
    """Where it says whether there is more."""
    guessed: bool = False
    """Whether it stands on the names of one request alone."""

    def following(self, answer: PageAnswer) -> PageRequest | None:
        """The request for the page after an answer; None if the answer says that there is none."""
        if self.more and value_at(answer.data, self.more) is False:
            return None
        request = answer.request
        if self.kind == "link":
            return _at(request, answer.next)
        if self.kind == "number":
            known = parts_of(request)
            for part, step in zip(self.parts, self.steps, strict=True):
                value = _next_number(known.get(part), step)
                request = with_part(request, part, value)
            return request
        value = value_at(answer.data, self.path)
        if value in (None, "", False):
            return None
        if self.kind == "next":
            return _at(request, str(value))
        return with_part(request, self.parts[0], value)

    @property
    def told(self) -> str:
        """The way in words."""
        if self.kind == "number":
            named = [f"{part.told} grows by {step}" for part, step in zip(self.parts, self.steps, strict=True)]
            return " and ".join(named)
        if self.kind == "link":
            return "the header Link names the next address"
        where = told_path(self.path)
        if self.kind == "next":
            return f"{where} of the answer is the next address"
        return f"{self.parts[0].told} is {where} of the answer before"


def _at(request: PageRequest, address: str) -> PageRequest | None:
    """A request for another address; what tells the server who asks goes to the same origin alone."""
    url = full_address(request.url, address)
    if not url.startswith(WEB):
        return None
    return PageRequest(url, headers=request.headers if _origin(url) == _origin(request.url) else ())


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


def _next_number(value: Any, step: int) -> Any:
    """The value of a numbered part on the next page; a part that is not said is that of the first page."""
    if value in (None, ""):
        return 2 if step == 1 else step
    grown = int(value) + step
    return str(grown) if isinstance(value, str) else grown


# ---------------------------------------------------------------------- from two requests


def same_endpoint(one: PageRequest, other: PageRequest) -> bool:
    """Whether two requests ask the same part of a site: at most one step of the path is another one."""
    first, second = urlsplit(one.url), urlsplit(other.url)
    if (one.method, first.scheme, first.netloc) != (other.method, second.scheme, second.netloc):
        return False
    steps, others = first.path.split("/"), second.path.split("/")
    return len(steps) == len(others) and sum(map(ne, steps, others)) <= 1


def turn_between(one: PageAnswer, other: PageRequest, records: OwnPath, count: int) -> Turn | None:
    """How one request became the next one; `records` is the path to the array of records, which has `count` elements.

    >>> first = PageAnswer(PageRequest("https://a.example/items?start=0"), {"items": [1, 2]})
    >>> turn_between(first, PageRequest("https://a.example/items?start=2"), ("items",), 2).told
    '`start` of the query grows by 2'
    """
    if one.next and full_address(one.request.url, one.next) == other.url:
        return Turn("link")
    if path := _path_of_address(one, other.url, records):
        return Turn("next", path=path)
    if not same_endpoint(one.request, other):
        return None
    before, after = parts_of(one.request), parts_of(other)
    changed = [
        part
        for part in dict.fromkeys((*before, *after))
        if before.get(part) != after.get(part) and not NOISE.match(part.name)
    ]
    if len(changed) == 1 and (turn := _cursor_between(one, changed[0], after.get(changed[0]), records, count)):
        return turn
    steps = [_step(before.get(part), after.get(part), count) for part in changed]
    known = [step for step in steps if step is not None]
    return Turn("number", tuple(changed), tuple(known)) if changed and len(known) == len(changed) else None


def _path_of_address(answer: PageAnswer, url: str, records: OwnPath) -> OwnPath:
    beside = ((path, value) for path, value in values_beside(answer.data, records) if isinstance(value, str) and value)
    return next((path for path, value in beside if full_address(answer.request.url, value) == url), ())


def _step(before: Any, after: Any, count: int) -> int | None:
    """By how much a number has grown, if it is one that counts pages or records."""
    if not _is_number(after) or not (before in (None, "") or _is_number(before)):
        return None
    if before in (None, ""):
        return 1 if int(after) == 2 else int(after) if int(after) == count else None
    step = int(after) - int(before)
    return step if step == 1 or step == count else None


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | str):
        return False
    text = str(value)
    return text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER


def _cursor_between(answer: PageAnswer, part: RequestPart, value: Any, records: OwnPath, count: int) -> Turn | None:
    """A value that the answer before has given: beside its records, or in the last of them."""
    before = parts_of(answer.request).get(part)
    if value in (None, "") or (_is_number(value) and _step(before, value, count) is not None):
        return None
    places = [path for path, found in values_beside(answer.data, records) if found == value or str(found) == value]
    # Of several places that which is called as a cursor is.
    places.sort(key=lambda path: (not CURSORS.match(_name(path)), len(path)))
    if not places:
        elements = elements_of(value_at(answer.data, records))
        last = elements[-1] if elements and isinstance(elements[-1], dict) else {}
        places = [(*records, -1, key) for key, found in last.items() if found == value or str(found) == value]
    return Turn("cursor", (part,), path=places[0], more=_more(answer, records)) if places else None


# ---------------------------------------------------------------------- from one request


def turn_after(answer: PageAnswer, records: OwnPath, count: int) -> Turn | None:
    """How to ask for the page after an answer, as far as names tell: it has to be tried.

    >>> first = PageAnswer(PageRequest("https://a.example/items?after="), {"items": [1], "cursor": "x7"})
    >>> turn_after(first, ("items",), 1).told
    '`after` of the query is cursor of the answer before'
    """
    if answer.next:
        return Turn("link", guessed=True)
    beside = dict(values_beside(answer.data, records))
    named = (path for path, value in beside.items() if NEXT.match(_name(path)) and _is_address(value, answer.request))
    if path := next(named, ()):
        return Turn("next", path=path, guessed=True)
    parts = parts_of(answer.request)
    return _cursor_after(parts, beside, _more(answer, records)) or _number_after(parts, count)


def _is_address(value: Any, request: PageRequest) -> bool:
    if not isinstance(value, str) or not value.startswith((*WEB, "/", "?")):
        return False
    return same_endpoint(request, PageRequest(full_address(request.url, value), request.method))


def _cursor_after(parts: Mapping[RequestPart, Any], beside: Mapping[OwnPath, Any], more: OwnPath) -> Turn | None:
    part = next((part for part in parts if CURSORS.match(part.name)), None)
    given = [path for path, value in beside.items() if CURSORS.match(_name(path)) and _is_cursor(value)]
    if part is None or not given:
        return None
    # The end of this page is the start of the next one; a `startCursor` beside it is its own start.
    given.sort(key=lambda path: ("start" in _name(path).lower(), len(path)))
    return Turn("cursor", (part,), path=given[0], more=more, guessed=True)


def _is_cursor(value: Any) -> bool:
    return value not in (None, "") and isinstance(value, str | int) and not isinstance(value, bool)


def _number_after(parts: Mapping[RequestPart, Any], count: int) -> Turn | None:
    numbers = {part: value for part, value in parts.items() if part.where != "path" and _is_number(value)}
    page = next((part for part in numbers if PAGES.match(part.name)), None)
    if page is not None:
        return Turn("number", (page,), (1,), guessed=True)
    offset = next((part for part in numbers if OFFSETS.match(part.name)), None)
    sizes = [int(value) for part, value in numbers.items() if SIZES.match(part.name)]
    if offset is None or (sizes and sizes[0] != count):
        return None
    return Turn("number", (offset,), (count,), guessed=True)


# ---------------------------------------------------------------------- what an answer says beside its records


def values_beside(data: Any, records: OwnPath) -> Iterator[tuple[OwnPath, Any]]:
    """The plain values of an answer that are not in its records."""
    waiting: deque[tuple[OwnPath, Any]] = deque([((), data)])
    left = MOST_PLACES
    while waiting and left > 0:
        path, value = waiting.popleft()
        if path == records:
            continue
        if isinstance(value, dict | list):
            if len(path) < DEEPEST:
                waiting += [
                    ((*path, key), inner)
                    for key, inner in (value.items() if isinstance(value, dict) else enumerate(value[:left]))
                ]
            continue
        left -= 1
        yield path, value


def _more(answer: PageAnswer, records: OwnPath) -> OwnPath:
    found = (path for path, value in values_beside(answer.data, records) if isinstance(value, bool))
    return next((path for path in found if MORE.match(_name(path))), ())


def _name(path: OwnPath) -> str:
    return next((key for key in reversed(path) if isinstance(key, str)), "")
