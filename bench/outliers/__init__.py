"""Visual outliers and checks: what the automatic cut is worth, what the published tables say, and planted faults."""

from collections.abc import Mapping, Sequence
from time import perf_counter

import numpy as np
from rich.table import Column, Table

from bench.content.pages import SETS, Truth, read_truth
from bench.content.ways import DEFAULT, read_by_peers, read_by_us
from bench.frame import Figure, Options, Outcome
from bench.outliers import faults
from bench.outliers.cuts import ARTICLES, VISUAL, WITNESSED, Cut, cuts, scored
from bench.outliers.extracted import Extracted, extracted
from bench.outliers.published import best_cut, published_scores, sheet
from bench.pages import rendered
from bench.teach.lessons import corpora, read_taught_sites
from sightline.checks import hbos, nearest_neighbours

__all__ = ["run"]

BOILERPY, RESILIPARSE = "boilerpy3", "resiliparse"
LEAST_GAIN = {BOILERPY: 2.0, RESILIPARSE: 4.0}  # points of F1 on articles
MOST_HARM = -0.3
LEAST_OF_ORACLE = 0.6
NODES, COLUMNS = 10_000, 84  # all of them different, which no real page has
MOST_SECONDS = {"HBOS": 0.3, "k-NN": 3.0}
PUBLISHED_SECONDS = {"HBOS": 1.0, "k-NN": 10.0}
LEAST_TOLD, MOST_ALARMS = 0.95, 0.03
TABLED = ("boilerpy3, articles", DEFAULT)


def run(options: Options) -> Outcome:
    """Cut the output of every extractor, print the published tables, plant faults."""
    truth = read_truth(options, set_name=SETS[1])
    pages = rendered(truth.files, keep=options.keep_pages)
    answers = {name: answer.texts for name, answer in read_by_peers(truth.files).items()}
    answers[DEFAULT] = read_by_us(truth, pages).texts
    found = extracted(truth, pages, answers)
    ways = {VISUAL: cuts(truth, found, VISUAL)}
    # Our own text was chosen by the witness, who has nothing new to say of it.
    ways[WITNESSED] = cuts(truth, {name: own for name, own in found.items() if name != DEFAULT}, WITNESSED)
    planted = faults.faults(options)
    sites, _ = corpora(read_taught_sites(options), ())
    return Outcome(
        task="outliers",
        peer="peer",
        corpora=(truth.corpus, sites),
        figures=(*_gains(ways), *_seconds(), *_planted(planted)),
        remarks=_remarks(ways),
        details=_details(ways, planted),
        views=(*(_sheet(way, own) for way, own in ways.items()), *_tables(truth, found), _faults(planted)),
    )


def _gains(ways: Mapping[str, Mapping[str, Cut]]) -> list[Figure]:
    figures = []
    for way, own in ways.items():
        for name, cut in own.items():
            bound = LEAST_GAIN.get(name)
            if bound is not None:
                figures.append(Figure.of(f"F1 on articles, {name}, {way}: points", cut.gain(ARTICLES), bound, "higher"))
        worst = min((cut.worst[1], f"{name}, {cut.worst[0]}") for name, cut in own.items())
        figures.append(Figure.of(f"least gain of any extractor and type, {way}: points", worst[0], MOST_HARM, "higher"))
        shares = [own[name].share_of_oracle for name in LEAST_GAIN if name in own]
        if shares:
            name = f"share of the oracle's gain, {way}"
            figures.append(Figure.of(name, float(np.mean(shares)), LEAST_OF_ORACLE, "higher", "share"))
    return figures


def _seconds() -> list[Figure]:
    """The published scores over ten thousand nodes of which no two are alike: the worst case."""
    rows = np.random.RandomState(0).rand(NODES, COLUMNS)
    taken = {}
    for name, work in (("HBOS", lambda: hbos(rows)), ("k-NN", lambda: nearest_neighbours(rows, 500))):
        began = perf_counter()
        work()
        taken[name] = perf_counter() - began
    return [
        Figure.of(
            f"{name} over {NODES:,} nodes, s", own, MOST_SECONDS[name], "lower", "s", peer=PUBLISHED_SECONDS[name]
        )
        for name, own in taken.items()
    ]


def _planted(found: faults.Faults) -> list[Figure]:
    figures = [
        Figure.of(f"planted and told: {fault}", own.share, LEAST_TOLD, "higher", "share")
        for (fault,), own in sorted(found.by(0).items())
    ]
    clean = list(found.clean.values())
    alarms = sum(own.told for own in clean) / max(1, sum(own.looked for own in clean))
    return [*figures, Figure.of("clean runs told", alarms, MOST_ALARMS, "lower", "share")]


def _remarks(ways: Mapping[str, Mapping[str, Cut]]) -> tuple[str, ...]:
    told = [
        f"The least gain, {way}: {min((cut.worst[1], name, cut.worst[0]) for name, cut in own.items())[1:]}."
        for way, own in ways.items()
    ]
    return (
        "Every page is judged by trees that were grown without it; the oracle is the one threshold that is best for "
        "all articles of an extractor.",
        *told,
    )


def _details(ways: Mapping[str, Mapping[str, Cut]], planted: faults.Faults) -> dict[str, float]:
    details = {}
    for way, own in ways.items():
        for name, cut in own.items():
            details |= {f"{way}, {name}, {group}: gain": round(cut.gain(group), 4) for group in cut.before}
            details[f"{way}, {name}: share of the oracle's gain"] = round(cut.share_of_oracle, 4)
            details[f"{way}, {name}: removed"] = round(cut.removed, 4)
    for (fault,), counts in planted.by(0).items():
        details |= {
            f"{fault}: planted": counts.looked,
            f"{fault}: told": counts.told,
            f"{fault}: skipped": counts.skipped,
        }
    return details


def _sheet(way: str, own: Mapping[str, Cut]) -> Table:
    groups = list(next(iter(own.values())).before)
    table = Table(
        Column("points of F1", no_wrap=True), *groups, "oracle", "of it", "removed", title=f"the automatic cut, {way}"
    )
    for name, cut in own.items():
        best = 100 * (cut.oracle - cut.before[ARTICLES].f1)
        gains = [f"{cut.gain(group):+.1f}" for group in groups]
        table.add_row(name, *gains, f"{best:+.1f}", f"{cut.share_of_oracle:.0%}", f"{cut.removed:.1%}")
    return table


def _tables(truth: Truth, found: Mapping[str, Sequence[Extracted]]) -> list[Table]:
    sheets = []
    for number, name in enumerate(TABLED, 1):
        own = [one for one in found[name] if len(one.pieces.rows)]
        rows = {"as extracted": best_cut(own, None)}
        rows |= {way: best_cut(own, score) for way, score in published_scores(own).items()}
        for way in (VISUAL, WITNESSED):
            rows[f"kin, {way}"] = best_cut(own, np.concatenate(scored(truth, own, way)))
        sheets.append(sheet(f"table {number}: {name}, deleted up to the best F1", rows))
    return sheets


def _faults(found: faults.Faults) -> Table:
    table = Table(Column("fault", no_wrap=True), "planted", "told", "share", "skipped", title="planted faults")
    for (fault,), own in sorted(found.by(0).items()):
        table.add_row(fault, str(own.looked), str(own.told), f"{own.share:.1%}", str(own.skipped))
    return table
