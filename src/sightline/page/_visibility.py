"""Which nodes are visible. Everything works on whole columns; properties are looked up once per distinct value.

A rendered page is judged by its boxes and computed styles, a static one by its markup alone.
Not judged: text in the colour of its background, text under another element, `color: transparent`
(that is how gradients are drawn into text).
"""

import re
from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from sightline import native
from sightline.arrays import BoolArray, IntArray
from sightline.geometry import BoxArray, is_box
from sightline.page._columns import ABSENT, below, depths, frozen, levels, nearest
from sightline.page._page_columns import PageColumns

# What is cut down to this many pixels or fewer is meant for screen readers: the usual recipe leaves 1 x 1.
SLIVER = 1.0

NEVER_SHOWN = (
    *("head", "script", "style", "template", "noscript", "title", "meta", "link", "datalist", "option", "optgroup"),
    *("object", "video", "audio", "canvas", "iframe", "frameset", "noembed", "noframes"),
)
HIDING_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))\b", re.IGNORECASE)
CLIP_RECTANGLE = re.compile(r"rect\(([^()]*)\)")
CLIP_TO_NOTHING = re.compile(r"inset\((?:100|[5-9]\d)(?:\.\d+)?%\)|(?:circle|ellipse)\(0(?:px|%)?(?: [^()]*)?\)")
MOST_STYLES = 4096  # inline styles that are remembered; most pages of a site have the same
LONGEST_STYLE = 1_000  # letters of such a style; longer ones hold pictures, and would fill the memory
POSITIONS = ("static", "absolute", "fixed")
OVERFLOWS = ("visible", "hidden", "clip")
EVERYWHERE = np.array([-np.inf, -np.inf, np.inf, np.inf], dtype=np.float32)


def visible(page: PageColumns) -> BoolArray:
    """Which nodes leave ink."""
    if page.kind == "static":
        return (
            _shown_by_markup(page, native.kernels) if native.kernels else frozen(~below(_marked_hidden(page), page.end))
        )
    if native.kernels is not None:
        return _ink(page, native.kernels)
    hidden = below(_see_through(page), page.end) | ~_matches(page, "visibility", "visible".__eq__)
    return frozen(is_box(page.box) & ~hidden & _has_ink(_clipped(page)) & _on_the_page(page))


def _shown_by_markup(page: PageColumns, kernels: native.Kernels) -> BoolArray:
    never, hiding = bytearray(len(page.strings)), bytearray(len(page.strings))
    for name in NEVER_SHOWN:
        if (tag := page.tag_id(name)) >= 0:
            never[tag] = True
    for value in _values_of(page, "style"):
        hiding[value] = _hides(page.strings[value])
    held = page.attributes
    columns = (page.end, page.tag, held.start, held.name, held.value, never, hiding)
    names = (page.attribute_id("hidden"), page.attribute_id("style"), page.attribute_id("type"))
    unseen = next((value for value in _values_of(page, "type") if page.strings[value] == "hidden"), ABSENT)
    words = (*names, unseen, page.tag_id("input"), page.tag_id("noscript"))
    return np.frombuffer(kernels.shown(columns, words), dtype=bool)


def _values_of(page: PageColumns, name: str) -> set[int]:
    """The values that an attribute has on a page."""
    number, held = page.attribute_id(name), page.attributes
    return set(held.value[held.name == number].tolist()) - {ABSENT} if number >= 0 else set()


def _hides(style: str) -> bool:
    return _short_hides(style) if len(style) <= LONGEST_STYLE else HIDING_STYLE.search(style) is not None


@lru_cache(maxsize=MOST_STYLES)
def _short_hides(style: str) -> bool:
    return HIDING_STYLE.search(style) is not None


def _marked_hidden(page: PageColumns) -> BoolArray:
    """Static pages: tags that are never shown, `hidden`, and inline styles that hide."""
    hidden = page.mask(*NEVER_SHOWN)
    hidden[_for_readers_without_scripts(page)] = False
    hidden |= page.attribute("hidden") >= 0
    style, kind = page.attribute("style"), page.attribute("type")
    hides = np.zeros(len(page.strings) + 1, dtype=bool)  # the last row serves the id -1
    used = np.unique(style)
    hides[[value for value in used.tolist() if value >= 0 and _hides(page.strings[value])]] = True
    hidden |= hides[style]
    hidden |= (page.tag == page.tag_id("input")) & (kind >= 0) & (kind == page.value_id("type", "hidden"))
    return hidden


def _for_readers_without_scripts(page: PageColumns) -> IntArray:
    """The `noscript` elements that were read as elements: where scripts run, their content is one text."""
    apart = page.with_tag("noscript")
    more: IntArray = apart[page.end[apart] - apart > 2]
    return more


def _ink(page: PageColumns, kernels: native.Kernels) -> BoolArray:
    """The same by a kernel: what a style means is looked up here, and the tree is gone through there."""
    styles = (
        ~_opaque_styles(page),
        ~_passing_styles(page, "visibility", "visible".__eq__),
        _style_codes(page, "position", POSITIONS).astype(np.uint8),
        *(_style_codes(page, name, OVERFLOWS).astype(np.uint8) for name in ("overflow-x", "overflow-y")),
        _inline_styles(page),
    )
    columns = (page.parent, page.end, page.text, page.tag, page.style_of, page.box, *styles)
    right = float(page.viewport[0]) if _is_shut(page) else np.inf
    return np.frombuffer(kernels.ink(columns, (page.tag_id("html"), page.tag_id("body")), right), dtype=bool)


def _matches(page: PageColumns, name: str, test: Callable[[str], bool]) -> BoolArray:
    """Where a computed property passes a test; True where the property was not captured."""
    return _passing_styles(page, name, test)[page.style_of]


def _passing_styles(page: PageColumns, name: str, test: Callable[[str], bool]) -> BoolArray:
    """The same for each distinct style."""
    if name not in page.style_names:
        return np.ones(len(page.styles), dtype=bool)
    values = page.styles[:, page.style_names.index(name)].tolist()
    passes = {value: value < 0 or test(page.strings[value]) for value in set(values)}
    return np.array(list(map(passes.__getitem__, values)), dtype=bool)


def _see_through(page: PageColumns) -> BoolArray:
    """Elements that hide all below them: no opacity, clipped to nothing."""
    return ~_opaque_styles(page)[page.style_of]


def _opaque_styles(page: PageColumns) -> BoolArray:
    opaque = _passing_styles(page, "opacity", lambda value: value not in ("0", "0%"))
    kept = _passing_styles(page, "clip", _leaves_something) & _passing_styles(page, "clip-path", _is_not_nothing)
    return opaque & kept


def _leaves_something(clip: str) -> bool:
    rectangle = CLIP_RECTANGLE.fullmatch(clip)
    if not rectangle:
        return True
    sides = [float(side.removesuffix("px")) for side in re.findall(r"-?[\d.]+px|auto", clip) if side != "auto"]
    if len(sides) < 4:
        return True
    top, right, bottom, left = sides
    return right - left > SLIVER and bottom - top > SLIVER


def _is_not_nothing(clip_path: str) -> bool:
    return not CLIP_TO_NOTHING.fullmatch(clip_path)


def _clipped(page: PageColumns) -> BoxArray:
    """The boxes, each cut by the ancestors that cut their overflow.

    An absolutely positioned box is cut only by ancestors that are positioned themselves, a fixed one by none: so two
    clips go down the tree, one for boxes in the flow and one for positioned ones.
    """
    place = _codes(page, "position", POSITIONS)
    clip, cuts = _own_clip(page)
    if not cuts.any():
        return page.box
    # Only nodes that cut or are positioned pass on other clips than they get; all others are like the nearest above.
    matters = np.flatnonzero(cuts | (place != 0))
    rank = np.full(len(page) + 1, len(matters))  # the last row serves those with none above
    rank[matters] = np.arange(len(matters))
    above = rank[nearest(page.parent, rank[:-1] < len(matters))[page.parent]]
    flowing, positioned = (np.tile(EVERYWHERE, (len(matters) + 1, 1)) for _ in range(2))
    for level in levels(depths(np.where(above[matters] < len(matters), above[matters], -1))):
        node = matters[level]
        applied = _applied(place[node], flowing[above[node]], positioned[above[node]])
        flowing[level] = _cut(applied, clip[node])
        positioned[level] = np.where(place[node, None] != 0, flowing[level], positioned[above[node]])
    cut = page.box.copy()
    inside = np.flatnonzero(above < len(matters))
    by = above[inside]
    cut[inside] = _cut(page.box[inside], _applied(place[inside], flowing[by], positioned[by]))
    return cut


def _applied(place: IntArray, flowing: BoxArray, positioned: BoxArray) -> BoxArray:
    """Which of the two clips cuts a box, by how it is positioned."""
    kind = place[:, None]
    return np.where(kind == 1, positioned, np.where(kind == 2, EVERYWHERE, flowing))


def _codes(page: PageColumns, name: str, values: tuple[str, ...]) -> IntArray:
    """A property as the place of its value in `values`; len(values) for any other, 0 where there is none."""
    return _style_codes(page, name, values)[page.style_of]


def _style_codes(page: PageColumns, name: str, values: tuple[str, ...]) -> IntArray:
    """The same for each distinct style."""
    if name not in page.style_names:
        return np.zeros(len(page.styles), dtype=np.int32)
    ids = page.styles[:, page.style_names.index(name)].tolist()
    code_of = {string: number for number, string in enumerate(values)}
    codes = {number: 0 if number < 0 else code_of.get(page.strings[number], len(values)) for number in set(ids)}
    return np.array(list(map(codes.__getitem__, ids)), dtype=np.int32)


def _own_clip(page: PageColumns) -> tuple[BoxArray, BoolArray]:
    """The rectangle to which each element cuts its content, infinite on the sides where it does not; and which cut.

    Scrollable content can be seen, so `auto` and `scroll` cut only if no opening is left.
    The overflow of `html` and `body` belongs to the window.
    """
    clip, any_cut = np.tile(EVERYWHERE, (len(page), 1)), np.zeros(len(page), dtype=bool)
    for side, name in ((0, "overflow-x"), (1, "overflow-y")):
        codes = _style_codes(page, name, OVERFLOWS)
        nodes = np.flatnonzero((codes > 0)[page.style_of])  # a few
        nodes = nodes[_can_cut(page, nodes)]
        thin = page.box[nodes, side + 2] - page.box[nodes, side] <= SLIVER
        nodes = nodes[(codes[page.style_of[nodes]] < 3) | thin]  # hidden or clipped; or to be scrolled, but too thin
        clip[nodes, side], clip[nodes, side + 2] = page.box[nodes, side], page.box[nodes, side + 2]
        any_cut[nodes] = True
    return clip, any_cut


def _can_cut(page: PageColumns, nodes: npt.NDArray[np.intp]) -> BoolArray:
    """Which of some nodes are boxes that may cut: not the window, not part of a line."""
    window = (page.tag[nodes] == page.tag_id("html")) | (page.tag[nodes] == page.tag_id("body"))
    inline = _inline_styles(page)[page.style_of[nodes]]
    can: BoolArray = is_box(page.box[nodes]) & ~window & ~page.is_text[nodes] & ~inline
    return can


def _inline_styles(page: PageColumns) -> BoolArray:
    """Which styles make a part of a line; where none is known, only texts are one."""
    if "display" not in page.style_names:
        return np.zeros(len(page.styles), dtype=bool)
    inline: BoolArray = _style_codes(page, "display", ("inline", "contents")) < 2
    return inline


def _cut(boxes: BoxArray, by: BoxArray) -> BoxArray:
    return np.concatenate([np.maximum(boxes[:, :2], by[:, :2]), np.minimum(boxes[:, 2:], by[:, 2:])], axis=1)


def _has_ink(boxes: BoxArray) -> BoolArray:
    """Larger than a sliver one way and larger than nothing the other: a rule of 1 x 100 is ink, a 1 x 1 box is not."""
    width, height = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    ink: BoolArray = (np.minimum(width, height) > 0) & (np.maximum(width, height) > SLIVER)
    return ink


def _on_the_page(page: PageColumns) -> BoolArray:
    """Not beyond the left or upper edge, where no scrolling leads; nor beyond the right one if the window is shut."""
    here = (page.box[:, 2] > 0) & (page.box[:, 3] > 0)
    if _is_shut(page):
        here &= page.box[:, 0] < page.viewport[0]
    return here


def _is_shut(page: PageColumns) -> bool:
    """Whether the window cuts what is beyond its right edge."""
    if page.kind != "rendered" or not page.viewport[0]:
        return False
    shut = _style_codes(page, "overflow-x", OVERFLOWS)[page.style_of[page.with_tag("html", "body")]]
    return bool(np.isin(shut, (1, 2)).any())
