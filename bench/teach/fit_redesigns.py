"""Choose how much the main-text extractor says when fields are found again, leaving out one family of sites at a time.

`python -m bench.teach.fit_redesigns` prints, for each family (news, recipes, documentation, articles of other sites),
the weights that are best on all others, and what they give on this one: figures out of fold, beside those with the
weights in use. Best is the largest survival after repair, less twice the share of wrong values that are said to be ok.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product

from bench.frame import Options
from bench.teach.articles import ArticleStep, article_steps, evolved_article
from bench.teach.evolution import Survived, evolved, silent, survival
from bench.teach.lessons import Step, read_steps
from sightline.extract.wrappers.patterns import _relocate

PAIRS = 30  # of articles; more take longer
WITNESSED = (0.0, 2.0, 4.0)
BODY = (1.5, 3.0)
WRONG = 2.0  # what a wrong value that is said to be ok costs, beside a redesign that is survived
ARTICLES = "articles of other sites"


@dataclass(frozen=True)
class Weights:
    """What is chosen."""

    witnessed: float
    body: float


@contextmanager
def _weights(chosen: Weights) -> Iterator[None]:
    before = Weights(_relocate.WITNESSED, _relocate.BODY)
    _relocate.WITNESSED, _relocate.BODY = chosen.witnessed, chosen.body
    try:
        yield
    finally:
        _relocate.WITNESSED, _relocate.BODY = before.witnessed, before.body


def _worth(steps: Sequence[Survived]) -> float:
    return survival(steps, "after") - WRONG * silent(steps, "after", "ok_wrong", "ok_delivered")


def _measured(families: Mapping[str, Sequence[Step | ArticleStep]], weights: Weights) -> dict[str, list[Survived]]:
    with _weights(weights):
        return {
            name: [evolved_article(one) if isinstance(one, ArticleStep) else evolved(one) for one in steps]
            for name, steps in families.items()
        }


def _told(steps: Sequence[Survived]) -> str:
    wrong = silent(steps, "after", "ok_wrong", "ok_delivered")
    return f"survival {survival(steps, 'before'):.3f} / {survival(steps, 'after'):.3f}, wrong and said ok {wrong:.4f}"


def main() -> None:
    """Print what is chosen without each family, and what that gives on it."""
    options = Options()
    families: dict[str, list[Step | ArticleStep]] = {}
    for step in read_steps(options):
        families.setdefault(step.source, []).append(step)
    families[ARTICLES] = list(article_steps(options, PAIRS))
    tried = {
        weights: _measured(families, weights) for weights in (Weights(*chosen) for chosen in product(WITNESSED, BODY))
    }
    for weights, found in tried.items():
        print(f"{weights}: " + "; ".join(f"{name} {_worth(steps):.3f}" for name, steps in found.items()), flush=True)
    used = tried[Weights(_relocate.WITNESSED, _relocate.BODY)]
    for left_out in families:
        others = [name for name in families if name != left_out]
        best = max(tried, key=lambda weights: sum(_worth(tried[weights][name]) for name in others))
        print(f"{left_out}: chosen without it {best}")
        print(f"  out of fold {_told(tried[best][left_out])}")
        print(f"  in use      {_told(used[left_out])}")


if __name__ == "__main__":
    main()
