"""How many items a title promises: which number counts something, and which is a year, a price or a name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.lists import trace_top
from sightline.extract.lists._promise import promises_in
from sightline.page import Page

from ._pages import STARS, listed, static


def _plain(title: str) -> list[int]:
    """The numbers of a title that plainly count something, the plainest first."""
    return [one.k for one in sorted(promises_in(title), key=lambda one: -one.strength) if one.strength > 1]


@pytest.mark.parametrize(
    ("title", "k"),
    [
        ("20 Most Influential Scientists Alive Today", 20),
        ("Ten Hollywood Classics", 10),
        ("Top 25", 25),
        ("Top-25 Albums", 25),
        ("Top Ten Beaches", 10),
        ("Top 10: Beaches", 10),
        ("Beaches: top 10", 10),
        ("The 7 habits of highly effective people", 7),
        ("Twenty-five ways to cook an egg", 25),
        ("Twenty-one pilots of note", 21),
        ("The Top Twenty-Five", 25),
        ("The best 10 laptops", 10),
        ("10 Best", 10),
        ("My 5 favourite pens", 5),
        ("Here are 7 ways", 7),
        ("1000 Places to See", 1000),
        ("101 Dalmatians", 101),
        ("15 10-Minute Dinners", 15),
    ],
)
def test_numbers_that_count_are_read_from_digits_and_words(title: str, k: int) -> None:
    """At the beginning of a title, behind "top" or "best", in digits or in words."""
    assert _plain(title) == [k]


@pytest.mark.parametrize(
    ("title", "k"),
    [
        ("Die zehn besten Filme", 10),
        ("Fünf Tipps gegen Stress", 5),
        ("Les 10 meilleurs films", 10),
        ("Les dix meilleurs films", 10),
        ("vingt-cinq films", 25),
        ("7 conseils pour dormir", 7),
        ("Los 5 mejores libros", 5),
        ("Los cinco mejores libros", 5),
        ("Cinco consejos", 5),
        ("I 10 migliori film", 10),
        ("I dieci migliori film", 10),
        ("De 10 beste boeken", 10),
        ("De tien beste boeken", 10),
    ],
)
def test_numbers_are_read_in_other_languages(title: str, k: int) -> None:
    """German, French, Spanish, Italian and Dutch titles promise as English ones do."""
    assert _plain(title) == [k]


@pytest.mark.parametrize(
    "title",
    [
        *("Movies of 1999", "2010's Best Albums", "The Best of 2020", "Best Gifts of Christmas 2023"),
        *("Things to do under $50", "25€ gifts", "Gifts under 25 dollars", "50% off", "How we saved £20"),
        *("Aged 7 and over", "Toys for 5 year olds", "Over 60 and fit"),
        *("Canon EOS 5D", "Nikon D850 review", "PC-5 drivers", "Area51", "4x4 cars", "3D printers"),
        *("Python 3.12 release notes", "Version 2 of our terms", "Windows 11 tips", "Web 2.0 ideas"),
        *("5½ Reasons to Stay", "Open 24/7", "16:9 screens", "10,5 Prozent", "7th heaven", "10+ ideas"),
        *("No. 3 in the charts", "Number 3 of the best", "#7 The story", "Nr. 5 lebt"),
        *("Episode 5", "Part 2: The Return", "Week 12 Predictions", "Season 3 finale", "Chapter 7 Notes"),
        *("How we paid off $113k in 28 months", "A 12-inch pizza", "Best 12 inch tablets", "7 Days in Tibet"),
        *("10 Minute Dinners", "Sixty Seconds", "5 miles to go", "Photography 101", "Catch 22", "Born on July 4"),
        *("grep(1)", "grep(1) - Linux manual page", "World War 2 tanks", "Formula 1 drivers", "Route 66 stops"),
        *("1 Thing to know", "One Thing to know", "0 ways", "007 ways", "No number at all", ""),
    ],
)
def test_numbers_that_count_nothing_promise_nothing(title: str) -> None:
    """Years, prices, ages, models, versions, fractions, ordinals, parts and measures are no numbers of items."""
    assert list(promises_in(title)) == []


@pytest.mark.parametrize("title", ["iPhone 15 review", "Area 51 secrets", "404 Not Found", "9 to 5"])
def test_numbers_of_names_promise_hardly_anything(title: str) -> None:
    """A number that no rule tells from a count has the least strength, so that only a numbered list keeps it."""
    assert [one.strength for one in promises_in(title)] == [1]


@pytest.mark.parametrize(
    ("title", "numbers"),
    [
        ("3 Ways to Lose 10 Pounds in 30 Days", [3]),
        ("12 Gifts under $25 for 2024", [12]),
        ("The 10 Best Movies of 2014 in 3 Minutes", [10]),
        ("10 Tips to survive 2020 with 3 kids", [10, 3]),
        ("In 2019, 10 Things Changed", [10]),
        ("23 Best Things to do in Rome (2023)", [23]),
        ("Ten Hollywood Classics of the 1950's, under $25", [10]),
    ],
)
def test_of_several_numbers_the_plainest_comes_first(title: str, numbers: list[int]) -> None:
    """Whatever else a title counts, measures or dates, the number of the items is the first."""
    assert _plain(title) == numbers


def test_a_promise_knows_its_title() -> None:
    """Whoever looks at a promise sees where it was made."""
    (one,) = promises_in("The 7 habits of highly effective people")
    assert (one.k, one.title, one.strength) == (7, "The 7 habits of highly effective people", 3)


@given(st.text(alphabet=st.characters(exclude_categories=("Cs", "No")), max_size=40))
def test_any_title_is_read(title: str) -> None:
    """Whatever stands in a title: what it promises is at least two, with a strength from 1 to 3."""
    for one in promises_in(title):
        assert 2 <= one.k <= 1000
        assert one.strength in (1, 2, 3)


@given(st.integers(2, 1000).filter(lambda number: number < 1900))
def test_every_number_up_to_a_thousand_can_be_promised(k: int) -> None:
    """The same title with any number promises that number."""
    assert _plain(f"{k} Ways to Tell the Time") == [k]


# ------------------------------------------------------------------ the titles of a page


def _promises(page: Page) -> list[tuple[int, str]]:
    return [(one.k, one.title) for one in trace_top(page).promises]


def test_the_site_s_name_is_no_part_of_the_title() -> None:
    """A number in the name of the site promises nothing, before the title or behind it."""
    title, heading = "10 Bright Stars of the Night", "<h1>10 Bright Stars of the Night</h1>"
    for named in (title, f"{title} | Star 24", f"The 100 Best Sites » {title}", f"{title} - 7 Brothers Blog"):
        assert _promises(static(heading, named)) == [(10, title)]
        assert _promises(static("", named))[:1] == [(10, title)] or "100" in named


def test_without_a_heading_the_longest_part_is_the_title() -> None:
    """Where only the browser's title is known, the name of the site is the shorter part."""
    assert _promises(static("<p>x", "10 Bright Stars of the Night | Top 100")) == [(10, "10 Bright Stars of the Night")]


def test_the_title_for_other_sites_is_read() -> None:
    """Pages whose heading says nothing often say it in `og:title`."""
    shared = "<meta property='og:title' content='12 Bright Stars of the Night'>"
    assert _promises(static("<h1>Look up</h1>", "Star 24", shared)) == [(12, "12 Bright Stars of the Night")]


def test_the_heading_comes_before_the_browser_s_title() -> None:
    """Where two titles promise equally plainly, the one on the page is tried first."""
    page = static("<h1>10 bright clusters</h1>", "12 dim galaxies")
    assert _promises(page) == [(10, "10 bright clusters"), (12, "12 dim galaxies")]


def test_a_plainer_title_comes_before_the_heading() -> None:
    """What says plainly how many there are is tried before what hardly does."""
    page = static("<h1>Area 51 secrets</h1>", "12 dim galaxies of the north")
    assert [k for k, _ in _promises(page)] == [12, 51]


def test_the_first_two_headings_count() -> None:
    """The first `<h1>` may be the name of the site."""
    assert _promises(static("<h1>Star Site</h1><h1>10 bright clusters</h1>", "x")) == [(10, "10 bright clusters")]


def test_a_hidden_heading_promises_nothing() -> None:
    """What nobody can see is no title."""
    assert _promises(static("<h1 hidden>10 bright clusters</h1><h1>Nebulae</h1>", "Nebulae")) == []


def test_a_page_without_titles_promises_nothing() -> None:
    """No title, no promise, no list."""
    trace = trace_top(static(listed(STARS)))
    assert (trace.promises, trace.candidates, trace.found) == ((), (), None)
