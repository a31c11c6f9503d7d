"""Actions on a page, such as a click. Plain values, so that they can be stored."""

from dataclasses import dataclass, field
from typing import TypeAlias

from sightline.page import Page

# Keys that are more than the character they type: code, Windows key code, and text, as the DevTools protocol has them.
KEYS: dict[str, tuple[str, int, str]] = {
    "Enter": ("Enter", 13, "\r"),
    "Tab": ("Tab", 9, ""),
    "Escape": ("Escape", 27, ""),
    "Backspace": ("Backspace", 8, ""),
    "Delete": ("Delete", 46, ""),
    "Space": ("Space", 32, " "),
    "ArrowUp": ("ArrowUp", 38, ""),
    "ArrowDown": ("ArrowDown", 40, ""),
    "ArrowLeft": ("ArrowLeft", 37, ""),
    "ArrowRight": ("ArrowRight", 39, ""),
    "Home": ("Home", 36, ""),
    "End": ("End", 35, ""),
    "PageUp": ("PageUp", 33, ""),
    "PageDown": ("PageDown", 34, ""),
    "Insert": ("Insert", 45, ""),
    **{f"F{number}": (f"F{number}", 111 + number, "") for number in range(1, 13)},
}
# Keys that are held while another is pressed: Windows key code, and the protocol's bit.
MODIFIERS: dict[str, tuple[int, int]] = {"Alt": (18, 1), "Control": (17, 2), "Meta": (91, 4), "Shift": (16, 8)}


@dataclass(frozen=True)
class Click:
    """A click in the middle of an element, given by its XPath; two in a row are a double click."""

    xpath: str
    count: int = 1


@dataclass(frozen=True)
class Drag:
    """The mouse pressed on an element, moved, and released: over another element, or so many pixels away."""

    xpath: str
    to: str | None = None
    by: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Fill:
    """The text or value of a field replaced by another."""

    xpath: str
    text: str


@dataclass(frozen=True)
class Press:
    """A key pressed in whatever has the focus: a character or one of `KEYS`, after `MODIFIERS` such as `Control+`."""

    key: str


@dataclass(frozen=True)
class Scroll:
    """The window scrolled so that this many pixels of the page are above it."""

    top: int


@dataclass(frozen=True)
class Hover:
    """The mouse moved to the middle of an element."""

    xpath: str


@dataclass(frozen=True)
class Select:
    """Options of a `<select>` chosen by their texts or values; whatever else was selected no longer is."""

    xpath: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class Check:
    """A checkbox, radio button or switch turned on, or off."""

    xpath: str
    on: bool = True


@dataclass(frozen=True)
class Upload:
    """Files chosen for an `<input type=file>`, by their full paths."""

    xpath: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class Back:
    """The previous page of the tab's history."""


@dataclass(frozen=True)
class Reload:
    """The same page again, from the site."""


Action: TypeAlias = Click | Drag | Fill | Press | Scroll | Hover | Select | Check | Upload | Back | Reload


# What a person did in a browser, as plain values.


@dataclass(frozen=True, kw_only=True)
class UserEvent:
    """One thing that a person did, or that the browser did in answer.

    `kind` is one of:

    - on an element: `over` (the mouse came to a control), `click`, `drag`, `input` (its text is now `value`), `choice`
      (its `options`), `check` (whether it is `checked`), `files` (their names), `key`, `scroll` (to `top`; told when it
      begins, as the `first` of two, and when it ends);
    - of the browser: `opened` (an address was typed), `back`, `forward`, `reload`, `arrived` (the page went elsewhere
      by itself), `tab` (a new one), `closed`, `dialog`, `download`;
    - `rest`: the page came to rest, and `page` is what it looks like.

    `page` is the tab as it was before the event, and `xpath` leads to the element on it. Of a `secret` input, which has
    the kind of its secret here, there is never a value.
    """

    kind: str
    tab: int = 0
    tabs: int = 1
    xpath: str = ""
    page: Page | None = field(default=None, repr=False, compare=False)
    tag: str = ""
    type: str = ""
    identity: str = ""
    named: str = ""
    text: str = ""
    label_of: str = ""
    label_type: str = ""
    value: str = ""
    secret: str = ""
    options: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    checked: bool | None = None
    key: str = ""
    count: int = 0
    by: tuple[float, float] | None = None
    onto: str = ""
    top: int = 0
    first: bool = True
    whole: bool = True
    url: str = ""
    times: int = 1
    accepted: bool = True
    message: str = ""
