"""An unchanged saved page is captured in one state, whatever its scripts and styles move, and when."""

import asyncio
from pathlib import Path

import pytest
from bench.moving import WAYS, write_moving

from sightline.net import Document
from sightline.page import Page
from sightline.sources import Browser

pytestmark = pytest.mark.slow

TIMES = 4
STORIES = 12
# What is shown of a list that shows one story at a time, and what of one that is cut off where the next begins.
SHOWN = {"rotates for ever": 1}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page for each way in which sites move things."""
    folder = tmp_path_factory.mktemp("moving")
    assert len(list(write_moving(folder))) == len(WAYS)
    return folder


async def _captured(path: Path) -> list[Page]:
    document = Document(source=path.name, url=path.as_uri(), content=path.read_bytes(), folder=path.parent)
    async with Browser() as browser:
        return await asyncio.gather(*(browser.load_document(document) for _ in range(TIMES)))


@pytest.mark.parametrize("way", list(WAYS))
def test_every_capture_of_a_saved_page_is_the_same(folder: Path, way: str) -> None:
    """The same texts in the same boxes, and all that the page shows in its first second."""
    pages = asyncio.run(_captured(folder / f"{way.replace(' ', '-')}.html"))
    seen = {
        tuple((page.text_of(int(number)), tuple(page.box[number])) for number in page.visible.nonzero()[0])
        for page in pages
    }
    assert len(seen) == 1
    visible = pages[0].texts_of(pages[0].visible.nonzero()[0])
    assert sum(text.startswith("What was said") for text in {*visible}) == SHOWN.get(way, STORIES)


def test_a_saved_page_goes_on_to_another_that_was_saved(tmp_path: Path) -> None:
    """A script that leaves after a while is followed, and the next page has its own second."""
    (tmp_path / "next.html").write_text(
        "<!doctype html><title>Next</title><p id=x>wait<script>setTimeout(() => x.textContent = 'shown', 600)</script>"
    )
    first = tmp_path / "first.html"
    first.write_text(
        "<!doctype html><title>First</title><script>setTimeout(() => location = 'next.html', 500)</script>"
    )
    (page, *_) = asyncio.run(_captured(first))
    assert page.text_of(0) == "shown"
