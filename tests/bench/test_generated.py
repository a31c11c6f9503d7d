"""The sites that are made for the benchmark of induction: always the same, and true by construction."""

from pathlib import Path

from bench.induce.generated import KINDS, generated_sites

import sightline as sl
from sightline.extract.wrappers.patterns import View, key_of


def test_every_true_text_is_on_its_page(tmp_path: Path) -> None:
    """Nothing is asked for that nobody could read."""
    sites = list(generated_sites(tmp_path))
    assert {site.vertical for site in sites} == set(KINDS)
    for site in sites:
        name, page = next(iter(site.truth.items()))
        said = key_of(" ".join(View(sl.open(site.paths([name])[0].read_bytes(), static=True)).texts))
        texts = [text for of in page.all_columns.values() for text in of]
        assert texts
        assert all(key_of(text) in said for text in texts), site.name


def test_sites_are_always_the_same(tmp_path: Path) -> None:
    """Figures of two runs can be compared."""
    first, second = (list(generated_sites(tmp_path / name)) for name in "ab")
    assert [site.truth for site in first] == [site.truth for site in second]


def test_constants_differ_only_where_nobody_learns(tmp_path: Path) -> None:
    """The language is one on the pages to learn from, and several on the others."""
    site = next(site for site in generated_sites(tmp_path) if site.name == "constants-table")
    learned, others = ({tuple(site.truth[name].fields["language"]) for name in names} for names in site.split)
    assert (len(learned), len(others) > 1) == (1, True)
