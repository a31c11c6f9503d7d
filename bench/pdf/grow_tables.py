"""Growing the trees that tell tables of PDFs from the rest: `python -m bench.pdf.grow_tables`.

Needs LightGBM (the dependency group `grow`), and Debian's `apt-get download` for the manuals, which are kept. With
`--write` it writes `tables.json` of the package, and `folds_tables.json.xz` beside this file, by which
`python -m bench pdf` reads documents as if it had never seen them. What the trees tell is how much of an area and of a
true table are the same.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from bench.frame import Options, program
from bench.packages import download
from bench.pdf.areas import AreaSample, areas_of, areas_of_manuals
from bench.pdf.growing import MANUALS, PACKAGES, WORKERS, Ground, write
from bench.pdf.known import known_documents
from sightline.extract.structure._table_measures import AREA_MEASURES, LEAST_LIKELY

ROUNDS = 200
SETTINGS = {"objective": "cross_entropy", "num_leaves": 8, "feature_fraction": 0.2}
THRESHOLDS = (0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6)


def main() -> None:
    """Gather the samples, tell how well trees judge families and sets they have not seen, and write the trees."""
    parser = program(__doc__)
    parser.add_argument("--write", action="store_true", help="write the trees")
    parser.add_argument("--manuals", type=Path, default=MANUALS, help="folder of unpacked packages")
    arguments = parser.parse_args()
    samples = gathered(Options(data=arguments.data), arguments.manuals)
    print(len(samples), "areas:", dict(Counter((one.source, one.is_table) for one in samples)))
    ground = Ground(samples, [one.shared for one in samples], tuple(AREA_MEASURES), SETTINGS, ROUNDS)
    likely = ground.out_of_fold()
    for least in THRESHOLDS:
        print(f"out of fold, at least {least}:", _told(samples, likely >= least))
    for source in ground.sources:
        told = _told(samples, ground.out_of_set(source) >= LEAST_LIKELY, source)
        print(f"out of set, {source}:", told)
    whole = ground.model()
    print("in fold:", _told(samples, ground.likely(whole) >= LEAST_LIKELY))
    if arguments.write:
        write("tables", ground, whole)


def gathered(options: Options, manuals: Path) -> list[AreaSample]:
    """The samples of all sets and of all manuals."""
    download(manuals, PACKAGES.read_text("utf-8").split())
    found = [area for document in known_documents(options) for area in areas_of(document)]
    folders = sorted(path for path in manuals.iterdir() if path.is_dir())
    with ProcessPoolExecutor(WORKERS) as pool:
        for several in pool.map(areas_of_manuals, folders):
            found += several
    return found


def _told(samples: Sequence[AreaSample], taken: Iterable[bool], source: str | None = None) -> str:
    """Of each set, how many areas that are tables are taken for one, and how many others are."""
    right: Counter[tuple[str, bool]] = Counter()
    for one, is_taken in zip(samples, taken, strict=True):
        right[one.source, one.is_table] += bool(is_taken)
    counts = Counter((one.source, one.is_table) for one in samples)
    return "; ".join(
        f"{name} {right[name, True]} of {counts[name, True]}, wrongly {right[name, False]} of {counts[name, False]}"
        for name in dict.fromkeys(one.source for one in samples)
        if source in (None, name)
    )


if __name__ == "__main__":
    main()
