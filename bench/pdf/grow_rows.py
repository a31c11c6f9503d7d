"""Growing the trees that tell which rows of text go on in the cells above: `python -m bench.pdf.grow_rows`.

Needs what `python -m bench.pdf.grow_tables` needs, and runs before it, since what is measured of an area depends on its
rows. With `--write` it writes `rows.json` of the package, and `folds_rows.json.xz` beside this file.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from bench.frame import Options, program
from bench.packages import download
from bench.pdf.growing import MANUALS, PACKAGES, WORKERS, Ground, write
from bench.pdf.known import known_documents
from bench.pdf.row_pairs import RowSample, pairs_of, pairs_of_manuals
from sightline.extract.structure._table_rows import LIKELY, ROW_MEASURES

ROUNDS = 200
SETTINGS = {"objective": "binary", "num_leaves": 12, "feature_fraction": 0.3}


def main() -> None:
    """Gather the samples, tell how well trees judge families and sets they have not seen, and write the trees."""
    parser = program(__doc__)
    parser.add_argument("--write", action="store_true", help="write the trees")
    parser.add_argument("--manuals", type=Path, default=MANUALS, help="folder of unpacked packages")
    arguments = parser.parse_args()
    samples = gathered(Options(data=arguments.data), arguments.manuals)
    ground = Ground(samples, [float(one.goes_on) for one in samples], tuple(ROW_MEASURES), SETTINGS, ROUNDS)
    print(len(samples), "rows:", dict(Counter((one.source, one.goes_on) for one in samples)))
    print("out of fold:", _told(samples, ground.out_of_fold() >= LIKELY))
    for source in ground.sources:
        print(f"out of set, {source}:", _told(samples, ground.out_of_set(source) >= LIKELY, source))
    whole = ground.model()
    print("in fold:", _told(samples, ground.likely(whole) >= LIKELY))
    if arguments.write:
        write("rows", ground, whole)


def gathered(options: Options, manuals: Path) -> list[RowSample]:
    """The samples of all sets and of all manuals."""
    download(manuals, PACKAGES.read_text("utf-8").split())
    found = [pair for document in known_documents(options) for pair in pairs_of(document)]
    folders = sorted(path for path in manuals.iterdir() if path.is_dir())
    with ProcessPoolExecutor(WORKERS) as pool:
        for several in pool.map(pairs_of_manuals, folders):
            found += several
    return found


def _told(samples: Sequence[RowSample], said: Iterable[bool], source: str | None = None) -> str:
    """Of each set the share of rows that are judged wrong, each document weighing the same."""
    wrong: dict[str, Counter[str]] = {}
    counts: dict[str, Counter[str]] = {}
    for one, goes_on in zip(samples, said, strict=True):
        wrong.setdefault(one.source, Counter())[one.document] += one.goes_on != bool(goes_on)
        counts.setdefault(one.source, Counter())[one.document] += 1
    return ", ".join(
        f"{name} {sum(wrong[name][document] / own for document, own in documents.items()) / len(documents):.4f} wrong"
        for name, documents in counts.items()
        if source in (None, name)
    )


if __name__ == "__main__":
    main()
