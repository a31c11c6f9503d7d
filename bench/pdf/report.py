"""What went wrong, to be looked at: documents with tables that are not right, and pages with words labelled wrong."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from bench.frame import RIGHT, show_texts, show_title
from bench.pdf.headings import Headings
from bench.pdf.icdar import Found, Relations, Score
from bench.pdf.invoices import Reading
from bench.pdf.labels import MISSED, Confusion


def report_tables(
    truths: Mapping[str, Sequence[Sequence[Found]]],
    found: Mapping[str, Sequence[Found]],
    scores: Iterable[Score],
    most: int,
) -> None:
    """Print the worst documents or sheets, with relations that are missing and those that are too many."""
    worst = sorted((one for one in scores if one.structure.f1 < RIGHT), key=lambda one: one.structure.f1)
    show_title(f"{len(worst)} documents whose tables are not right", most)
    for one in worst[:most]:
        count, regions = one.structure, one.regions
        figures = f"F1 {count.f1:.3f} (P {count.precision:.3f}, R {count.recall:.3f})"
        told = f"; regions F {regions.f1:.3f}, missed {regions.missed}, false {regions.false}" if regions else ""
        print(f"\n{one.name}: {figures}{told}")
        for truth in truths[one.name]:
            _show_difference(truth, found[one.name])


def _show_difference(truth: Sequence[Found], found: Sequence[Found]) -> None:
    true, own = _all_relations(truth), _all_relations(found)
    print(f"  {len(truth)} true tables on pages {_pages(truth)}, {len(found)} found on {_pages(found)}")
    for what, difference in (("missing", true - own), ("too much", own - true)):
        show_texts(what, [f"{one} → {other} ({side}, {gap} blank)" for side, one, other, gap in difference])


def _all_relations(tables: Iterable[Found]) -> Relations:
    return sum((table.relations for table in tables), Counter())


def _pages(tables: Iterable[Found]) -> str:
    return " ".join("-".join(map(str, sorted(table.pages))) for table in tables) or "none"


def report_headings(headings: Iterable[Headings]) -> None:
    """Print every table whose headings are not right."""
    print(f"\n{'─' * 100}\nheadings")
    for one in headings:
        if not one.right:
            found = "none" if one.found is None else one.found
            print(f"  {one.name}: {found} header rows, not {one.true}")


def report_labels(pages: Mapping[str, Confusion], most: int) -> None:
    """Print the worst pages, with what was taken for what."""
    worst = sorted(pages.items(), key=lambda item: item[1].right)
    show_title(f"{len(worst)} pages of words", most)
    for name, own in worst[:most]:
        wrong = {pair: count for pair, count in own.counts.most_common() if pair[0] != pair[1]}
        told = ", ".join(
            f"{count} {true} {'missed' if given == MISSED else f'as {given}'}" for (true, given), count in wrong.items()
        )
        print(f"{name}: {own.right:.3f} of {own.words}; {told}")


def report_invoices(readings: Iterable[Reading]) -> None:
    """Print every field that was read wrong."""
    print(f"\n{'─' * 100}\ninvoices")
    for one in readings:
        if not one.right:
            print(f"  {one.invoice}, {one.field.name} ({one.way}, {one.copy}): {one.text!r}, not {one.field.shown!r}")
