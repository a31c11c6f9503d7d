"""The state that applications leave in their pages: scripts of JSON, what scripts assign, and attributes."""

import re
from collections.abc import Iterator
from json import JSONDecodeError
from typing import Any
from urllib.parse import unquote

import numpy as np

from sightline.page._columns import ABSENT
from sightline.page._page_columns import PageColumns
from sightline.page.own_data._assignments import assignments
from sightline.page.own_data._devalue import revived
from sightline.page.own_data._documents import OwnDocument
from sightline.page.own_data._flight import PUSHED, rows_of
from sightline.page.own_data._json import DECODER, fast_json, read_json
from sightline.page.own_data._json_ld import TYPES, script_text
from sightline.page.own_data._limits import DEEPEST, OwnBudget
from sightline.page.own_data._markup import MarkupReader

OF_JSON = re.compile(r"(?:application|text)/(?:[\w.-]+\+)?json\b|text/x-magento-init")
NOT_CODE = re.compile(r"html|template|tmpl|handlebars|mustache|json|css|xml|map|rules|shader|markdown|svg")
NAMED_BY = ("id", "data-name", "data-component-name", "data-hypernova-key", "data-drupal-selector", "data-id", "class")
FLAT = ("__NUXT_DATA__", "__SVELTEKIT_DATA__")
ENCODED = ("%7B", "%5B", "%7b", "%5b")
STREAMED = "streamController.enqueue("
# Attributes whose braces are no data: style sheets, addresses, programs, and what is read elsewhere.
NO_DATA = frozenset(("class", "style", "content", "href", "src", "srcset", "alt", "title", "placeholder", "pattern"))
BEGINNINGS = frozenset("{[%")
SHORTEST = 10  # characters of JSON in an attribute
SHORT = 2 * DEEPEST  # characters, in which nothing is too deep


def read_states(markup: MarkupReader) -> Iterator[OwnDocument]:
    """Every state in a page, by the name that the page has for it.

    >>> from sightline.testing import element, page_of
    >>> script = element("script", "window.shop = {id: 7}")
    >>> page = page_of(element("body", script, element("div", **{"data-product": '{"sku": "B-1"}'})))
    >>> [(document.name, document.data) for document in read_states(MarkupReader(page, OwnBudget()))]
    [('window.shop', {'id': 7}), ('data-product', {'sku': 'B-1'})]
    """
    page, budget = markup.page, markup.budget
    flight: list[str] = []
    first = ABSENT
    kinds = page.attribute("type")
    for script in page.with_tag("script").tolist():
        kind = page.strings[kinds[script]].strip().lower() if kinds[script] != ABSENT else ""
        if OF_JSON.match(kind) and not kind.startswith(TYPES):
            yield from _of_json(markup, script)
        elif not NOT_CODE.search(kind):
            text = script_text(page, script)
            chunks = _chunks(text, budget) if PUSHED in text else []
            first = script if chunks and not flight else first
            flight += chunks
            yield from _of_program(text, script, budget)
    if flight:
        yield OwnDocument("state", first, budget.bounded(rows_of(flight), "The state __next_f"), name="__next_f")
    yield from _of_attributes(page, budget)


def _of_json(markup: MarkupReader, script: int) -> Iterator[OwnDocument]:
    name = (markup.first(script, NAMED_BY) or "script").strip()
    text = script_text(markup.page, script).strip()
    what = f"The state {name}"
    data = read_json(unquote(text) if text.startswith(ENCODED) else text, markup.budget, what)
    if name in FLAT:
        data = revived(data, markup.budget, what)
    if isinstance(data, dict | list) and data:
        yield OwnDocument("state", script, data, name=name)


def _of_program(text: str, script: int, budget: OwnBudget) -> Iterator[OwnDocument]:
    if STREAMED in text:
        budget.tell("The state __remixContext was left out: it is streamed in a format of its own.")
    for found in assignments(text, budget):
        yield OwnDocument("state", script, found.data, name=found.name)


def _chunks(text: str, budget: OwnBudget) -> list[str]:
    """The pieces of React's rows that a script pushes."""
    chunks = []
    at = text.find(PUSHED)
    while at >= 0:
        start = at + len(PUSHED)
        end = text.find(PUSHED, start)
        pushed = _pushed(text[start : end if end >= 0 else len(text)])
        if isinstance(pushed, list) and len(pushed) > 1 and isinstance(pushed[1], str):
            if not budget.takes_text(len(pushed[1]), "A part of the state __next_f"):
                break
            chunks.append(pushed[1])
        at = end
    return chunks


def _pushed(text: str) -> Any:
    try:
        return DECODER.raw_decode(text)[0]
    except (JSONDecodeError, RecursionError):
        return None


def _of_attributes(page: PageColumns, budget: OwnBudget) -> Iterator[OwnDocument]:
    """JSON in attributes; the same in several elements is read in the first of them."""
    strings, held = page.strings, page.attributes
    known: set[tuple[int, int]] = set()
    used = np.unique(held.value[held.value != ABSENT])
    begun = [number for number in used.tolist() if strings[number][:1] in BEGINNINGS and _may_be_json(strings[number])]
    if not begun:
        return
    rows = np.flatnonzero(np.isin(held.value, begun))
    nodes = np.searchsorted(held.start, rows, side="right") - 1
    columns = (held.name[rows].tolist(), held.value[rows].tolist(), nodes.tolist())
    for named, value, node in zip(*columns, strict=True):
        name = strings[named]
        if (named, value) in known or name in NO_DATA or name.startswith("on"):
            continue
        known.add((named, value))
        data = _of_attribute(strings[value], budget, f"The state {name}")
        if isinstance(data, dict | list) and data:
            yield OwnDocument("state", node, data, name=name)


def _may_be_json(text: str) -> bool:
    written = text.rstrip()
    if len(written) < SHORTEST:
        return False
    return written.startswith(ENCODED) or (written[:1] in ("{", "[") and written[-1] in "}]" and "{" in written)


def _of_attribute(text: str, budget: OwnBudget, what: str) -> Any:
    if not budget.takes_text(len(text), what):
        return None
    data = fast_json(unquote(text) if text.startswith(ENCODED) else text)
    if data is None or len(text) > SHORT:
        return None if data is None else budget.bounded(data, what)
    return data if budget.takes_values(text.count(",") + 1, what) else None
