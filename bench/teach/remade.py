"""Listings that are made anew, with the same records in other elements, and what repair finds of them.

`python -m bench.teach.remade` prints it for each way of making a page anew; with names of lists, what became of each.
Every list of the sets that is read whole when it is taught by two records is rewritten in five ways, each with the one
before it: `tags` gives all elements that make lists and headings other tags, and all classes and ids other names;
`order` turns the parts of each record round and wraps them once more; `labels` puts a label before every cell; `news`
takes away every other record, from the first one on; and `numbers` changes all digits but those of titles. A list
counts as read before or after repair if nearly all its records are there, as in `bench.teach.listings`, and as silent
if it is said to be ok and is not read, or has a wrong cell.
"""

import codecs
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lxml import etree, html
from rich.console import Console
from rich.table import Table as Sheet

import sightline as sl
from bench.frame import Options, shown
from bench.lists.items import one_to_one
from bench.lists.pages import lists_truth
from bench.lists.records import ListTruth
from bench.measures import mean
from bench.pages import naming
from bench.teach.listing_truth import corrected
from bench.teach.listings import CELL, ENOUGH, TITLE, _cells, _choices, _flat, examples_on, on_page
from sightline.errors import UsageError
from sightline.extract.wrappers import Wrapper
from sightline.page import Page

SETS = ("lists", "lists2")
OTHER_TAGS = {
    **dict.fromkeys(("ul", "ol", "dl", "tbody"), "section"),
    **dict.fromkeys(("li", "tr"), "article"),
    **dict.fromkeys(("dt", "dd", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6"), "p"),
    **dict.fromkeys(("div", "table"), "section"),
    **dict.fromkeys(("b", "strong", "em", "i"), "span"),
}
MOST_OF_IT = 0.5  # of the cells of a record, above which an element may be it
LEAST_SIBLINGS = 3  # of one tag and class, from which on they are the records of a list
OTHER_DIGITS = str.maketrans("0123456789", "3456789012")
Rewritten = Callable[[etree._Element, ListTruth, int], None]
"""Changes a page with known records; the number is the place of their titles among the cells."""


@dataclass(frozen=True)
class Remade:
    """What was read of a list that was made anew, before repair and after: whether it was whole, and said to be ok."""

    id: str
    way: str
    before: tuple[float, float, str]
    after: tuple[float, float, str]
    why: str = ""


# ---------------------------------------------------------------- the ways of making a page anew


def tags(root: etree._Element, _: ListTruth, __: int) -> None:
    """Other tags, classes and ids."""
    change_tags(root)


def change_tags(root: etree._Element) -> None:
    """Give all elements that make lists, tables and headings other tags, and all classes and ids other names."""
    for node in root.iter(etree.Element):
        if node.tag in OTHER_TAGS:
            node.tag = OTHER_TAGS[node.tag]
        for name in ("class", "id"):
            if name in node.attrib:
                node.attrib[name] = " ".join(f"n{word[::-1]}" for word in node.attrib[name].split())


def order(root: etree._Element, known: ListTruth, _: int) -> None:
    """The parts of each record turned round, in one more element."""
    for item in _items(root, known):
        parts = list(item)
        if len(parts) > 1:
            box = etree.SubElement(item, "div")
            for part in reversed(parts):
                part.tail, tail = None, part.tail
                box.append(part)
                if tail and tail.strip():
                    etree.SubElement(box, "span").text = tail


def labels(root: etree._Element, known: ListTruth, _: int) -> None:
    """A label before every cell that an element has for itself."""
    places: dict[str, int] = {}
    for cells in known.records:
        for place, cell in enumerate(cells):
            places.setdefault(plain(cell), place)
    for node in list(root.iter(etree.Element)):
        text = plain(node.text)
        if not len(node) and text and text in places and node.getparent() is not None:
            label = etree.Element("b")
            label.text, label.tail = f"Field {places[text] + 1}:", " "
            node.addprevious(label)


def news(root: etree._Element, known: ListTruth, _: int) -> None:
    """Every other record gone, from the first one on."""
    for number, item in enumerate(_items(root, known)):
        parent = item.getparent()
        if number % 2 == 0 and parent is not None:
            parent.remove(item)


def numbers(root: etree._Element, known: ListTruth, title: int) -> None:
    """Other digits in all texts but titles: prices, dates and counts of another day."""
    titles = {plain(cells[title]) for cells in known.records if len(cells) > title}
    for node in root.iter(etree.Element):
        if node.text and plain(node.text) not in titles:
            node.text = node.text.translate(OTHER_DIGITS)
        if node.tail and plain(node.tail) not in titles:
            node.tail = node.tail.translate(OTHER_DIGITS)


def _items(root: etree._Element, known: ListTruth) -> list[etree._Element]:
    """The elements that are the records: siblings of one tag and class, each with the cells of one known record."""
    found: list[etree._Element] = []
    for parent in root.iter(etree.Element):
        kinds = Counter((child.tag, child.get("class")) for child in parent)
        some = [child for child in parent if kinds[child.tag, child.get("class")] >= LEAST_SIBLINGS and len(child)]
        if len(some) >= LEAST_SIBLINGS:
            found += [child for child in some if _record_in(child, known) is not None]
    inner = {id(node) for item in found for node in item.iterdescendants()}
    return [item for item in found if id(item) not in inner]


def _record_in(item: etree._Element, known: ListTruth) -> tuple[str, ...] | None:
    """The known record that an element has more of than of any other; None if it has none, or several."""
    text = plain(" ".join(item.itertext()))
    shares = {cells: _share(cells, text) for cells in known.records}
    best = max(shares.values())
    whole = [cells for cells, share in shares.items() if share == best]
    return whole[0] if best > MOST_OF_IT and len(whole) == 1 else None


def _share(cells: Sequence[str], text: str) -> float:
    filled = [shown for cell in cells if (shown := plain(cell))]
    return sum(shown in text for shown in filled) / max(1, len(filled))


def parsed(content: bytes) -> etree._Element:
    """The tree of a page; one that is UTF-8 and doesn't say so would be taken for something else."""
    try:
        return html.document_fromstring(content.decode("utf-8").encode(), parser=html.HTMLParser(encoding="utf-8"))
    except UnicodeDecodeError:
        return html.document_fromstring(content)


def written(root: etree._Element) -> bytes:
    """A tree as a page that says how it is written, whatever it said before."""
    for meta in list(root.iter("meta")):
        if meta.get("charset") or (meta.get("http-equiv") or "").lower() == "content-type":
            meta.getparent().remove(meta)
    content: bytes = html.tostring(root, encoding="utf-8", doctype="<!doctype html>", include_meta_content_type=True)
    return codecs.BOM_UTF8 + content


def plain(text: str | None) -> str:
    """A text without the white space around and more than one in it."""
    return " ".join((text or "").split())


WAYS: dict[str, tuple[Rewritten, ...]] = {
    "tags": (tags,),
    "tags, order": (order, tags),
    "tags, order, labels": (order, labels, tags),
    "tags, order, labels, news": (order, labels, news, tags),
    "all, and numbers": (order, labels, news, numbers, tags),
}


def remade_page(content: bytes, known: ListTruth, title: int, way: str) -> tuple[bytes, ListTruth] | None:
    """A page made anew, and the records that it has; None if its records can't be told."""
    root = parsed(content)
    if len(_items(root, known)) < ENOUGH * len(known.records):
        return None
    for rewrite in WAYS[way]:
        rewrite(root, known, title)
    made = written(root)
    kept = known.records[1::2] if news in WAYS[way] else known.records
    if numbers in WAYS[way]:
        kept = tuple(
            tuple(cell if place == title else cell.translate(OTHER_DIGITS) for place, cell in enumerate(cells))
            for cells in kept
        )
    return made, replace(known, records=kept)


# ---------------------------------------------------------------- taught, read, repaired


def remade_lists(options: Options, sets: Sequence[str] = SETS, named: Sequence[str] = ()) -> Iterator[Remade]:
    """Every list that is read whole, made anew in every way."""
    for name in sets:
        truth = lists_truth(options, named, of=name)
        for known in map(corrected, truth.known):
            with naming(known.id):
                yield from _remade(known, truth.folder / known.file)


def _remade(known: ListTruth, path: Path) -> Iterator[Remade]:
    page = sl.open(path, static=True)
    examples = examples_on(known, page)
    if len(examples) < 2 or CELL not in examples[0]:
        return
    lesson = sl.teach()
    try:
        lesson.show(page, records=[{name: [text] for name, text in one.items()} for one in examples[:2]])
        wrapper = lesson.wrapper
    except UsageError:
        return
    found, cells, verdict = _score(wrapper, known, page)
    if found < ENOUGH or cells < ENOUGH or verdict != "ok":
        return
    for way in WAYS:
        anew = remade_page(path.read_bytes(), known, known.records[0].index(examples[0][TITLE]), way)
        if anew is None:
            return
        content, here = anew
        made = sl.open(content, static=True)
        repaired = wrapper.repair([made])
        why = "; ".join(f"{one.name}: {one.status}, {one.why}" for one in repaired.changes)
        yield Remade(known.id, way, _score(wrapper, here, made), _score(repaired.wrapper, here, made), why)


def _score(wrapper: Wrapper, known: ListTruth, page: Page) -> tuple[float, float, str]:
    """The share of the records, the share of right cells among those read, and the verdict."""
    truth = on_page(known, page)
    read = wrapper.read(page, heal=False)
    records = list(_flat(read.records.to_dicts(), single=False))
    partners = one_to_one([_choices(truth, one.get(TITLE, "")) for one in records])
    cells = _cells(truth, records, partners)
    return len(partners) / max(1, len(truth)), 1.0 if cells is None else cells, read.verdict


def main() -> None:
    """Print the shares of each way; with names of lists, what became of each."""
    named = sys.argv[1:]
    found = list(remade_lists(Options(), named=named))
    for one in found if named else ():
        print(f"{one.id}, {one.way}: {one.before} -> {one.after}; {one.why}")
    sheet = Sheet("", "lists", "read before", "silent before", "read after", "silent after", "of read, right cells")
    for way in WAYS:
        some = [one for one in found if one.way == way]
        values = [
            mean(_whole(one.before) for one in some),
            mean(_silent(one.before) for one in some),
            mean(_whole(one.after) for one in some),
            mean(_silent(one.after) for one in some),
            mean(one.after[1] for one in some if one.after[0]),
        ]
        sheet.add_row(way, str(len(some)), *map(shown, values))
    Console().print(sheet)


def _whole(read: tuple[float, float, str]) -> float:
    return float(read[0] >= ENOUGH and read[1] >= ENOUGH)


def _silent(read: tuple[float, float, str]) -> float:
    return float(read[2] == "ok" and not _whole(read))


if __name__ == "__main__":
    main()
