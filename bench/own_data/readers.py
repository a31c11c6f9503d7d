"""Own data as other libraries read it: `python bench/own_data/readers.py` where they are installed.

Reads a JSON list of pages (`path`, `base`) from the input, and writes one object for each peer: its `version`, of every
page the `values` as lists of syntax, property and value, the `seconds` of processor time, and the `errors`. Nothing of
this project is imported: the peers live in an environment of their own.
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
SYNTAXES = ("json-ld", "microdata", "opengraph", "rdfa")
# Of microformats that there are; others are classes of style sheets, such as `h-full`.
ROOTS = frozenset(
    (
        *("h-adr", "h-card", "h-cite", "h-entry", "h-event", "h-feed", "h-geo", "h-item", "h-listing", "h-product"),
        *("h-recipe", "h-resume", "h-review", "h-review-aggregate"),
    )
)

Triple = tuple[str, str, Any]
Reader = Callable[[str, str], tuple[list[Triple], str]]


def main() -> None:
    """Read all pages with all peers that there are."""
    logging.disable(logging.CRITICAL)
    pages = [(Path(one["path"]).read_text("utf-8-sig", "replace"), one["base"]) for one in json.load(sys.stdin)]
    answer = {}
    for name, (package, make) in READERS.items():
        try:
            known = version(package)
        except PackageNotFoundError:
            continue
        answer[name] = {"version": known, **_read(make(), pages)}
    json.dump(answer, sys.stdout)


def _read(reader: Reader, pages: list[tuple[str, str]]) -> dict[str, Any]:
    for html, base in pages[:WARM_UP]:
        _values(reader, html, base)
    values, seconds, errors = [], [], []
    for html, base in pages:
        began = process_time()
        found, error = _values(reader, html, base)
        seconds.append(process_time() - began)
        values.append(found)
        errors.append(error)
    return {"values": values, "seconds": seconds, "errors": errors}


def _values(reader: Reader, html: str, base: str) -> tuple[list[Triple], str]:
    try:
        return reader(html, base)
    except Exception as problem:  # noqa: BLE001 - whatever another library raises is its answer
        return [], _told(problem)


def _told(problem: Exception) -> str:
    return f"{type(problem).__name__}: {problem}"[:200]


def _extruct() -> Reader:
    """All but microformats, which it leaves to mf2py; where one syntax fails, the others count."""
    extract = import_module("extruct").extract

    def read(html: str, base: str) -> tuple[list[Triple], str]:
        error = ""
        try:
            found = extract(html, base_url=base, syntaxes=list(SYNTAXES), errors="strict")
        except Exception as problem:  # noqa: BLE001 - it raises what its parsers do
            error = _told(problem)
            found = extract(html, base_url=base, syntaxes=list(SYNTAXES), errors="ignore")
        values = [
            *_json("json-ld", found.get("json-ld", [])),
            *_items("microdata", found.get("microdata", [])),
            *(("meta", name, said) for one in found.get("opengraph", []) for name, said in one["properties"]),
            *_rdf(found.get("rdfa", [])),
        ]
        return values, error

    return read


def _mf2py() -> Reader:
    parse = import_module("mf2py").parse

    def read(html: str, base: str) -> tuple[list[Triple], str]:
        items = parse(doc=html, url=base)["items"]
        return list(_items("microformats", [item for item in items if not ROOTS.isdisjoint(item["type"])])), ""

    return read


def _json(syntax: str, data: Any, name: str = "") -> Iterator[Triple]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _json(syntax, value, key)
    elif isinstance(data, list):
        for value in data:
            yield from _json(syntax, value, name)
    elif data is not None:
        yield syntax, name, data


def _items(syntax: str, items: Any) -> Iterator[Triple]:
    """Items of microdata and microformats, which hold their values under `properties`."""
    for item in items if isinstance(items, list) else [items]:
        if not isinstance(item, dict):
            continue
        for name, values in item.get("properties", {}).items():
            for value in values if isinstance(values, list) else [values]:
                if not isinstance(value, dict):
                    yield syntax, name, value
                elif "properties" in value or "type" in value:
                    yield from _items(syntax, [value])
                else:
                    yield syntax, name, value.get("value")
        yield from _items(syntax, item.get("children", []))


def _rdf(nodes: Any) -> Iterator[Triple]:
    """What is said of things with a type."""
    for node in nodes:
        for name, values in node.items() if "@type" in node else ():
            for value in values if isinstance(values, list) else ():
                said = value.get("@value", value.get("@id")) if isinstance(value, dict) else None
                if said is not None and not str(said).startswith("_:"):
                    yield "rdfa", name, said


READERS: dict[str, tuple[str, Callable[[], Reader]]] = {
    "extruct": ("extruct", _extruct),
    "mf2py": ("mf2py", _mf2py),
}

if __name__ == "__main__":
    main()
