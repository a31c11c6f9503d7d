"""How people change a result: other names, types and headings, and columns left out; as steps that can be undone."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from sightline.data import (
    Column,
    ColumnKind,
    ColumnType,
    Content,
    Exportable,
    ItemList,
    Table,
    XPath,
    infer,
    infer_money,
)
from sightline.errors import UsageError
from sightline.project import EditStep, Steps
from sightline.server._shapes import RowsView

LONGEST_NAME = 200  # characters of a column's name
TRIED = 500  # distinct texts by which a type is chosen; a column has one way to write numbers or dates
AUTO = "auto"
_KINDS = get_args(ColumnKind)


@dataclass
class _Wishes:
    """What the steps so far ask for, column by column."""

    headers: int | None = None
    headed: Table | None = None  # the table with these headings
    names: dict[int, str] = field(default_factory=dict)
    kinds: dict[int, ColumnKind] = field(default_factory=dict)
    dropped: set[int] = field(default_factory=set)


class EditedResult:
    """A result as people changed it; without changes, the result itself.

    `columns` are those that are left, `dropped` the names of the others.
    """

    def __init__(self, result: Table | ItemList | Content, page: str, wishes: _Wishes | None = None) -> None:
        wishes = wishes or _Wishes()
        self.result = wishes.headed or result
        self.is_changed = wishes != _Wishes()
        self.is_typed = bool(wishes.kinds)
        self.caption = result.caption if not isinstance(result, Content) else None
        every = [_wished(place, column, wishes) for place, column in enumerate(self.result.columns)]
        self.columns = tuple(column for place, column in enumerate(every) if place not in wishes.dropped)
        self.dropped = [column.name for place, column in enumerate(every) if place in wishes.dropped]
        self.view = RowsView(self.columns, page=page)
        self.info: dict[str, Any] | None = None  # what is shown of it without its rows, once somebody has asked

    def exported(self) -> Exportable:
        """What is written to files: as it was found, or with the changes; a type that loses texts keeps them beside."""
        if not self.is_changed:
            return self.result
        if not self.dropped and not self.is_typed and isinstance(self.result, Table) and not self._renamed():
            return self.result  # with other headings, which a table knows itself
        return _Exported(tuple(_with_texts(self.columns)), self.caption)

    def _renamed(self) -> bool:
        return [column.name for column in self.columns] != [column.name for column in self.result.columns]


class _Exported(Exportable):
    """Changed columns, as a table."""

    def __init__(self, columns: tuple[Column, ...], caption: str | None) -> None:
        self._columns_kept = columns
        self.caption = caption

    @property
    def columns(self) -> tuple[Column, ...]:
        return self._columns_kept

    def to_json(self, *, origins: bool = False, xpath: XPath | None = None) -> dict[str, Any]:
        return replace(Table.from_columns(self.columns), caption=self.caption).to_json(origins=origins, xpath=xpath)


def edited(result: Table | ItemList | Content, page: str, steps: Steps) -> EditedResult:
    """A result with the steps that count; one that no longer fits the page is left out, as if it had been undone."""
    return EditedResult(result, page, _wishes_of(result, steps))


def next_steps(result: Table | ItemList | Content, page: str, steps: Steps, wanted: EditStep) -> Steps:
    """The steps after one more change, or after undo or redo; an error says why a change makes no sense."""
    if wanted["action"] == "undo":
        return steps.undone()
    if wanted["action"] == "redo":
        return steps.redone()
    if "to" in wanted:
        wanted = {**wanted, "to": " ".join(str(wanted["to"]).split())}
    after = _after(result, _wishes_of(result, steps), wanted)
    EditedResult(result, page, after)  # which fails now instead of later
    return steps.then({**wanted, "words": _words(wanted)})


def _wishes_of(result: Table | ItemList | Content, steps: Steps) -> _Wishes:
    wishes = _Wishes()
    for step in steps.done:
        try:
            wishes = _after(result, wishes, step)
        except (UsageError, KeyError, TypeError):
            continue  # another version of Sightline found other columns, or somebody edited the file
    return wishes


def _words(step: EditStep) -> str:
    match step["action"]:
        case "rename":
            return f"renamed {step['column']} → {step['to']}"
        case "type":
            kind = "as found" if step["kind"] == AUTO else step["kind"]
            return f"type of {step['column']}: {kind}"
        case "drop":
            return f"dropped {step['column']}"
        case "restore":
            return f"restored {step['column']}"
    return f"{step['count']} header row{'s' * (step['count'] != 1)}"


# ---------------------------------------------------------------------- one step


def _after(result: Table | ItemList | Content, wishes: _Wishes, step: EditStep) -> _Wishes:
    """The wishes after one more step."""
    new = _Wishes(wishes.headers, wishes.headed, dict(wishes.names), dict(wishes.kinds), set(wishes.dropped))
    action = _ACTIONS.get(step.get("action", ""))
    if action is None:
        raise UsageError(f"{step.get('action')!r:.40} is not a change; use {', '.join(_ACTIONS)}, undo or redo.")
    action(result, new, step)
    return new


def _rename(result: Table | ItemList | Content, wishes: _Wishes, step: EditStep) -> None:
    names = _names(result, wishes)
    place = _place(names, step["column"])
    to = str(step["to"])
    if not to or len(to) > LONGEST_NAME:
        raise UsageError(f"A column has a name of 1 to {LONGEST_NAME} characters; give another one.")
    if to in names and names.index(to) != place:
        raise UsageError(f"There is a column {to!r} already; choose another name.")
    wishes.names[place] = to


def _type(result: Table | ItemList | Content, wishes: _Wishes, step: EditStep) -> None:
    place = _place(_names(result, wishes), step["column"])
    kind = step["kind"]
    if kind == AUTO:
        wishes.kinds.pop(place, None)
    elif kind in _KINDS:
        wishes.kinds[place] = kind
    else:
        raise UsageError(f"{kind!r:.40} is not a type; use {AUTO}, {', '.join(_KINDS)}.")


def _drop(result: Table | ItemList | Content, wishes: _Wishes, step: EditStep) -> None:
    names = _names(result, wishes)
    place = _place(names, step["column"])
    if place in wishes.dropped:
        raise UsageError(f"The column {step['column']!r} is dropped already.")
    if len(wishes.dropped) == len(names) - 1:
        raise UsageError("This is the last column; restore another one before you drop it.")
    wishes.dropped.add(place)


def _restore(result: Table | ItemList | Content, wishes: _Wishes, step: EditStep) -> None:
    place = _place(_names(result, wishes), step["column"])
    if place not in wishes.dropped:
        raise UsageError(f"The column {step['column']!r} is not dropped.")
    wishes.dropped.discard(place)


def _headers(result: Table | ItemList | Content, wishes: _Wishes, step: EditStep) -> None:
    if not isinstance(result, Table):
        raise UsageError("Only a table has header rows; rename the columns instead.")
    wishes.headed = result.with_header_rows(step["count"])  # which says how many it can have
    wishes.headers = step["count"]


_ACTIONS: dict[str, Callable[[Table | ItemList | Content, _Wishes, EditStep], None]] = {
    "rename": _rename,
    "type": _type,
    "drop": _drop,
    "restore": _restore,
    "headers": _headers,
}


def _names(result: Table | ItemList | Content, wishes: _Wishes) -> list[str]:
    found = [column.name for column in (wishes.headed or result).columns]
    return [wishes.names.get(place, name) for place, name in enumerate(found)]


def _place(names: Sequence[str], wanted: str) -> int:
    if wanted not in names:
        raise UsageError(f"There is no column {wanted!r:.60}; the columns are {', '.join(map(repr, names))[:200]}.")
    return names.index(wanted)


# ---------------------------------------------------------------------- a column as it is wished


def _wished(place: int, column: Column, wishes: _Wishes) -> Column:
    name = wishes.names.get(place, column.name)
    kind = wishes.kinds.get(place)
    if kind is None:
        # The name states units, so that it keeps deciding the type after a rename.
        return column if name == column.name else replace(column, name=name, declared=column.declared or column.type)
    return replace(column, name=name, declared=_declared(column, kind), coerce=True)


def _declared(column: Column, kind: ColumnKind) -> ColumnType:
    """The type of a kind that reads most texts of a column: how it writes numbers and dates is still found out."""
    if kind == "text":
        return ColumnType(language=column.language)
    if column.usual.kind == kind:
        return column.usual
    texts = [text for text in dict.fromkeys(column.texts) if text][:TRIED]
    return max(_guesses(column, kind, texts), key=lambda guess: sum(guess.parse(text) is not None for text in texts))


def _guesses(column: Column, kind: ColumnKind, texts: Sequence[str]) -> Iterable[ColumnType]:
    """The ways to read a column as a kind, the likeliest first."""
    language = column.language
    if kind == "date":
        orders = [column.usual.date_order, "DMY", "MDY", "YMD"]
        for order in dict.fromkeys(filter(None, orders)):
            for with_time in (False, True):
                yield ColumnType(kind="date", language=language, date_order=order, with_time=with_time)
        return
    if kind in ("number", "money", "measure"):
        digits = [text for text in texts if any(map(str.isdecimal, text))]
        for found in (column.usual, infer_money(texts, language), infer(digits, language)):
            yield replace(found, kind=kind, integer=False, ambiguous=(), share=1.0, leading_zeros=False)
    yield ColumnType(kind=kind, language=language)


def _with_texts(columns: Iterable[Column]) -> Iterable[Column]:
    """The columns, each whose type loses something followed by one with its texts."""
    several = tuple(columns)
    taken = {column.name for column in several}
    for column in several:
        yield column
        if column.coerce and column.misfits:
            beside = f"{column.name} (text)"
            while beside in taken:
                beside += "'"
            taken.add(beside)
            yield Column(beside, column.cells, ColumnType())
