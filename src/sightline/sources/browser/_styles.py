"""The computed properties that a rendered page carries, in the order of its style columns."""

__all__ = ["STYLES"]

_SIDES = ("bottom", "left", "right", "top")

# The 32 properties by which visual outliers are judged (Potvin & Villemaire 2018) …
_LOOKS = (
    "background-color",
    *(f"border-{side}-{what}" for side in _SIDES for what in ("color", "style", "width")),
    *("border-top-left-radius", "border-top-right-radius", "color", "font-size", "font-style", "font-weight"),
    *(f"margin-{side}" for side in _SIDES),
    "outline-color",
    *(f"padding-{side}" for side in _SIDES),
    *("position", "text-align", "text-decoration", "visibility"),
)
# … and what visibility and word boxes need beyond them.
_SHOWING = (
    *("display", "opacity", "overflow-x", "overflow-y", "clip", "clip-path", "font-family", "z-index"),
    *("letter-spacing", "word-spacing"),
)

STYLES: tuple[str, ...] = (*_LOOKS, *_SHOWING)
