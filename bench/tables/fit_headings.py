"""Fit how many rows of a table are headings: `python -m bench.tables.fit_headings`.

Tables are those of the sets `tables` and `tables2` that are found, rendered and without a browser. How many header rows
they have is known from their markup, or labelled by eye (`header_rows.json`). Headings without any markup, and tables
without headings, are few there; so each real table also counts, for less, without its tags, without tags and looks, and
without its header rows. Figures are of the real tables alone. Folds are by site: the package of documentation, else the
page. The penalty is chosen inside each fold, by folds of its own. `--write` writes the weights to the package.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias
from zlib import crc32

import numpy as np

from bench.fitting import Floats, chances, logistic, newton
from bench.frame import Options, program
from bench.pages import rendered, static
from bench.tables.adjacency import Found, PageTruth, score
from bench.tables.pages import read_truth
from sightline.extract.tables import TableSettings, _headings
from sightline.extract.tables._draft import GridView, PageTexts, TableDraft
from sightline.extract.tables._find import _Search
from sightline.extract.tables._grid import CellGrid
from sightline.extract.tables._headings import (
    MEASURES,
    MOST_HEADER_ROWS,
    HeaderCount,
    HeadingMeasures,
    likeliest,
    rows_by_tags,
)
from sightline.page import Page

Weights: TypeAlias = tuple[Floats, float]

SETS = ("tables", "tables2")
FOLDS = 5
PENALTIES = (10.0, 30.0)
ROUNDS, SETTLED = 60, 1e-4
# What markup, looks and lines say is hardly held back: they are there to say what a heading is.
SAID = ("marked", "marked alone", "below marks", "bold alone", "painted", "ruled", "below rule")
SAID_PENALTY = 0.0005
# How much a table counts. The made ones are many, and less like what is found on pages.
COUNTS = {"real": 1.0, "without tags": 0.5, "without looks": 0.2, "body": 0.5, "body with tags": 0.02}
HEADLESS, UNTAGGED = 4.0, 2.0  # real tables without headings, and with headings but without tags: few, but the question
THRESHOLDS = (0.6, 0.7, 0.8, 0.9, 0.95)  # of `SURE`
COLUMNS = (  # fields of a draft with one entry for each cell
    *("words", "linked", "links", "pictures", "controls", "blocks", "bold", "italic"),
    *("background", "lined", "marked", "guiding", "items"),
)
DIGITS = 2
MODULE = Path(_headings.__file__)


@dataclass(frozen=True, eq=False)
class Example:
    """A table: where it is from, the measures of its first rows, and how many of them are headings.

    `told` is the number in the truth. It is larger than `rows` where markup makes headings of sections below.
    """

    set: str
    way: str
    site: str
    make: str
    is_tagged: bool
    measures: Floats
    rows: int
    told: int
    settled: int | None = None  # by tags that leave no doubt: the model learns from it, but is not asked

    @property
    def count(self) -> float:
        """How much the table counts."""
        if self.make != "real":
            return COUNTS[self.make]
        return HEADLESS if not self.rows else 1.0 if self.is_tagged else UNTAGGED


def main() -> None:
    """Print figures in folds, out of folds and from set to set; write the weights if asked to."""
    parser = program(__doc__)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    examples = list(_examples(Options(data=arguments.data, keep_pages=True)))
    real = [one for one in examples if one.make == "real"]
    print(f"{len(examples)} tables of {len({one.site for one in examples})} sites, {len(real)} of them real")
    penalty = _chosen(examples)
    weights = _fitted(examples, penalty)
    _tell("in fold", [(one, _count(one, weights)) for one in examples])
    outside = list(_out_of_fold(examples))
    _tell("out of fold", outside)
    _tell("out of fold, not settled by tags", [(one, count) for one, count in outside if one.settled is None])
    _tell_doubts(outside)
    for one, other in (SETS, SETS[::-1]):
        inside = [example for example in examples if example.set == one]
        own = _fitted(inside, _chosen(inside))
        _tell(f"{one} to {other}", [(example, _count(example, own)) for example in examples if example.set == other])
    print(f"penalty {penalty}")
    text = _written(weights)
    print(text)
    if arguments.write:
        _write(text)


# ---------------------------------------------------------------------- fitting


def _fitted(examples: Sequence[Example], penalty: float) -> Weights:
    """Weights and bias: logistic regression by Newton's method, with a penalty on weights in their own spread."""
    rows = [(one.measures[row], float(row < one.rows), one.count) for one in examples for row in _asked(one)]
    measures, labels, counts = (np.array(column) for column in zip(*rows, strict=True))
    mean = np.average(measures, axis=0, weights=counts)
    spread = np.sqrt(np.average((measures - mean) ** 2, axis=0, weights=counts))
    spread = np.where(spread < 1e-6, 1.0, spread)
    scaled = np.c_[(measures - mean) / spread, np.ones(len(measures))]
    held = np.array([penalty * (SAID_PENALTY if name in SAID else 1.0) for name in MEASURES] + [1e-6])
    loss = logistic(scaled, labels, counts)
    weights = newton(np.zeros(scaled.shape[1]), held, loss, rounds=ROUNDS, settled=SETTLED)
    found = (weights[:-1] / spread).round(DIGITS)
    return found, round(float(weights[-1] - (weights[:-1] / spread) @ mean), DIGITS)


def _asked(one: Example) -> range:
    """The rows that are asked about: the headings, and the first row below them."""
    return range(min(len(one.measures), one.rows + 1))


def _count(one: Example, weights: Weights) -> HeaderCount:
    if one.settled is not None:
        return HeaderCount(one.settled)
    return likeliest(chances(one.measures @ weights[0] + weights[1]).tolist())


def _chosen(examples: Sequence[Example]) -> float:
    """The penalty with the fewest wrong numbers out of fold; those of tables without headings count as much as all."""

    def wrong(penalty: float) -> float:
        found = list(_in_folds(examples, lambda inside: _fitted(inside, penalty)))
        return sum(_share_wrong(found, headless=headless) for headless in (False, True))

    return min(PENALTIES, key=lambda penalty: (round(wrong(penalty), 4), -penalty))


def _out_of_fold(examples: Sequence[Example]) -> Iterator[tuple[Example, HeaderCount]]:
    return _in_folds(examples, lambda inside: _fitted(inside, _chosen(inside)))


def _in_folds(
    examples: Sequence[Example], fit: Callable[[Sequence[Example]], Weights]
) -> Iterator[tuple[Example, HeaderCount]]:
    """Every table with what weights of other sites make of it."""
    folds = [crc32(one.site.encode()) % FOLDS for one in examples]
    for fold in range(FOLDS):
        weights = fit([one for one, its in zip(examples, folds, strict=True) if its != fold])
        yield from ((one, _count(one, weights)) for one, its in zip(examples, folds, strict=True) if its == fold)


# ---------------------------------------------------------------------- figures


def _share_wrong(found: Sequence[tuple[Example, HeaderCount]], *, headless: bool) -> float:
    own = [count.rows != one.told for one, count in found if one.make == "real" and (one.rows == 0) == headless]
    return sum(own) / max(1, len(own))


def _tell(title: str, found: Sequence[tuple[Example, HeaderCount]]) -> None:
    """Shares of the real tables whose number of header rows is right; of the made ones below."""
    print(title)
    groups: dict[str, list[bool]] = {}
    for one, count in found:
        what = "without headings" if not one.rows else "with headings"
        names = [f"{one.make}, {what}"]
        if one.make == "real":
            names = [f"{one.way}, {what}", f"{one.way}, {one.set}, {what}"]
            names += [f"{one.way}, with headings, no tags"] if one.rows and not one.is_tagged else []
        for name in names:
            groups.setdefault(name, []).append(count.rows == one.told)
    for name, right in sorted(groups.items()):
        print(f"  {name}: {sum(right)} of {len(right)}, {sum(right) / len(right):.4f}")


def _tell_doubts(found: Sequence[tuple[Example, HeaderCount]]) -> None:
    """At which chance how many of the right numbers and of the wrong ones are doubted."""
    real = [(count.chance, count.rows == one.told) for one, count in found if one.make == "real"]
    for least in THRESHOLDS:
        right, wrong = ([chance < least for chance, is_right in real if is_right == which] for which in (True, False))
        print(f"  doubted below {least}: {np.mean(right):.4f} of the right numbers, {np.mean(wrong):.4f} of the wrong")


# ---------------------------------------------------------------------- tables


def _examples(options: Options) -> Iterator[Example]:
    for name in SETS:
        truth = read_truth(options, name=name)
        ways = {"rendered": rendered(truth.files, keep=True), "static": static(truth.files)}
        for way, pages in ways.items():
            for known, page in zip(truth.pages, pages, strict=True):
                for draft, told, is_tagged in _drafts(known, page):
                    yield from _made(
                        draft, Example(name, way, _site(known), "real", is_tagged, np.zeros(0), told, told)
                    )


def _site(known: PageTruth) -> str:
    name = known.id.split("/")[1]
    return name.split("_")[0] if known.set == "debian_docs" else name


def _drafts(known: PageTruth, page: Page) -> Iterator[tuple[TableDraft, int, bool]]:
    """The drafts that fit a true table with known header rows, how many those are, and whether tags say so."""
    search = _Search(PageTexts(page), None, TableSettings())
    drafts = [search.drafts[number] for number in search.kept]
    found = [Found(table.rows, 0) for table in map(search.table, search.kept)]
    for truth, one in zip(known.tables, score(known, found).tables, strict=True):
        told = truth.known_header_rows
        if one.is_found and one.partner is not None and told is not None and drafts[one.partner].grid.shape[0] > 1:
            yield drafts[one.partner], told, truth.header_rows is not None


def _made(draft: TableDraft, one: Example) -> Iterator[Example]:
    """The table itself, and what is made of it."""
    rows = _before_sections(draft, one.told)
    yield replace(one, measures=_measures(draft), rows=rows, settled=_settled(draft))
    if not rows:
        return
    if draft.marked.any():
        yield replace(one, make="without tags", measures=_measures(_without_tags(draft)), rows=rows, told=rows)
    yield replace(one, make="without looks", measures=_measures(_without_looks(draft)), rows=rows, told=rows)
    body = _body(draft, rows)
    if body is not None:
        yield replace(one, make="body", measures=_measures(_without_tags(body)), rows=0, told=0)
        settled = _settled(body)
        yield replace(one, make="body with tags", measures=_measures(body), rows=0, told=0, settled=settled)


def _settled(draft: TableDraft) -> int | None:
    return rows_by_tags(draft, GridView.of(draft)) if draft.header_rows is None else None


def _measures(draft: TableDraft) -> Floats:
    if draft.method == "words" and draft.header_rows is not None:
        # Dashes that draw columns settle it; here they stand for the lines right across, which are rarer.
        draft = replace(draft, ruled=draft.header_rows)
    view = GridView.of(draft)
    measures = HeadingMeasures(draft, view)
    return np.array([measures.of(row) for row in range(min(MOST_HEADER_ROWS, len(view.cell) - 1))])


def _before_sections(draft: TableDraft, told: int) -> int:
    """Without rows of one cell below rows of several: those are sections, though `th` make headings of them."""
    cell = GridView.of(draft).cell[:told]
    whole = (cell == cell[:, :1]).all(axis=1) & (cell[:, 0] >= 0)
    several = np.flatnonzero(~whole)
    sections = np.flatnonzero(whole[several[0] :]) if len(several) else several
    return int(several[0] + sections[0]) if len(sections) else told


def _without_tags(draft: TableDraft) -> TableDraft:
    """The draft with `td` for `th`; without a browser, these are all that makes a cell bold."""
    none = np.zeros(len(draft.marked), dtype=bool)
    return replace(draft, marked=none, bold=none if draft.method == "markup" else draft.bold)


def _without_looks(draft: TableDraft) -> TableDraft:
    none = np.zeros(len(draft.marked), dtype=bool)
    return replace(draft, marked=none, bold=none, italic=none, background=np.full(len(none), -1, dtype=np.int32))


def _body(draft: TableDraft, rows: int) -> TableDraft | None:
    """The draft without its header rows; None where no table is left."""
    grid = draft.grid
    reaching = (grid.row < rows) & (grid.row + grid.row_span > rows)
    chosen = np.flatnonzero(grid.row >= rows)
    if reaching.any() or grid.shape[0] - rows < 2 or not len(chosen):
        return None
    spans = (part[chosen] for part in (grid.column, grid.row_span, grid.column_span))
    left = CellGrid(grid.block[chosen], grid.box[chosen], grid.row[chosen] - rows, *spans)
    if min(left.shape) < 2:
        return None
    texts, nodes = (tuple(part[place] for place in chosen.tolist()) for part in (draft.texts, draft.nodes))
    columns = {name: getattr(draft, name)[chosen] for name in COLUMNS}
    return replace(draft, grid=left, texts=texts, nodes=nodes, header_rows=None, ruled=None, **columns)


# ---------------------------------------------------------------------- writing


def _written(weights: Weights) -> str:
    lines = [f'    "{name}": {weight:.{DIGITS}f},' for name, weight in zip(MEASURES, weights[0].tolist(), strict=True)]
    return "\n".join([f"BIAS = {weights[1]:.{DIGITS}f}", "WEIGHTS: dict[str, float] = {", *lines, "}"])


def _write(text: str) -> None:
    module = MODULE.read_text("utf-8")
    MODULE.write_text(re.sub(r"BIAS = .*?\n}\n", lambda _: f"{text}\n", module, flags=re.DOTALL), "utf-8")


if __name__ == "__main__":
    main()
