"""Things as other libraries read them: `python bench/about/readers.py` where they are installed.

Reads a JSON list of pages (`path`, `url`, `kind`) from the input, and writes one object for each peer: its `version`,
of every page the `fields` under our names, empty where the peer reads no such kind, the `seconds` of processor time,
and the `errors`. Nothing of this project is imported: the peers live in an environment of their own.
"""

import json
import logging
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import process_time
from typing import Any

WARM_UP = 5  # pages read before any is timed
TYPES = {
    "product": ("Product",),
    "recipe": ("Recipe",),
    "article": (
        *("Article", "NewsArticle", "BlogPosting", "ReportageNewsArticle", "AnalysisNewsArticle"),
        *("OpinionNewsArticle", "BackgroundNewsArticle", "ReviewNewsArticle", "LiveBlogPosting"),
    ),
}
# recipe-scrapers has rules of its own for most of the sites, which the truth was made with; of an unknown host it reads
# what the page says.
UNKNOWN_HOST = "https://unknown.example/"

Fields = dict[str, Any]
Reader = Callable[[str, str, str], Fields]
"""From HTML, address and kind to fields."""


def main() -> None:
    """Read all pages with all peers that there are."""
    logging.disable(logging.CRITICAL)
    asked = json.load(sys.stdin)
    pages = [(Path(one["path"]).read_text("utf-8-sig", "replace"), one["url"] or "", one["kind"]) for one in asked]
    answer = {}
    for name, (kinds, make) in READERS.items():
        try:
            known = version(name)
        except PackageNotFoundError:
            continue
        answer[name] = {"version": known, "kinds": kinds, **_read(make(), kinds, pages)}
    json.dump(answer, sys.stdout, default=str)


def _read(reader: Reader, kinds: tuple[str, ...], pages: list[tuple[str, str, str]]) -> dict[str, Any]:
    for page in [page for page in pages if page[2] in kinds][:WARM_UP]:
        _fields(reader, *page)
    fields, errors, seconds = [], [], []
    for page in pages:
        began = process_time()
        found, error = _fields(reader, *page) if page[2] in kinds else ({}, "")
        seconds.append(process_time() - began)
        fields.append(found)
        errors.append(error)
    return {"fields": fields, "errors": errors, "seconds": seconds}


def _fields(reader: Reader, html: str, url: str, kind: str) -> tuple[Fields, str]:
    """The fields of a page; where a peer fails it has none, which counts against it, and stops nothing."""
    try:
        found = reader(html, url, kind)
    except Exception as problem:  # noqa: BLE001 - whatever another library raises is its answer
        return {}, f"{type(problem).__name__}: {problem}"[:200]
    return {name: value for name, value in found.items() if value not in (None, "", [])}, ""


# ---------------------------------------------------------------- extruct


def _extruct() -> Reader:
    extract = import_module("extruct").extract

    def read(html: str, url: str, kind: str) -> Fields:
        found = extract(html, base_url=url, syntaxes=["json-ld", "microdata"], uniform=True, errors="ignore")
        every = (item for syntax in ("json-ld", "microdata") for item in items(found.get(syntax, [])))
        item = next((item for item in every if is_of(item, TYPES[kind])), None)
        return {} if item is None else MAPPINGS[kind](item)

    return read


def items(data: Any) -> Iterator[dict[str, Any]]:
    """All things in what a page says, those that hold others first."""
    if isinstance(data, dict):
        yield data
    for value in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from items(value)


def is_of(item: dict[str, Any], types: tuple[str, ...]) -> bool:
    """Whether a thing is of one of the types, however they are written."""
    return any(str(one).rstrip("/").rpartition("/")[2] in types for one in several(item.get("@type")))


def several(value: Any) -> list[Any]:
    """One value or several as several."""
    return value if isinstance(value, list) else [] if value in (None, "") else [value]


def first(value: Any) -> Any:
    """The first of several values."""
    return next(iter(several(value)), None)


def named(value: Any) -> list[Any]:
    """The names of things, or what is said instead of them."""
    return [name for one in several(value) for name in several(one.get("name") if isinstance(one, dict) else one)]


def product(item: dict[str, Any]) -> Fields:
    """A product and its first offer."""
    offer = first(item.get("offers"))
    offer = offer if isinstance(offer, dict) else {}
    return {
        "name": first(item.get("name")),
        "price": first(offer.get("price")) or first(offer.get("lowPrice")),
        "priceCurrency": first(offer.get("priceCurrency")),
        "availability": str(first(offer.get("availability")) or "").rstrip("/").rpartition("/")[2],
        "sku": first(item.get("sku")),
        "brand": first(named(item.get("brand"))),
        "mpn": first(item.get("mpn")),
    }


def recipe(item: dict[str, Any]) -> Fields:
    """A recipe with its ingredients and steps."""
    return {
        "name": first(item.get("name")),
        "author": first(named(item.get("author"))),
        "recipeIngredient": several(item.get("recipeIngredient") or item.get("ingredients")),
        "recipeInstructions": list(steps(item.get("recipeInstructions"))),
        "recipeYield": first(item.get("recipeYield")),
        "totalTime": first(item.get("totalTime")),
    }


def steps(said: Any) -> Iterator[str]:
    """The steps of a recipe, those of sections after the names of these; a text has one in each line."""
    for one in several(said):
        if not isinstance(one, dict):
            yield from str(one).splitlines()
        elif inner := one.get("itemListElement"):
            yield from several(one.get("name"))
            yield from steps(inner)
        else:
            yield from several(one.get("text") or one.get("name"))


def article(item: dict[str, Any]) -> Fields:
    """An article with its text."""
    return {
        "name": first(item.get("headline")) or first(item.get("name")),
        "author": named(item.get("author")),
        "datePublished": first(item.get("datePublished")),
        "articleBody": first(item.get("articleBody")),
    }


MAPPINGS: dict[str, Callable[[dict[str, Any]], Fields]] = {"product": product, "recipe": recipe, "article": article}


# ---------------------------------------------------------------- trafilatura and recipe-scrapers


def _trafilatura() -> Reader:
    extract = import_module("trafilatura").bare_extraction

    def read(html: str, url: str, _kind: str) -> Fields:
        found = extract(html, url=url or None, with_metadata=True, include_comments=False)
        if found is None:
            return {}
        authors = [name.strip() for name in (found.author or "").split(";") if name.strip()]
        return {"name": found.title, "author": authors, "datePublished": found.date, "articleBody": found.text}

    return read


def _recipe_scrapers() -> Reader:
    scrape = import_module("recipe_scrapers").scrape_html

    def read(html: str, _url: str, _kind: str) -> Fields:
        found = scrape(html, org_url=UNKNOWN_HOST, supported_only=False)
        said = {ours: _told(getattr(found, theirs)) for ours, theirs in METHODS.items()}
        return {**said, "recipeInstructions": (said["recipeInstructions"] or "").splitlines()}

    return read


METHODS = {
    "name": "title",
    "author": "author",
    "recipeIngredient": "ingredients",
    "recipeInstructions": "instructions",
    "recipeYield": "yields",
    "totalTime": "total_time",
}


def _told(method: Callable[[], Any]) -> Any:
    """What a method of a recipe says; it raises where there is nothing."""
    try:
        return method()
    except Exception:  # noqa: BLE001 - whatever another library raises is its answer
        return None


READERS: dict[str, tuple[tuple[str, ...], Callable[[], Reader]]] = {
    "extruct": (("product", "recipe", "article"), _extruct),
    "trafilatura": (("article",), _trafilatura),
    "recipe-scrapers": (("recipe",), _recipe_scrapers),
}

if __name__ == "__main__":
    main()
