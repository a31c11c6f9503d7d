"""Types of columns: how often they are right, and whether any value is lost or changed by them.

Columns of real tables and sites are labelled by simple rules; the others are made from known values, written as ten
languages write them, and then spoiled: a word among numbers, a remark behind one, a range, a code. Cells that can be
read in two ways are labelled one by one, and judged both as tables type them and as `type_column` of flows does.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal

from rich.table import Table

from bench.frame import Corpus, Figure, Options, Outcome, folder_of, thinned
from bench.typing.generated import generated_columns
from bench.typing.hard import HardColumn, Judgement, hard_columns, judged
from bench.typing.labelled import LabelledColumn, labelled_columns, says_nothing
from sightline.data import Column, Value
from sightline.flow.normalise import TypingSettings, type_column

LEAST_RIGHT = 0.97
LEAST_HARD = 0.99  # cells that are right or told as ambiguous
SHOWN = 12


def run(options: Options) -> Outcome:
    """Type every column and compare."""
    folders = [folder_of(name, options) for name in ("tables", "sites")]
    everything = [*labelled_columns(*folders), *generated_columns()]
    columns = thinned(everything, options.limit)
    right: dict[str, list[bool]] = defaultdict(list)
    lost: list[str] = []
    changed: list[str] = []
    wrong: Counter[str] = Counter()
    for labelled in columns:
        column = Column(labelled.name, tuple(map(Value, labelled.texts)), None, labelled.language)
        kind = column.type.kind
        group = _group(labelled)
        right[group].append(kind == labelled.kind)
        if kind != labelled.kind:
            wrong[f"{group}: {labelled.kind} taken for {kind}, as {labelled.name!r} {list(labelled.texts[:3])}"] += 1
        lost += [f"{labelled.where}: {text!r}" for text in _lost(labelled, column)]
        changed += [f"{labelled.where}: {text}" for text in _changed(labelled, column)]
    shares = {group: sum(found) / len(found) for group, found in right.items()}
    total = sum(map(sum, right.values())) / max(len(columns), 1)
    files = (folders[0] / "truth.jsonl", *sorted(folders[1].glob("*/truth.jsonl")))
    return Outcome(
        task="typing",
        peer="of",
        corpora=(Corpus("typing", files),),
        figures=(
            Figure.of("columns with the right type", total, LEAST_RIGHT, "higher", "share", peer=len(columns)),
            *(
                Figure.of(f"… {group}", share, None, "higher", "share", peer=len(right[group]))
                for group, share in shares.items()
            ),
            Figure.of("values lost", len(lost), 0, "lower", "values", peer=_values(columns)),
            Figure.of("values changed", len(changed), 0, "lower", "values", peer=_values(columns)),
            *_hard_figures(),
        ),
        remarks=(
            *(f"lost: {text}" for text in lost[:SHOWN]),
            *(f"changed: {text}" for text in changed[:SHOWN]),
        ),
        views=(_view(wrong),),
    )


def _hard_figures() -> list[Figure]:
    """Cells that can be read in two ways."""
    columns = list(hard_columns())
    ways = {"tables": _in_tables, "type_column": _in_flows}
    return [figure for name, judge in ways.items() for figure in _judged_figures(name, columns, judge)]


def _judged_figures(
    name: str, columns: Sequence[HardColumn], judge: Callable[[HardColumn], Judgement]
) -> Iterator[Figure]:
    sorts: dict[str, Judgement] = defaultdict(Judgement)
    for column in columns:
        sorts[column.sort] += judge(column)
    total = sum(sorts.values(), Judgement())
    share = 1 - total.wrong / total.cells
    yield Figure.of(f"{name}: hard cells right or told", share, LEAST_HARD, "higher", "share", peer=total.cells)
    yield Figure.of(f"{name}: … of these told", total.marked, None, "lower", "cells", peer=total.cells)
    yield Figure.of(f"{name}: silent flips", total.flipped, 0, "lower", "cells", peer=total.cells)
    for sort, one in sorts.items():
        share = 1 - one.wrong / one.cells
        yield Figure.of(f"{name}: … {sort}", share, None, "higher", "share", peer=one.cells)


def _in_tables(column: HardColumn) -> Judgement:
    typed = Column("", tuple(map(Value, column.texts)), None, column.language)
    return judged(column.in_tables, typed.values, typed.type.ambiguous)


def _in_flows(column: HardColumn) -> Judgement:
    found = type_column(column.texts, TypingSettings(language=column.language))
    return judged(column, found.values, found.notes)


def _group(labelled: LabelledColumn) -> str:
    if labelled.where.startswith(("table ", "site ")):
        return f"of {labelled.where.split()[0]}s"
    return "made: " + labelled.where.split(", ")[-2]


def _values(columns: list[LabelledColumn]) -> int:
    return sum(len(labelled.texts) for labelled in columns)


def _lost(labelled: LabelledColumn, column: Column) -> list[str]:
    pairs = zip(labelled.texts, column.values, strict=True)
    return [text for text, value in pairs if value is None and not says_nothing(text)]


def _changed(labelled: LabelledColumn, column: Column) -> list[str]:
    """Values that are not those which the texts say, where both are known; and texts that are not themselves."""
    if column.type.kind == "text":
        return [text for text, value in zip(labelled.texts, column.values, strict=True) if value not in (text, None)]
    if labelled.values is None or labelled.kind != column.type.kind:
        return []
    pairs = zip(labelled.texts, labelled.values, column.values, strict=True)
    return [f"{text!r} became {got!r}" for text, true, got in pairs if true is not None and not _same(true, got)]


def _same(true: object, got: object) -> bool:
    if isinstance(true, Decimal):
        return isinstance(got, int | float | Decimal) and Decimal(str(got)) == true
    if isinstance(true, date | time):
        return (got.date() if isinstance(got, datetime) and not isinstance(true, datetime) else got) == true
    return got == true


def _view(wrong: Counter[str]) -> Table:
    view = Table("wrong type", "columns")
    for text, count in wrong.most_common(SHOWN):
        view.add_row(text[:150], str(count))
    return view
