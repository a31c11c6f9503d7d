"""Title, author and date in the set `content2`, and what finding them costs: `python -m bench.content.about`.

The weights in force were fitted on these pages; `python -m bench.content.fit_about` says what they are worth on others.
"""

import argparse
from collections import Counter
from pathlib import Path
from time import process_time

from bench.content.fit_about import pages_of, truths_of
from bench.content.scores import FIELDS, agrees
from bench.frame import Options
from sightline.extract.content import trace_content
from sightline.extract.content._about import about_from_data, find_about

__all__ = ["main"]


def main() -> None:
    """Print how many are right, wrong, missing, and found where none is known, and the processor time of a page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None)
    options = Options(data=parser.parse_args().data, keep_pages=True)
    truths = truths_of(options)
    counts = {field: Counter[str]() for field in FIELDS}
    seconds = 0.0
    for truth, page in zip(truths, pages_of(truths, options), strict=True):
        trace = trace_content(page)
        begin = process_time()
        about = find_about(trace.blocks, trace.kept) if len(trace.blocks) else about_from_data(page)
        seconds += process_time() - begin
        for field, found in zip(FIELDS, (about.title, about.byline, about.date), strict=True):
            counts[field][_outcome(field, truth.get(field), found.text if found else None)] += 1
    for field, count in counts.items():
        known = count["right"] + count["wrong"] + count["missing"]
        print(f"{field}: {count['right'] / known:.4f} right of {known}, {dict(count)}")
    print(f"{1000 * seconds / len(truths):.2f} ms a page")


def _outcome(field: str, truth: str | None, found: str | None) -> str:
    if not truth:
        return "found without a truth" if found else "nothing to find"
    if found is None:
        return "missing"
    return "right" if agrees(field, truth, found) else "wrong"


if __name__ == "__main__":
    main()
