"""XPaths and the way back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.page import INNER, SLOTTED, Page

from ._build import el, list_page, page, pages, text


def framed() -> Page:
    """A page with a frame, and in the frame another."""
    inner = el(
        "html", el("body", el("p", "inside"), el("iframe", el("html", el("body", "deep"), edge=INNER))), edge=INNER
    )
    return page(el("html", el("body", el("p", "before"), el("iframe", inner), el("p", "after"))))


def shadowed() -> Page:
    """A page with a shadow host; its light children are shown in slots of the shadow tree, in turned order."""
    return page(
        el(
            "html",
            el(
                "body",
                el(
                    "x-card",
                    el(
                        "section",
                        el("slot", el("b", "second", edge=SLOTTED)),
                        el("div", el("slot", el("b", "first", edge=SLOTTED), text("loose", edge=SLOTTED))),
                        edge=INNER,
                    ),
                    el("style", edge=INNER),
                ),
            ),
        )
    )


def drawn() -> Page:
    """A page with SVG in it, and HTML in that."""
    shape = el("clipPath", el("path"))
    island = el("foreignObject", el("p", "text in a picture"))
    return page(el("html", el("body", el("svg", el("g", shape, shape), island, el("title", "t")), el("title", "t"))))


ODD = page(el("html", el("o:p", el("Upper"), el("a'b"), el('a"b'), el("1x"), el("é")), el("font-face", "x")))


@pytest.mark.parametrize("made", [framed(), shadowed(), drawn(), ODD, list_page()])
def test_find_undoes_xpath(made: Page) -> None:
    """Every node is found again by its own path, and by no other's; many paths are written as each by itself."""
    paths = [made.xpath(number) for number in range(len(made))]
    assert len(set(paths)) == len(made)
    assert made.xpaths(reversed(range(len(made)))) == paths[::-1]
    assert [made.find(path) for path in paths] == list(range(len(made)))


@given(pages(), st.data())
@settings(max_examples=60)
def test_find_undoes_xpath_on_any_page_and_part(made: Page, data: st.DataObject) -> None:
    """Paths lead back on random pages; on a part they are those of the whole."""
    number = data.draw(st.integers(0, len(made) - 1))
    assert made.find(made.xpath(number)) == number
    part = made.subtree(data.draw(st.integers(0, len(made) - 1)))
    inside = data.draw(st.integers(0, len(part) - 1))
    assert part.xpath(inside) == made.xpath(int(part.numbers[inside]))
    assert part.find(part.xpath(inside)) == inside
    assert part.xpaths([inside, 0]) == [part.xpath(inside), part.xpath(0)]


def test_xpath_enters_frames() -> None:
    """What is inside a frame has its own root, behind `>>`."""
    made = framed()
    inside = next(node.number for node in made.nodes if node.raw_text == "deep")
    frame = "/html[1]/body[1]/iframe[1] >> /html[1]/body[1]"
    assert made.xpath(inside) == f"{frame}/iframe[1] >> /html[1]/body[1]/text()[1]"


def test_xpath_of_slotted_nodes_is_that_of_the_light_tree() -> None:
    """A slotted node is a child of the host, whatever slot shows it; the shadow tree is behind `>>`."""
    made = shadowed()
    by_text = {node.raw_text: made.xpath(node.number) for node in made.nodes if node.raw_text}
    assert by_text["second"] == "/html[1]/body[1]/x-card[1]/b[1]/text()[1]"
    assert by_text["first"] == "/html[1]/body[1]/x-card[1]/b[2]/text()[1]"
    assert by_text["loose"] == "/html[1]/body[1]/x-card[1]/text()[1]"
    assert made.xpath(made.with_tag("section")[0]) == "/html[1]/body[1]/x-card[1] >> /section[1]"
    assert made.xpath(made.with_tag("style")[0]) == "/html[1]/body[1]/x-card[1] >> /style[1]"


def test_xpath_writes_foreign_and_odd_names_as_tests() -> None:
    """XPath on HTML finds SVG elements and odd names by `name()` alone; HTML inside SVG is plain again."""
    made = drawn()
    assert made.xpath(made.with_tag("path")[1]) == (
        "/html[1]/body[1]/*[name()='svg'][1]/*[name()='g'][1]/*[name()='clipPath'][2]/*[name()='path'][1]"
    )
    assert made.xpath(made.with_tag("p")[0]).endswith("/*[name()='foreignObject'][1]/p[1]")
    assert made.xpath(made.with_tag("title")[1]) == "/html[1]/body[1]/title[1]"
    assert ODD.xpath(ODD.with_tag("a'b")[0]).endswith("""/*[name()="a'b"][1]""")


def test_find_takes_the_first_without_a_position() -> None:
    """A step without a position means the first."""
    made = list_page()
    assert made.find("/html/body/ul/li[2]") == made.with_tag("li")[1]


@pytest.mark.parametrize(
    "path", ["", "html", "//li", "/html[1]/nope[1]", "/html[9]", "/html[1]/", "/html[1] >> /p[1]", "x/"]
)
def test_find_gives_none_for_what_is_not_there(path: str) -> None:
    """A path that leads nowhere, or is none, finds nothing."""
    assert list_page().find(path) is None


def test_find_on_a_part_knows_only_the_part() -> None:
    """A path outside the part finds nothing on it."""
    made = list_page()
    part = made.subtree(int(made.with_tag("li")[1]))
    assert part.find("/html[1]/body[1]/ul[1]/li[2]") == 0
    assert part.find("/html[1]/body[1]/ul[1]/li[1]") is None


def test_xpath_inside_parts_of_frames_and_shadows() -> None:
    """Parts rooted inside frames, shadow trees and slots keep the paths of the whole."""
    for made in (framed(), shadowed(), drawn()):
        for root in range(len(made)):
            part = made.subtree(root)
            expected = [made.xpath(int(number)) for number in part.numbers]
            assert [part.xpath(number) for number in range(len(part))] == expected
            assert [part.find(path) for path in expected] == list(range(len(part)))
