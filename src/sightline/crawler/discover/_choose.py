"""Which provider is meant by a name: `index:FOLDER`, `searxng:https://…`, a template with `{query}`, or a file."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from sightline.crawler.discover._index import LocalIndex
from sightline.crawler.discover._provider import SearchProvider
from sightline.crawler.discover._web_search import JsonSearch, SearchForm, SearxngSearch
from sightline.documents import check_document
from sightline.errors import UsageError
from sightline.files import read_bytes
from sightline.jobs import OnProgress
from sightline.sources import Loader

__all__ = ["VARIABLE", "asked_provider", "provider_of"]

VARIABLE = "SIGHTLINE_SEARCH"
MOST_BYTES = 1_000_000
WEB = ("http://", "https://")
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
    content = read_bytes(path, "write one as docs/discovery.md shows", MOST_BYTES)
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
