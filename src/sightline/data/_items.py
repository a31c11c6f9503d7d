"""Items of a list: what a page shows as one of several of a kind, and lists of them."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeAlias, overload

from sightline.data._column import Column
from sightline.data._exports import Exportable, jsonable
from sightline.data._record import Field, Record, named_values, plain_record
from sightline.data._result import MadeLater, Mark, Plain, XPath, box_json, late, series
from sightline.data._table import Evidence, Records, Table
from sightline.data._value import Value
from sightline.geometry import Box

ListKind: TypeAlias = Literal["items", "navigation"]
"""What a list is for: its items are content of the page, or links to other pages."""


@dataclass(frozen=True, slots=True)
class Item:
    """An item: its title and full text as seen, picture and link, its number, and its parts by name.

    In a thread, `level` is its depth: 0 for a post, 1 for answers to it, and so on.

    >>> Item(Value("EOS 5D"), Value("EOS 5D, 1200 €"), components=Record({"title": "EOS 5D", "price": "1200 €"})).title
    Value(text='EOS 5D', ...)
    """

    title: Value
    text: Value
    image: Value | None = None
    link: Value | None = None
    rank: int | None = None
    components: Record = field(default_factory=Record)
    level: int | None = None

    @property
    def record(self) -> Record:
        """The item as one record: title, number, level in a thread, its other parts (or its text), link, picture."""
        numbers: dict[str, Field] = {"rank": _counted(self.rank)}
        numbers |= {} if self.level is None else {"level": _counted(self.level)}
        parts = dict(self.components) or {"title": self.title, "text": self.text}
        title = {name: part for name, part in parts.items() if name == "title"}
        return Record({**title, **numbers, **parts, "link": self.link, "image": self.image})

    def values(self) -> Iterator[Value]:
        """Its text, title, picture and link, and all its parts."""
        yield from (value for value in (self.text, self.title, self.image, self.link) if value)
        yield from (value for _, value in named_values(self.components))

    def to_json(self, *, origins: bool = False, xpath: XPath | None = None) -> dict[str, Any]:
        """The item of the JSON contract; with origins each part has its box and XPath, and so has the item."""
        plain = Plain(origins=origins, xpath=xpath)
        document: dict[str, Any] = {
            "title": self.title.text,
            "text": self.text.text,
            "image": self.image.text if self.image else None,
            "link": self.link.text if self.link else None,
            "rank": self.rank,
            "components": plain_record(self.components, plain),
        }
        if self.level is not None:
            document["level"] = self.level
        if not origins:
            return document
        places = {"item": self.text, "title": self.title, "image": self.image, "link": self.link}
        return document | {"origins": {name: plain.place(value.origin) for name, value in places.items() if value}}


@late("items")
@dataclass(frozen=True, repr=False)
class ItemList(MadeLater, Exportable):
    """A list as seen: its items in order, its name, and the number of items that it should have.

    >>> cameras = Item(Value("EOS 5D"), Value("EOS 5D")), Item(Value("D850"), Value("D850"))
    >>> found = ItemList(cameras, caption="Cameras")
    >>> len(found), [item.title.text for item in found]
    (2, ['EOS 5D', 'D850'])
    """

    result_kind: ClassVar[str] = "list"

    items: tuple[Item, ...]
    promised: int | None = None
    kind: ListKind = "items"
    caption: str | None = None
    box: Box | None = None
    score: float = 1.0
    language: str | None = None
    evidence: Evidence = field(default=(), compare=False)

    def __repr__(self) -> str:
        name = f"{self.caption!r}, " if self.caption else ""
        return f"<ItemList {name}{len(self)} items, score {self.score:.2f}>"

    def __len__(self) -> int:
        count: int | None = self.__dict__.get("_count")  # known before the items are made
        return len(self.items) if count is None else count

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    @overload
    def __getitem__(self, place: int) -> Item: ...
    @overload
    def __getitem__(self, place: str) -> Column: ...
    def __getitem__(self, place: int | str) -> Item | Column:
        """An item, or a column by its name."""
        return self.column(place) if isinstance(place, str) else self.items[place]

    @property
    def k(self) -> int:
        """How many items were promised; if nothing was, the number of items."""
        return len(self) if self.promised is None else self.promised

    @cached_property
    def _records(self) -> Records:
        records = [item.record for item in self.items]
        found = {name for record in records for name, value in record.items() if value is not None}
        names = [name for name in dict.fromkeys(name for record in records for name in record) if name in found]
        order = [name for name in _FIRST if name in names] + [name for name in names if name not in _LAST]
        order = list(dict.fromkeys(order)) + [name for name in names if name in _LAST]
        return Records([Record({name: record.get(name) for name in order}) for record in records], None, self.language)

    @property
    def _typed(self) -> list[Item]:
        """The items with typed parts, as their columns decide."""
        typed = [
            {name: record.get(name) for name in item.components}
            for item, record in zip(self, self.records(), strict=True)
        ]
        return [replace(item, components=Record(parts)) for item, parts in zip(self, typed, strict=True)]

    def records(self) -> Records:
        """The items as records, one field a part, with typed values."""
        return self._records.typed()

    def to_table(self) -> Table:
        """The items as a table: one row per item, one column per part."""
        return self._records.to_table()

    @property
    def columns(self) -> tuple[Column, ...]:
        """The parts of the items as flat, typed columns."""
        return self._records.columns

    def values(self) -> Iterator[Value]:
        """Every value of every item, also its whole text, link and picture."""
        return (value for item in self.items for value in item.values())

    def marks(self, number: int = 1) -> list[Mark]:
        """What to draw: a numbered frame around the list and a thin one around every item; one frame for a menu."""
        # Menus are secondary, so they share one colour and one name.
        is_menu = self.kind == "navigation"
        kind = "navigation" if is_menu else series(number)
        label = "navigation" if is_menu else self._label(number)
        frame = [Mark(self.box, kind, label, hollow=True, badge=str(number))] if self.box else []
        boxes = [] if is_menu else [item.text.origin.box for item in self.items if item.text.origin]
        return frame + [Mark(box, kind, label, hollow=True, thin=True) for box in boxes if box]

    def _label(self, number: int) -> str:
        name = " ".join((self.caption or "").split())
        short = name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"
        return f"{number} · {short}" if short else str(number)

    def to_json(self, *, origins: bool = False, xpath: XPath | None = None, evidence: bool = False) -> dict[str, Any]:
        """The list of the JSON contract, and its kind and caption; with `evidence` also the parts of its score."""
        document = {
            "k": self.k,
            "items": [item.to_json(origins=origins, xpath=xpath) for item in (self._typed if origins else self.items)],
            "box": box_json(self.box),
            "score": self.score,
            "kind": self.kind,
            "caption": self.caption,
        }
        return dict(jsonable(document | ({"evidence": dict(self.evidence)} if evidence else {})))


_LONGEST_NAME = 40  # characters; longer captions make the legend of a picture unreadable
_FIRST, _LAST = ("title", "rank", "level"), ("link", "image")


def _counted(number: int | None) -> Value | None:
    return None if number is None else Value(str(number), number)
