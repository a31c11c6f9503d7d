"""Discovery among real sites: those of the set `sites`, by what they are about, amid generated sites that mislead.

A web has a dozen pages of each real site, of all subjects; what is looked for are the sites of one of them. Blogs,
news, forums, spam, glossaries and directories that speak of the subject are generated, since the set has none.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path

from bench.crawl.discovery import Observed, observe_web
from bench.crawl.discovery_corpus import GeneratedSite, make_sites
from bench.crawl.discovery_domains import Attribute, Domain, Kind
from bench.frame import Options, folder_of, thinned

SUBJECTS = {
    "auto": (
        *("fuel economy", "transmission", "horsepower", "torque", "MSRP", "wheelbase", "mpg", "curb weight"),
        *("cylinder", "sedan", "all wheel drive"),
    ),
    "book": (
        *("ISBN", "publisher", "author", "paperback", "hardcover", "number of pages", "publication date", "edition"),
        "list price",
    ),
    "job": (
        *("job title", "salary", "employer", "full time", "experience", "job description", "apply now", "location"),
        "position",
    ),
    "movie": ("director", "running time", "genre", "cast", "MPAA rating", "release date", "screenplay", "studio"),
    "nbaplayer": (
        *("points per game", "rebounds", "assists", "field goal", "free throw", "NBA", "steals", "height", "weight"),
        *("draft", "forward"),
    ),
    "university": (
        *("tuition", "enrollment", "undergraduate", "admission", "SAT", "campus", "student faculty ratio"),
        "public university",
    ),
}
SORTS = {"blog": 6, "news": 4, "forum": 4, "spam": 3, "glossary": 1, "directory": 2}
PAGES_OF_A_SITE, GENERATED_PAGES = 12, 600


def real_runs(options: Options, *, seed: int = 0, long: int = 0) -> list[Observed]:
    """A discovery of the tables of every subject; with `long`, also what so many queries find."""
    folder = folder_of("sites", options)
    return [observe_real(folder, subject, seed, long=long) for subject in list(SUBJECTS)[: options.limit]]


def observe_real(folder: Path, subject: str, seed: int, *, long: int = 0) -> Observed:
    """A discovery of the sites of one subject."""
    phrases = SUBJECTS[subject]
    kind = Kind(subject, ("Ardent", "Bellis", "Corvin"), tuple(Attribute((name,), "##|#.#|yes") for name in phrases))
    chance = random.Random(f"{subject} {seed}")
    misleading = make_sites(Domain(subject, phrases, kind, ()), SORTS, GENERATED_PAGES, chance)
    web = [*_real_sites(folder, subject), *misleading]
    return observe_web(web, subject, phrases, seed, long=long)


def _real_sites(folder: Path, subject: str) -> Iterator[GeneratedSite]:
    for known in json.loads((folder / "sites.json").read_text("utf-8")):
        files = thinned(sorted((folder / known["site"] / "pages").glob("*.html")), PAGES_OF_A_SITE)
        pages = tuple((f"/{path.name}", path.read_text("utf-8", "replace")) for path in files)
        host = known["site"].replace(".", "-")
        yield GeneratedSite(f"{host}.example", "relevant" if known["vertical"] == subject else "other", pages)
