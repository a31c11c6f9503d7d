"""Learning a wrapper: from few pages, from pages of several templates, and from what cannot be learned from."""

import pytest

import sightline as sl
from sightline.errors import UsageError
from sightline.extract.schemas import InduceSettings
from sightline.extract.wrappers import Checked, induce
from sightline.testing import list_page, shop_pages

from .._templates import FOOT, listing, opened, product, rules_of

ODD = "<article><section><blockquote>One of a kind</blockquote><cite>Somebody</cite></section></article>"
PARTS = ("aside", "section", "form", "blockquote", "pre", "h4")


def _varied(number: int) -> str:
    """A page with a part that only every sixth page has, in a tag of its own and with many texts."""
    tag = PARTS[number % 6]
    inside = "".join(f"<p>Words {number}{own} of {tag}</p>" for own in range(4 + number))
    return f"<h1>Thing {number}</h1><b>{number} €</b><{tag}><i>{tag}</i>{inside}</{tag}>{FOOT}"


def test_all_pages_are_learned_from_by_default() -> None:
    """Without a budget every page counts, and all of them comply."""
    training = sl.induce(shop_pages(5)).training
    assert (training.pages, training.needed, training.complying, training.left_out) == (5, 5, 5, ())


def test_two_pages_do_where_all_are_alike() -> None:
    """Active training begins with the largest and the smallest page, and ends when all comply."""
    pages, calls = opened(*map(product, range(10))), []
    wrapper = induce(pages, settings=InduceSettings(learn_from=5), progress=lambda *own: calls.append(own))
    assert (wrapper.training.pages, wrapper.training.needed, wrapper.training.complying) == (10, 2, 10)
    assert calls == [(2, 10)]
    assert wrapper.extract(pages[4]).to_dicts() == [{"title": "Camera 4", "Price": "49 €", "Weight": "450 g"}]


def test_pages_that_fail_are_added() -> None:
    """A page that does not comply is learned from next, until all do."""
    pages, calls = opened(*map(_varied, range(6))), []
    wrapper = induce(pages, settings=InduceSettings(learn_from=6), progress=lambda *own: calls.append(own))
    assert wrapper.training.needed > 2
    assert wrapper.training.complying == 6
    assert [needed for needed, _ in calls] == list(range(2, wrapper.training.needed + 1))
    assert [found.verdict for found in map(wrapper.read, pages)] == ["ok"] * 6


@pytest.mark.parametrize("budget", [2, 3, 4])
def test_the_budget_is_kept(budget: int) -> None:
    """No more pages are learned from than were allowed, and what does not comply is told."""
    wrapper = induce(opened(*map(_varied, range(6))), settings=InduceSettings(learn_from=budget))
    assert wrapper.training.needed == budget
    assert wrapper.training.complying == sum(own.verdict == "ok" for own in wrapper.checked)
    assert wrapper.training.complying < 6


def test_more_pages_never_make_fewer_comply() -> None:
    """A greater budget is worth its pages."""
    pages = opened(*map(_varied, range(6)))
    complying = [induce(pages, settings=InduceSettings(learn_from=budget)).training.complying for budget in range(2, 7)]
    assert complying == sorted(complying)


@pytest.mark.parametrize("budget", [1, 0, -3])
def test_a_budget_below_two_is_refused(budget: int) -> None:
    """From one page nothing can be learned."""
    with pytest.raises(UsageError, match="at least 2"):
        InduceSettings(learn_from=budget)


@pytest.mark.parametrize("budget", [None, 4])
def test_pages_of_two_templates_are_two_templates(budget: int | None) -> None:
    """Both are learned, the greater first, and every page is read."""
    pages = opened(product(0), listing(0, 3), product(1), listing(1, 5), listing(2, 2), product(2), listing(3, 4))
    wrapper = sl.induce(pages, settings=InduceSettings(learn_from=budget))
    assert len(rules_of(wrapper).templates) == 2
    assert [wrapper.read(page).template for page in pages] == [1, 0, 1, 0, 0, 1, 0]
    assert {own.verdict for own in wrapper.checked} == {"ok"}


def test_odd_pages_are_left_out() -> None:
    """A page of a template of its own, and one without text, are named and not learned from."""
    pages = opened(product(0), ODD, product(1), "", product(2))
    wrapper = induce(pages, names=["a.html", "odd.html", "b.html", "empty.html", "c.html"])
    assert wrapper.training.left_out == ("odd.html", "empty.html")
    assert (wrapper.training.pages, wrapper.training.needed, wrapper.training.complying) == (5, 3, 3)
    assert [(own.page, own.verdict) for own in wrapper.checked] == [
        ("a.html", "ok"), ("odd.html", "failed"), ("b.html", "ok"), ("empty.html", "failed"), ("c.html", "ok"),
    ]  # fmt: skip


def test_pages_are_called_by_their_address() -> None:
    """Without names the check of a wrapper lists addresses."""
    wrapper = sl.induce(shop_pages(3))
    assert wrapper.checked[0] == Checked("https://example.org/", "ok", 1.0, 1.0)


def test_one_page_is_not_enough() -> None:
    """What is template and what is data shows only where pages differ."""
    with pytest.raises(UsageError, match=r"at least two pages .* this is one page; .*sightline lists"):
        sl.induce(shop_pages(1))


def test_no_page_is_not_enough() -> None:
    """Nothing in, an error out."""
    with pytest.raises(UsageError, match=r"at least two pages .* there is none"):
        sl.induce([])


def test_pages_without_anything_in_common_are_refused() -> None:
    """Where no two pages have the same template there is nothing to learn."""
    with pytest.raises(UsageError, match="No two of these pages have the same template"):
        sl.induce(opened(product(1), ODD, listing(1, 3)))


def test_empty_pages_are_refused() -> None:
    """Pages without text have no template."""
    with pytest.raises(UsageError, match="pages"):
        sl.induce(opened("", "", ""))
    with pytest.raises(UsageError, match="No two of these pages"):
        sl.induce(opened(product(1), ""))


def test_identical_pages_are_refused() -> None:
    """Pages that say the same have no data that could be told from their template."""
    with pytest.raises(UsageError, match="All 4 pages have the same text"):
        sl.induce(opened(*["<h1>Thing</h1><p>Words</p><div>More</div>"] * 4))


def test_rendered_pages_are_remembered() -> None:
    """A wrapper knows whether its pages came from a browser, so that others can be opened alike."""
    assert not sl.induce(shop_pages(3)).rendered
    assert sl.induce([list_page(["Home", f"Thing {number}"]) for number in range(4)]).rendered


@pytest.mark.parametrize(
    "fixed",
    ["<ul><li><a href=/>Home</a><li><a href=/c>Cameras</a></ul>", "<p>All prices include tax.</p><p>Imprint</p>"],
)
def test_menus_are_no_data_even_with_two_pages(fixed: str) -> None:
    """What both pages say is the template's, in a list or in paragraphs."""
    wrapper = sl.induce(opened(*(f"{fixed}<h1>Thing {number}</h1><b>{number} €</b>{FOOT}" for number in range(2))))
    assert wrapper.fields == ["title", "price"]


def test_what_is_no_page_is_refused() -> None:
    """Markup that was not opened is an error that says what to do."""
    with pytest.raises(UsageError, match="open them first"):
        sl.induce([*shop_pages(2), "<h1>Camera</h1>"])  # type: ignore[list-item]


@pytest.mark.parametrize("names", [["a"], ["a", "b", "c", "d"]])
def test_names_have_to_be_as_many_as_pages(names: list[str]) -> None:
    """Names for some of the pages, or for more than there are, are an error."""
    with pytest.raises(UsageError, match="names"):
        induce(shop_pages(3), names=names)
