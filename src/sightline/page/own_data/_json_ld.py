"""JSON-LD: the scripts in which a page describes itself for search engines."""

from collections.abc import Iterator

from sightline.page._columns import ABSENT
from sightline.page._page_columns import PageColumns
from sightline.page.own_data._documents import OwnDocument
from sightline.page.own_data._json import plain, read_json
from sightline.page.own_data._limits import OwnBudget

WHAT = "JSON-LD"
TYPES = ("application/ld+json", "application/json+ld", "application/ld-json")


def read_json_ld(page: PageColumns, budget: OwnBudget) -> Iterator[OwnDocument]:
    """Every block of JSON-LD, as it is; texts that were written as HTML are plain.

    >>> from sightline.testing import element, page_of
    >>> page = page_of(element("script", '{"@type": "Person", "name": "Ada &amp; Bob",}', type="application/ld+json"))
    >>> [document.data for document in read_json_ld(page, OwnBudget())]
    [{'@type': 'Person', 'name': 'Ada & Bob'}]
    """
    for script in page.with_tag("script").tolist():
        kind = page.attribute_of(script, "type")
        if kind == ABSENT or not page.strings[kind].strip().lower().startswith(TYPES):
            continue
        text = script_text(page, script)
        data = read_json(text, budget, WHAT)
        if isinstance(data, dict | list):
            yield OwnDocument("json-ld", script, plain(data) if "&" in text else data)


def script_text(page: PageColumns, script: int) -> str:
    """The text of a script, which may be parted into several nodes."""
    below = page.text[script + 1 : page.end[script]].tolist()
    return "".join([page.strings[number] for number in below if number != ABSENT])
