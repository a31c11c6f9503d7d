"""Pictures of pages."""

import io
from dataclasses import replace

import pytest
from PIL import Image

from sightline.data import Mark
from sightline.draw import marks_of_page, picture
from sightline.errors import UnreadableError, UsageError
from sightline.page import Page
from sightline.sources import parse
from sightline.testing import element, grid_page, page_of


def _image(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content)).convert("RGB")


def _page(screenshot: bytes | None = None) -> Page:
    return replace(grid_page([["alpha", "beta"]]), screenshot=screenshot)


def _white(width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(out, "PNG")
    return out.getvalue()


def test_picture_of_a_screenshot_keeps_its_size() -> None:
    """Without marks the picture is the screenshot itself."""
    assert _image(picture(_page(_white(300, 200)))).size == (300, 200)


def test_picture_draws_marks_where_they_stand() -> None:
    """The border of a mark is coloured, what lies far from it is not."""
    image = _image(picture(_page(_white(300, 200)), [Mark((50, 60, 150, 90), "table", "a cell")]))
    below_legend = image.height - 200
    assert image.getpixel((100, 58 + below_legend)) != (255, 255, 255)
    assert image.getpixel((280, 190 + below_legend)) == (255, 255, 255)


def test_picture_names_the_marks_in_a_legend() -> None:
    """A strip is added for the legend, and something is written in it."""
    plain = _image(picture(_page(_white(300, 200))))
    marked = _image(picture(_page(_white(300, 200)), [Mark((50, 60, 150, 90), "table", "a cell")]))
    assert marked.height > plain.height
    strip = marked.crop((0, 0, 300, marked.height - 200))
    assert len(strip.getcolors() or []) > 2


def test_picture_without_screenshot_draws_the_words() -> None:
    """A page without a screenshot still gives a picture: its words where they stand."""
    image = _image(picture(_page()))
    x0, y0, x1, y1 = (int(side) for side in _page().words.box[0])
    assert len(image.crop((x0, y0, x1, y1)).getcolors() or []) > 1


def test_picture_of_a_static_page_says_what_to_do() -> None:
    """A page without layout cannot be drawn, and the error says how to get one that can."""
    with pytest.raises(UsageError, match="browser"):
        picture(parse("<p>x"))


def test_picture_of_a_broken_screenshot_is_one_error() -> None:
    """A screenshot that is no picture is reported as such."""
    with pytest.raises(UnreadableError, match="screenshot"):
        picture(_page(b"not a picture"))


def test_marks_of_leaves_out_what_is_hidden() -> None:
    """Only what is visible is marked, each thing by its kind, and a text inside a marked thing not again."""
    look = {"display": "block", "visibility": "visible"}
    hidden = {"display": "block", "visibility": "hidden"}
    page = page_of(
        element(
            "html",
            element("h1", "Seen", box=(0, 0, 100, 20), style=look),
            element("h2", "Unseen", box=(0, 30, 100, 50), style=hidden),
            element("p", "Plain", box=(0, 60, 100, 80), style=look),
            box=(0, 0, 100, 100),
            style=look,
        )
    )
    assert [(mark.kind, mark.box[1]) for mark in marks_of_page(page)] == [("heading", 0), ("text", 60)]


def test_legend_takes_a_second_line_on_a_narrow_page() -> None:
    """Every entry of the legend is inside the picture."""
    marks = [Mark((0, 0, 9, 9), kind) for kind in ("column header", "row header", "section", "total")]
    narrow, wide = (_image(picture(_page(_white(width, 50)), marks)) for width in (200, 900))
    assert narrow.height > wide.height
    for image in (narrow, wide):
        colours = {colour for _, colour in image.getcolors(1 << 24) or ()}
        assert {(213, 94, 0), (204, 121, 167), (0, 158, 115), (230, 159, 0)} <= colours


def test_hollow_marks_leave_the_inside_as_it_is() -> None:
    """A frame does not tint what it frames."""
    page = _page(_white(300, 200))
    hollow, filled = (
        _image(picture(page, [Mark((50, 60, 150, 90), "frame", hollow=hollow)])) for hollow in (True, False)
    )
    middle = (100, 75 + hollow.height - 200)
    assert hollow.getpixel(middle) == (255, 255, 255)
    assert filled.getpixel(middle) != (255, 255, 255)


def test_thin_marks_are_a_fine_line() -> None:
    """One pixel of colour, and what lies inside it stays as it is."""
    image = _image(picture(_page(_white(300, 200)), [Mark((50, 60, 150, 90), "series 1", hollow=True, thin=True)]))
    top = image.height - 200
    column = [image.getpixel((100, y + top)) != (255, 255, 255) for y in range(50, 100)]
    assert sum(column) == 2


def test_badges_cover_no_other_badge() -> None:
    """Frames that begin at one place have their numbers side by side, inside the picture, each in its colour."""
    marks = [Mark((0, 0, 200, 90), f"series {n}", hollow=True, badge=str(n)) for n in (1, 2, 3)]
    image = _image(picture(_page(_white(300, 200)), marks))
    plain = _image(picture(_page(_white(300, 200)), [Mark(mark.box, mark.kind, hollow=True) for mark in marks]))
    strip = (0, image.height - 200, 300, image.height - 180)
    for colour in ((0, 114, 178), (213, 94, 0), (0, 158, 115)):
        solid, bare = (_count(one.crop(strip), colour) for one in (image, plain))
        assert solid - bare > 100


def _count(image: Image.Image, wanted: tuple[int, int, int]) -> int:
    return sum(count for count, colour in image.getcolors(1 << 24) or () if colour == wanted)
