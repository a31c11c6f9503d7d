"""What leaves ink."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from sightline.page import ABSENT, Page, dumps, loads

from ._build import Element, el, list_page, page, text

pytestmark = pytest.mark.usefixtures("either_way")

FAR = (-9999.0, 0.0, -9899.0, 20.0)


def shown(*children: Element, **options: object) -> set[str]:
    """The texts on a page that leave ink."""
    body = el("body", *children, box=(0, 0, 1000, 2000), **options)
    made = page(el("html", body, box=(0, 0, 1000, 2000)))
    return {node.raw_text for node in made.nodes if node.raw_text and node.visible}


def test_visible_takes_plain_text() -> None:
    """What has a box and no style that hides it is seen."""
    assert shown(el("p", "plain")) == {"plain"}


def test_visible_leaves_out_what_has_no_box() -> None:
    """`display: none` has no box."""
    assert shown(el("p", "none", box=None), el("p", text("text", box=None))) == set()


@pytest.mark.parametrize("value", ["hidden", "collapse"])
def test_visible_follows_visibility_of_each_node(value: str) -> None:
    """Visibility is inherited by style, so a visible child of a hidden element is seen."""
    hidden = {"visibility": value}
    child = el("b", text("seen"))
    assert shown(el("p", text("hidden", style=hidden), child, style=hidden)) == {"seen"}


@pytest.mark.parametrize("value", ["0", "0%"])
def test_visible_leaves_out_all_below_no_opacity(value: str) -> None:
    """Opacity hides everything below, whatever that says itself."""
    assert shown(el("div", el("p", "gone"), style={"opacity": value}), el("p", "here", style={"opacity": "0.1"})) == {
        "here"
    }


@pytest.mark.parametrize("box", [(0, 0, 0, 0), (5, 5, 105, 5), (5, 5, 5, 25), (3, 3, 4, 4)])
def test_visible_leaves_out_boxes_without_area_and_dots(box: tuple[float, ...]) -> None:
    """A box without area, or one of a single pixel, shows nothing."""
    assert shown(el("p", "gone", box=box)) == set()


def test_visible_takes_thin_rules() -> None:
    """A line of one pixel is ink."""
    made = page(el("html", el("hr", box=(0, 0, 100, 1)), box=(0, 0, 1000, 2000)))
    assert made.node(1).visible


@pytest.mark.parametrize("clip", ["rect(0px, 0px, 0px, 0px)", "rect(1px, 1px, 1px, 1px)", "rect(0px 1px 1px 0px)"])
def test_visible_leaves_out_what_is_clipped_to_a_dot(clip: str) -> None:
    """The old way of hiding from sight: `clip: rect(…)`."""
    assert shown(el("div", el("p", "gone"), style={"clip": clip})) == set()


@pytest.mark.parametrize("clip", ["auto", "rect(0px, 50px, 20px, 0px)", "rect(auto, auto, auto, auto)"])
def test_visible_takes_what_a_clip_leaves(clip: str) -> None:
    """A clip that leaves something hides nothing."""
    assert shown(el("div", el("p", "here"), style={"clip": clip})) == {"here"}


@pytest.mark.parametrize("path", ["inset(100%)", "inset(50%)", "circle(0px)", "circle(0px at 50% 50%)", "ellipse(0%)"])
def test_visible_leaves_out_empty_clip_paths(path: str) -> None:
    """The new way of hiding from sight: `clip-path`."""
    assert shown(el("div", el("p", "gone"), style={"clip-path": path})) == set()
    assert shown(el("div", el("p", "here"), style={"clip-path": "inset(10%)"})) == {"here"}


HIDES = {"overflow-x": "hidden", "overflow-y": "hidden"}


def test_visible_leaves_out_what_overflows() -> None:
    """What lies outside of a box that hides its overflow is not seen; what sticks out partly is."""
    inside = el("p", "inside", box=(0, 0, 100, 20))
    half = el("p", "half", box=(0, 90, 100, 130))
    outside = el("p", "outside", box=(0, 120, 100, 140))
    assert shown(el("div", inside, half, outside, box=(0, 0, 100, 100), style=HIDES)) == {"inside", "half"}


def test_visible_cuts_at_every_level() -> None:
    """A clip reaches through elements that clip nothing, and the tighter of two counts."""
    deep = el("div", el("div", el("p", "deep", box=(0, 60, 100, 80)), box=(0, 0, 100, 200), style=HIDES))
    assert shown(el("div", deep, box=(0, 0, 100, 50), style=HIDES)) == set()
    assert shown(el("div", deep, box=(0, 0, 100, 70), style=HIDES)) == {"deep"}


def test_visible_leaves_out_the_screen_reader_recipe() -> None:
    """One pixel with hidden overflow is for ears."""
    recipe = {
        "position": "absolute",
        "overflow-x": "hidden",
        "overflow-y": "hidden",
        "clip": "rect(0px, 0px, 0px, 0px)",
    }
    assert shown(el("span", "for ears", box=(0, 0, 1, 1), style=recipe)) == set()
    wide = el("span", text("for ears", box=(0, 0, 80, 20)), box=(0, 0, 1, 1), style=HIDES)
    assert shown(wide) == set()


@pytest.mark.parametrize("box", [FAR, (0.0, -500.0, 100.0, -480.0)])
def test_visible_leaves_out_what_is_off_the_page(box: tuple[float, ...]) -> None:
    """Left of the page and above it nobody can scroll."""
    assert shown(el("p", "gone", box=box)) == set()


def test_visible_takes_what_is_right_of_the_window_unless_it_is_shut() -> None:
    """To the right one can scroll, if the window lets one."""
    beyond = el("p", "beyond", box=(1500, 0, 1600, 20))
    assert shown(beyond) == {"beyond"}
    assert shown(beyond, style={"overflow-x": "hidden"}) == set()


@pytest.mark.parametrize("value", ["auto", "scroll"])
def test_visible_takes_what_can_be_scrolled_to(value: str) -> None:
    """What scrolls is seen, unless nothing is left to look through."""
    content = el("p", "below", box=(0, 500, 100, 520))
    style = {"overflow-x": value, "overflow-y": value}
    assert shown(el("div", content, box=(0, 0, 100, 100), style=style)) == {"below"}
    assert shown(el("div", content, box=(0, 0, 100, 1), style=style)) == set()


def test_visible_takes_placed_boxes_out_of_static_clips() -> None:
    """An absolutely placed box escapes ancestors that are not placed, but not those that are."""
    outside = {"box": (0, 200, 100, 220), "style": {"position": "absolute"}}
    static = el("div", el("p", "menu", **outside), box=(0, 0, 100, 100), style=HIDES)
    assert shown(static) == {"menu"}
    placed = el("div", el("p", "menu", **outside), box=(0, 0, 100, 100), style=HIDES | {"position": "relative"})
    assert shown(placed) == set()
    assert shown(el("div", static, box=(0, 0, 100, 100), style=HIDES | {"position": "relative"})) == set()


def test_visible_takes_fixed_boxes_out_of_all_clips() -> None:
    """A fixed box belongs to the window; what it holds is cut by it alone."""
    fixed = {"position": "fixed"}
    bar = el("p", "bar", box=(0, 200, 100, 220), style=fixed)
    outer = {"box": (0, 0, 100, 100), "style": HIDES | {"position": "relative"}}
    assert shown(el("div", bar, **outer)) == {"bar"}
    tight = el("div", el("p", "gone", box=(0, 300, 100, 320)), box=(0, 200, 100, 220), style=HIDES | fixed)
    assert shown(el("div", tight, **outer)) == set()


def test_visible_ignores_overflow_of_inline_elements_and_the_window() -> None:
    """Inline boxes cut nothing; the overflow of `html` and `body` is the window's."""
    content = el("p", "here", box=(0, 50, 100, 70))
    assert shown(el("span", content, box=(0, 0, 10, 10), style=HIDES | {"display": "inline"})) == {"here"}
    body = el("body", content, box=(0, 0, 1000, 10), style=HIDES)
    made = page(el("html", body, box=(0, 0, 1000, 10), style=HIDES))
    assert made.node(made.with_tag("p")[0]).visible


# ---------------------------------------------------------------------- pages without layout


def static(*children: Element) -> Page:
    """A page without boxes."""
    return page(el("html", el("head", el("title", "t")), el("body", *children)), kind="static")


def test_visible_on_static_pages_goes_by_markup() -> None:
    """Without layout, what the markup says is all there is."""
    made = static(
        el("script", "code"),
        el("noscript", "no script"),
        el("p", "hidden", hidden=""),
        el("p", el("b", "inline"), style={}, _style="color: red; DISPLAY : none"),
        el("p", "collapsed", _style="visibility:hidden"),
        el("p", "not hidden", _style="display:nonesuch"),
        el("input", type="hidden"),
        el("input", type="text"),
        el("p", "here"),
    )
    seen = {node.raw_text for node in made.nodes if node.raw_text and node.visible}
    assert seen == {"not hidden", "here"}
    assert [made.node(int(number)).visible for number in made.with_tag("input")] == [False, True]


def test_visible_on_static_pages_takes_attributes_without_a_value_for_missing() -> None:
    """A page from a file may have such; they hide nothing, and nothing is looked up by them."""
    made = static(el("p", "one", hidden=""), el("p", "two", _style="display:none"), el("input", type="hidden"))
    valueless = replace(made.attributes, value=np.full_like(made.attributes.value, ABSENT))
    made = loads(dumps(replace(made, attributes=valueless)))
    assert (made.attributes.value == ABSENT).all()
    assert {node.raw_text for node in made.nodes if node.raw_text and node.visible} == {"one", "two"}
    assert made.visible[made.with_tag("input")].all()


def test_long_styles_hide_and_are_not_remembered() -> None:
    """Of a site whose pages have their pictures in their styles, thousands of them would stay in memory."""
    shown = f"background: url(data:image/png;base64,{'A' * 50_000})"
    hidden = f"{shown}; display: none"
    held = sys.getrefcount(shown), sys.getrefcount(hidden)
    made = static(el("p", "shown", _style=shown), el("p", "hidden", _style=hidden))
    assert made.visible[made.with_tag("p")].tolist() == [True, False]
    del made
    assert (sys.getrefcount(shown), sys.getrefcount(hidden)) == held


def test_visible_is_one_column_for_all_nodes() -> None:
    """Elements and texts are judged alike."""
    made = list_page()
    assert made.visible.all() and len(made.visible) == len(made)
