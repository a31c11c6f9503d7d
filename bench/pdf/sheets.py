"""Sheets that are printed to be read again: known tables in several styles, and sheets that have none.

`real` tables are those of the set `tables`, cell by cell as its truth has them; `levels` are made up: numbers below two
levels of headings, labels that wrap, and rows that name a group. The tables of each kind are the same in all styles.
"""

import itertools
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from bench.pages import json_lines
from bench.pdf.icdar import Cell

SEED = 113
REAL, LEVELS = 60, 40
# The rules were written while looking at the tables that these seeds draw: the first are left out here, those drawn by
# the second, from the rest, as well.
SEEN_SEED, SEEN = 5, 60
SEEN_TOO = 41
LEAST_ROWS, MOST_ROWS, MOST_COLUMNS = 4, 22, 9
MOST_TEXT, MOST_REPEATED, LEAST_FILLED = 90, 6, 0.6
MOST_WIDTH = 75  # characters that cannot wrap, two more for each column: a wider table would leave the sheet
NUMERIC = 0.6
UNPRINTED = re.compile("[\u0590-\u1dff\u2600-\U0010ffff]")  # few machines have fonts for all of these
TITLE = "Report"
DOTS, MOST_DOTS = 40, 200  # behind a label; in a line, where they are cut off

# Three families in turn, so that no style is tied to one.
PAPER = """
@page { size: A4; margin: 20mm }
body { font: 11pt/1.3 "Liberation Serif", serif; margin: 0; print-color-adjust: exact }
section:nth-of-type(3n + 1) { font-family: "DejaVu Serif", serif }
section:nth-of-type(3n + 2) { font-family: "Liberation Sans", sans-serif }
section { break-after: page }
h2 { font-size: 14pt; margin: 0 0 8pt }
table { border-collapse: collapse; margin: 8px 0; max-width: 100%; break-inside: avoid }
.n { text-align: right }
"""
REAL_PAPER = PAPER + "table { font-size: 9.5pt } td, th { vertical-align: top; border: 0 } .t { text-align: left }\n"
LEVEL_PAPER = PAPER + (
    "table { font-size: 9pt; line-height: 1.25 } th { font-weight: normal } .g { text-align: center }"
    "td, th { vertical-align: bottom; padding: 1px 8px } th.n { max-width: 70px } .i { padding-left: 20px }"
    ".l { text-align: left; max-width: 150px }\n"
)
BARE_PAPER = PAPER + (
    ".two { columns: 2; column-gap: 9mm; text-align: justify } .right { margin-left: 95mm } .line { display: flex }"
    ".line { justify-content: space-between } .line i { flex: 1; margin: 0 4px; overflow: hidden; font-style: normal }"
    ".dotted i { border-bottom: 1px dotted; margin-bottom: 4px }"
    ".below { padding-left: 18px } .run dt { float: left; font-weight: bold; margin-right: 6px }"
    "dd { margin: 0 0 6pt 25px } .run dd { margin-left: 0 }\n"
)
BOOK = (
    "table { border-top: 1.5px solid; border-bottom: 1.5px solid }thead tr:last-child th { border-bottom: 1px solid }"
)
REAL_STYLES = {
    "none": "td, th { padding: 1px 9px }",
    "tight": "td, th { padding: 0 6px; line-height: 1.15 } th { font-weight: normal }",
    "head": "td, th { padding: 2px 8px } thead th { border-bottom: 1px solid }",
    "book": f"td, th {{ padding: 2px 9px }} {BOOK}",
    "zebra": "td, th { padding: 2px 8px } tbody tr:nth-child(even) { background: #dde }",
    "rows": "td, th { padding: 3px 8px } tr { border-bottom: 1px solid #999 }",
    "grid": "td, th { padding: 3px 6px; border: 1px solid }",
}
LEADERS = "levels, leaders"
LEVEL_STYLES = {
    "levels, none": "",
    "levels, book": BOOK,
    "levels, lines": f"{BOOK} .l {{ max-width: 260px }} .g div {{ border-bottom: 1px solid; margin: 0 5px }}",
    LEADERS: ".l { max-width: 260px }",
    "levels, grid": "td, th { padding: 2px 6px; border: 1px solid }",
}

SENTENCES = (
    "The figures below were collected over several years by the offices of the member states.",
    "They were checked against the reports of earlier years, as far as these were available to the authors.",
    "Where a value is missing it was not reported.",
    "Most of the change since 1990 is due to the smaller regions, whose share grew by 12.5 % in ten years.",
    "It should be kept in mind that the method was revised twice, in 1998 and again in 2004.",
    "No account is taken of prices.",
    "A second survey, which asked 4,210 households, came to much the same result.",
    "The committee met in March and adopted the report without a vote.",
    "Further work is under way on the sources that were left out here for want of time.",
)
LABELS = (
    "Total population",
    "Housing units",
    "Median household income",
    "Agriculture, forestry and fishing",
    "Manufacturing",
    "Services",
    "Construction of buildings",
    "Wholesale and retail trade",
    "Net sales",
    "Operating profit before tax",
    "Exports",
    "Births",
    "Deaths",
    "Imports of goods and services",
    "Northern region",
    "Southern region",
    "Western counties",
    "Unemployment rate",
    "Real estate",
    "Average weekly hours worked",
    "Households with children under six",
    "Public expenditure on education",
    "Transport and storage",
    "Other activities not elsewhere classified",
)
HEADS = (
    "1990",
    "1995",
    "2000",
    "2005",
    "2010",
    "Male",
    "Female",
    "Total",
    "Number",
    "Percent",
    "Change",
    "Q1",
    "Q2",
    "Q3",
    "Value",
    "Share",
    "Rate",
    "Count",
    "Percent of total",
    "Change over the year",
    "Per 1,000 persons",
)
GROUPS = (
    "All persons",
    "European Union",
    "Estimated value",
    "Finland",
    "Sales by region",
    "Population, 2010",
    "Employment (thousands)",
    "Median",
)
PARTS = (
    "United States",
    "Northeast",
    "Midwest",
    "By sector",
    "By size of firm",
)
NAMES = (
    "Anna Berg",
    "Carlo Diaz",
    "Eva Frank",
    "Greta Holm",
    "Ivan Jones",
    "Karin Lund",
)

Grid = list[list[str]]


@dataclass(frozen=True)
class Sheet:
    """What stands on a sheet, of which kind it is, and the cells of its table with its header rows if it has one."""

    kind: str
    body: str
    cells: tuple[Cell, ...] = ()
    header_rows: int = 0


def markup(style: str, sheets: Iterable[Sheet]) -> str:
    """The document of a style: every sheet begins on a page of its own, with a title by which it is known."""
    paper = {**dict.fromkeys(REAL_STYLES, REAL_PAPER), **dict.fromkeys(LEVEL_STYLES, LEVEL_PAPER)}
    rules = {**REAL_STYLES, **LEVEL_STYLES}
    bodies = (
        f"<section><h2>{TITLE} {number}: figures</h2>{sheet.body}</section>" for number, sheet in enumerate(sheets)
    )
    css = paper.get(style, BARE_PAPER) + rules.get(style, "")
    return "\n".join((f"<!DOCTYPE html><meta charset=utf-8><title>{style}</title><style>{css}</style>", *bodies))


def _prose(chance: random.Random, sentences: int) -> str:
    return " ".join(chance.choice(SENTENCES) for _ in range(sentences))


def _paragraph(chance: random.Random, sentences: int) -> str:
    return f"<p>{_prose(chance, sentences)}</p>"


def _around(chance: random.Random, table: str) -> str:
    return _paragraph(chance, 4) + table + _paragraph(chance, 5)


# ---------------------------------------------------------------------- tables of the web


def real_sheets(truth: Path) -> list[Sheet]:
    """Tables of the set `tables`, drawn from those that were not looked at."""
    grids = plain_grids(truth)
    random.Random(SEEN_SEED).shuffle(grids)
    seen, rest = grids[:SEEN], grids[SEEN:]
    unseen = [grid for grid in rest if grid not in seen and width_of(grid) <= MOST_WIDTH and is_visible(grid)]
    looked_at = random.Random(SEEN_TOO).sample(unseen, min(REAL, len(unseen))) if SEEN else []
    fresh = [grid for grid in unseen if grid not in looked_at] or unseen
    chance = random.Random(SEED)
    drawn = chance.sample(fresh, min(REAL, len(fresh)))
    return [Sheet("real", _around(chance, _printed(grid)), _cells_of(grid), 1) for grid in drawn]


def plain_grids(truth: Path) -> list[Grid]:
    """The tables of the set `tables` that are plain enough to be printed."""
    return [table["rows"] for page in json_lines(truth) for table in page["tables"] if _is_plain(table["rows"])]


def _is_plain(grid: Grid) -> bool:
    """Whether a table is of middling size, mostly filled, without cells that spanned, and not a list of terms."""
    columns = len(grid[0]) if grid else 0
    if not (LEAST_ROWS <= len(grid) <= MOST_ROWS and 2 <= columns <= MOST_COLUMNS):
        return False
    if any(len(row) != columns or any(len(text) > MOST_TEXT for text in row) for row in grid):
        return False
    if any(one == other and len(one) > MOST_REPEATED for row in grid for one, other in itertools.pairwise(row)):
        return False
    if sum(bool(text.strip()) for row in grid for text in row) < LEAST_FILLED * len(grid) * columns:
        return False
    beside = [text for row in grid[1:] for text in row[1:] if text.strip()]
    return columns > 2 or sum(map(is_number, beside)) >= len(beside) / 2


def is_visible(grid: Grid) -> bool:
    """Whether every row and column says something (a blank one is not seen without rules), in letters that print."""
    lines = ["".join(line).strip() for line in (*grid, *zip(*grid, strict=True))]
    return all(lines) and not UNPRINTED.search("".join(lines))


def is_number(text: str) -> bool:
    """Whether a text has digits and hardly any letters."""
    return any(sign.isdigit() for sign in text) and sum(sign.isalpha() for sign in text) < 3


def width_of(grid: Grid) -> int:
    """The characters of the longest words of all columns, which cannot wrap, and the room between these."""
    words = ((len(word) for text in column for word in text.split()) for column in zip(*grid, strict=True))
    return sum(2 + max(own, default=0) for own in words)


def _printed(grid: Grid) -> str:
    numeric = [sum(map(is_number, column[1:])) > NUMERIC * len(grid) for column in zip(*grid, strict=True)]

    def line(tag: str, row: Sequence[str]) -> str:
        cells = zip(row, numeric, strict=True)
        return "".join(f"<{tag} class={'n' if own else 't'}>{escape(text)}</{tag}>" for text, own in cells)

    body = "".join(f"<tr>{line('td', row)}</tr>" for row in grid[1:])
    return f"<table><thead><tr>{line('th', grid[0])}</tr></thead><tbody>{body}</tbody></table>"


def _cells_of(grid: Grid) -> tuple[Cell, ...]:
    return tuple(Cell(y, y, x, x, text) for y, row in enumerate(grid) for x, text in enumerate(row))


# ---------------------------------------------------------------------- tables below two levels of headings


def level_sheets(style: str) -> list[Sheet]:
    """Numbers below two levels of headings; the labels are followed by dots in one style."""
    chance = random.Random(SEED)
    return [_level_sheet(chance, has_dots=style == LEADERS) for _ in range(LEVELS)]


def _level_sheet(chance: random.Random, *, has_dots: bool) -> Sheet:
    groups, each = chance.randint(2, 3), chance.randint(2, 3)
    columns = groups * each
    has_parts = chance.random() < 0.4
    cells: list[Cell] = []

    def put(text: str, row: int, left: int, right: int | None = None) -> str:
        cells.append(Cell(row, row, left, left if right is None else right, text))
        return escape(text)

    head = "<tr><th class=l></th>"
    for left in range(1, columns, each):
        text = put(chance.choice(GROUPS), 0, left, left + each - 1)
        head += f"<th colspan={each} class=g><div>{text}</div></th>"
    head += f"</tr><tr><th class=l>{put('Item', 1, 0)}</th>"
    head += "".join(f"<th class=n>{put(chance.choice(HEADS), 1, place)}</th>" for place in range(1, columns + 1))
    body, row = "", 2
    for number in range(chance.randint(5, 14)):
        if has_parts and number % 4 == 0:
            body += f"<tr><td class=l>{put(chance.choice(PARTS), row, 0)}</td>{'<td></td>' * columns}</tr>"
            row += 1
        label = put(chance.choice(LABELS), row, 0)
        label += f"&nbsp;{'.' * max(4, DOTS - len(label))}" if has_dots else ""
        values = "".join(f"<td class=n>{put(value(chance), row, place)}</td>" for place in range(1, columns + 1))
        body += f'<tr><td class="l{" i" if has_parts else ""}">{label}</td>{values}</tr>'
        row += 1
    table = f"<table><thead>{head}</tr></thead><tbody>{body}</tbody></table>"
    return Sheet("levels", _around(chance, table), tuple(cells), 2)


def value(chance: random.Random) -> str:
    """A number as tables have it, or a dash."""
    kind = chance.random()
    if kind < 0.4:
        return f"{chance.randint(1, 999)},{chance.randint(0, 999):03d}"
    if kind < 0.8:
        return f"{chance.uniform(0, 99):.1f}"
    return str(chance.randint(0, 99)) if kind < 0.93 else "-"


# ---------------------------------------------------------------------- sheets without tables


def bare_sheets() -> list[Sheet]:
    """Sheets that have no table, though much on them stands in lines and columns."""
    chance = random.Random(SEED)
    makers: Iterator[tuple[str, Callable[[random.Random, int], str]]] = (
        (kind, make) for kind, make, times in BARE for _ in range(times)
    )
    numbers = (number for _, _, times in BARE for number in range(times))
    return [Sheet(kind, make(chance, number)) for (kind, make), number in zip(makers, numbers, strict=True)]


def _text(chance: random.Random, _: int) -> str:
    return "".join(_paragraph(chance, chance.randint(3, 8)) for _ in range(6))


def _list(chance: random.Random, number: int) -> str:
    """Points or numbers, of one line each or of several, the last with lists in the list."""
    tag = ("ul", "ol")[number % 2]
    inner = f"<ul>{''.join(f'<li>{text}</li>' for text in chance.sample(LABELS, 3))}</ul>" if number == 3 else ""
    texts = chance.sample(LABELS, 9) if number < 2 else [_prose(chance, 2) for _ in range(7)]
    items = "".join(f"<li>{text}{inner}</li>" for text in texts)
    return f"{_paragraph(chance, 3)}<{tag}>{items}</{tag}>{_paragraph(chance, 4)}"


def _two_columns(chance: random.Random, _: int) -> str:
    return f"<div class=two>{''.join(_paragraph(chance, chance.randint(4, 7)) for _ in range(9))}</div>"


def _letter(chance: random.Random, number: int) -> str:
    """Sender and receiver above a letter: below each other, or side by side in the last one."""
    sender, receiver = (
        f"{name}<br>Office {chance.randint(10, 99)}<br>{chance.randint(1, 80)} Station Road<br>Tel. 555 01{number}4<br>"
        f"{chance.randint(10000, 99999)} Newtown"
        for name in chance.sample(NAMES, 2)
    )
    block = f"<div class=line><div>{receiver}</div><div>{sender}</div></div>"
    if number < 2:
        block = f"<p class=right>{sender}</p><p>{receiver}</p>"
    date = f"<p class=right>Newtown, {chance.randint(1, 28)} May {chance.randint(1990, 2020)}</p>"
    text = "".join(_paragraph(chance, 5) for _ in range(3))
    return f"{block}{date}<p>Dear colleagues,</p>{text}<p>Yours sincerely,<br>{chance.choice(NAMES)}</p>"


def _contents(chance: random.Random, number: int) -> str:
    """Headings with their pages: written dots between, drawn ones, and headings of two levels."""
    lines, page = "", 1
    for place, label in enumerate(chance.sample(LABELS, 16)):
        page += chance.randint(1, 9)
        is_below = number == 2 and place % 4 > 0
        dots = "" if number == 1 else "." * MOST_DOTS
        own = f"line{' dotted' if number == 1 else ''}{' below' if is_below else ''}"
        lines += f'<div class="{own}"><span>{place + 1}. {label}</span><i>{dots}</i><span>{page}</span></div>'
    return f"<h3>Contents</h3>{lines}"


def _terms(chance: random.Random, number: int) -> str:
    """Terms with what they mean below them, or behind them on the same line."""
    pairs = "".join(f"<dt>{label}</dt><dd>{_prose(chance, 2)}</dd>" for label in chance.sample(LABELS, 8))
    return f"{_paragraph(chance, 3)}<dl{' class=run' if number == 2 else ''}>{pairs}</dl>"


BARE = (
    ("prose", _text, 4),
    ("list", _list, 4),
    ("two columns", _two_columns, 3),
    ("letter", _letter, 3),
    ("contents", _contents, 3),
    ("terms", _terms, 3),
)
