"""Lists as marks: a numbered frame around each in a colour of its own, and a thin one around every record."""

from collections.abc import Iterable

from sightline.data import ItemList
from sightline.draw._picture import SERIES, Mark
from sightline.geometry import Box

__all__ = ["marks_of_lists"]

LONGEST_NAME = 40  # characters; the legend shall stay a strip


def marks_of_lists(lists: Iterable[ItemList]) -> list[Mark]:
    """What to draw of lists: their boxes, numbered and named, and those of their records; of menus only a frame.

    >>> marks_of_lists([ItemList((), caption="Cameras", box=(0, 0, 9, 9))])
    [Mark(box=(0, 0, 9, 9), kind='series 1', label='1 · Cameras', hollow=True, ..., badge='1')]
    """
    return [mark for number, one in enumerate(lists, start=1) for mark in _marks(number, one)]


def _marks(number: int, one: ItemList) -> list[Mark]:
    # Menus are beside the point, so they share one colour and one name.
    is_menu = one.kind == "navigation"
    kind = "navigation" if is_menu else SERIES[(number - 1) % len(SERIES)]
    label = "navigation" if is_menu else _name(number, one)
    frame = [Mark(one.box, kind, label, hollow=True, badge=str(number))] if one.box else []
    return frame + [Mark(box, kind, label, hollow=True, thin=True) for box in ([] if is_menu else _records(one))]


def _name(number: int, one: ItemList) -> str:
    name = " ".join((one.caption or "").split())
    short = name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
    return f"{number} · {short}" if short else str(number)


def _records(one: ItemList) -> list[Box]:
    return [item.text.origin.box for item in one if item.text.origin and item.text.origin.box]
