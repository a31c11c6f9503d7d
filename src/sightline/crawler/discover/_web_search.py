"""Search engines on the web that answer in JSON: SearXNG, and any other by configuration.

They are asked as every site is: robots.txt, one request at a time, and a pause between two. An engine that is busy
(429, 503) is asked again as late as it wishes, a few times.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import sleep
from typing import Any
from urllib.parse import quote, quote_plus, urlsplit

import msgspec
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from sightline.crawler.discover._index import LocalIndex
from sightline.crawler.discover._provider import SearchAnswer, SearchProvider, SearchResult
from sightline.crawler.discover._sample import quoted
from sightline.documents import check_document, decoded_document
from sightline.errors import RefusedError, UnreachableError, UnreadableError, UsageError
from sightline.files import read_bytes
from sightline.jobs import OnProgress
from sightline.net import AGAIN, BUSY, Document, asked_pause, backoff, jittered
from sightline.sources import Loader

MOST_BYTES = 10_000_000  # of an answer; thirty results have some 30 kB
RETRIES = 3
FIRST_PAUSE = 2.0  # seconds, where a busy engine does not say how long; each further pause is twice as long
LONGEST_PAUSE = 120.0
MOST_PROBLEMS = 3  # engines of a metasearch that are named in one answer
WEB = ("http://", "https://")
_PLACE = re.compile(r"\{([^{}]*)\}")
# The words of OpenSearch templates for ours; a `?` behind them says that the engine can do without.
_OPENSEARCH = {"searchTerms": "query", "startPage": "page", "startIndex": "start", "count": "size"}


class _Asking:
    """Asks for JSON documents, and waits for engines that are busy."""

    def __init__(self, loader: Loader, wait: Callable[[float], None] = sleep) -> None:
        self._loader = loader
        self._wait = wait

    def document(self, url: str, name: str) -> Any:
        """The JSON at an address."""
        answer = self._patient(url, name)
        if answer.status is not None and answer.status >= 400:
            raise UnreachableError(name, f"the search answered with status {answer.status}{_advice(answer.status)}.")
        try:
            return decoded_document(answer.content, MOST_BYTES)
        except UsageError as problem:
            raise UnreadableError(name, f"the search did not answer in JSON ({problem.message}).") from problem

    def _patient(self, url: str, name: str) -> Document:
        for failures in range(1, RETRIES + 1):
            answer = self._fetch(url, name)
            if answer.status not in AGAIN:
                return answer
            asked = asked_pause(answer.headers)
            length = backoff(failures, FIRST_PAUSE) if asked is None else asked
            if length > LONGEST_PAUSE:
                return answer
            self._wait(jittered(length))
        return self._fetch(url, name)

    def _fetch(self, url: str, name: str) -> Document:
        try:
            return self._loader.fetch(url, source=name)
        except RefusedError as problem:
            host = urlsplit(url).hostname
            raise RefusedError(name, f"{problem.problem} (The host is {host}.)") from problem


def _advice(status: int) -> str:
    if status == 403:
        return "; a SearXNG does so unless `json` is among `search.formats` in its settings.yml"
    return "; it is too busy, try again later" if status in BUSY else "; check the address"


class SearxngSearch:
    """A SearXNG instance, asked by its JSON API, which its settings must allow (`search.formats: [html, json]`)."""

    def __init__(self, address: str, loader: Loader, *, wait: Callable[[float], None] = sleep) -> None:
        base = address.strip().rstrip("/")
        if not base.startswith(WEB):
            raise UsageError(f"searxng:{address}: this is not an address; write searxng:https://HOST.")
        self._base = base.removesuffix("/search")
        self._asking = _Asking(loader, wait)

    @property
    def name(self) -> str:
        """The instance."""
        return f"searxng:{self._base}"

    def search(self, phrases: Sequence[str], page: int) -> SearchAnswer:
        """One page of results; engines behind it that failed are named as problems."""
        url = f"{self._base}/search?q={quote_plus(quoted(phrases))}&format=json&pageno={page}"
        document = self._asking.document(url, self.name)
        if not isinstance(document, dict) or not isinstance(document.get("results"), list):
            raise UnreadableError(self.name, "the answer has no list `results`, as a SearXNG's has.")
        results = _results(document["results"], "url", "title", "content")
        count = document.get("number_of_results")
        total = int(count) if isinstance(count, int | float) and count > 0 else None  # 0 means that it does not know
        return SearchAnswer(results, bool(document["results"]), total, tuple(_failed_engines(document)))

    def saved(self, urls: Iterable[str]) -> dict[str, Document]:  # noqa: ARG002 - of the protocol
        """None: it has no pages itself."""
        return {}


def _failed_engines(document: Mapping[str, Any]) -> Iterable[str]:
    failed = document.get("unresponsive_engines")
    pairs = [one for one in failed if isinstance(one, list) and one] if isinstance(failed, list) else []
    for engine, *why in pairs[:MOST_PROBLEMS]:
        yield f"The engine {engine} did not answer ({', '.join(map(str, why)) or 'no reason given'})."


@dataclass(frozen=True)
class SearchForm:
    """How an endpoint is asked and its answers are read; the paths are names and numbers joined by dots.

    `address` is a template: `{query}`, `{page}` (counted from `first_page`), `{start}` (the number of results before
    this page), `{size}`, and `{env:NAME}` for a key that is in the environment. The words of OpenSearch
    (`{searchTerms}`, `{startPage?}`, `{startIndex?}`, `{count?}`) mean the same.
    """

    address: str
    results: str = "results"
    url: str = "url"
    title: str = "title"
    snippet: str = "snippet"
    total: str = ""
    first_page: int = 1
    size: int = 10
    name: str = field(default="")

    def __post_init__(self) -> None:
        """Check the template: an address without a query would ask the same again and again."""
        places = set(self._places())
        if not self.address.startswith(WEB) or "query" not in places:
            raise UsageError(
                f"{self.address!r:.80}: this is not the address of a search; write it with https:// and {{query}}."
            )
        unknown = sorted(
            name for name in places - {"query", "page", "start", "size"} if not re.fullmatch(r"env:\w+", name)
        )
        if unknown:
            raise UsageError(
                f"{self.address:.80}: there is no place {{{unknown[0]}}}; use {{query}}, {{page}}, {{start}}, {{size}} "
                "or {env:NAME}."
            )

    @property
    def pages(self) -> bool:
        """Whether it can be asked for further pages."""
        return bool({"page", "start"} & set(self._places()))

    def filled(self, query: str, page: int) -> str:
        """The address of a page of results."""
        start = (page - 1) * self.size
        values = {"query": quote(query, safe=""), "page": page - 1 + self.first_page, "start": start, "size": self.size}
        return _PLACE.sub(lambda found: self._value(_meant(found[1]), values), self.address)

    def _value(self, place: str, values: Mapping[str, object]) -> str:
        if not place.startswith("env:"):
            return str(values[place])
        name = place.removeprefix("env:")
        if name not in os.environ:
            raise UsageError(f"{self.address:.80}: the variable {name} is not set; set it to the key of the search.")
        return quote(os.environ[name], safe="")

    def _places(self) -> list[str]:
        return [_meant(place) for place in _PLACE.findall(self.address)]


def _meant(place: str) -> str:
    bare = place.removesuffix("?")
    return _OPENSEARCH.get(bare, bare)


class JsonSearch:
    """Any endpoint that answers in JSON, as a `SearchForm` describes it."""

    def __init__(self, form: SearchForm, loader: Loader, *, wait: Callable[[float], None] = sleep) -> None:
        self._form = form
        self._asking = _Asking(loader, wait)

    @property
    def name(self) -> str:
        """Its name, or its address; keys are not part of it."""
        return self._form.name or self._form.address

    def search(self, phrases: Sequence[str], page: int) -> SearchAnswer:
        """One page of results."""
        form = self._form
        if page > 1 and not form.pages:
            return SearchAnswer()
        document = self._asking.document(form.filled(quoted(phrases), page), self.name)
        listed = at_path(document, form.results)
        if listed is None:
            listed = []  # some endpoints leave the list out where there is nothing to list
        if not isinstance(listed, list):
            raise UnreadableError(self.name, f"the answer has no list at `{form.results}`; check the path `results`.")
        results = _results(listed, form.url, form.title, form.snippet)
        if listed and not results:
            raise UnreadableError(self.name, f"no result has an address at `{form.url}`; check the path `url`.")
        count = at_path(document, form.total) if form.total else None
        total = int(count) if isinstance(count, int | float) or (isinstance(count, str) and count.isdecimal()) else None
        return SearchAnswer(results, bool(listed) and form.pages, total)

    def saved(self, urls: Iterable[str]) -> dict[str, Document]:  # noqa: ARG002 - of the protocol
        """None: it has no pages itself."""
        return {}


def at_path(document: Any, path: str) -> Any:
    """The value at a path of names and numbers joined by dots; None if there is none; the whole for an empty path.

    >>> at_path({"hits": [{"url": "a"}]}, "hits.0.url"), at_path({"hits": []}, "hits.0.url")
    ('a', None)
    """
    for step in filter(None, path.split(".")):
        if isinstance(document, dict):
            document = document.get(step)
        elif isinstance(document, list) and step.isdecimal() and int(step) < len(document):
            document = document[int(step)]
        else:
            return None
    return document


def _results(listed: Sequence[Any], url: str, title: str, snippet: str) -> tuple[SearchResult, ...]:
    """The results that have a web address."""
    found = ((at_path(one, url), at_path(one, title), at_path(one, snippet)) for one in listed)
    return tuple(
        SearchResult(address, _text(name), _text(shown))
        for address, name, shown in found
        if isinstance(address, str) and address.startswith(WEB)
    )


def _text(value: Any) -> str:
    return " ".join(map(_text, value)) if isinstance(value, list) else value if isinstance(value, str) else ""


# -- which provider is meant by a name ------------------------------------------------------------------------------

VARIABLE = "SIGHTLINE_SEARCH"
MOST_FILE_BYTES = 1_000_000
FILES = (".yaml", ".yml", ".json")
_WAYS = (
    "`index:FOLDER` searches saved pages or WARC files, `searxng:https://HOST` asks a SearXNG (a free search engine "
    "that you can run yourself), and a .yaml file describes any other that answers in JSON; see docs/discovery.md"
)


def provider_of(
    search: "str | SearchProvider | None", loader: Loader, on_progress: OnProgress | None = None, *, base: str = ""
) -> SearchProvider:
    """The provider of a name; without one that of the variable `SIGHTLINE_SEARCH`.

    `base` is the address under which the folder of an index is served.

    >>> provider_of("yahoo", Loader())
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: There is no search provider 'yahoo': `index:FOLDER` searches saved pages...
    """
    if search is not None and not isinstance(search, str):
        return search
    named = search or os.environ.get(VARIABLE, "")
    if not named:
        raise UsageError(f"Discovery needs a search provider, and none is given (--search, or {VARIABLE}): {_WAYS}.")
    kind, _, rest = named.partition(":")
    if kind == "index" and rest:
        return LocalIndex(rest, base=base, limits=loader.limits, on_progress=on_progress)
    if base:
        raise UsageError(
            f"--base {base} is the address of an indexed folder; search one with index:FOLDER, or leave it out."
        )
    if kind == "searxng" and rest:
        return SearxngSearch(rest, loader)
    if named.startswith(WEB) and "{" in named:
        return JsonSearch(SearchForm(named), loader)
    if named.lower().endswith(FILES) and not named.startswith(WEB):
        return JsonSearch(read_form(named), loader)
    raise UsageError(f"There is no search provider {named!r:.80}: {_WAYS}.")


@contextmanager
def asked_provider(
    search: "str | SearchProvider | None", loader: Loader, on_progress: OnProgress | None = None, *, base: str = ""
) -> Iterator[SearchProvider]:
    """The provider of a name while it is asked; an index that was opened for it is closed afterwards."""
    provider = provider_of(search, loader, on_progress, base=base)
    try:
        yield provider
    finally:
        if isinstance(provider, LocalIndex) and provider is not search:
            provider.close()


def read_form(path: str) -> SearchForm:
    """The description of an endpoint in a file of YAML or JSON."""
    content = read_bytes(path, "write one as docs/discovery.md shows", MOST_FILE_BYTES)
    try:
        document: Any = YAML(typ="safe", pure=True).load(content)
        check_document(document, SearchForm)
        unknown = sorted(set(document) - set(SearchForm.__dataclass_fields__))
        if unknown:
            raise UsageError(f"there is no entry `{unknown[0]}`")
        return msgspec.convert({"name": Path(path).stem, **document}, SearchForm)
    except (YAMLError, UnicodeError) as problem:
        raise UsageError(f"{path}: this is not YAML ({' '.join(str(problem).split())}).") from problem
    except UsageError as problem:
        raise UsageError(
            f"{path}: {problem.message.removesuffix('.')}; docs/discovery.md shows an example."
        ) from problem
