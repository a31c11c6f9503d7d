"""Every figure of a site, and the means over several."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields

from bench.induce.attributes import Attribute, ColumnScore, agreement, attribute_scores, column_score
from bench.induce.columns import Columns, columns_of
from bench.induce.records import RecordScore, record_score
from bench.induce.sites import PageTruth, Site
from bench.measures import mean
from sightline.extract.schemas import lead_of

ADDRESSES = re.compile(r"(?:link|image)(?: \d+)?")  # what wrappers call fields that hold addresses


@dataclass(frozen=True)
class SiteScore:
    """How well the pages of a site were read; None and nothing where its truth has no such thing."""

    site: Site
    attributes: tuple[Attribute, ...] = ()
    as_published: tuple[Attribute, ...] = ()
    records: RecordScore | None = None
    columns: ColumnScore | None = None

    @property
    def page_f1(self) -> float | None:
        """The mean over its attributes."""
        return mean(one.page_f1 for one in self.attributes)

    @property
    def page_f1_as_published(self) -> float | None:
        """The same, where only the true texts as they were published count as true."""
        return mean(one.page_f1 for one in self.as_published)

    @property
    def cell_recall(self) -> float | None:
        """The share of the cells that are a value of the right column."""
        cells = sum(one.cells for one in self.attributes)
        return sum(one.found for one in self.attributes) / cells if cells else None


@dataclass(frozen=True)
class Summary:
    """Means over sites, of cells over all of them; None where no site has such a thing."""

    page_f1: float | None
    cell_recall: float | None
    anywhere: float | None
    correct: float | None
    record_precision: float | None
    record_recall: float | None
    record_f1: float | None
    record_cells: float | None
    column_precision: float | None
    column_recall: float | None
    column_f1: float | None

    def items(self) -> Iterable[tuple[str, float]]:
        """The figures that there are, by name."""
        values = ((field.name, getattr(self, field.name)) for field in fields(self))
        return [(name, value) for name, value in values if value is not None]


def score(site: Site, truth: Sequence[PageTruth], found: Sequence[Sequence[object]]) -> SiteScore:
    """What was found on every page, as nested records, against what is known of it."""
    columns = [columns_of(list(records)) for records in found]
    attributes: tuple[Attribute, ...] = ()
    published: tuple[Attribute, ...] = ()
    if any(page.fields for page in truth):
        published = tuple(attribute_scores(agreement([page.fields for page in truth], columns, site.any_of)))
        shorter = without_labels([page.fields for page in truth])
        cut = attribute_scores(agreement(shorter, columns, site.any_of))
        attributes = tuple(max(pair, key=lambda one: one.page_f1) for pair in zip(published, cut, strict=True))
    lists = [(page.records, records) for page, records in zip(truth, found, strict=True) if page.records]
    return SiteScore(
        site,
        attributes,
        published,
        record_score([true for true, _ in lists], [records for _, records in lists]) if lists else None,
        column_score(agreement([page.all_columns for page in truth], _texts(columns))) if site.complete else None,
    )


def _texts(columns: Sequence[Columns]) -> list[Columns]:
    """Columns without those of addresses: a complete truth names every column of texts, and no addresses."""
    return [{trail: found for trail, found in page.items() if not ADDRESSES.fullmatch(trail[-1])} for page in columns]


def without_labels(truth: Sequence[Mapping[str, Sequence[str]]]) -> list[dict[str, list[str]]]:
    """The true texts without the label that those of an attribute begin with, as in "Publisher: Acme" and ": Acme".

    >>> without_labels([{"publisher": ["Publisher: Acme"]}, {"publisher": ["Publisher: Bolt"]}])
    [{'publisher': ['Acme']}, {'publisher': ['Bolt']}]
    """
    texts: dict[str, list[str]] = {}
    for page in truth:
        for name, several in page.items():
            texts.setdefault(name, []).extend(several)
    leads = {name: lead_of(several) for name, several in texts.items()}
    return [{name: [leads[name].cut(text) for text in several] for name, several in page.items()} for page in truth]


def summary(scores: Sequence[SiteScore]) -> Summary:
    """Means over the sites that have such a thing."""
    attributes = [one for of in scores for one in of.attributes]
    lists = [of.records for of in scores if of.records is not None]
    columns = [of.columns for of in scores if of.columns is not None]
    cells = sum(one.cells for one in attributes)
    return Summary(
        mean(of.page_f1 for of in scores if of.page_f1 is not None),
        sum(one.found for one in attributes) / cells if cells else None,
        sum(one.anywhere for one in attributes) / cells if cells else None,
        mean(one.correct for one in attributes),
        mean(one.precision for one in lists),
        mean(one.recall for one in lists),
        mean(one.f1 for one in lists),
        mean(one.cell_f1 for one in lists),
        mean(one.precision for one in columns),
        mean(one.recall for one in columns),
        mean(one.f1 for one in columns),
    )
