"""Explain what a wrapper has read on a page, text by text, and why."""

from sightline.extract.schemas import TEXT_SYMBOL, Alphabet, Slot, Taker, Template, TemplateRow
from sightline.extract.wrappers._found import Explained
from sightline.extract.wrappers.templates._read import NodeLabel, TemplateReading
from sightline.page import Page

__all__ = ["explain_reading"]

SHOWN = 3  # elements of a slot that are listed, the first if there are more


def explain_reading(page: Page, template: Template, reading: TemplateReading) -> list[Explained]:
    """Everything that was read, in page order."""
    found = []
    for label in sorted(reading.labels, key=lambda label: label.first):
        node = label.first
        box = page.box[node].tolist()
        where = None if box[0] != box[0] else (box[0], box[1], box[2], box[3])
        text = " ".join(page.texts_between([node], [page.end[label.last]])[0].split())
        found.append(Explained(text, page.xpath(node), where, *_read_as(label, text, template.alphabet)))
    return found


def _read_as(label: NodeLabel, text: str, alphabet: Alphabet) -> tuple[str, str | None, str]:
    leaf = label.leaf
    if leaf is None:
        return "unknown", None, "the template has no place for it"
    if leaf.fixed is not None:
        if text == leaf.fixed:
            return "template", None, "it says the same on all pages"
        return "changed", None, f"the template says “{leaf.fixed}” here"
    sets = [
        taker.name for taker in label.path if isinstance(taker, Slot) and taker.name and taker.take in ("set", "group")
    ]
    scope = sets[:-1] if sets and leaf.name == sets[-1] else sets
    why = _place_in_words(label.path, alphabet) + (", with all markup in it" if leaf.prose else "")
    return "dropped" if leaf.dropped else "field", ".".join([*scope, leaf.name]), why


def _place_in_words(path: tuple[Taker, ...], alphabet: Alphabet) -> str:
    """What led to a text: the row by its label, the set, and the element around it."""
    row = next((taker.label for taker in reversed(path) if isinstance(taker, TemplateRow)), "")
    many = next(
        (taker.name for taker in reversed(path) if isinstance(taker, Slot) and taker.take in ("set", "group")), ""
    )
    elements = [taker for taker in path if isinstance(taker, Slot) and not taker.symbols.keys() <= {TEXT_SYMBOL}]
    parts = [f"in the row “{row}”"] if row else []
    parts += [f"in an item of “{many}”"] if many else []
    if elements:
        symbols = [symbol for symbol in elements[-1].symbols if symbol != TEXT_SYMBOL]
        parts.append("in " + " or ".join(f"<{alphabet.names[symbol]}>" for symbol in symbols[:SHOWN]))
    return "it is " + (", ".join(parts) or "on the page itself")
