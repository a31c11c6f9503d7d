"""A bare page, such as one that was saved, as the printed document that it was made of."""

import numpy as np

from sightline.arrays import AnyInts, IntArray
from sightline.page import Page, Printed, PrintedLines, PrintedSheet, nearest

__all__ = ["printed_of"]

SHIFTS = {"sup": 1, "sub": -1}
RUNNING = ("header", "footer")


def printed_of(page: Page) -> Printed:
    """The document of a bare page; spans without words are left out."""
    sections, images, figures = (page.with_tag(tag) for tag in ("section", "img", "svg"))
    return Printed(
        lines=_lines(page, sections),
        sheets=tuple(_sheet(page, number, images, figures) for number in sections.tolist()),
        style_names=page.style_names,
        styles=tuple(tuple(page.strings[value] if value >= 0 else "" for value in row) for row in page.styles.tolist()),
        rules=page.rules.box,
        rule_colour=_strings(page, page.rules.colour),
        sheet_boxes=page.sheets,
        sheet_numbers=page.sheet_numbers,
        viewport=page.viewport,
        url=page.url,
        title=page.title,
        notes=page.notes,
        gaps=page.gaps,
        screenshot=page.screenshot,
    )


def _sheet(page: Page, node: int, images: IntArray, figures: IntArray) -> PrintedSheet:
    held = (page.box[each[(each >= node) & (each < page.end[node])]] for each in (images, figures))
    x0, y0, x1, y1 = page.box[node].tolist()
    return PrintedSheet(node, (x0, y0, x1, y1), dict(page.node(node).attributes), *held)


def _lines(page: Page, sections: IntArray) -> PrintedLines:
    is_line = np.zeros(len(page), dtype=bool)
    is_line[page.with_tag("span")] = True
    line_of = nearest(page.parent, is_line)[page.words.node]
    held = np.flatnonzero(line_of >= 0)
    nodes, first = np.unique(line_of[held], return_index=True)
    lines = PrintedLines()
    _add_words(page, lines, held)
    lines.starts = [*first.tolist(), len(held)]
    lines.node = nodes.tolist()
    lines.line_box = page.box[nodes].tolist()
    lines.line_style = page.style_of[nodes].tolist()
    lines.block = page.parent[nodes].tolist()
    lines.block_tag = [tag if tag in RUNNING else "div" for tag in _strings(page, page.tag[page.parent[nodes]])]
    lines.angle = [int(value or 0) for value in _strings(page, page.attribute("data-angle")[nodes])]
    lines.hyphenated = (page.attribute("data-hyphen")[nodes] >= 0).tolist()
    lines.tag = _strings(page, page.attribute("data-tag")[nodes])
    lines.sheet = (np.searchsorted(sections, nodes, side="right") - 1).tolist()
    return lines


def _add_words(page: Page, lines: PrintedLines, held: AnyInts) -> None:
    words = page.words
    node = words.node[held]
    above = page.parent[node]
    rows = zip(_strings(page, page.text[node]), words.start[held].tolist(), words.end[held].tolist(), strict=True)
    for text, start, end in rows:
        lines.text.append(text[start:end])
        lines.spaced.append(start > 0 and text[start - 1] == " ")
    lines.box = words.box[held].tolist()
    lines.style = page.style_of[node].tolist()
    lines.shift = [SHIFTS.get(tag, 0) for tag in _strings(page, page.tag[above])]
    around = np.where(np.array(lines.shift, dtype=np.int32) != 0, page.parent[above], above)
    lines.link = _strings(page, page.attribute("href")[around])
    lines.run = (np.diff(node, prepend=-1) != 0).tolist()


def _strings(page: Page, ids: AnyInts) -> list[str]:
    return [page.strings[value] if value >= 0 else "" for value in ids.tolist()]
