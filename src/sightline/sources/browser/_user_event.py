"""What a person did in a browser, as plain values."""

from dataclasses import dataclass, field

from sightline.page import Page

__all__ = ["UserEvent"]


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
