"""What went wrong, to be looked at: lists and their records, promised items, and pages that promise nothing."""

from collections.abc import Mapping, Sequence

from bench.frame import RIGHT, show_texts, show_title
from bench.lists import records, topk
from bench.lists.items import Found, FoundList

TEXT_SHOWN = 100


def report_lists(
    pages: Sequence[records.PageScore], found: Mapping[str, Sequence[FoundList]], *, most: int = 10
) -> None:
    """Print at most so many lists whose records, rank or cells are not right, worst first."""
    wrong = sorted((page for page in pages if min(_figures(page)) < RIGHT), key=_figures)
    show_title(f"{len(wrong)} of {len(pages)} lists that are not right", most)
    for page in wrong[:most]:
        _show_list(page, found[page.truth.file])


def report_tops(pages: Sequence[topk.TopScore], found: Mapping[str, FoundList], *, most: int = 10) -> None:
    """Print at most so many pages whose items are not right, worst first, and pages that have no list."""
    wrong = sorted((page for page in pages if page.truth.has_list and not page.perfect), key=_goodness)
    show_title(f"{len(wrong)} promised lists that are not right", most)
    for page in wrong[:most]:
        _show_top(page, found[page.truth.file])
    alarms = [page for page in pages if page.size and not page.truth.has_list]
    show_title(f"{len(alarms)} pages without a list taken for one", most)
    for page in alarms[:most]:
        print(f"\n{page.truth.id} [{page.truth.part}] {page.truth.title}")
        show_texts("found", [_of(item) for item in found[page.truth.file]])


def _figures(page: records.PageScore) -> tuple[float, float, float]:
    return page.best.records.f1, page.first.records.f1, page.best.cells.f1


def _goodness(page: topk.TopScore) -> tuple[bool, float]:
    return page.correct, page.items.f1


def _show_list(page: records.PageScore, lists: Sequence[FoundList]) -> None:
    truth, best = page.truth, page.best
    figures = f"best F1 {best.records.f1:.3f}, cells {best.cells.f1:.3f}, first F1 {page.first.records.f1:.3f}"
    print(f"\n{truth.id} [{truth.part}] {len(truth.records)} records: {figures}")
    if best.place is None:
        print("  no list was found")
        return
    fitting = [item for item in lists[best.place] if item.bag]
    print(f"  best is number {best.place + 1} of {page.found}, with {best.size} items")
    seen = set(best.partners.values())
    show_texts("missed", [" | ".join(record) for number, record in enumerate(truth.records) if number not in seen])
    show_texts("wrong", [_of(item) for number, item in enumerate(fitting) if number not in best.partners])
    if page.first.records.f1 < best.records.f1:
        show_texts("ranked first", [_of(item) for item in lists[0]])
    _show_cells(truth, fitting, best)


def _show_cells(truth: records.ListTruth, items: Sequence[Found], best: records.ListScore) -> None:
    """One record whose cells differ: the others mostly do so in the same way."""
    for number, other in best.partners.items():
        if items[number].cells != truth.cells[other]:
            print(f"  cells of {' | '.join(truth.records[other])[:TEXT_SHOWN]}")
            show_texts("missed cells", list(truth.cells[other] - items[number].cells))
            show_texts("wrong cells", list(items[number].cells - truth.cells[other]))
            return


def _show_top(page: topk.TopScore, found: FoundList) -> None:
    truth = page.truth
    figures = f"item F1 {page.items.f1:.3f}, near {page.near:.3f}, {'correct' if page.correct else 'NOT correct'}"
    print(f"\n{truth.id} [{truth.part}] {truth.title}: k {truth.k}, found {page.size}; {figures}")
    seen = set(page.partners.values())
    show_texts("missed", [names[1] for number, names in enumerate(truth.items) if number not in seen])
    show_texts("wrong", [_of(item) for number, item in enumerate(found) if number not in page.partners])


def _of(item: Found) -> str:
    return f"{item.title} ‖ {item.text}" if item.title else item.text
