"""What a step acts on: named as people name it, by a field of a wrapper, or by a selector."""

from dataclasses import dataclass
from typing import Literal

from sightline.navigate.targets._remember import Remembered

__all__ = ["ANYTHING", "LABEL", "TEXT", "Target"]

ANYTHING, LABEL, TEXT = "anything", "label", "text"


@dataclass(frozen=True, kw_only=True)
class Target:
    """An element of a page: what it is called, or else a wrapper's field, or else a selector.

    Where it has several of these, they are tried in this order; where one finds several places, the next one decides.

    `kind` is a role of `ROLES`, `label` for an input by its label, `text` for whatever has this text, or `anything` for
    a control by its name or else a text. `inside` limits the search, `number` chooses among several, from 1. `memory`
    is what a recording remembers of the element, to find it again when its page was redesigned.
    """

    kind: str = ""
    name: str = ""
    wrapper: str = ""
    field: str = ""
    css: str = ""
    xpath: str = ""
    inside: "Target | Literal['record'] | None" = None
    number: int | None = None
    memory: Remembered | None = None

    def __str__(self) -> str:
        """The target as in a sentence: button “Search”."""
        if self.kind:
            article = "" if self.kind in (ANYTHING, TEXT) else f"{'input' if self.kind == LABEL else self.kind} "
            words = f"{article}“{self.name}”"
        elif self.wrapper:
            words = f"field “{self.field}” of {self.wrapper}"
        else:
            words = self.css or self.xpath
        place = "" if self.number is None else f" number {self.number}"
        within = "" if self.inside is None else f" in {'the record' if self.inside == 'record' else self.inside}"
        return f"{words}{place}{within}"
