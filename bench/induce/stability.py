"""`python -m bench.induce.stability`: how much it matters which pages of a site a wrapper is learned from.

Every site of `sites` and `sites2` is learned ten times, from other pages each time; its spread is the difference
between the best page F1 and the worst, by all pages that were not learned from. Lists are judged by their records.
"""

import random
from dataclasses import dataclass
from statistics import quantiles

from rich.console import Console
from rich.table import Table as Sheet

from bench.frame import Options, program, shown
from bench.induce.sites import SETS, TRAINING, Site, read_sites
from bench.induce.ways import read_site, settings_without, wrapper_of

DRAWS = 10
WIDE = 0.05  # a spread from which on it matters


@dataclass(frozen=True)
class DrawnSite(Site):
    """A site of which other pages are learned from than usual."""

    draw: int = 0

    @property
    def split(self) -> tuple[list[str], list[str]]:
        """The pages to learn from, by this draw, and all others."""
        order = sorted(self.truth)
        random.Random(f"{self.draw}:{self.name}").shuffle(order)
        count = min(TRAINING, len(order) // 2)
        return order[:count], sorted(order[count:])


def drawn(site: Site, draw: int) -> DrawnSite:
    """A site with the pages of a draw."""
    return DrawnSite(site.name, site.vertical, site.complete, site.any_of, site.folder, site.truth, draw)


def page_f1(site: Site, draw: int) -> float | None:
    """How well the other pages are read by what was learned from the pages of a draw."""
    chosen = drawn(site, draw)
    score = read_site(chosen, wrapper_of(chosen, settings_without(()))).score
    return score.page_f1 if score.page_f1 is not None else score.records.f1 if score.records else None


def main() -> None:
    """Print the sites with the widest spread, and the share of sites with a narrow one."""
    parser = program(__doc__)
    parser.add_argument("--draws", type=int, default=DRAWS, help="how often each site is learned")
    arguments = parser.parse_args()
    options = Options(data=arguments.data)
    spreads: dict[str, tuple[float, float, float]] = {}
    for name in SETS:
        for site in read_sites(options, data=name):
            found = [value for draw in range(arguments.draws) if (value := page_f1(site, draw)) is not None]
            if found:
                spreads[site.name] = (max(found) - min(found), min(found), max(found))
    sheet = Sheet("site", "spread", "worst", "best", title=f"page F1 over {arguments.draws} draws")
    for site_name, (spread, worst, best) in sorted(spreads.items(), key=lambda one: -one[1][0]):
        if spread > WIDE:
            sheet.add_row(site_name, shown(spread), shown(worst), shown(best))
    console = Console()
    console.print(sheet)
    values = [spread for spread, _, _ in spreads.values()]
    narrow = sum(value <= WIDE for value in values) / len(values)
    console.print(
        f"{narrow:.1%} of {len(values)} sites within {WIDE}; 9 of 10 within {quantiles(values, n=10)[-1]:.3f}"
    )


if __name__ == "__main__":
    main()
