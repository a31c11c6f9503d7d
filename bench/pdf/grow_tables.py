"""Growing the trees that tell tables of PDFs from the rest: `python -m bench.pdf.grow_tables`.

Needs LightGBM (the dependency group `grow`), and Debian's `apt-get download` for the manuals, which are kept. With
`--write` it writes `tables.json` of the package, and `folds_tables.json.xz` beside this file, by which
`python -m bench pdf` reads documents as if it had never seen them. What the trees tell is how much of an area and of a
true table are the same.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from bench.pdf.areas import AreaSample, areas_of, areas_of_manuals
from bench.pdf.growing import Growth
from sightline.extract.structure._table_measures import AREA_MEASURES, LEAST_LIKELY


def _told(samples: Sequence[AreaSample], taken: Iterable[bool], source: str | None) -> str:
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


TABLES = Growth[AreaSample](
    name="tables",
    about=__doc__,
    of_document=areas_of,
    of_manuals=areas_of_manuals,
    goal=lambda one: one.shared,
    is_one=lambda one: one.is_table,
    told=_told,
    measures=AREA_MEASURES,
    settings={"objective": "cross_entropy", "num_leaves": 8, "feature_fraction": 0.2},
    rounds=200,
    least=LEAST_LIKELY,
    thresholds=(0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6),
)

if __name__ == "__main__":
    TABLES.main()
