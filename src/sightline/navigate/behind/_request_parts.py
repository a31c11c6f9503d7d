"""The parts of a request that may tell one page of a list from another, wherever they stand, and how to change them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, NamedTuple, TypeAlias
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

import orjson

from sightline.page import OwnPath, PageRequest

Where: TypeAlias = Literal["query", "path", "body", "form"]
DEEPEST = 12  # levels of JSON in a request; the variables of GraphQL are two or three deep
MOST_PARTS = 300
_FORM = "application/x-www-form-urlencoded"


class RequestPart(NamedTuple):
    """A part of a request: a parameter of its address, a step of its path, or a value of what it posts.

    A parameter that holds JSON, as GraphQL writes its variables, has parts of its own.
    """

    where: Where
    path: OwnPath

    @property
    def name(self) -> str:
        """What the site calls it; "" for a step of the path."""
        return next((key for key in reversed(self.path) if isinstance(key, str)), "")

    @property
    def told(self) -> str:
        """The part in words."""
        if self.where == "path":
            return f"step {int(self.path[0]) + 1} of the path"
        return f"`{'.'.join(map(str, self.path))}` of {'the query' if self.where == 'query' else 'what is posted'}"


def parts_of(request: PageRequest) -> dict[RequestPart, Any]:
    """All parts of a request with their values; parameters are texts.

    >>> found = parts_of(PageRequest("https://a.example/api/items?page=2", "POST", body='{"after": null}'))
    >>> [(part.told, value) for part, value in found.items()][1:]
    [('step 2 of the path', 'items'), ('`page` of the query', '2'), ('`after` of what is posted', None)]
    """
    found: dict[RequestPart, Any] = {}
    for part, value in _parts(request):
        if len(found) >= MOST_PARTS:
            break
        found.setdefault(part, value)
    return found


def _parts(request: PageRequest) -> Iterator[tuple[RequestPart, Any]]:
    address = urlsplit(request.url)
    for place, step in enumerate(_steps(address.path)):
        yield RequestPart("path", (place,)), unquote(step)
    for key, value in parse_qsl(address.query, keep_blank_values=True):
        yield from _with_inner("query", key, value)
    if _is_form(request):
        for key, value in parse_qsl(request.body, keep_blank_values=True):
            yield from _with_inner("form", key, value)
    elif request.body:
        yield from ((RequestPart("body", path), value) for path, value in _leaves(_json(request.body), ()))


def _with_inner(where: Where, key: str, value: str) -> Iterator[tuple[RequestPart, Any]]:
    inner = _json(value) if value.startswith("{") else None
    if inner is None:
        yield RequestPart(where, (key,)), value
    else:
        yield from ((RequestPart(where, path), one) for path, one in _leaves(inner, (key,)))


def _steps(path: str) -> list[str]:
    return path.split("/")[1:]


def _is_form(request: PageRequest) -> bool:
    return bool(request.body) and dict(request.headers).get("content-type", "").startswith(_FORM)


def _json(text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


def _leaves(data: Any, path: OwnPath) -> Iterator[tuple[OwnPath, Any]]:
    """Every value of what is posted, also those that are null: a cursor begins as one."""
    if isinstance(data, dict | list) and len(path) < DEEPEST:
        for key, inner in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _leaves(inner, (*path, key))
    elif path:
        yield path, data


def with_part(request: PageRequest, part: RequestPart, value: Any) -> PageRequest:
    """The request with another value of a part, which it may not have had.

    >>> with_part(PageRequest("https://a.example/items?size=9"), RequestPart("query", ("page",)), 2).url
    'https://a.example/items?size=9&page=2'
    """
    address = urlsplit(request.url)
    if part.where == "path":
        steps = _steps(address.path)
        steps[int(part.path[0])] = quote(str(value), safe="")
        return replace(request, url=urlunsplit(address._replace(path="/" + "/".join(steps))))
    if part.where == "query":
        query = urlencode(_changed(parse_qsl(address.query, keep_blank_values=True), part.path, value))
        return replace(request, url=urlunsplit(address._replace(query=query)))
    if part.where == "form":
        return replace(
            request, body=urlencode(_changed(parse_qsl(request.body, keep_blank_values=True), part.path, value))
        )
    return replace(request, body=orjson.dumps(_put(_json(request.body), part.path, value)).decode())


def _changed(pairs: list[tuple[str, str]], path: OwnPath, value: Any) -> list[tuple[str, str]]:
    key, *inner = path
    named = {name for name, _ in pairs}
    if key not in named:
        return [*pairs, (str(key), str(value))]
    if not inner:
        return [(name, str(value) if name == key else text) for name, text in pairs]
    return [
        (name, orjson.dumps(_put(_json(text), tuple(inner), value)).decode() if name == key else text)
        for name, text in pairs
    ]


def _put(data: Any, path: OwnPath, value: Any) -> Any:
    """Data with a value at a path; objects on the way are made where there are none."""
    if not path:
        return value
    key, *rest = path
    if isinstance(data, list) and isinstance(key, int) and key < len(data):
        return [_put(one, tuple(rest), value) if place == key else one for place, one in enumerate(data)]
    inner = data if isinstance(data, dict) else {}
    return {**inner, str(key): _put(inner.get(key), tuple(rest), value)}
