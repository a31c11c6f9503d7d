"""What went wrong, to be looked at: the worst tables, layout that was handed out, and tables that are none."""

from collections.abc import Iterator, Sequence
from itertools import islice

from bench.frame import RIGHT, show_title
from bench.tables.adjacency import Found, PageScore, TableScore

ROWS_SHOWN = 4
CELLS_SHOWN = 8
TEXT_SHOWN = 18


def report(pages: Sequence[PageScore], found: Sequence[Sequence[Found]], *, most: int = 10, kind: str = "") -> None:
    """Print at most so many of each sort, worst first; of one kind of table only, if it is named."""
    together = [(page, [table for table in tables if table.rows]) for page, tables in zip(pages, found, strict=True)]
    worst = sorted(
        (
            (score, page, number, tables)
            for page, tables in together
            for number, score in enumerate(page.tables)
            if kind in ("", score.kind) and (score.f1 < RIGHT or score.header is False)
        ),
        key=lambda one: one[0].f1,
    )
    show_title(f"{len(worst)} tables that are not right", most)
    for score, page, number, tables in worst[:most]:
        _show_table(score, page, number, tables)
    if not kind:
        _show_others(together, most)


def _show_table(score: TableScore, page: PageScore, number: int, tables: Sequence[Found]) -> None:
    truth = page.truth.tables[number]
    figures = f"F1 {score.f1:.3f} (P {score.precision:.3f}, R {score.recall:.3f})"
    print(f"\n{page.truth.id} [{page.truth.part}] table {number}, {score.kind}: {figures}")
    _show_rows("truth", truth)
    if score.partner is None:
        print(f"  found nothing for it; {len(tables)} tables on the page")
        return
    found = tables[score.partner]
    _show_rows("found", found)
    for what, one, other in (("missing", truth, found), ("too much", found, truth)):
        difference = one.relations - other.relations
        if difference:
            some = "; ".join(f"{left[:24]} → {right[:24]} ({side})" for left, right, side in islice(difference, 3))
            print(f"  {what}: {difference.total()} relations, as {some}")


def _show_rows(title: str, table: Found) -> None:
    width = max(map(len, table.rows))
    print(f"  {title}: {len(table.rows)} × {width}, header rows {table.header_rows}")
    for row in table.rows[:ROWS_SHOWN]:
        print("    " + " | ".join(_short(text) for text in row[:CELLS_SHOWN]) + (" | …" if width > CELLS_SHOWN else ""))


def _short(text: str | None) -> str:
    flat = " ".join((text or "").split())
    return flat if len(flat) <= TEXT_SHOWN else flat[: TEXT_SHOWN - 1] + "…"


def _show_others(together: Sequence[tuple[PageScore, list[Found]]], most: int) -> None:
    layout = [(page, number) for page, _ in together for number in sorted(page.layout)]
    show_title(f"{len(layout)} layout tables handed out", most)
    for page, number in layout[:most]:
        print(f"  {page.truth.id}: {_start(page.truth.layout[number])}")
    wrong = list(_wrong(together))
    show_title(f"{len(wrong)} tables on complete pages that are no data tables", most)
    for page, number, table in wrong[:most]:
        print(f"\n{page.truth.id} [{page.truth.part}]")
        _show_rows(f"found as table {number}", table)


def _wrong(together: Sequence[tuple[PageScore, list[Found]]]) -> Iterator[tuple[PageScore, int, Found]]:
    for page, tables in together:
        for number in page.wrong if page.truth.is_complete else ():
            yield page, number, tables[number]


def _start(text: str) -> str:
    return " ".join(text.split())[:100]
