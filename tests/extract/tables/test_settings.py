"""Rules by their names: each can be left out, and each is worth something somewhere."""

from collections.abc import Callable
from itertools import accumulate
from typing import Any

import pytest

from sightline.errors import UsageError
from sightline.extract.tables import PARTS, RULES, TableSettings, find_tables
from sightline.page import Page
from sightline.testing import element, grid_page

from ._pages import BLOCK, STOCK, built, fixed_width, markup, rendered

NAMES = [name for name in RULES if not name.startswith("part: ")]
COLUMNS = list(zip(*STOCK, strict=True))
BOXED = ["+-----------+-------+", "| Model     | Price |", "+-----------+-------+"]
BOXED += [f"| {row[0]:<9} | {row[1]:<5} |" for row in STOCK[1:]] + BOXED[:1]


def _stacked(rows: list[list[str]], widths: list[list[int]], tops: list[int]) -> Page:
    """Rows in containers of their own, each with its widths and its top; all lie in one container."""
    lines = []
    for row, sizes, top in zip(rows, widths, tops, strict=True):
        lefts = list(accumulate(sizes, initial=40))
        cells = [
            element("div", text, box=(left, top, left + size, top + 24), style=BLOCK)
            for text, left, size in zip(row, lefts, sizes, strict=False)
        ]
        lines.append(element("div", *cells, box=(40, top, lefts[-1], top + 24), style=BLOCK))
    return built(element("div", *lines, box=(40, tops[0], 400, tops[-1] + 24), style=BLOCK))


def _twelve(gap: int = 0, widths: tuple[list[int], list[int]] = ([120] * 3, [120] * 3)) -> Page:
    """Twelve rows, the last six after a gap and with widths of their own."""
    rows = [[f"Model {n}", str(31 * n), str(n * n)] for n in range(12)]
    return _stacked(rows, [widths[n // 6] for n in range(12)], [40 + 24 * n + gap * (n // 6) for n in range(12)])


def _running_over() -> Page:
    """Cells placed by hand, of which one runs over into the row below, where nothing stands."""
    cells = [
        element("div", text, box=(40 + 130 * x, 40 + 30 * y, 160 + 130 * x, 70 + 30 * y), style=BLOCK)
        for y, row in enumerate(STOCK)
        for x, text in enumerate(row)
        if (x, y) not in ((2, 2), (2, 3))
    ]
    long = element("div", "many more words", box=(300, 100, 420, 150), style=BLOCK)
    return built(element("div", *cells, long, box=(40, 40, 420, 190), style=BLOCK))


def _bold_row() -> Page:
    """A first row that only its weight and colour set apart: its texts are words as all others."""
    rows = [["Alder", "Birch", "Cedar"], ["Oslo", "Rome", "Bern"], ["Ulm", "Pisa", "Nice"], ["Cork", "York", "Bath"]]
    return rendered(markup(rows).replace("<tr>", "<tr style='font-weight:bold;background:#cde'>", 1))


PAGES: dict[str, Callable[[], Page]] = {
    "elements": lambda: grid_page(STOCK),
    "words": lambda: fixed_width(BOXED),
    "markup": lambda: rendered(
        markup([["17", "28", "90"], ["41", "42", "43"], ["51", "52", "53"], ["61", "62", "63"]], head="th"),
        "th{font-weight:normal}",
    ),
    "alternatives": lambda: rendered(
        "<div style='display:flex'>"
        + "".join(f"<div>{''.join(f'<p>{text}</p>' for text in column)}</div>" for column in COLUMNS)
        + "</div>",
        "div > div{width:140px}",
    ),
    "steps": lambda: _twelve(widths=([120, 120, 120], [60, 220, 80])),
    "order": lambda: rendered(
        "".join(f"<div class=row>{''.join(f'<span>{text}</span>' for text in row)}</div>" for row in STOCK),
        ".row{display:flex;justify-content:space-between;width:600px}",
    ),
    "gaps": lambda: _twelve(gap=60),
    "twins": lambda: rendered(2 * markup(STOCK, "border=1 cellspacing=0 width=500"), "table{margin:2px}"),
    "edges": _running_over,
    "captions": lambda: rendered(markup(STOCK).replace("<tr>", "<caption>In stock</caption><tr>", 1)),
    "dashes": lambda: fixed_width([" Model   | Price", "---------+-------", " Arden 5 | 1,200"]),
    "alignment": lambda: fixed_width([f"Model {n}     {n * n:>6}    {37 * n:>6}" for n in range(10, 40)]),
    "unwrapping": lambda: rendered(f"<pre>{chr(10).join(BOXED)}</pre>", "pre{width:120px;white-space:pre-wrap}"),
    "looks": _bold_row,
    "kinds": lambda: grid_page(STOCK),
    "reconciling": lambda: rendered(markup([["Shop", "Sells"], ["North", markup(STOCK)], ["South", "as North"]])),
    "score": lambda: grid_page([["a", "b"], ["c", "d"]]),
}


def _result(page: Page, **settings: Any) -> list[Any]:
    tables = find_tables(page, settings=TableSettings(**settings))
    return [(table.rows, table.header_rows, table.header_columns) for table in tables]


def test_every_rule_has_its_page() -> None:
    """Whoever adds a rule adds a page on which it matters; parts of the score are tried where the score is."""
    assert sorted(PAGES) == sorted(NAMES)
    assert {name.removeprefix("part: ") for name in RULES if name not in NAMES} == set(PARTS)


@pytest.mark.parametrize("name", NAMES)
def test_leaving_a_rule_out_changes_something(name: str) -> None:
    """Every switch works: there is a page on which the tables are others without the rule."""
    page = PAGES[name]()
    assert _result(page, without=(name,)) != _result(page)


@pytest.mark.parametrize("name", ["elements", "words", "alignment"])
def test_without_its_method_a_table_is_not_found(name: str) -> None:
    """Each method is the only one that finds the tables of its kind."""
    page = PAGES[name]()
    assert len(_result(page)) == 1
    assert _result(page, without=(name,)) == []


@pytest.mark.parametrize(
    ("name", "here", "without"), [("gaps", 2, 1), ("twins", 2, 1), ("reconciling", 1, 2), ("score", 0, 1)]
)
def test_rules_that_part_tables_part_them(name: str, here: int, without: int) -> None:
    """Where a rule tells two tables apart, or a table from none, leaving it out gives what there would be."""
    page = PAGES[name]()
    assert (len(_result(page)), len(_result(page, without=(name,)))) == (here, without)


@pytest.mark.parametrize("name", ["markup", "looks", "kinds"])
def test_rules_about_headings_change_nothing_but_headings(name: str) -> None:
    """Without the rule that tells its heading the table has the same rows and no heading."""
    page = PAGES[name]()
    ((rows, heads, _),), ((other, none, _),) = _result(page), _result(page, without=(name,))
    assert (rows, heads, none) == (other, 1, 0)


@pytest.mark.parametrize("name", RULES)
def test_every_rule_can_be_left_out_of_any_page(name: str) -> None:
    """No rule is needed for an answer: without it there is another answer, or the same, but always one."""
    settings = TableSettings(without=(name,))
    for page in (grid_page(STOCK), fixed_width(BOXED), fixed_width(["a"]), built()):
        assert isinstance(find_tables(page, settings=settings), list)


def test_all_rules_can_be_left_out_at_once() -> None:
    """With nothing left there is nothing to be found, and nothing goes wrong."""
    for page in (grid_page(STOCK), fixed_width(BOXED)):
        assert find_tables(page, settings=TableSettings(without=tuple(RULES))) == []


def test_an_unknown_rule_is_refused_by_name() -> None:
    """The message names what was asked for and what there is."""
    with pytest.raises(UsageError, match=r"'colours'.*elements.*part: filled"):
        TableSettings(without=("elements", "colours"))


@pytest.mark.parametrize("least", [-0.1, 1.1, float("nan")])
def test_a_score_that_cannot_be_is_refused(least: float) -> None:
    """Scores lie between 0 and 1."""
    with pytest.raises(UsageError, match="least"):
        TableSettings(least_score=least)


def test_every_rule_says_what_it_does() -> None:
    """Rules have names without capitals and a line that says what each means."""
    for name, text in RULES.items():
        assert name == name.lower()
        assert len(text) > 10
