"""Whether what was found on a page is data of the domain."""

import sightline as sl
from sightline.crawler.discover._sample import DomainPhrases
from sightline.crawler.discover._score import PageData, read_regions, usable_region
from sightline.data import Extraction, Records, Table
from sightline.jobs import extractor

from ._web import PHRASES, page

DOMAIN = DomainPhrases.of(PHRASES)
EVEN = [1 / len(PHRASES)] * len(PHRASES)


def _data(html: str, kind: str = "tables") -> PageData | None:
    found = extractor(kind)(sl.open(html, static=True))
    return usable_region(read_regions(found), DOMAIN, EVEN)


def test_specification_of_one_thing_is_usable() -> None:
    """Its attributes are names, although they are beside the values and not above."""
    found = _data(page("https://www.lumen.example/camera/1"))
    assert found is not None
    assert found.in_keys == {0, 1, 2, 3, 4}
    assert found.score(EVEN) == 1.0
    assert found.short == 1.0
    assert found.digits > 0.7


def test_list_of_things_is_usable() -> None:
    """Headings name the columns."""
    found = _data(page("https://pentara.example/list/1.html"))
    assert found is not None
    assert found.in_keys == {0, 1, 2, 3, 4}
    assert (found.region.records, found.region.fields) == (7, 6)


def test_thread_names_nothing() -> None:
    """Phrases in long texts are in the table, but name no values."""
    found = _data(page("https://talk.example/thread/1"))
    assert found is None or (not found.in_keys and found.short < 0.6)


def test_prose_and_small_or_foreign_tables_are_not_usable() -> None:
    """No phrases, too few cells, or no table at all."""
    assert _data(page("https://blog.example/2024/1")) is None
    assert _data("<table><tr><th>Megapixels<td>20<tr><th>Optical zoom<td>3x</table>") is None
    heads = "<tr><th>Star<th>Magnitude<th>Distance"
    rows = "".join(f"<tr><td>S{n}<td>{n}.5<td>{n}2 ly" for n in range(6))
    assert _data(f"<table>{heads}{rows}</table>") is None


def test_lists_are_read_by_their_labels() -> None:
    """`Optical zoom: 3x` names its value; menus are no data."""
    items = "".join(
        f"<li><h3>Camera {n}</h3><p>Megapixel: {n}2</p><p>Optical zoom: {n}x</p><p>{n}99 €</p></li>"
        for n in range(1, 8)
    )
    menu = "".join(f"<li><a href='/{n}'>megapixel optical zoom {n}</a></li>" for n in range(9))
    found = _data(f"<nav><ul>{menu}</ul></nav><ul>{items}</ul>", "lists")
    assert found is not None
    assert found.in_keys == {0, 1}
    assert found.region.records == 7


def test_records_of_a_wrapper_are_read_by_their_fields() -> None:
    """The names of the fields are the keys."""
    records = Records([{"Megapixel": f"{n} MP", "Optical zoom": f"{n}x", "name": f"C{n}"} for n in range(4)])
    found = usable_region(read_regions(Extraction("records", (records,), single=True)), DOMAIN, EVEN)
    assert found is not None
    assert found.in_keys == {0, 1}
    assert (found.region.records, found.region.fields) == (4, 3)


def test_what_a_wrapper_has_read_needs_no_phrases() -> None:
    """It is what was wanted; nothing read is nothing."""
    records = Records([{"a": "1"}])
    regions = read_regions(Extraction("records", (records,), single=True))
    assert usable_region(regions, DOMAIN, EVEN) is None
    assert usable_region(regions, DOMAIN, EVEN, verified=True) is not None
    assert usable_region(read_regions(Extraction("records", (Records([]),))), DOMAIN, EVEN, verified=True) is None


def test_title_says_what_data_are_about() -> None:
    """One phrase in the data and another in the title are enough; two in the title alone are not."""
    rows = "".join(
        f"<tr><th>{name}</th><td>{n} units</td></tr>" for n, name in enumerate(("Viewfinder", "A", "B", "C"))
    )
    regions = read_regions(extractor("tables")(sl.open(f"<table>{rows}</table>", static=True)))
    assert usable_region(regions, DOMAIN, EVEN) is None
    found = usable_region(regions, DOMAIN, EVEN, title="X1, 20 megapixel")
    assert found is not None
    assert (found.in_title, found.in_all) == ({0}, {3})
    foreign = read_regions(
        extractor("tables")(sl.open(f"<table>{rows.replace('Viewfinder', 'D')}</table>", static=True))
    )
    assert usable_region(foreign, DOMAIN, EVEN, title="megapixel and optical zoom") is None


def test_best_of_several_regions_is_that_with_most_of_the_domain() -> None:
    """Not the largest one."""
    large = Table.from_rows([["megapixel", "viewfinder"], *[["1", "2"]] * 50])
    good = Table.from_rows([[*PHRASES], *[["1", "2", "3", "4", "5"]] * 3])
    found = usable_region(read_regions(Extraction("tables", (large, good))), DOMAIN, EVEN)
    assert found is not None
    assert found.region.fields == 5
