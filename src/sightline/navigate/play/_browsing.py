"""A tab that a script uses: the page as it is now, where targets are on it, and actions only on what was meant."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path
from time import monotonic, sleep
from typing import TypeAlias

import numpy as np

from sightline.errors import BlockedError, UsageError
from sightline.extract.wrappers import Wrapper
from sightline.geometry import Box
from sightline.navigate._patience import patiently
from sightline.navigate.play._page_records import wrapper_values
from sightline.navigate.targets import NamedElements, Target, find_target, nothing_found, squeezed, too_many
from sightline.page import ENTER, Node, Page, full_address, link_base
from sightline.page import TEXT as TEXT_NODE
from sightline.signals import LOGIN, wall_on
from sightline.sources import ElementFacts, Session, SessionFrame

Roles: TypeAlias = Collection[str]
Span: TypeAlias = tuple[int, int]

FIRST_LOOK, LAST_LOOK = 0.05, 0.5  # seconds between two looks at a page that is waited for, growing
TELLING = ("id", "name", "type", "href", "aria-label", "for")  # attributes that do not change while one looks
COMPARED = 40  # characters of what an element says; the end may be a counter
PATIENCE = 3.0  # seconds that a target may take to appear, as pages draw late what they load


class TargetError(UsageError):
    """A target is nowhere on the page, or in several places; nothing was clicked."""


@dataclass(frozen=True)
class TargetPlace:
    """Where a target is: its path in the tab, its node on the captured page if it is there, and how it was found."""

    xpath: str
    node: int | None
    how: str


class Browsing:
    """One tab, with what is known about its page. The page is captured again only after something was done."""

    def __init__(self, session: Session, folder: Path, record_span: Callable[[], Span]) -> None:
        self.session = session
        self._folder = folder
        self._record_span = record_span
        self._wrappers: dict[str, Wrapper] = {}
        self._page: Page | None = None
        self._elements: NamedElements | None = None
        self.is_aside: bool = False  # whether the page is one beside another, in a tab of its own
        self.frames: list[str] = []  # the paths of the frames that steps are limited to
        self.hidden: list[str] = []  # the paths of inputs that a secret was typed into

    # ------------------------------------------------------------------ the page

    @property
    def page(self) -> Page:
        """The page as it is now, also one that asks for a password; a site that is busy is waited for."""
        if self._page is None:
            again = repeat(lambda: self.session.reload().capture(log_in=True))
            first = [lambda: self.session.capture(log_in=True)]
            self._page = patiently(chain(first, again), lambda: self.session.answer)
        return self._page

    @property
    def data_page(self) -> Page:
        """The page, to take data from; what asks for a password has none."""
        wall = wall_on(self.page)
        if wall is not None and wall.kind == LOGIN:
            what = f"asks for a log-in ({wall.evidence.rstrip('.')})"
            raise BlockedError(self.address, f"{what}; log in first, with `fill` and `with: {{secret: …}}`.")
        return self.page

    def goto(self, address: str) -> None:
        """Go to an address; a site that is busy is waited for."""
        self.changed()
        opened = repeat(lambda: self.session.goto(address).capture(log_in=True))
        self._page = patiently(opened, lambda: self.session.answer)

    @contextmanager
    def aside(self, address: str) -> Iterator[None]:
        """Another page in a tab of its own; this one stays as it is."""
        page, elements, frames, is_aside = self._page, self._elements, self.frames, self.is_aside
        with self.session.aside():
            self.frames, self.is_aside = [], True
            try:
                self.goto(address)
                yield
            finally:
                self._page, self._elements, self.frames, self.is_aside = page, elements, frames, is_aside

    @property
    def elements(self) -> NamedElements:
        """Everything on it that has a role and a name."""
        if self._elements is None:
            self._elements = NamedElements(self.page)
        return self._elements

    @property
    def address(self) -> str:
        """The address of the page."""
        return self.page.address

    def seen(self, page: Page) -> None:
        """Take a page that was captured by somebody else as the page as it is now."""
        self._page, self._elements = page, None

    def changed(self) -> None:
        """Something was done, so what is known of the page may no longer hold."""
        self._page = self._elements = None

    def wrapper(self, name: str) -> Wrapper:
        """A wrapper by its file, relative to the script."""
        if name not in self._wrappers:
            self._wrappers[name] = Wrapper.load(self._folder / name)
        return self._wrappers[name]

    # ------------------------------------------------------------------ targets

    def locate(self, target: Target, roles: Roles = ()) -> TargetPlace:
        """The one place where a target is; one that is not there yet is waited for, a little."""
        end = monotonic() + PATIENCE
        look = FIRST_LOOK
        while True:
            found = self.look_for(target, roles)
            if len(found) == 1:
                return found[0]
            if found or monotonic() >= end:
                raise self._problem(target, found)
            sleep(look)
            look = min(LAST_LOOK, 2 * look)
            self.changed()

    def look_for(self, target: Target, roles: Roles = ()) -> list[TargetPlace]:
        """All places where a target may be; one, if it can only be that.

        `roles` are those that a step is for: `fill: Search` means the input, though a button is called the same.
        """
        for span in self._spans(target):
            found = self._look_in(target, span, roles)
            if found:
                return found
        return []

    def _look_in(self, target: Target, span: Span | None, roles: Roles) -> list[TargetPlace]:
        """All places in a span of nodes; the next way decides where one finds several."""
        found: list[TargetPlace] = []
        for way in self._ways(target, span, roles):
            places = way()
            both = [one for one in found if one.xpath in {place.xpath for place in places}] if found else places
            if len(both) == 1:
                return both
            found = both or found
        return found

    def _ways(self, target: Target, span: Span | None, roles: Roles) -> list[Callable[[], list[TargetPlace]]]:
        """How a target is looked for, in the order of preference."""
        ways: list[Callable[[], list[TargetPlace]]] = []
        if target.kind:
            ways.append(lambda: self._by_name(target, span, roles))
        if target.wrapper:
            ways.append(lambda: self._by_wrapper(target, span))
        if target.css or target.xpath:
            ways.append(lambda: self._by_selector(target, span))
        return ways

    def _by_name(self, target: Target, span: Span | None, roles: Roles) -> list[TargetPlace]:
        found = find_target(self.elements, target, span, roles)
        return [TargetPlace(self.page.xpath(node), node, found.how) for node in found.nodes]

    def _by_wrapper(self, target: Target, span: Span | None) -> list[TargetPlace]:
        start, stop = span or (0, len(self.page))
        values = wrapper_values(self.page, self.wrapper(target.wrapper), target.field)
        nodes = [value.origin.nodes[0] for value in values if value.origin and value.origin.nodes]
        within = [node for node in nodes if start <= node < stop]
        chosen = within[target.number - 1 : target.number] if target.number else within
        return [TargetPlace(self.page.xpath(node), node, "wrapper") for node in chosen]

    def _by_selector(self, target: Target, span: Span | None) -> list[TargetPlace]:
        around: Session | SessionFrame = self.session.frame(ENTER.join(self.frames)) if self.frames else self.session
        paths = around.located(css=target.css) if target.css else around.located(xpath=target.xpath)
        found = [TargetPlace(path, self.page.find(path), "selector") for path in paths]
        if span is not None:
            found = [one for one in found if one.node is not None and span[0] <= one.node < span[1]]
        return found[target.number - 1 : target.number] if target.number else found

    def _spans(self, target: Target) -> Iterator[Span | None]:
        """The nodes among which a target is looked for, the next ones if it is not there; None for the whole page.

        Inside another target means in it, in what its heading is for, or else in the smallest part of the page that
        has both: the button beside a text.
        """
        if target.inside is None:
            yield self._frame_span()
        elif target.inside == "record":
            yield self._record_span()
        else:
            yield from self._spans_around(target.inside)

    def _spans_around(self, inside: Target) -> Iterator[Span]:
        places = self.look_for(inside)
        if len(places) > 1:
            raise self._problem(inside, places)
        node = places[0].node if places else None
        if node is None:
            return
        page, one = self.page, self.elements.of(node)
        yield node, int(page.end[node])
        if one is not None and one.role == "heading":
            yield node, self._end_of_section(node)
        while (node := int(page.parent[node])) >= 0:
            yield node, int(page.end[node])

    def _end_of_section(self, heading: int) -> int:
        """Where what a heading is for ends: at the next one that is as large, or larger."""
        tag = self.page.node(heading).tag
        further = (one.node for one in self.elements.all if one.role == "heading" and one.node > heading)
        return next((node for node in further if self.page.node(node).tag <= tag), len(self.page))

    def _frame_span(self) -> Span | None:
        if not self.frames:
            return None
        node = self.page.find(ENTER.join(self.frames))
        return (0, 0) if node is None else (node, int(self.page.end[node]))

    def _problem(self, target: Target, found: list[TargetPlace]) -> TargetError:
        if found:
            nodes = [one.node for one in found if one.node is not None]
            return TargetError(f"{_capital(str(target))} {too_many(self.elements, nodes)}.")
        if target.number is not None:
            return TargetError(f"{_capital(str(target))} is not on the page; it has fewer of them.")
        if not target.kind:
            return TargetError(f"{_capital(str(target))} is not on the page; check the selector or the wrapper.")
        return TargetError(f"{_capital(str(target))} {nothing_found(self.elements, target)}.")

    def check(self, place: TargetPlace) -> Box | None:
        """Make sure that what is at a path is still what was found there, and say where in the window it is.

        Pages change while one looks at them.
        """
        now = self.session.element(place.xpath)
        if place.node is None:
            return now.box if now else None
        was = self.page.node(place.node)
        element = was if was.tag != TEXT_NODE else was.parent
        if element is None or now is None or now.tag != element.tag or not _alike(element, now):
            self.changed()
            raise TargetError(f"{place.xpath} changed while it was looked at; wait for the page to finish first.")
        return now.box

    # ------------------------------------------------------------------ what is there

    def link_at(self, place: TargetPlace) -> str:
        """The address that the element at a place leads to."""
        node = place.node
        while node is not None and node >= 0:
            href = self.page.node(node).attributes.get("href")
            if href:
                return full_address(link_base(self.page), href)
            node = int(self.page.parent[node])
        raise TargetError(f"{place.xpath} isn't a link, so it can't be followed; use `click` instead.")

    def bottom(self) -> int:
        """How many pixels the page is high."""
        bounds = self.page.bounds
        return int(np.ceil(bounds[3])) if bounds else 0


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _alike(was: Node, now: ElementFacts) -> bool:
    """Whether an element is the one that was captured: it leads to the same place, or says the same."""
    before = {key: value for key, value in was.attributes.items() if key in TELLING}
    after = {key: value for key, value in now.attributes.items() if key in TELLING}
    said, says = squeezed(was.text).casefold(), squeezed(now.text).casefold()
    return before == after and (not said or not says or said[:COMPARED] in says or says[:COMPARED] in said)
