"""Pages of several templates are told apart before anything is learned."""

import pytest

from sightline.extract.schemas import same_template
from sightline.extract.schemas._induce import likeness

from .._templates import listing, opened, product

ODD = "<article><section><blockquote>One of a kind</blockquote><cite>Somebody</cite></section></article>"


def test_pages_of_two_templates_are_two_groups() -> None:
    """Products and lists are parted, in whatever order they come; the greater group is first."""
    pages = opened(product(0), listing(1, 3), product(2), listing(3, 5), listing(4, 2))
    assert same_template(pages) == [[1, 3, 4], [0, 2]]


def test_a_page_of_its_own_is_alone() -> None:
    """What is like no other page is a group of one."""
    assert same_template(opened(product(0), ODD, product(1))) == [[0, 2], [1]]


def test_pages_without_text_are_in_no_group() -> None:
    """An empty page says nothing about a template."""
    assert same_template(opened("", product(0), "<p hidden>x</p>", product(1))) == [[1, 3]]
    assert same_template(opened("", "")) == []
    assert same_template([]) == []


def test_optional_parts_do_not_make_another_template() -> None:
    """A product with fewer rows and one with reviews are products."""
    reviews = "<h2>Reviews</h2><ul><li><b>Anna</b> <i>Good</i></li></ul>"
    pages = opened(product(0), product(1, rows=[("Price:", "1 €")]), product(2, more=reviews))
    assert same_template(pages) == [[0, 1, 2]]


def test_a_page_between_two_joins_them() -> None:
    """Two pages that differ belong together where a third is like both."""
    one = "<h1>A</h1><p>b</p><div><i>c</i></div>"
    other = "<h1>A</h1><h2>d</h2><h3>e</h3><h4>f</h4><h5>g</h5>"
    both = "<h1>A</h1><p>b</p><div><i>c</i></div><h2>d</h2><h3>e</h3>"
    assert same_template(opened(one, other)) == [[0], [1]]
    assert same_template(opened(one, other, both)) == [[0, 1, 2]]


@pytest.mark.parametrize(
    ("one", "other", "share"), [({1, 2}, {1, 2}, 1.0), ({1, 2}, {2, 3}, 1 / 3), ({1}, {2}, 0.0), (set(), set(), 0.0)]
)
def test_likeness_is_what_is_shared(one: set[int], other: set[int], share: float) -> None:
    """Of all paths that one of two pages has, the part that both have."""
    assert likeness(frozenset(one), frozenset(other)) == pytest.approx(share)
