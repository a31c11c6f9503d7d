"""Choose the thresholds of repair, leaving out one family of sites at a time.

`python -m bench.teach.fit_redesigns` tries for each threshold the values of a coarse grid, the others as they are in
use. For each family (news, recipes, documentation, articles of other sites) it prints the value that is best on all
others and what that gives on this one: figures out of fold, beside those with the value in use. Where the values of
a grid are equally good on the others, the one in use is chosen. Names of thresholds choose some of them.

Best is the largest worth: the mean survival without and after repair, less twice the shares of wrong and of missing
values that are said to be ok, and less a quarter of the share of good pages that are doubted.
"""

import sys
from collections.abc import Mapping, Sequence

from bench.constants import Constant
from bench.frame import Options
from bench.teach.articles import ArticleStep, article_steps, evolved_article
from bench.teach.evolution import Survived, evolved, silent, survival
from bench.teach.lessons import Step, read_steps
from sightline.extract.wrappers.patterns import _learn, _patterns, _relearn, _relocate

PAIRS = 20  # of articles; more take longer
SILENT = 2.0  # what wrong values that are said to be ok cost, beside a redesign that is survived; missing ones as well
DOUBTED = 0.25  # what good pages cost that are doubted
EQUAL = 1e-9  # worths that differ by less are the same
ARTICLES = "articles of other sites"
NEVER = 1.0  # a bound of a confidence that bounds nothing


THRESHOLDS = (
    Constant(_relocate, "WITNESSED", (0.0, 2.0, 4.0)),
    Constant(_relocate, "BODY", (1.5, 3.0, 4.5)),
    Constant(_relocate, "LEAST", (1.0, 1.4, 1.8)),
    Constant(_relocate, "MARGIN", (0.15, 0.35, 0.7)),
    Constant(_relocate, "SURE", (2.5, 3.5, 4.5)),
    Constant(_relocate, "LEAST_EVIDENCE", (0.15, 0.3, 0.5)),
    Constant(_relocate, "BY_KIND", (0.7, NEVER)),
    Constant(_relearn, "SAME_AGAIN", (0.6, 0.8, 0.95)),
    Constant(_relearn, "INEXACT", (0.7, NEVER)),
    Constant(_relearn, "MEMORY_ALONE", (0.7, NEVER)),
    Constant(_relearn, "UNCUT", (0.7, NEVER)),
    Constant(_relearn, "RESHAPED", (0.7, NEVER)),
    Constant(_relearn, "HEALTHY", (0.4, 0.6, 0.8)),
    Constant(_relearn, "TOGETHER", (0.3, 0.5, 0.7)),
    Constant(_relearn, "BY_CHANCE", (0.0, 0.25, 0.5)),
    Constant(_patterns, "LEAST_HEALED", (0.3, 0.6, 0.9)),
    Constant(_learn, "TIGHTENED", (-100.0, 1.0, 2.0, 4.0)),  # the first: rules are never tightened
)
Families = Mapping[str, Sequence[Step | ArticleStep]]
Found = Mapping[str, Sequence[Survived]]


def main() -> None:
    """Print what is chosen without each family, and what that gives on it."""
    families = _families(Options())
    used = _measured(families)
    for name, steps in used.items():
        print(f"in use, {name}: {_told(steps)}", flush=True)
    for threshold in THRESHOLDS:
        if not sys.argv[1:] or threshold.name in sys.argv[1:]:
            _report(threshold, _tried(threshold, families, used))


def _families(options: Options) -> Families:
    families: dict[str, list[Step | ArticleStep]] = {}
    for step in read_steps(options):
        families.setdefault(step.source, []).append(step)
    families[ARTICLES] = list(article_steps(options, PAIRS))
    return families


def _tried(threshold: Constant, families: Families, used: Found) -> dict[float, Found]:
    found: dict[float, Found] = {threshold.used: used}
    for value in threshold.values:
        if value not in found:
            with threshold.set(value):
                found[value] = _measured(families)
    return found


def _measured(families: Families) -> Found:
    return {
        name: [evolved_article(one) if isinstance(one, ArticleStep) else evolved(one) for one in steps]
        for name, steps in families.items()
    }


def _report(threshold: Constant, tried: Mapping[float, Found]) -> None:
    """What each value gives on each family, and what is chosen without it."""
    print(f"\n{threshold.name}, in use {threshold.used:g}")
    for value, found in sorted(tried.items()):
        print(f"  {value:g}: " + "; ".join(f"{name} {_worth(steps):.4f}" for name, steps in found.items()))
    gain = 0.0
    for left_out in tried[threshold.used]:
        best = _best(threshold, tried, left_out)
        out_of_fold, in_use = (_worth(tried[value][left_out]) for value in (best, threshold.used))
        gain += out_of_fold - in_use
        if best != threshold.used:
            print(f"  without {left_out}: {best:g}; there {out_of_fold:.4f}, in use {in_use:.4f}")
    print(f"  out of fold, less in use, sum over families: {gain:+.4f}", flush=True)


def _best(threshold: Constant, tried: Mapping[float, Found], left_out: str) -> float:
    """The value that is best on all other families; the one in use if no other one is better."""

    def worth(value: float) -> float:
        return sum(_worth(steps) for name, steps in tried[value].items() if name != left_out)

    best = max(tried, key=worth)
    return threshold.used if worth(best) <= worth(threshold.used) + EQUAL else best


def _worth(steps: Sequence[Survived]) -> float:
    def share(part: str, whole: str) -> float:
        return (silent(steps, "before", part, whole) + silent(steps, "after", part, whole)) / 2

    survived = (survival(steps, "before") + survival(steps, "after")) / 2
    wrong, missing = share("ok_wrong", "ok_delivered"), share("ok_missing", "true")
    return survived - SILENT * (wrong + missing) - DOUBTED * share("alarm_good", "pages")


def _told(steps: Sequence[Survived]) -> str:
    wrong = silent(steps, "after", "ok_wrong", "ok_delivered")
    doubted = silent(steps, "after", "alarm_good", "pages")
    return (
        f"survival {survival(steps, 'before'):.3f} / {survival(steps, 'after'):.3f}, "
        f"wrong and said ok {wrong:.4f}, good and doubted {doubted:.3f}"
    )


if __name__ == "__main__":
    main()
