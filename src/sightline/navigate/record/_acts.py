"""Acts: events of a person with what they were about, learned on the page of that moment; the page itself is let go."""

from dataclasses import dataclass, replace

from sightline.navigate.record._learn import Learned, checked_before, is_shown, learn
from sightline.navigate.targets import NamedElements
from sightline.page import ENTER, Page
from sightline.sources import UserEvent

__all__ = ["Act", "Understanding"]

KEPT = 2  # pages whose elements are known: the one of the event, and the one before the mouse moved
ROOT = 2  # steps of a path that everything has: html and body
LONGEST = 80  # characters of a text that are known for certain to be all of it
NEAR = 3  # steps of a path from what opens a menu up to what has the menu in it, too
ABOUT_ELEMENTS = frozenset(("click", "drag", "input", "choice", "check", "files", "key"))


@dataclass(frozen=True, kw_only=True)
class Act:
    """An event without its page, and what the script needs to know of it.

    `opener` is what the mouse had to come to before the element could be seen; `was_on` the state of a drawn switch;
    `height` and `nodes` say how much there was on the page.
    """

    event: UserEvent
    target: Learned | None = None
    onto: Learned | None = None
    opener: Learned | None = None
    was_on: bool | None = None
    height: float = 0.0
    nodes: int = 0

    @property
    def kind(self) -> str:
        """The kind of the event."""
        return self.event.kind

    @property
    def about(self) -> str:
        """The path of the control: that of the input whose label was clicked."""
        return self.event.label_of or self.event.xpath


class Understanding:
    """Learns what events are about, one after the other."""

    def __init__(self) -> None:
        self._unhovered: Page | None = None  # the page at rest before the mouse came to a control
        self._over: list[UserEvent] = []
        self._known: list[NamedElements] = []

    def of(self, event: UserEvent) -> Act:
        """The act of an event."""
        page = event.page
        act = Act(event=replace(event, page=None), height=_height(page), nodes=len(page) if page is not None else 0)
        if event.kind == "over":
            if not self._over:
                self._unhovered = page
            self._over.append(event)
        elif event.kind in ABOUT_ELEMENTS:
            opener = self._opener(event)
            self._over = []
            path = event.label_of or event.xpath
            act = replace(
                act,
                target=learn(self._elements(page), path, "" if event.label_of else event.tag, _proof(event)),
                onto=learn(self._elements(page), event.onto) if event.onto else None,
                opener=opener,
                was_on=checked_before(self._elements(page), path),
            )
        return act

    def _opener(self, event: UserEvent) -> Learned | None:
        """What the mouse came to last before the element could be seen, if the two belong together."""
        before = self._unhovered
        if event.kind != "click" or before is None or event.page is None or before is event.page:
            return None
        if is_shown(before, event.xpath) or not is_shown(event.page, event.xpath):
            return None
        for over in reversed(self._over):
            apart = over.page is not None and over.xpath != event.xpath and is_shown(over.page, over.xpath)
            if apart and not event.xpath.startswith(f"{over.xpath}/") and _are_near(over.xpath, event.xpath):
                return learn(self._elements(over.page), over.xpath, over.tag)
        return None

    def _elements(self, page: Page | None) -> NamedElements | None:
        """The elements of a page; those of the last pages are kept, as several events are about one."""
        if page is None:
            return None
        known = next((one for one in self._known if one.page is page), None) or NamedElements(page)
        self._known = [known, *(one for one in self._known if one is not known)][:KEPT]
        return known


def _are_near(opener: str, element: str) -> bool:
    """Whether an element is inside of what is close around another one."""
    above, enter, path = opener.rpartition(ENTER)
    _, *steps = path.split("/")
    for up in range(1, NEAR + 1):
        around = steps[:-up]
        if len(around) > ROOT and element.startswith(f"{above}{enter}/{'/'.join(around)}/"):
            return True
    return False


def _proof(event: UserEvent) -> str:
    """What is true of the element of an event, as a condition in XPath."""
    if event.label_of:
        return ""
    for what, value in (("@id", event.identity), ("@name", event.named), ("normalize-space()", event.text)):
        if value and len(value) < LONGEST and '"' not in value:
            return f'[{what}="{value}"]'
    return ""


def _height(page: Page | None) -> float:
    return float(page.bounds[3]) if page is not None and page.bounds else 0.0
