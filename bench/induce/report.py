"""What went wrong, to be looked at: attributes, records, columns, names, and pages that were refused."""

from collections.abc import Sequence

from bench.frame import RIGHT, show_texts, show_title
from bench.induce.attributes import Attribute
from bench.induce.columns import columns_of, key
from bench.induce.ways import SiteReading

INDENT = "    "


def report(readings: Sequence[SiteReading], *, most: int = 10) -> None:
    """Print at most so many sites that are not right, worst first."""
    wrong = sorted((one for one in readings if _goodness(one) < RIGHT), key=_goodness)
    show_title(f"{len(wrong)} of {len(readings)} sites that are not right", most)
    for reading in wrong[:most]:
        _show_site(reading)


def _goodness(reading: SiteReading) -> float:
    score = reading.score
    found = [score.page_f1, score.records.f1 if score.records else None, score.columns.f1 if score.columns else None]
    refused = 1.0 - len(reading.refused) / max(1, len(reading.files))
    return min([refused, *(one.good for one in reading.named), *(value for value in found if value is not None)])


def _show_site(reading: SiteReading) -> None:
    score = reading.score
    said = [] if score.page_f1 is None else [f"page F1 {score.page_f1:.3f}", f"cells {score.cell_recall or 0.0:.3f}"]
    if score.records:
        said += [f"record F1 {score.records.f1:.3f}", f"their cells {score.records.cell_f1:.3f}"]
    if score.columns:
        said += [f"columns P {score.columns.precision:.3f} R {score.columns.recall:.3f}"]
    print(f"\n{score.site.name}, {len(reading.files)} pages: {', '.join(said)}")
    for one in score.attributes:
        if one.page_f1 < RIGHT:
            _show_attribute(reading, one)
    if score.records and score.records.missed:
        of = score.records
        print(f"  records in {'/'.join(of.trail) or 'the whole'}: {of.matched} of {of.true}, {of.predicted} found")
        show_texts("missed", [" | ".join(record) for record in of.missed], INDENT)
    if score.columns:
        show_texts("columns that are no attribute", ["/".join(column) for column in score.columns.wrong], INDENT)
    show_texts("refused", reading.refused, INDENT)
    show_texts("doubted", reading.doubted, INDENT)
    show_texts("named otherwise", [f"{one.attribute}: {one.name}" for one in reading.named if not one.good], INDENT)


def _show_attribute(reading: SiteReading, one: Attribute) -> None:
    column = "no column" if one.column is None else "/".join(one.column)
    print(f"  {one.name}: {one.page_f1:.3f} by {column}; {one.found} of {one.cells} cells, {one.anywhere} anywhere")
    differing = []
    for name, records in zip(reading.files, reading.records, strict=True):
        true = reading.score.site.truth[name].fields.get(one.name, ())
        found = columns_of(records).get(one.column, []) if one.column is not None else []
        if {key(text) for text in true} - {""} != set(found):
            differing.append(f"{name}: {' | '.join(true) or '–'} ≠ {' | '.join(found) or '–'}")
    show_texts("pages", differing, INDENT)
