"""What paths into the pages' data make of taught wrappers: `python -m bench.behind.taught [--limit N]`.

The sites and examples are those of `python -m bench teach`. Every wrapper reads pages that were not shown, with its
paths and without: what is delivered may differ only where the data gives what nobody sees, and of every page that
becomes doubtful is told why.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import sightline as sl
from bench.behind.paths import UNSEEN
from bench.frame import Options, program
from bench.induce.sites import SETS, opened, site_of
from bench.teach.lessons import TASK, TaughtSite, folder_of, listed_for
from bench.teach.ways import taught
from sightline.extract.behind import carried_by
from sightline.extract.wrappers import Wrapper
from sightline.extract.wrappers._data_rules import DataRules
from sightline.page import Page


def sites(options: Options) -> list[TaughtSite]:
    """The sites of both sets."""
    found = []
    for data in SETS:
        folder = folder_of(data, options)
        entries = listed_for(TASK, folder, options, ())
        found += [TaughtSite(site_of(folder, entry), entry.get("standing") or {}) for entry in entries]
    return found


def compared(wrapper: Wrapper, pages: Sequence[Page], counts: Counter[str]) -> None:
    """Count what the paths change on some pages."""
    without = replace(wrapper, behind=DataRules())
    for page in pages:
        before, now = without.read(page), wrapper.read(page)
        counts["pages"] += 1
        counts["pages with other records"] += before.records.to_dicts() != now.records.to_dicts()
        counts[f"{before.verdict} → {now.verdict}"] += 1
        if before.verdict != now.verdict:
            print(*(f"  {problem.what}" for problem in now.problems), sep="\n")


def main() -> None:
    """Print counts."""
    parser = program(__doc__)
    parser.add_argument("--limit", type=int, help="at most this many sites of a set")
    given: argparse.Namespace = parser.parse_args()
    counts: Counter[str] = Counter()
    for own in sites(Options(data=given.data, limit=given.limit)):
        pages = opened(own.site.paths(own.test))[:UNSEEN]
        for k in own.ks:
            job = own.job(k)
            if not any(carried_by(sl.open(one.path.read_bytes(), static=True)) for one in job.examples):
                continue
            wrapper = taught(own.site.name, job.examples)
            if wrapper is None:
                continue
            counts["wrappers"] += 1
            counts["fields"] += len(wrapper.fields)
            counts["fields with a path"] += len(wrapper.behind.names)
            if wrapper.behind:
                counts["wrappers with paths"] += 1
                print(own.site.name, k, wrapper.behind.names, flush=True)
                compared(wrapper, pages, counts)
    print(dict(counts))


if __name__ == "__main__":
    main()
