"""One more rule for a field: where the pages' own data has it. It has to agree, and gives what nobody can see."""

import json
from dataclasses import replace
from typing import Any

import pytest

import sightline as sl
from sightline.data import Value
from sightline.errors import UsageError
from sightline.page import Page

from .._templates import opened

BRANDS = ("Acme", "Lumo", "Ferro")


def thing(number: int) -> dict[str, Any]:
    """What a page says of its camera."""
    return {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": f"Camera {number}",
        "brand": {"@type": "Brand", "name": BRANDS[number % 3]},
        "offers": [{"@type": "Offer", "price": f"{100 * number}.50"}],
        "releaseDate": f"2024-03-1{number}",
    }


def camera(number: int, *, data: Any = None, price: str = "", is_seen: bool = True, shown: str = "") -> str:
    """The body of a page about a camera, with its data in a script."""
    seen = (
        f"<h1>Camera {number}</h1><p class=price>{price or f'${100 * number}.50'}</p>"
        f"<p class=brand>by {BRANDS[number % 3]}</p><dl><dt>Released</dt><dd>1{number} March 2024</dd></dl>"
    )
    said = f"<script type='application/ld+json'>{json.dumps(data or thing(number))}</script>"
    head = "<header>The shop of cameras</header>"
    return f"{said}{head}{shown or seen if is_seen else '<div id=app></div>'}<footer>All rights reserved</footer>"


def page(number: int, **how: Any) -> Page:
    """Such a page."""
    return opened(camera(number, **how))[0]


@pytest.fixture(scope="module")
def wrapper() -> sl.Wrapper:
    """A wrapper induced from five of these pages."""
    return sl.induce([page(number) for number in range(1, 6)])


def words_behind(wrapper: sl.Wrapper) -> list[str]:
    """The lines about the pages' own data."""
    return wrapper.words().partition("in the page's own data as well:\n")[2].splitlines()


def test_the_paths_stand_in_the_words_of_the_wrapper(wrapper: sl.Wrapper) -> None:
    """Where each field is in the data, and how the page writes it; the day is compared by what it says."""
    assert words_behind(wrapper) == [
        "  name: name of Product in JSON-LD",
        "  price: offers.price of Product in JSON-LD, written “${}”",
        "  brand: brand.name of Product in JSON-LD, written “by {}”",
        "  releaseDate: releaseDate of Product in JSON-LD",
    ]


def test_a_taught_wrapper_has_them_as_well() -> None:
    """From three pages on: of fewer nobody knows what is chance."""
    lesson = sl.teach(page(1)).want("name", "Camera 1").want("cost", "$100.50")
    assert words_behind(lesson.wrapper) == []
    for number in (2, 3):
        lesson.want("cost", f"${number}00.50", page=page(number)).want("name", f"Camera {number}", page=page(number))
    assert words_behind(lesson.wrapper) == [
        "  name: name of Product in JSON-LD",
        "  cost: offers.price of Product in JSON-LD, written “${}”",
    ]


def test_what_agrees_changes_nothing(wrapper: sl.Wrapper) -> None:
    """A page whose data says what it shows is read as without the paths."""
    found, without = wrapper.read(page(6)), replace(wrapper, behind=type(wrapper.behind)()).read(page(6))
    assert (found.verdict, found.problems, found.from_data) == ("ok", (), ())
    assert found.records == without.records


def test_another_value_in_the_data_is_a_doubt(wrapper: sl.Wrapper) -> None:
    """The page is suspicious, both values are named, and what is seen stays what is given."""
    found = wrapper.read(page(6, price="$1.00"))
    (problem,) = found.problems
    assert (found.verdict, found.from_data) == ("suspicious", ())
    assert found.records.to_dicts()[0]["price"] == "$1.00"
    assert problem.what == "“price”: the page shows “$1.00”, but offers.price of Product in JSON-LD is “600.50”"
    assert problem.xpath.startswith("/html[1]/body[1]/p[1]")


@pytest.mark.parametrize("price", ["$ 600.50", "600,50 USD", "$600.5", "now $600.50"])
def test_the_same_written_otherwise_is_no_doubt(wrapper: sl.Wrapper, price: str) -> None:
    """What a value says counts, not how it is written."""
    assert wrapper.read(page(6, price=price)).problems == ()


def test_what_only_the_data_has_is_given_with_its_origin(wrapper: sl.Wrapper) -> None:
    """Its origin is the script, without a box; the page is suspicious, since it was seen on all others."""
    gone = camera(6).replace("<p class=price>$600.50</p>", "")
    read = opened(gone)[0]
    found = wrapper.read(read)
    value = found.records[0]["price"]
    assert isinstance(value, Value)
    assert value.origin is not None
    assert (value.text, value.origin.box, value.origin.original) == ("$600.50", None, "600.50")
    assert read.node(value.origin.nodes[0]).tag == "script"
    assert (found.verdict, found.from_data) == ("suspicious", ("price",))
    assert any("“price”: the page does not show it; “$600.50” is given by" in one.what for one in found.problems)


def test_what_a_page_had_and_did_not_show_is_never_given() -> None:
    """If a training page had the price in its data alone, the data does not say that it is shown."""
    hidden = camera(5).replace("<p class=price>$500.50</p>", "")
    wrapper = sl.induce([*(page(number) for number in range(1, 5)), opened(hidden)[0]])
    found = wrapper.read(opened(camera(6).replace("<p class=price>$600.50</p>", ""))[0])
    assert (found.from_data, found.records.to_dicts()[0]["price"]) == ((), None)
    assert wrapper.read(page(6, price="$1.00")).verdict == "suspicious"


def test_a_page_of_scripts_is_read_without_a_browser(wrapper: sl.Wrapper) -> None:
    """If the wrapper was learned from pages as they are seen, and every field is in the data."""
    rendered = replace(wrapper, rendered=True)
    found = rendered.read(page(7, is_seen=False))
    assert found.verdict == "ok"
    assert found.records.to_dicts() == wrapper.read(page(7)).records.to_dicts()
    assert set(found.from_data) == set(wrapper.fields)
    assert wrapper.read(page(7, is_seen=False)).verdict == "failed"  # where the markup should show it, it has to


def test_data_that_lacks_a_field_is_not_enough(wrapper: sl.Wrapper) -> None:
    """Nor is the data of another thing, or a number whose writing nobody has seen."""
    rendered = replace(wrapper, rendered=True)
    without = {key: value for key, value in thing(7).items() if key != "releaseDate"}
    dear = {**thing(7), "offers": [{"@type": "Offer", "price": "1200.50"}]}
    article = {**thing(7), "@type": "Article"}
    for data in (without, dear, article):
        assert rendered.read(page(7, data=data, is_seen=False)).verdict == "failed"


def test_a_path_that_fails_once_is_none() -> None:
    """Held against every page: one price that differs, and there is no path for it."""
    wrapper = sl.induce([*(page(number) for number in range(1, 5)), page(5, price="$7.25")])
    assert not any(line.startswith("  price") for line in words_behind(wrapper))
    assert any(line.startswith("  name") for line in words_behind(wrapper))


def test_a_value_that_never_varies_is_no_evidence() -> None:
    """The brand is the same on all pages, as is a word in the data."""
    bodies = [camera(number, data={**thing(number), "brand": "Acme", "color": "Acme"}) for number in (3, 6, 9)]
    wrapper = sl.induce(opened(*(body.replace("by Acme", "by Acme") for body in bodies)))
    assert not any(line.startswith("  brand") for line in words_behind(wrapper))


def test_it_is_found_wherever_the_page_has_its_block() -> None:
    """A thing is known by its type, not by its place among other blocks or in a graph."""
    wrapper = sl.induce([page(number) for number in range(1, 6)])
    site = {"@type": "WebSite", "name": "The shop", "@id": "#site"}
    graph = {"@context": "https://schema.org", "@graph": [site, thing(6)]}
    assert wrapper.read(page(6, data=graph, price="$1.00")).verdict == "suspicious"
    assert wrapper.read(page(6, data=graph)).verdict == "ok"


# ---------------------------------------------------------------- lists


def cards(first: int, count: int, *, dear: int = 0, is_seen: bool = True, keep: int | None = None) -> str:
    """The body of a page with a list of lenses, and their data in a state."""
    items = [
        {"title": f"Lens {first + n} mm", "cents": (first + n) * 125, "stock": n % 2 == 0, "id": 900 + first + n}
        for n in range(count)
    ]
    texts = "".join(
        f"<li class=card><h3><a href='/lens/{item['id']}'>{item['title']}</a></h3>"
        f"<p class=price>€{(item['cents'] + dear) / 100:.2f}</p>"
        f"<p class=stock>{'In stock' if item['stock'] else 'Sold out'}</p></li>"
        for item in items[:keep]
    )
    state = f"<script>window.shop = {json.dumps({'page': {'lenses': items}})}</script>"
    shown = f"<ul>{texts}</ul>" if is_seen else "<ul></ul>"
    return f"{state}<header>The shop of lenses</header><h1>Lenses</h1>{shown}<footer>All rights reserved</footer>"


@pytest.fixture(scope="module")
def listed() -> sl.Wrapper:
    """A wrapper induced from three lists."""
    return sl.induce(opened(*(cards(first, 6) for first in (10, 30, 50)))).records_of("Lenses")


def names_of(wrapper: sl.Wrapper) -> list[str]:
    """The fields that are in the data."""
    return sorted(wrapper.behind.names)


def test_the_records_of_a_list_have_their_array() -> None:
    """Taught on one page: a dozen prices of a dozen records are no chance."""
    first = opened(cards(10, 6))[0]
    lesson = sl.teach(first).want("title", "Lens 10 mm").want("price", "€12.50").want("stock", "In stock")
    assert words_behind(lesson.wrapper) == [
        "  items: page.lenses of window.shop",
        "    title: {title}",
        "    price: €{cents}",
        "    stock: stock (True: In stock, False: Sold out)",
    ]


@pytest.fixture(scope="module")
def taught() -> sl.Wrapper:
    """A wrapper for the records of a list, taught on two pages."""
    one, other = opened(cards(10, 6), cards(30, 5))
    lesson = sl.teach(one).want("title", "Lens 10 mm").want("price", "€12.50").want("stock", "In stock")
    return lesson.want("price", "€37.50", page=other).wrapper


def test_lists_that_agree_are_as_before(taught: sl.Wrapper) -> None:
    """No problem, and the values that are seen."""
    found = taught.read(opened(cards(50, 7))[0])
    assert (found.verdict, found.problems, len(found.records)) == ("ok", (), 7)


def test_records_with_other_values_are_a_doubt(taught: sl.Wrapper) -> None:
    """The problem counts them and names the first."""
    found = taught.read(opened(cards(50, 7, dear=100))[0])
    assert found.verdict == "suspicious"
    (problem,) = found.problems
    assert problem.what == (
        "“items.price”: 7 of 7 records show something else than page.lenses of window.shop; "
        "the first shows “€63.50” and not “€62.50”"
    )
    assert found.records.to_dicts()[0]["price"] == "€63.50"


def test_another_number_of_records_is_a_doubt(taught: sl.Wrapper) -> None:
    """What was always one for one no longer is."""
    found = taught.read(opened(cards(50, 7, keep=4))[0])
    assert (found.verdict, len(found.records)) == ("suspicious", 4)
    assert found.problems[0].what == "“items”: the page shows 4 records, but page.lenses of window.shop has 7"


def test_a_list_made_by_a_script_is_read_without_a_browser(taught: sl.Wrapper) -> None:
    """All records, with every field, from the state."""
    rendered = replace(taught, rendered=True)
    found = rendered.read(opened(cards(50, 7, is_seen=False))[0])
    assert found.verdict == "ok"
    assert found.records.to_dicts() == taught.read(opened(cards(50, 7))[0]).records.to_dicts()


# ---------------------------------------------------------------- editing and files


def test_names_and_files_keep_them(wrapper: sl.Wrapper, taught: sl.Wrapper) -> None:
    """A renamed field keeps its paths; what is merged has none; a file gives the same wrapper."""
    renamed = wrapper.rename("price", "cost")
    assert "cost" in renamed.behind.names
    assert "price" not in renamed.behind.names
    assert renamed.read(page(6, price="$1.00")).problems[0].what.startswith("“cost”")
    assert "brand" not in wrapper.merge("brand", "price", into="both").behind.names
    cost = taught.rename("items.price", "cost").rename("items", "lenses")
    assert "lenses.cost" in cost.behind.names
    assert cost.read(opened(cards(50, 7, dear=100))[0]).problems[0].what.startswith("“lenses.cost”")
    for one in (renamed, cost):
        again = sl.Wrapper.loads(one.dumps())
        assert again.behind == one.behind
        assert again.to_json() == one.to_json()


def test_dropped_fields_are_neither_compared_nor_given(wrapper: sl.Wrapper) -> None:
    """Nobody asked for them."""
    assert wrapper.drop("price").read(page(6, price="$1.00")).verdict == "ok"
    assert wrapper.drop("price").restore("price").read(page(6, price="$1.00")).verdict == "suspicious"


def test_older_files_have_none(wrapper: sl.Wrapper) -> None:
    """A file without the entry is a wrapper without paths, and a wrapper without paths has no entry."""
    document = wrapper.to_json()
    del document["behind"]
    old = sl.Wrapper.from_json(document)
    assert not old.behind
    assert "behind" not in old.to_json()
    assert old.read(page(6, price="$1.00")).verdict == "ok"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda one: one["fields"][0]["paths"].clear(), "paths must"),
        (lambda one: one["fields"][0]["paths"][0].update(syntax="yaml"), "unknown value"),
        (lambda one: one["fields"][0]["paths"][0]["path"].append(-1), "path"),
        (lambda one: one["fields"][0]["paths"][0]["written"][0]["pieces"][0].update(form="number:9"), "form"),
        (lambda one: one["fields"][0]["paths"][0]["written"][0].update(pieces=["x"]), "more or fewer values"),
        (lambda one: one["fields"][0]["paths"][0]["written"][0]["pieces"][0].update(path=["*"]), "more or fewer"),
    ],
)
def test_what_cannot_be_read_is_refused(wrapper: sl.Wrapper, change: Any, told: str) -> None:
    """A damaged entry is told when the file is loaded."""
    document = wrapper.to_json()
    change(document["behind"])
    with pytest.raises(UsageError, match=told):
        sl.Wrapper.from_json(document)


# ---------------------------------------------------------------- repair


def test_a_repaired_wrapper_keeps_only_paths_that_still_agree() -> None:
    """Since the redesign, the data has prices with tax, and the page has not."""

    def taxed(number: int) -> dict[str, Any]:
        return {**thing(number), "offers": {"@type": "Offer", "price": f"{119 * number}.00"}}

    lesson = sl.teach(page(1)).want("name", "Camera 1").want("cost", "$100.50")
    for number in (2, 3):
        lesson.want("cost", f"${number}00.50", page=page(number)).want("name", f"Camera {number}", page=page(number))
    taught = lesson.wrapper
    assert "cost" in taught.behind.names
    new = [
        page(number, shown=f"<main><h2>Camera {number}</h2><i>${number * 100}.50</i></main>", data=taxed(number))
        for number in (1, 2)
    ]
    mended = taught.repair(new).wrapper
    assert "cost" not in mended.behind.names
