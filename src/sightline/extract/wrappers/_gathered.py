"""What a lesson has gathered: its pages, the examples given on them, and what these say together."""

from typing import TypeAlias

import numpy as np

from sightline.errors import UsageError
from sightline.extract.wrappers._given import GivenExample, ShownRecords
from sightline.extract.wrappers.patterns import (
    Located,
    SearchSpan,
    Taught,
    View,
    key_of,
    label_key,
    locate_node,
    locate_point,
    locate_text,
    texts_in,
)
from sightline.page import Node, Page

__all__ = ["Example", "Gathered", "locate_example"]

POINT = 2  # numbers of a point

Example: TypeAlias = str | int | Node | tuple[float, float]
"""A text as shown on the page, a node or its number, or a point of a rendered page in CSS pixels."""


def locate_example(view: View, example: Example) -> Located:
    """Where an example is on a page."""
    if isinstance(example, Node):
        example = example.number
    if isinstance(example, tuple):
        if len(example) != POINT or not all(isinstance(coordinate, int | float) for coordinate in example):
            raise UsageError(f"A point on the page must be two numbers (x, y), not {example!r:.60}.")
        return locate_point(view, *example)
    if isinstance(example, str):
        return locate_text(view, example, 0, len(view.page))
    if not isinstance(example, int | np.integer) or isinstance(example, bool):
        raise UsageError(f"An example must be a text, a node, its number or a point (x, y), not {example!r:.60}.")
    return locate_node(view, int(example))


class Gathered:
    """The pages of a lesson and the examples on them, in the order in which they were given."""

    def __init__(self) -> None:
        self.views: list[View] = []
        self.given: list[GivenExample | ShownRecords] = []
        self.lost: list[str] = []
        self._undo: list[tuple[int, int]] = []

    # ------------------------------------------------------------------ pages

    def number(self, page: Page) -> int:
        """The number of a page in the lesson; a new page is added."""
        if not isinstance(page, Page):
            raise UsageError(f"A wrapper is taught on pages, not on {page!r:.60}; open it first with open().")
        for number, view in enumerate(self.views):
            if view.page is page:
                return number
        view = View(page)
        if not len(view.leaves):
            raise UsageError(f"{page.url or page.title or 'The page'} has no visible text; open another page.")
        self.views.append(view)
        return len(self.views) - 1

    def view(self, page: Page) -> View:
        """The view of a page; a page outside the lesson gets a new one."""
        in_lesson = [view for view in self.views if view.page is page]
        return in_lesson[0] if in_lesson else View(page)

    @property
    def used(self) -> list[View]:
        """The pages that have examples."""
        return [self.views[number] for number in sorted({given.page for given in self.given})]

    # ------------------------------------------------------------------ examples

    def mark(self) -> None:
        """Remember how far the lesson has come, to be able to go back there."""
        self._undo.append((len(self.given), len(self.lost)))

    def undo(self) -> None:
        """Go back to where the last examples had not been given."""
        if not self._undo:
            raise UsageError("There is nothing to undo; no example has been given yet.")
        given, lost = self._undo.pop()
        del self.given[given:], self.lost[lost:]

    @property
    def names(self) -> list[str]:
        """The fields and sets that have examples."""
        return list(dict.fromkeys(given.name for given in self.given if given.name))

    @property
    def examples(self) -> list[GivenExample]:
        """The examples of fields."""
        return [given for given in self.given if isinstance(given, GivenExample)]

    @property
    def located(self) -> list[tuple[GivenExample, Located]]:
        """The examples of fields that are on their pages, with where they are."""
        return [(given, given.located) for given in self.examples if given.located]

    def of(self, name: str) -> list[GivenExample]:
        """The examples of a field."""
        return [given for given in self.examples if given.name == name]

    # ------------------------------------------------------------------ what they say together

    def is_given_singly(self, name: str) -> bool:
        """Whether a field was taught by single examples; a page shown as a whole tells what is a list."""
        return not any(given.complete for given in self.of(name))

    def is_single(self, name: str) -> bool:
        """Whether at most one value was given on every page, which may stand for a list or for itself."""
        wanted = [given.page for given in self.of(name) if given.located and given.wanted]
        return self.is_given_singly(name) and len(set(wanted)) == len(wanted)

    @property
    def values(self) -> frozenset[str]:
        """The texts of all examples: none of them is a label."""
        single = [located.text for given, located in self.located if given.wanted]
        inside = [
            text
            for given in self.given
            if isinstance(given, ShownRecords)
            for record in given.records
            for text in texts_in(record)
        ]
        return frozenset(map(label_key, (*single, *inside)))

    def taught(self, name: str) -> list[Taught]:
        """The examples of a field, page by page; a page shown as a whole counts even if it has none."""
        found = []
        for number, view in enumerate(self.views):
            here = [given for given in self.given if given.page == number]
            examples = [given for given in here if isinstance(given, GivenExample) and given.name == name]
            whole = any(isinstance(given, ShownRecords) for given in here)
            if not examples and not whole:
                continue
            wanted = tuple(given.located for given in examples if given.located and given.wanted)
            unwanted = frozenset(
                node for given in examples if given.located and not given.wanted for node in given.located.nodes
            )
            texts = {key_of(located.text) for located in wanted}
            others = frozenset(
                node
                for given in here
                if isinstance(given, GivenExample) and given.name != name and given.wanted and given.located
                if given.located.places == 1 and key_of(given.located.text) not in texts
                for node in given.located.nodes
            )
            complete = whole or any(given.complete for given in examples)
            rejected = sum(given.located is not None and not given.wanted for given in examples)
            found.append(Taught(view, SearchSpan(0, len(view.page)), wanted, unwanted, others, complete, rejected))
        return found
