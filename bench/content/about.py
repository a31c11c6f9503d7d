"""Title, author and date in the set `content2`: right, wrong, missing, or given where none is known.

`python -m bench.content.about`. The weights in force were fitted on these pages; for others see
`python -m bench.content.fit_about`.
"""

from collections import Counter

from bench.content.pages import read_truth
from bench.content.scores import FIELDS, agrees
from bench.content.ways import read_by_us
from bench.frame import Options, program
from bench.pages import rendered


def main() -> None:
    """Print how many of each there are."""
    parser = program(__doc__)
    truth = read_truth(Options(data=parser.parse_args().data))
    counts = {field: Counter[str]() for field in FIELDS}
    for own, said in zip(truth.pages, read_by_us(truth, rendered(truth.files, keep=True)).fields, strict=True):
        for field, count in counts.items():
            count[_outcome(field, own.fields.get(field), said[field])] += 1
    for field, count in counts.items():
        known = count["right"] + count["wrong"] + count["missing"]
        print(f"{field}: {count['right'] / known:.4f} right of {known}, {dict(count)}")


def _outcome(field: str, truth: str | None, found: object) -> str:
    if not truth:
        return "given where none is known" if found else "nothing to give"
    if found is None:
        return "missing"
    return "right" if agrees(field, truth, found) else "wrong"


if __name__ == "__main__":
    main()
