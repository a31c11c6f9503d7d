"""What finding tables costs, against the capture of the same page, and how it grows with the table."""

from collections.abc import Callable
from io import StringIO
from time import process_time

import sightline as sl
from bench.frame import Figure
from bench.searches import ROWS, TIMES, growth
from bench.tables.pages import Way
from sightline.net import Limits

DEAR = 0.15  # of the capture: what finding tables may cost
COLUMNS = 10
# A large table without a browser: its rows and columns, how long it may take, and its growth for five times the rows.
LARGE_ROWS, LARGE_COLUMNS, LARGE_TIMES = 20_000, 8, 5
MOST_SECONDS = 2.5
MOST_LARGE_GROWTH = 6.0
LARGE_NODES = 5_000_000  # the usual limit would cut the largest page


def growths(way: Way) -> tuple[Figure, ...]:
    """How much longer the search takes on a page with ten times the cells."""
    title = f"{ROWS * COLUMNS * TIMES:,} cells / {ROWS * COLUMNS:,} cells"
    return growth(f"{title}, <table>", _markup, way), growth(f"{title}, grid of <div>", _divs, way)


def large() -> tuple[Figure, ...]:
    """What a large table costs without a browser, from its bytes to CSV: the processor's time, beside pandas."""
    ours, larger = (_csv_seconds(rows) for rows in (LARGE_ROWS, LARGE_ROWS * LARGE_TIMES))
    peer = _pandas_seconds(LARGE_ROWS)
    name = f"{LARGE_ROWS:,} × {LARGE_COLUMNS} cells static, CPU s"
    beside = (Figure.ratio(f"{name}, / pandas", ours, peer, None, "lower"),) if peer else ()
    title = f"{LARGE_ROWS * LARGE_TIMES:,} / {LARGE_ROWS:,} rows static, CPU s"
    return (
        Figure.of(name, ours, MOST_SECONDS, "lower", "s", peer=peer),
        *beside,
        Figure.ratio(title, larger, ours, MOST_LARGE_GROWTH, "lower"),
    )


def _csv_seconds(rows: int) -> float:
    content = _large(rows).encode()
    limits = Limits(nodes=LARGE_NODES)
    sl.tables(sl.open(_large(30).encode(), static=True))[0].to_csv()  # what is made once does not count

    def work() -> object:
        page = sl.open(content, static=True, limits=limits)
        tables = sl.tables(page)
        return page, tables, tables[0].to_csv()

    return _least_seconds(work)


def _pandas_seconds(rows: int) -> float | None:
    try:
        import lxml.etree  # noqa: F401 - without it pandas reads no HTML
        import pandas
    except ImportError:
        return None
    text = _large(rows)
    return _least_seconds(lambda: (tables := pandas.read_html(StringIO(text)), tables[0].to_csv()))


def _least_seconds(work: Callable[[], object]) -> float:
    """The least time of the processor in two rounds, so that a busy machine hardly matters; freeing memory apart."""
    taken = []
    for _ in range(2):
        began = process_time()
        made = work()
        taken.append(process_time() - began)
        del made
    return min(taken)


def _markup(rows: int) -> str:
    body = "".join(f"<tr>{''.join(f'<td>{text}' for text in row)}" for row in _texts(rows))
    return f"<!doctype html><title>Figures</title><h1>Figures</h1><table border=1>{body}</table>"


def _large(rows: int) -> str:
    """A table of numbers, names, dates, prices and words, as a register publishes it, with all its tags closed."""
    head = "".join(f"<th>Field {place}</th>" for place in range(LARGE_COLUMNS))
    body = "\n".join(f"<tr>{''.join(f'<td>{text}</td>' for text in _register(row))}</tr>" for row in range(1, rows))
    return f"<!doctype html><title>Register</title><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _register(row: int) -> tuple[str, ...]:
    some = row * 7919 % 99_991
    date, colour = f"2024-{some % 12 + 1:02}-{some % 28 + 1:02}", ("red", "green", "blue")[some % 3]
    numbers = f"{some / 100:.2f}", f"${some:,}.50", f"{some % 100}%"
    return str(row), f"Name {some}", date, colour, *numbers, f"Town {some % 500} north"


def _divs(rows: int) -> str:
    body = "".join(f"<div>{text}</div>" for row in _texts(rows) for text in row)
    style = f"main{{display:grid;grid-template-columns:repeat({COLUMNS},90px)}}"
    return f"<!doctype html><title>Figures</title><style>{style}</style><h1>Figures</h1><main>{body}</main>"


def _texts(rows: int) -> list[list[str]]:
    """A heading and rows of a name and numbers, as statistics offices publish them."""
    head = ["Place", *(str(2000 + year) for year in range(1, COLUMNS))]
    body = [
        [f"Place {row}", *(f"{(row * 7919 + year * 104_729) % 100_003:,}" for year in range(1, COLUMNS))]
        for row in range(1, rows)
    ]
    return [head, *body]
