"""Growing the trees that tell which rows of text go on in the cells above: `python -m bench.pdf.grow_rows`.

Needs what `python -m bench.pdf.grow_tables` needs, and runs before it, since what is measured of an area depends on its
rows. With `--write` it writes `rows.json` of the package, and `folds_rows.json.xz` beside this file.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from bench.pdf.growing import Growth
from bench.pdf.row_pairs import RowSample, pairs_of, pairs_of_manuals
from sightline.extract.structure._table_rows import LIKELY, ROW_MEASURES


def _told(samples: Sequence[RowSample], said: Iterable[bool], source: str | None) -> str:
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


ROWS = Growth[RowSample](
    name="rows",
    about=__doc__,
    of_document=pairs_of,
    of_manuals=pairs_of_manuals,
    goal=lambda one: float(one.goes_on),
    is_one=lambda one: one.goes_on,
    told=_told,
    measures=ROW_MEASURES,
    settings={"objective": "binary", "num_leaves": 12, "feature_fraction": 0.3},
    rounds=200,
    least=LIKELY,
    thresholds=(LIKELY,),
)

if __name__ == "__main__":
    ROWS.main()
