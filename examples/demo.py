"""The best of what exists, on three pages: opened as seen, measured, drawn, typed, traced and saved.

Run it by `make demo`; the results lie in the folder named as its argument.
"""

import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table as Grid

import sightline as sl
from sightline.data import Origin, Record, Records, Value
from sightline.draw import Mark, marks_of, picture
from sightline.files import write_bytes

HERE = Path(__file__).parent
FIELDS = ("name", "pixels", "weight", "price", "stars", "stock")
console = Console(highlight=False)


def scene(number: int, title: str) -> None:
    """Announce a scene."""
    console.print(f"\n[bold]{number}. {title}[/]")


def open_pages(out: Path) -> dict[str, sl.Page]:
    """Open all example pages in a real browser, two at a time, and save them as they were seen."""
    scene(1, "Pages as a person sees them: tree, boxes, styles and words in one call")
    settings = sl.BrowserSettings(screenshot=True)
    grid = Grid("page", "nodes", "words", "texts seen", "hidden", "saved as", box=None, header_style="bold")
    opened: dict[str, sl.Page] = {}
    began = time.perf_counter()
    for result in sl.open_all([str(HERE)], settings=settings):
        if result.error or result.page is None:
            raise SystemExit(f"sightline: {result.error}")
        page = result.page
        saved = sl.save(page, out / Path(result.source).with_suffix(".page").name)
        texts = page.is_text & ~page.is_blank
        seen = int((texts & page.visible).sum())
        size = f"{saved} ({saved.stat().st_size / 1000:.0f} kB)"
        grid.add_row(
            page.title[:44], f"{len(page):,}", f"{len(page.words):,}", str(seen), str(int(texts.sum()) - seen), size
        )
        opened[Path(result.source).stem] = page
    console.print(grid)
    console.print(f"[dim]{time.perf_counter() - began:.1f} s, the start of the browser included[/]")
    return opened


def show_hidden(page: sl.Page) -> None:
    """What the markup says and nobody sees: the prices that a selector would have taken for real."""
    scene(2, "What nobody sees is not data")
    inside_body = page.tag[page.parent] != page.string_id("style")
    hidden = (page.is_text & ~page.is_blank & ~page.visible & inside_body).nonzero()[0]
    for node in (int(node) for node in hidden):
        if "$" in page.strings[page.text[node]]:
            console.print(
                f"   [red]hidden[/] {page.node(node).raw_text.strip()[:60]:<62}[dim]{page.xpath(node)[:60]}[/]"
            )


def read_cameras(page: sl.Page) -> Records:
    """One record a card, each value with the place where it was seen; the columns decide their types by themselves."""
    classes = page.attribute("class")
    cards = (classes == page.string_id("card")).nonzero()[0]
    return Records([_record(page, int(card)) for card in cards], language=page.language)


def _record(page: sl.Page, card: int) -> Record:
    classes = page.attribute("class")[card : page.end[card]]
    found = {name: (classes == page.string_id(name)).nonzero()[0] + card for name in FIELDS}
    return Record({name: _value(page, int(nodes[0])) if len(nodes) else None for name, nodes in found.items()})


def _value(page: sl.Page, node: int) -> Value:
    return Value(page.text_of(node), origin=Origin(page.whole_id, (node,), page.node(node).box))


def show_typed(cameras: Records, out: Path) -> None:
    """The columns with their types, and the first rows as values."""
    scene(3, "Typed columns: separators, currency and unit decided once for the whole column")
    table = cameras.to_table()
    grid = Grid("field", "kind", "decided", "first value", "seen at", box=None, header_style="bold")
    for column in table.columns:
        kind = column.type
        decided = kind.currency or kind.unit or (f"decimal {kind.decimal}" if kind.decimal else "")
        origin = column.cells[0].origin
        place = "" if origin is None or origin.box is None else "x {:.0f}, y {:.0f}".format(*origin.box[:2])
        grid.add_row(column.name, kind.kind, decided, repr(column.values[0]), place)
    console.print(grid)
    for name, content in (("cameras.csv", table.to_csv()), ("cameras.jsonl", cameras.to_jsonl())):
        write_bytes(out / name, content.encode() if isinstance(content, str) else content)


def draw(pages: dict[str, sl.Page], cameras: Records, out: Path) -> None:
    """Every page with what is on it boxed; the cameras with their fields instead."""
    scene(4, "A picture for whoever would rather look than read")
    kinds = dict(zip(FIELDS, ("heading", "control", "other", "link", "table", "image"), strict=True))
    fields = [
        Mark(value.origin.box, kinds[name], name)
        for record in cameras
        for name, value in record.items()
        if isinstance(value, Value) and value.origin and value.origin.box
    ]
    for name, page in pages.items():
        path = write_bytes(out / f"{name}.png", picture(page, fields if name == "cameras" else marks_of(page)))
        console.print(f"   {path}")


def reopen(out: Path) -> None:
    """A saved page opens in milliseconds, with no browser and no network, and is the same page."""
    scene(5, "Saved pages are pages: opened again, without browser or network")
    for path in sorted(out.glob("*.page")):
        began = time.perf_counter()
        page = sl.open(path)
        console.print(
            f"   {path}: {len(page):,} nodes in {1000 * (time.perf_counter() - began):.1f} ms, id {page.id[:12]}…"
        )


def main() -> None:
    """All scenes in order."""
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
    out.mkdir(parents=True, exist_ok=True)
    pages = open_pages(out)
    show_hidden(pages["cameras"])
    cameras = read_cameras(pages["cameras"])
    show_typed(cameras, out)
    draw(pages, cameras, out)
    reopen(out)
    console.print(f"\nEverything is in [bold]{out}/[/]; open [bold]{out}/cameras.png[/] first. Next: sightline --help")


if __name__ == "__main__":
    main()
