"""A person who teaches by clicking, played by the truth: one example, then the first error is put right, and again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

import sightline as sl
from bench.frame import thinned
from bench.induce.columns import key
from bench.induce.sites import opened
from bench.pages import naming
from bench.teach.lessons import TaughtSite, example_order
from sightline.errors import UsageError
from sightline.page import Page

if TYPE_CHECKING:
    from sightline.extract.wrappers import Lesson


PAGES = 20  # of a site that are looked at after every click
MOST = 10  # clicks; who needs more has not learned it, and counts as one more
FEW = 4  # clicks that nine of ten fields may take
OF_RECORDS = "record."


@dataclass(frozen=True)
class Clicked:
    """How many clicks an attribute took; with the reason, and one more than the most, where it was not learned."""

    site: str
    name: str
    clicks: int
    stands: bool  # all its values are the whole texts of a node
    reason: str = ""

    @property
    def learned(self) -> bool:
        """Whether it is read without error on all pages."""
        return not self.reason


@dataclass(frozen=True)
class Cells:
    """One attribute on the pages of a site: the true texts of each; of `one_is_enough` they are spellings of one."""

    name: str
    texts: Mapping[str, Sequence[str]]
    one_is_enough: bool = False


@dataclass(frozen=True)
class Click:
    """What is put right next: a node that does not belong, or a text that is missing."""

    kind: Literal["want", "reject"]
    file: str
    what: int | str


def click_site(own: TaughtSite) -> list[Clicked]:
    """Every attribute of a site, its own and those of its records."""
    site = own.site
    order = example_order(site.truth)

    @cache
    def page(file: str) -> Page:
        [found] = opened(site.paths([file]))
        return found

    found = []
    for told, cells in _attributes(own).items():
        start = next(file for file in order if cells.texts[file])
        others = thinned([file for file in sorted(site.truth) if file != start], PAGES - 1)
        pages = {file: page(file) for file in sorted([start, *others])}
        with naming(f"{site.name}, {told}"):
            clicks, reason = clicked(cells, pages, start)
        found.append(Clicked(site.name, told, clicks, own.standing.get(told, 1.0) == 1.0, reason))
    return found


def clicked(cells: Cells, pages: Mapping[str, Page], start: str) -> tuple[int, str]:
    """The number of clicks until no page has an error, and why there is no such number if there is none."""
    lesson = sl.teach()
    click = Click("want", start, cells.texts[start][0])
    for count in range(1, MOST + 1):
        try:
            _do(lesson, cells.name, click, pages)
            error = _first_error(lesson, cells, pages)
        except UsageError as problem:
            return MOST + 1, str(problem)
        if error is None:
            return count, ""
        click = error
    return MOST + 1, f"would still {click.kind} {click.what!r} on {click.file}"


def _do(lesson: "Lesson", name: str, click: Click, pages: Mapping[str, Page]) -> None:
    act = lesson.want if click.kind == "want" else lesson.reject
    act(name, click.what, page=pages[click.file])


def _first_error(lesson: "Lesson", cells: Cells, pages: Mapping[str, Page]) -> Click | None:
    """The first match that is wrong, or the first text that is missing, on the first page that has an error."""
    for file, page in pages.items():
        found = [(match.node, key(match.text)) for match in lesson.matches(cells.name, page)]
        true = {compared: text for text in cells.texts[file] if (compared := key(text))}
        wrong = next((node for node, text in found if text and text not in true), None)
        if wrong is not None:
            return Click("reject", file, wrong)
        given = {text for _, text in found}
        missing = [text for compared, text in true.items() if compared not in given]
        if missing and not (cells.one_is_enough and given & true.keys()):
            return Click("want", file, missing[0])
    return None


def _attributes(own: TaughtSite) -> dict[str, Cells]:
    """The attributes by the names that the listing has for them; those that no page has a value of are left out."""
    truth = own.site.truth
    fields = dict.fromkeys(name for page in truth.values() for name in page.fields)
    inner = dict.fromkeys(name for page in truth.values() for record in page.records for name in record)
    found = {
        name: Cells(name, {file: page.fields.get(name, ()) for file, page in truth.items()}, name in own.site.any_of)
        for name in fields
    }
    for name in inner:
        texts = {
            file: [text for record in page.records for text in record.get(name, ())] for file, page in truth.items()
        }
        found[OF_RECORDS + name] = Cells(name, texts)
    return {told: cells for told, cells in found.items() if any(cells.texts.values())}
