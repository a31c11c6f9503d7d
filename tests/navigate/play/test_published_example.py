"""The published example: prices that a shop shows only in the cart, taken from there for the cameras without one."""

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import sightline as sl
from sightline.data import Value
from sightline.navigate import Played
from sightline.net import CrawlPolicy

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "examples" / "camera-shop"
SCRIPT = FOLDER / "cameras.nav.yaml"


def the_shop() -> ModuleType:
    """The shop's program."""
    spec = importlib.util.spec_from_file_location("camera_shop", FOLDER / "shop.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def played() -> Iterator[tuple[ModuleType, str, Played]]:
    """The example, played once."""
    shop = the_shop()
    with shop.open_shop() as address, sl.session(policy=CrawlPolicy(delay=0)) as session:
        yield shop, address, sl.play(SCRIPT, variables={"shop": address}, session=session)


@pytest.mark.slow
def test_every_camera_has_its_name_image_and_price(played: tuple[ModuleType, str, Played]) -> None:
    """Exactly those of the shop, in its order, whether the price was on the overview or in the cart."""
    shop, address, found = played
    assert (found.ended, found.verdict, found.doubts) == ("end", "ok", ())
    assert found.outputs["cameras"].to_dicts() == [
        {"name": one.name, "image": f"{address}/images/{one.number}.svg", "price": f"€{one.price:,.2f}"}
        for one in shop.CAMERAS
    ]


def test_a_price_knows_where_it_was_seen(played: tuple[ModuleType, str, Played]) -> None:
    """Those of the cart on another page than those of the overview."""
    shop, _, found = played
    pages = {True: set(), False: set()}
    for camera, record in zip(shop.CAMERAS, found.records, strict=True):
        price = record["price"]
        assert isinstance(price, Value)
        assert price.origin is not None
        pages[camera.hidden].add(price.origin.page)
    assert pages[False].isdisjoint(pages[True])
    assert len(pages[True]) == sum(camera.hidden for camera in shop.CAMERAS)  # each time the cart has one more in it


def test_the_example_is_printed_as_it_is_played() -> None:
    """The script in the docs is the file, but for its comment."""
    printed = re.search(r"```yaml\n(navigation: 1\nabout.*?)```", (ROOT / "docs" / "scripts.md").read_text(), re.DOTALL)
    assert printed is not None
    file = "".join(line for line in SCRIPT.read_text().splitlines(keepends=True) if not line.startswith("#"))
    assert printed[1] == file
