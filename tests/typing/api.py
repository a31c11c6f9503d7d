"""The public verbs under `mypy --strict`: what must be accepted, and what must be refused (every ignore is needed)."""

from pathlib import Path

import sightline as sl
from sightline.data import Item, ItemList, Origin, Record, Records, Table, Triple, Value
from sightline.extract.lists import ListSettings, TopSettings
from sightline.extract.tables import TableSettings
from sightline.net import Limits
from sightline.page import Node
from sightline.sources import BrowserSettings
from sightline.testing import check_extractor


def accepted() -> None:
    """Right uses, with their types."""
    page: sl.Page = sl.open("x.html", static=True, limits=Limits(nodes=10))
    node: Node = page.node(0)
    text: str = node.text
    box: tuple[float, float, float, float] | None = node.box
    part: sl.Page = page.region((0, 0, 10, 10)).subtree(0).without([1, 2])
    found: int | None = page.find("/html[1]")
    path: Path = sl.save(part, "x.page")
    for loaded in sl.open_all(["a", "b"], browser=BrowserSettings(tabs=1)):
        error: sl.errors.SightlineError | None = loaded.error
        assert error is None
        assert text == str(box), (found, path)
    value = Value("1", origin=Origin(page.id, (1, 2), box))
    assert Record({"name": value})
    assert Table.from_rows([["a"], ["1"]]).to_csv()
    found_tables: list[Table] = sl.tables(page, containing="x", settings=TableSettings(least_score=0.5))
    facts: list[Triple] = found_tables[0].without_totals().triples()
    assert facts[0].object.text
    found_lists: list[ItemList] = sl.lists(page, settings=ListSettings(navigation=False))
    top: ItemList | None = sl.top_list(page, k=10, settings=TopSettings(), following=lambda _: None)
    assert top is not None
    item: Item = found_lists[0][0]
    rank: int | None = item.rank
    link: str | None = item.link.text if item.link else None
    records: Records = top.records()
    assert rank == len(records), (link, top.k, top.to_table().rows)


def refused() -> None:
    """Wrong uses."""
    sl.open(5)  # type: ignore[arg-type]
    sl.open("x", True)  # type: ignore[call-arg, arg-type]
    Limits(10)  # type: ignore[call-arg]
    sl.Page()  # type: ignore[call-arg]
    sl.tables(5)  # type: ignore[arg-type]
    sl.lists(None)  # type: ignore[arg-type]
    sl.lists(sl.open("x"), settings=TopSettings())  # type: ignore[arg-type]
    sl.top_list(sl.open("x"), k="10")  # type: ignore[arg-type]
    sl.top_list(sl.open("x"), settings=ListSettings())  # type: ignore[arg-type]
    sl.top_list(sl.open("x"), following=lambda _: 5)  # type: ignore[arg-type, return-value]
    sl.save("x", "x.page")  # type: ignore[arg-type]
    check_extractor("not a function")  # type: ignore[arg-type]
    Value(text=1)  # type: ignore[arg-type]
