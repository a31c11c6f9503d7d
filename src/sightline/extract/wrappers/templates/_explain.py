"""What a wrapper has read on a page, text by text, and why."""

from sightline.extract.schemas import TEXT_SYMBOL, Alphabet, Slot, Taker, Template, TemplateRow
from sightline.extract.wrappers._found import Explained
from sightline.extract.wrappers.templates._read import NodeLabel, TemplateReading
from sightline.page import Page

__all__ = ["explained"]

SHOWN = 3  # elements that a slot takes, of more the first


def explained(page: Page, template: Template, reading: TemplateReading) -> list[Explained]:
    """Everything that was read, in the order of the page."""
    found = []
    for label in sorted(reading.labels, key=lambda own: own.first):
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
    sets = [own.name for own in label.path if isinstance(own, Slot) and own.name and own.take in ("set", "group")]
    scope = sets[:-1] if sets and leaf.name == sets[-1] else sets
    why = _place(label.path, alphabet) + (", with all marks in it" if leaf.prose else "")
    return "dropped" if leaf.dropped else "field", ".".join([*scope, leaf.name]), why


def _place(path: tuple[Taker, ...], alphabet: Alphabet) -> str:
    """What led to a text: the row by its label, the set, and the element around it."""
    row = next((own.label for own in reversed(path) if isinstance(own, TemplateRow)), "")
    many = next((own.name for own in reversed(path) if isinstance(own, Slot) and own.take in ("set", "group")), "")
    elements = [own for own in path if isinstance(own, Slot) and not own.symbols.keys() <= {TEXT_SYMBOL}]
    told = [f"in the row “{row}”"] if row else []
    told += [f"in an item of “{many}”"] if many else []
    if elements:
        symbols = [own for own in elements[-1].symbols if own != TEXT_SYMBOL]
        told.append("in " + " or ".join(f"<{alphabet.names[own]}>" for own in symbols[:SHOWN]))
    return "it stands " + (", ".join(told) or "on the page itself")
