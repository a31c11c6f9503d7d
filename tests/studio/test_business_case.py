"""The price watch of `examples/prices`, built from nothing in the Studio: taught, recorded, drawn, run."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import duckdb
import pytest
from playwright.sync_api import Locator, Page, expect

from sightline.flow.run import run_flow
from sightline.flow.spec import Flow, flow_kinds, write_flow_step

from ..server._running import Running
from ._canvas import CanvasPerson, begin
from ._flow_steps import add_step, begin_flow, enter, enter_map, inspector
from ._steps import click_text, go, name_field
from .conftest import Shoot

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parents[2] / "examples" / "prices"
FLOW = FOLDER / "prices.flow.yaml"
NAMES = ("products", "offers", "shops")
TABLES = ("positions", "offers", "review")
EVERYWHERE = "England, Scotland, Wales, Northern Ireland"
SOUTH = {  # values of one article, and the fields that they are
    "FENNEL UV Filter 52 mm": "name",
    "Art. 7003355": "article",
    "Herst.-Nr. FE FUV52": "model",
    "CHF 58.70": "price",
    "an Lager": "stock",
    "Deutschschweiz, Romandie": "regions",
}
PRODUCTS = {  # of North, by their numbers: the title of the page, the model, the weight, and where it is sold
    "20602": ("Vireo ND64 Filter", "", "55 g", EVERYWHERE),
    "20935": ("Heliox Dob 130/650", "HETEDOB130650T", "17.06 kg", "England, Northern Ireland"),
    "23081": ("Heliox Pro V90", "", "2 g", EVERYWHERE),
}


@pytest.fixture(scope="module")
def modules() -> Iterator[dict[str, ModuleType]]:
    """The programs of the example, which import each other by their names."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        yield {name: import_module(name) for name in NAMES}
    for name in NAMES:
        sys.modules.pop(name, None)


@pytest.mark.timeout(900)  # a minute on a quiet machine, and more than five on a busy one
def test_the_price_watch_is_built_from_nothing(
    page: Page, studio: Running, modules: dict[str, ModuleType], tmp_path: Path, shoot: Shoot
) -> None:
    """What is taught, recorded and drawn in the Studio delivers the same rows as the file that was written by hand."""
    with modules["shops"].open_shops() as shops:
        _teach_north(page, shops.north)
        _teach_product(page, shops.north)
        script = _record_south(page, studio, shops.south, tmp_path)
        _draw_flow(page, {"north": shops.north, "south": shops.south, "warehouse": "prices.duckdb"}, script)
        shoot(page, "business-case")
        page.get_by_role("button", name="Run", exact=True).click()
        expect(page.get_by_role("link", name="last run suspicious")).to_be_visible(timeout=400_000)
        given = {"north": shops.north, "south": shops.south, "warehouse": str(tmp_path / "prices.duckdb")}
        run_flow(Flow.load(FLOW).with_variables(given), store=tmp_path / "store")
    for table in TABLES:
        assert _rows(studio.studio.folder / "prices.duckdb", table) == _rows(tmp_path / "prices.duckdb", table), table


def _rows(database: Path, table: str) -> list[tuple[Any, ...]]:
    """The rows of a table, without the times at which they came and by which run."""
    with duckdb.connect(str(database), read_only=True) as connection:
        described = connection.execute(f"DESCRIBE {table}").fetchall()
        names = [name for name, *_ in described if not name.startswith(("valid_", "_"))]
        return connection.execute(f"SELECT {', '.join(names)} FROM {table} ORDER BY ALL").fetchall()


# ---------------------------------------------------------------------- wrappers


def _open_page(tab: Page, address: str) -> None:
    go(tab, "Open")
    tab.get_by_label("Address").first.fill(address)
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/pages/**")
    expect(tab.get_by_role("list", name="Candidates")).to_be_visible()


def _teach(tab: Page, *values: tuple[str, str]) -> None:
    """Begin a lesson on the page that is open, and point at values."""
    tab.get_by_role("button", name="Teach", exact=True).first.click()
    tab.wait_for_url("**/teach/**page=**")
    for text, field in values:
        click_text(tab, text)
        name_field(tab, field)


def _save_as(tab: Page, name: str) -> None:
    tab.get_by_label("Name of the wrapper").fill(name)
    tab.get_by_role("button", name="Save wrapper").click()
    tab.wait_for_url(f"**/check?wrapper={name}**")


def _teach_north(tab: Page, shop: str) -> None:
    """Teach the list of North: four values of one offer, and the link of its name."""
    _open_page(tab, f"{shop}/shop")
    first = ("Heliox Field 12x50 Binoculars (black)", "name")
    _teach(tab, first, ("Item 20417", "item"), ("£517.00", "price"), ("In stock", "stock"))
    tab.get_by_label("More about name").click()
    tab.get_by_role("menuitem", name="Take its link as well").click()
    expect(tab.get_by_role("button", name="link", exact=True).first).to_be_visible()
    _save_as(tab, "north")


def _teach_product(tab: Page, shop: str) -> None:
    """Teach the page of a product, and that some have no model number."""
    for item in PRODUCTS:
        _open_page(tab, f"{shop}/p/{item}")
    _open_page(tab, f"{shop}/p/20417")
    _teach(tab, ("HE-BIFIELD12X50-BK", "model"))
    tab.get_by_label("More about model").click()
    tab.get_by_role("menuitem", name="There is only this one on the page").click()
    expect(tab.get_by_text("1 record", exact=True)).to_be_visible()
    for text, field in (("708 g", "weight"), ("England", "regions")):
        click_text(tab, text)
        name_field(tab, field)
    for title, *values in PRODUCTS.values():
        _confirm(tab, title, dict(zip(("model", "weight", "regions"), values, strict=True)))
    expect(tab.get_by_text(f"{len(PRODUCTS) + 1} of {len(PRODUCTS) + 1} pages ok")).to_be_visible()
    _save_as(tab, "north-product")


def _confirm(tab: Page, title: str, values: dict[str, str]) -> None:
    """Add a page to the lesson, and click what it shows of each field, or say that it has none."""
    tab.get_by_role("button", name="Another page").click()
    tab.get_by_role("menuitem", name=title).click()
    expect(tab.get_by_role("region", name=f"Page {title}")).to_be_visible()
    for field, text in values.items():
        if text:
            tab.get_by_role("button", name=field, exact=True).first.click()
            click_text(tab, text)
            expect(tab.get_by_role("button", name=f"Undo: {field}: “{text}”")).to_be_visible()
        else:
            tab.get_by_label(f"More about {field}").click()
            tab.get_by_role("menuitem", name="It is not on this page").click()
            expect(tab.get_by_role("button", name=f"Undo: no {field} on a page")).to_be_visible()


# ---------------------------------------------------------------------- the journey


def _record_south(tab: Page, studio: Running, shop: str, files: Path) -> str:
    """Choose a region, load more, show a price, and repeat the latter two; returns the name of the script."""
    person = CanvasPerson(tab, studio, files)
    begin(tab, f"{shop}/")
    person.select("//select[@id='region']", "Deutschschweiz")
    expect(_step(tab, "Deutschschweiz")).to_be_visible()
    for button in ("Mehr anzeigen", "Preis anzeigen"):
        person.click(f"//button[normalize-space()='{button}']")
        expect(_step(tab, button)).to_be_visible()
        _step(tab, button).click()
        _insert(tab, "Repeat while something is there")
        tab.get_by_label("Text on the page").fill(button)
        tab.get_by_role("button", name="Put 1 step into it").click()
        expect(_step(tab, f"Repeat while “{button}”")).to_be_visible()
    # Several buttons are alike; each turn takes the first one that is left.
    _more(tab, "Edit its text")
    text = tab.get_by_label("Text of the script")
    text.fill(text.input_value().replace("{button: Preis anzeigen, memory: 3}", "{button: Preis anzeigen, number: 1}"))
    tab.get_by_role("button", name="Save", exact=True).click()
    expect(_step(tab, "number 1")).to_be_visible()
    tab.get_by_role("button", name="Replay", exact=True).click()
    expect(tab.get_by_text("The replay is done")).to_be_visible(timeout=90_000)
    recorded = tab.url
    _more(tab, "Teach a wrapper on this page")
    tab.wait_for_url("**/teach/**page=**")
    for text, field in SOUTH.items():
        click_text(tab, text)
        name_field(tab, field)
    tab.get_by_role("button", name="model", exact=True).first.click()
    click_text(tab, "Art. 7003392")  # an article without a model number
    expect(tab.get_by_role("button", name="Undo: rejected “Art. 7003392” as model")).to_be_visible()
    _save_as(tab, "south")
    tab.goto(recorded)
    _insert(tab, "Extract here")
    tab.get_by_label("What is extracted").select_option(label="Wrapper south")
    tab.get_by_role("button", name="Insert", exact=True).click()
    expect(_step(tab, "Extract")).to_be_visible()
    return person.live.name


def _step(tab: Page, words: str) -> Locator:
    return tab.get_by_role("list", name="Steps").get_by_role("button", name=words).first


def _insert(tab: Page, what: str) -> None:
    tab.get_by_role("button", name="Insert a step").click()
    tab.get_by_role("menuitem", name=what).click()


def _more(tab: Page, what: str) -> None:
    tab.get_by_role("button", name="More about this script").click()
    tab.get_by_role("menuitem", name=what).click()


# ---------------------------------------------------------------------- the flow


def _draw_flow(tab: Page, given: dict[str, str], script: str) -> None:
    """Draw every step of the file, in its order, with the editors of the inspector."""
    written = Flow.load(FLOW)
    kinds = {kind["word"]: kind for kind in flow_kinds()}
    go(tab, "Flow")
    begin_flow(tab, "prices")
    tab.get_by_role("button", name="About the flow, its schedule and variables").click()
    for name in ("catalogue.csv", "rates.csv", "vat.csv", "pricelist.pdf"):
        tab.get_by_label("Files of the project").set_input_files(FOLDER / name)
        expect(tab.get_by_text(name, exact=True).first).to_be_visible()
    enter_map(tab, inspector(tab), "variable", {**written.variables, **given})
    for step in written.steps.values():
        add_step(tab, step.word, step.name)
        values = write_flow_step(step)
        if step.word == "play":  # what was recorded has the address in it, and one output
            values = {"play": f"{script}.nav.yaml"}
        for info in kinds[step.word]["keys"]:
            if info["key"] in values:
                enter(tab, info, _here(values[info["key"]]))
    expect(tab.get_by_text("ready to run")).to_be_visible()


def _here(value: Any) -> Any:
    """A value of the file as it is called in the project."""
    return f"wrappers/{value}" if isinstance(value, str) and value.endswith(".wrapper.json") else value
