"""Main content: how well the text that a page is about is found, beside other extractors, and what it costs."""

import statistics
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields

from rich.table import Column
from rich.table import Table as Sheet

from bench.content.pages import PageTruth, Truth, read_articles, read_snippets, read_truth
from bench.content.report import report
from bench.content.scores import FIELDS, PageScore, Summary, agrees, groups, score
from bench.content.ways import DEFAULT, KNOWN, MODES, STATIC, Answer, read_by_peers, read_by_us
from bench.frame import Figure, Options, Outcome, asked_to_show
from bench.pages import rendered, static

__all__ = ["run", "show"]

OURS = (DEFAULT, STATIC, KNOWN, *MODES)
ALL, ARTICLES = "all", "article"
# The least mean F1 of words, over all pages and by type of page.
LEAST_WORD_F1 = {
    ALL: 0.90,
    ARTICLES: 0.95,
    "documentation": 0.94,
    "service": 0.88,
    "forum": 0.85,
    "product": 0.75,
    "collection": 0.78,
    "listing": 0.80,
}
LEAST_SNIPPETS = 0.94
LEAST_NEWSPAPERS = 0.97  # word F1, of publishers that the model has not seen
LEAST_FIELDS = {"title": 0.92, "author": 0.88, "date": 0.93}
MOST_MILLISECONDS = 12.0
PEER = "trafilatura"  # whose processor time ours is held against, and the one that tells title, author and date
MOST_TIME = 1.0  # of that peer's


@dataclass(frozen=True)
class Way:
    """What one way to read the pages is worth."""

    answer: Answer
    groups: Mapping[str, Summary]
    fields: Mapping[str, float]  # the share of pages where each is right, of those where it is known

    @property
    def milliseconds(self) -> float:
        """The mean processor time of a page."""
        return 1000 * statistics.mean(self.answer.seconds)


def run(options: Options) -> Outcome:
    """Read every page rendered and static, and with every peer; then the pages of which only snippets are known."""
    truth, told, papers = read_truth(options), read_snippets(options), read_articles(options)
    ways = _ways(truth, options, {STATIC, KNOWN})
    snippets = _ways(told, options, {STATIC})
    articles = _ways(papers, options, {STATIC, KNOWN})
    return Outcome(
        task="content",
        peer="peer",
        corpora=(truth.corpus, told.corpus, papers.corpus),
        figures=(*_quality(ways), *_snippets(snippets), *_newspapers(articles), *_fields(ways), *_cost(ways)),
        remarks=_remarks(truth, told, ways),
        details=_details(ways)
        | {f"snippets: {name}": value for name, value in _details(snippets).items()}
        | {f"newspapers: {name}": value for name, value in _details(articles).items()},
        views=(
            *(_side_by_side(ways), _by_group(ways), _snippet_view(snippets)),
            _side_by_side(articles, "articles of newspapers, side by side"),
        ),
    )


def _ways(truth: Truth, options: Options, also: Collection[str]) -> dict[str, Way]:
    """What our ways and the peers make of some pages."""
    shown = rendered(truth.files, keep=options.keep_pages)
    answers = {DEFAULT: read_by_us(truth, shown)}
    answers |= {name: read_by_us(truth, shown, favor=favor) for name, favor in MODES.items()}
    if STATIC in also:
        answers[STATIC] = read_by_us(truth, static(truth.files))
    if KNOWN in also:
        answers[KNOWN] = read_by_us(truth, shown, held_out=False)
    answers |= read_by_peers(truth.files)
    return {name: _way(truth, answer) for name, answer in answers.items()}


def show(options: Options) -> None:
    """Print what is wrong on the pages asked for: `worst`, a number, a type, or parts of ids."""
    number, named = asked_to_show(options)
    truth = read_truth(options, named)
    texts = read_by_us(truth, rendered(truth.files, keep=options.keep_pages)).texts
    report(_scores(truth, texts), texts, most=number)


def _way(truth: Truth, answer: Answer) -> Way:
    return Way(answer, groups(_scores(truth, answer.texts)), _right(truth.pages, answer))


def _scores(truth: Truth, texts: Sequence[str]) -> list[PageScore]:
    return [score(page, text) for page, text in zip(truth.pages, texts, strict=True)]


def _right(pages: Sequence[PageTruth], answer: Answer) -> dict[str, float]:
    """How many titles, authors and dates are right, by those who tell them."""
    right = {}
    for name in FIELDS:
        told = [
            agrees(name, page.fields[name], said[name])
            for page, said in zip(pages, answer.fields, strict=False)
            if name in page.fields
        ]
        if told:
            right[name] = sum(told) / len(told)
    return right


def _quality(ways: Mapping[str, Way]) -> tuple[Figure, ...]:
    """Ours beside the best of the peers, which is not the same one everywhere."""
    wanted: list[tuple[str, str, str, float | None]] = [
        (f"word F1, {'all pages' if group == ALL else group}", group, "word_f1", least)
        for group, least in LEAST_WORD_F1.items()
    ]
    wanted += [
        ("F1 of shingles, all pages", ALL, "f1", None),
        ("precision, all pages", ALL, "precision", None),
        ("recall, all pages", ALL, "recall", None),
        ("F1 of shingles, articles", ARTICLES, "f1", _best(ways, ARTICLES, "f1")),  # no worse than the best peer
        ("snippets that must be there and are", ALL, "present", None),
        ("snippets that must not and are not", ALL, "absent", None),
    ]
    figures = [
        Figure.of(name, ours, bound, "higher", "share", peer=_best(ways, group, field))
        for name, group, field, bound in wanted
        if (ours := _value(ways[DEFAULT], group, field)) is not None
    ]
    plain = _value(ways[STATIC], ALL, "word_f1") or 0.0
    figures.append(Figure.of("word F1, static", plain, None, "higher", "share", peer=_best(ways, ALL, "word_f1")))
    return tuple(figures)


def _snippets(ways: Mapping[str, Way]) -> tuple[Figure, ...]:
    """The other set, of which only snippets are known."""
    ours, best = _value(ways[DEFAULT], ALL, "snippet_f1") or 0.0, _best(ways, ALL, "snippet_f1")
    return (Figure.of("snippets, F1", ours, LEAST_SNIPPETS, "higher", "share", peer=best),)


def _newspapers(ways: Mapping[str, Way]) -> tuple[Figure, ...]:
    """The articles of newspapers in many languages, as the page was saved."""
    ours, best = _value(ways[STATIC], ALL, "word_f1") or 0.0, _best(ways, ALL, "word_f1")
    return (Figure.of("word F1, newspapers, static", ours, LEAST_NEWSPAPERS, "higher", "share", peer=best),)


def _fields(ways: Mapping[str, Way]) -> tuple[Figure, ...]:
    peer = ways[PEER].fields if PEER in ways else {}
    return tuple(
        Figure.of(f"{name} right", ours, LEAST_FIELDS[name], "higher", "share", peer=peer.get(name))
        for name, ours in ways[DEFAULT].fields.items()
    )


def _cost(ways: Mapping[str, Way]) -> tuple[Figure, ...]:
    """Processor time, ours given a page and the peer's given HTML, each all that has to be done from there."""
    ours = ways[DEFAULT].milliseconds
    figures = [Figure.of("processor time a page, ms", ours, MOST_MILLISECONDS, "lower", "ms")]
    if PEER in ways:
        peer = ways[PEER].milliseconds
        figures.append(Figure.ratio(f"processor time a page / {PEER}, ms", ours, peer, MOST_TIME, "lower"))
    return tuple(figures)


def _value(way: Way, group: str, field: str) -> float | None:
    found: float | None = getattr(way.groups[group], field) if group in way.groups else None
    return found


def _best(ways: Mapping[str, Way], group: str, field: str) -> float | None:
    peers = [_value(way, group, field) for name, way in ways.items() if name not in OURS]
    return max((value for value in peers if value is not None), default=None)


def _remarks(truth: Truth, told: Truth, ways: Mapping[str, Way]) -> tuple[str, ...]:
    peers = {name: way for name, way in ways.items() if name not in OURS}
    versions = dict.fromkeys(f"{name.partition(',')[0]} {way.answer.version}" for name, way in peers.items())
    read = f"The peers read the HTML of the same files: {', '.join(versions)}."
    return (
        f"{len(truth.pages)} pages, and {len(told.pages)} with snippets; each is read by a model that has not seen its "
        "domain. In the table each figure of the peers is that of the best of them.",
        read if peers else "No peer is installed; see docs/benchmarks.md.",
    )


def _details(ways: Mapping[str, Way]) -> dict[str, float]:
    details: dict[str, float] = {}
    for name, way in ways.items():
        for group, found in way.groups.items():
            details |= {f"{name}, {group}: {field.name}": getattr(found, field.name) for field in fields(found)}
        details |= {f"{name}: {field} right": value for field, value in way.fields.items()}
        details[f"{name}: processor time, mean, ms"] = way.milliseconds
        details[f"{name}: processor time, median, ms"] = 1000 * statistics.median(way.answer.seconds)
    return {name: round(value, 6) for name, value in details.items()}


def _side_by_side(ways: Mapping[str, Way], title: str = "main content, side by side") -> Sheet:
    columns = ("word_f1", "precision", "recall", "f1", "page_f1", "present", "absent")
    heads = ("word F1", "P", "R", "F1", "page F1", "with", "without", "CPU, ms", "median")
    sheet = Sheet(Column("", no_wrap=True), *heads, title=title)
    for name, way in ways.items():
        values = [f"{getattr(way.groups[ALL], column):.3f}" for column in columns]
        sheet.add_row(name, *values, f"{way.milliseconds:.1f}", f"{1000 * statistics.median(way.answer.seconds):.1f}")
    return sheet


def _by_group(ways: Mapping[str, Way]) -> Sheet:
    whole = ways[DEFAULT].groups
    heads = [f"{group} ({found.pages})" for group, found in whole.items()]
    sheet = Sheet(Column("word F1", no_wrap=True), *heads, title="mean word F1 by type of page")
    for name, way in ways.items():
        sheet.add_row(name, *(f"{way.groups[group].word_f1:.3f}" for group in whole))
    return sheet


def _snippet_view(ways: Mapping[str, Way]) -> Sheet:
    sheet = Sheet(Column("", no_wrap=True), "F1", "wanted and there", "unwanted and not there", title="snippets")
    for name, way in ways.items():
        found = way.groups[ALL]
        sheet.add_row(name, f"{found.snippet_f1:.3f}", f"{found.present:.3f}", f"{found.absent:.3f}")
    return sheet
