"""What was delivered against what is true, by the names that were taught: pages, records, and what was said of them."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bench.induce.attributes import Agreement, Attribute, agreement
from bench.induce.columns import Trail, columns_of, key
from bench.induce.records import CellCounts, record_score
from bench.induce.sites import PageTruth, Site, Texts
from bench.measures import f1, mean
from bench.teach.lessons import Delivered

GOOD_PAGE = 0.9  # value F1 from which a page counts as right after a redesign


@dataclass(frozen=True)
class ListScore:
    """The records of a site, and their cells under the names that were taught."""

    record_f1: float
    cell_f1: float


@dataclass(frozen=True)
class NamedScore:
    """How well the test pages of a site were read; only what was taught is asked for."""

    site: Site
    attributes: tuple[Attribute, ...]
    records: ListScore | None
    failed: int

    @property
    def page_f1(self) -> float | None:
        """The mean over its attributes; None for a site of lists alone."""
        return mean(one.page_f1 for one in self.attributes)


@dataclass(frozen=True)
class Measured:
    """The values of some pages: how many are right, and what was said of those that are not.

    `counts` has the values `true`, `ok_delivered`, `ok_wrong` and `ok_missing`, and pages: `pages`, `ok`, `ok_bad`
    (less than good, and not said), `alarm_good` (good, and doubted), `alarm_right` (without any error, and doubted).
    """

    value_f1: float
    counts: Counter[str]


def rate(measures: Iterable[Measured], part: str, whole: str) -> float:
    """A share over all pages of all sites; where there is nothing that could be wrong, nothing is."""
    total = sum((one.counts for one in measures), Counter[str]())
    return total[part] / total[whole] if total[whole] else 0.0


def by_name(counts: Agreement) -> dict[str, Trail]:
    """The column of every attribute: the shallowest whose last part is its name."""
    called: dict[str, Trail] = {}
    for column in sorted((own for own in counts.column_pages if own), key=lambda own: (len(own), own)):
        called.setdefault(column[-1].strip().lower(), column)
    return {name: called[name.lower()] for name in sorted(counts.true_pages) if name.lower() in called}


def flat(page: PageTruth, taught: Collection[str] | None = None) -> dict[str, list[str]]:
    """Fields, and every attribute of the records as one set of values; with `taught` only those."""
    found = {name: list(texts) for name, texts in page.fields.items()}
    for record in page.records:
        for name, texts in record.items():
            found.setdefault(name, []).extend(texts)
    return {name: texts for name, texts in found.items() if taught is None or name in taught}


def named_score(
    site: Site, truth: Sequence[PageTruth], found: Sequence[Delivered], taught: Collection[str]
) -> NamedScore:
    """The test pages of a site against what is known of them."""
    counts = agreement([page.fields for page in truth], [columns_of(one.records) for one in found], site.any_of)
    columns = by_name(counts)
    lists = [(page.records, one.records) for page, one in zip(truth, found, strict=True) if page.records]
    return NamedScore(
        site,
        tuple(_attribute(counts, name, columns.get(name)) for name in sorted(counts.true_pages) if name in taught),
        _list_score([true for true, _ in lists], [records for _, records in lists]) if lists else None,
        sum(one.verdict == "failed" for one in found),
    )


def measured(
    truth: Sequence[Texts],
    found: Sequence[Delivered],
    columns: Mapping[str, Trail] | None = None,
    any_of: Collection[str] = (),
) -> Measured:
    """Value F1 and silent errors, by the columns given or those that have the attributes' names."""
    read = [columns_of(one.records) for one in found]
    agreed = agreement(truth, read, any_of)
    names = sorted(agreed.true_pages)
    chosen = by_name(agreed) if columns is None else columns
    counts: Counter[str] = Counter()
    for page, values, one in zip(truth, read, found, strict=True):
        given = {name: set(values.get(chosen[name], ())) if name in chosen else set() for name in names}
        counts.update(_page_counts(page, given, any_of, ok=one.verdict == "ok"))
    scores = (agreed.value_f1(name, chosen[name]) if name in chosen else 0.0 for name in names)
    return Measured(mean(scores) or 0.0, counts)


def _page_counts(page: Texts, given: Mapping[str, set[str]], any_of: Collection[str], *, ok: bool) -> Counter[str]:
    true = right = wrong = missing = 0
    for name, texts in given.items():
        wanted = {compared for text in page.get(name, ()) if (compared := key(text))}
        hits, one = len(wanted & texts), name in any_of
        known = min(1, len(wanted)) if one else len(wanted)
        hit = min(1, hits) if one else hits
        true, right, missing = true + known, right + hit, missing + known - hit
        wrong += len(texts) - hits
    good = f1(right, right + wrong, true) >= GOOD_PAGE
    counts = Counter(pages=1, true=true, ok=int(ok))
    if ok:
        counts.update(ok_delivered=right + wrong, ok_wrong=wrong, ok_missing=missing, ok_bad=int(not good))
    else:
        counts.update(alarm_good=int(good), alarm_right=int(true > 0 and not wrong and not missing))
    return counts


def _attribute(counts: Agreement, name: str, column: Trail | None) -> Attribute:
    found = counts.shared[name, column] if column is not None else 0
    score = counts.page_f1(name, column)
    return Attribute(name, column, score, counts.true_values[name], found, counts.anywhere[name])


def _list_score(truth: Sequence[Sequence[Texts]], found: Sequence[Sequence[object]]) -> ListScore:
    """The list of a site that serves best."""
    best = record_score(truth, found, _called)
    return ListScore(best.f1, best.cell_f1)


def _called(cells: CellCounts) -> dict[str, Trail]:
    """The column of each attribute's name: the shallowest, as everywhere; of several equally deep ones the last."""
    called = {column[-1].strip().lower(): column for column in sorted(cells.found, key=_deepest_first) if column}
    return {name: called[name.lower()] for name in cells.true if name.lower() in called}


def _deepest_first(column: Trail) -> tuple[int, Trail]:
    return -len(column), column
