"""What was read on a PDF that was written anew as a form, told of the PDF: its nodes, its paths and its texts."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sightline.data import Origin, Record, Records, Value
from sightline.extract.schemas import SheetForm, SheetLabels
from sightline.extract.wrappers._found import Explained, Found, Problem
from sightline.page import Page


def found_on(page: Page, form: SheetForm, found: Found) -> Found:
    """What was found on a form, with the places on its page."""
    records = tuple(_record_on(page, form, record) for record in found.records)
    problems = tuple(Problem(_xpath_on(page, form, one.xpath), one.what) for one in found.problems)
    return replace(
        found,
        records=Records.trusted(records, found.records.schema, found.records.language),
        problems=problems,
    )


def explained_on(page: Page, form: SheetForm, one: Explained) -> Explained:
    """A text of a form, with its place on the page."""
    return one._replace(xpath=_xpath_on(page, form, one.xpath))


def _xpath_on(page: Page, form: SheetForm, xpath: str) -> str:
    node = form.page.find(xpath) if xpath else None
    return xpath if node is None else page.xpath(form.nodes[node])


def _record_on(page: Page, form: SheetForm, record: Record) -> Record:
    return Record.trusted({name: _field_on(page, form, value) for name, value in record.items()})


def _field_on(page: Page, form: SheetForm, value: Any) -> Any:
    if isinstance(value, Record):
        return _record_on(page, form, value)
    if isinstance(value, tuple):
        return tuple([_field_on(page, form, one) for one in value])
    if isinstance(value, Value) and value.origin is not None:
        return replace(value, origin=_origin_on(page, form, value.origin, value.text))
    return value


def _origin_on(page: Page, form: SheetForm, origin: Origin, text: str) -> Origin:
    """The nodes of the page whose words a value has, and all that they say if that is more."""
    own, texts = form.page, []
    for node in origin.nodes:
        texts += [inner for inner in range(node, int(own.end[node])) if own.text[inner] >= 0]
    nodes = list(dict.fromkeys(form.nodes[node] for node in texts))
    says = " ".join(" ".join(page.strings[page.text[node]] for node in nodes).split())
    numbers = page.number_list
    return Origin(
        page.whole_id,
        tuple(numbers[node] for node in nodes),
        origin.box,
        origin.sheet,
        says if says != text else "",
    )


def sheet_to_json(sheet: SheetLabels) -> dict[str, Any]:
    """The shared lines of documents as a wrapper file has them."""
    return {"lines": sorted(sheet.lines), "labels": sorted(sheet.labels), "prefixes": sorted(sheet.prefixes)}


def sheet_from_json(document: Mapping[str, Any]) -> SheetLabels:
    """The inverse of `sheet_to_json`."""
    return SheetLabels(*(frozenset(document.get(name, ())) for name in ("lines", "labels", "prefixes")))
