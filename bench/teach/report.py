"""What went wrong, to be looked at: attributes with the pages that differ, clicks, and pages that were doubted."""

from collections.abc import Sequence

from bench.frame import RIGHT, show_texts
from bench.induce.attributes import Attribute
from bench.induce.columns import columns_of, key
from bench.teach.clicks import FEW, Clicked
from bench.teach.evolution import Survived
from bench.teach.lessons import Delivered, TaughtSite
from bench.teach.scores import NamedScore, flat, measured

INDENT = "    "


def report_site(
    own: TaughtSite, k: int, score: NamedScore, pages: Sequence[Delivered], clicked: Sequence[Clicked]
) -> None:
    """Print what is not right of a site that was taught with so many examples."""
    said = [] if score.page_f1 is None else [f"page F1 {score.page_f1:.3f}"]
    if score.records:
        said += [f"record F1 {score.records.record_f1:.3f}", f"their cells {score.records.cell_f1:.3f}"]
    print(f"\n{own.site.name}, taught on {k}, {len(pages)} pages: {', '.join(said)}")
    for one in score.attributes:
        if one.page_f1 < RIGHT:
            _show_attribute(own, one, pages)
    doubted = [
        f"{name}: {one.verdict}"
        for name, one in zip(own.test, pages, strict=True)
        if one.verdict != "ok" and _is_right(own, k, name, one)
    ]
    show_texts("doubted although right", doubted)
    many = [one for one in clicked if one.clicks > FEW]
    show_texts("clicks", [f"{one.name}: {one.clicks} {one.reason}" for one in many])


def report_steps(steps: Sequence[Survived]) -> None:
    """Print every redesign that a wrapper did not survive, or that it read wrongly without a word."""
    print("\nredesigns: value F1 on the old version, on the new one, after repair; values wrong and not said")
    for one in steps:
        phases = [one.before, *([one.after] if one.after is not None else [])]
        silent = " / ".join(f"{own.counts['ok_wrong']} of {own.counts['ok_delivered']}" for own in phases)
        scores = " / ".join(f"{own.value_f1:.3f}" for own in (one.basis, *phases))
        lost = not one.survived(phases[-1])
        if lost or any(own.counts["ok_wrong"] for own in phases):
            print(f"  {one.step.name}: {scores}; {silent}{'; not learned' if not one.learned else ''}")


def _is_right(own: TaughtSite, k: int, name: str, one: Delivered) -> bool:
    truth = flat(own.site.truth[name], own.job(k).taught)
    return bool(measured([truth], [one], any_of=own.site.any_of).counts["alarm_right"])


def _show_attribute(own: TaughtSite, one: Attribute, pages: Sequence[Delivered]) -> None:
    column = "no column" if one.column is None else "/".join(one.column)
    print(f"  {one.name}: {one.page_f1:.3f} by {column}; {one.found} of {one.cells} cells, {one.anywhere} anywhere")
    differing = []
    for name, page in zip(own.test, pages, strict=True):
        true = own.site.truth[name].fields.get(one.name, ())
        found = columns_of(page.records).get(one.column, []) if one.column is not None else []
        wanted = {key(text) for text in true} - {""}
        enough = one.name in own.site.any_of and found and wanted.issuperset(found)
        if wanted != set(found) and not enough:
            differing.append(f"{name} ({page.verdict}): {' | '.join(true) or '–'} ≠ {' | '.join(found) or '–'}")
    show_texts("pages", differing, INDENT)
