"""What a wrapper has read on a page, text by text, and why."""

from collections.abc import Iterator
from typing import NamedTuple

from sightline.extract.schemas import TEXT_SYMBOL, Alphabet, Leaf, Row, Slot, Taker, Template
from sightline.extract.wrappers._read import Reading
from sightline.geometry import Box
from sightline.page import Page

__all__ = ["Explained", "explained"]


class Explained(NamedTuple):
    """One text of a page: what it was read as, and why. `field` is None for the template's own texts."""

    text: str
    xpath: str
    box: Box | None
    role: str
    field: str | None
    why: str


def explained(page: Page, template: Template, reading: Reading) -> list[Explained]:
    """Everything that was read, in the order of the page."""
    return list(_explained(page, template.alphabet, reading))


def _explained(page: Page, alphabet: Alphabet, reading: Reading) -> Iterator[Explained]:
    for label in sorted(reading.labels, key=lambda own: own.first):
        node = label.first
        box = page.box[node].tolist()
        where = None if box[0] != box[0] else (box[0], box[1], box[2], box[3])
        text = " ".join(page.texts_between([node], [page.end[label.last]])[0].split())
        yield Explained(text, page.xpath(node), where, *_read_as(label.taker, label.leaf, text, alphabet))


def _read_as(taker: Taker | None, leaf: Leaf | None, text: str, alphabet: Alphabet) -> tuple[str, str | None, str]:
    if taker is None or leaf is None:
        return "unknown", None, "the template has no place for it"
    if leaf.fixed is not None:
        if text == leaf.fixed:
            return "template", None, "it says the same on all pages"
        return "changed", None, f"the template says “{leaf.fixed}” here"
    place = _place(taker, alphabet)
    return "dropped" if leaf.dropped else "field", leaf.name, f"{place}{', with all marks in it' if leaf.prose else ''}"


def _place(taker: Taker, alphabet: Alphabet) -> str:
    if isinstance(taker, Row):
        return f"it stands in the row “{taker.label}”"
    elements = " or ".join("plain text" if own == TEXT_SYMBOL else f"<{alphabet.names[own]}>" for own in taker.symbols)
    many = {"set": "one of the repeated ", "group": "a group that begins with ", "rest": "all behind the heading, "}
    return f"it stands in {many.get(taker.take, '')}{elements or 'free text'}" + _often(taker)


def _often(slot: Slot) -> str:
    return f", seen {slot.present} times" if slot.take == "one" else ""
