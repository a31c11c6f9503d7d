"""Title, byline and date of a text."""

import datetime
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.data import Content
from sightline.extract.content import find_content
from sightline.extract.content._lines import BY, LABEL, is_label, may_say_by
from sightline.sources.html._parse import parse
from sightline.testing import element

from ._pages import HEADING, PARAGRAPHS, article

TEXT = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)


def _found(above: str = "", *, title: str = "", head: str = "", below: str = "") -> Content:
    """The content of an article with something above and below its text."""
    page = f"<title>{title}</title>{head}<body><article>{above}{TEXT}</article>{below}"
    return find_content(parse(page, url="https://example.org/news/page.html"))


def _text(value: object) -> str | None:
    return getattr(value, "text", None)


def _said(**said: object) -> str:
    """JSON-LD that says something."""
    return f'<script type="application/ld+json">{json.dumps(said)}</script>'


def test_about_is_found_where_it_stands() -> None:
    """Title, name and date are read on the page, each with its place."""
    page = article()
    found = find_content(page)
    assert [_text(one) for one in (found.title, found.byline, found.date)] == [HEADING, "Maud Enger", "5 May 2021"]
    for value in (found.title, found.byline, found.date):
        assert value is not None
        assert value.origin is not None
        assert value.text in page.node(value.origin.nodes[0]).raw_text


@pytest.mark.parametrize(
    ("above", "title", "head", "expected"),
    [
        ("<h1>The Bay Gazette</h1><h2>Counting stars</h2>", "Counting stars | The Bay Gazette", "", "Counting stars"),
        ("<h1>Contact</h1>", "Counting stars | The Bay Gazette", "", "Counting stars"),
        (
            "<h1>Contact</h1>",
            "Counting stars | The Bay Gazette",
            "<meta property=og:site_name content='The Bay Gazette'>",
            "Counting stars",
        ),
        (
            "<h1>The Bay Gazette</h1><h2>Counting stars</h2>",
            "Counting stars – The Bay Gazette",
            "<meta property=og:site_name content='The Bay Gazette'>",
            "Counting stars",
        ),
        ("<h1>The stars, counted</h1>", "", "", "The stars, counted"),
        ("<h1>Counting all the stars</h1>", "Counting the stars", "", "Counting all the stars"),
        ("", "", "", None),
        ("", "", "<meta property=og:title content='Stars &amp;amp; boats'>", "Stars & boats"),
    ],
)
def test_title_is_the_heading_that_the_page_is_called_by(
    above: str, title: str, head: str, expected: str | None
) -> None:
    """Not the name of the site, and not any first heading: that one only where the page has no name."""
    assert _text(_found(above, title=title, head=head).title) == expected


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("By Maud Enger", "Maud Enger"),
        ("Written by Maud Enger | 5 May 2021", "Maud Enger"),
        ("by Maud Enger on Friday", "Maud Enger"),
        ("Von Maud Enger, 5. Mai 2021", "Maud Enger"),
        ("By Contributing Writer", None),
        ("By September 4, 2021", None),
        ("Bystanders saw the comet", None),
    ],
)
def test_byline_is_the_line_that_says_by(line: str, name: str | None) -> None:
    """The name alone, without the date and what else stands in the line; days and jobs are no names."""
    assert _text(_found(f"<h1>Stars</h1><div>{line}</div>").byline) == name


def test_byline_is_found_by_what_its_element_is_called() -> None:
    """A name needs no "by" where the class says whose it is."""
    assert _text(_found("<h1>Stars</h1><a class=post-author>Maud Enger</a>").byline) == "Maud Enger"


@pytest.mark.parametrize(
    ("head", "above"),
    [
        ("", "<div class=author-box><b>Maud Enger</b><span>Founder at Bay Gazette</span></div>"),
        ("", "<div class=byline>Article by</div><div>Maud Enger</div>"),
        ("", "<div>By<a href=/author/maud>Maud Enger</a></div>"),
        ("", "<div>5 May 2021 by Maud Enger</div>"),
        ("", "<div>5 May 2021 • Maud Enger in Astronomy</div>"),
        ("", "<p>Maud Enger</p><p>5 May 2021</p>"),
        ("", "<div itemprop=author><meta itemprop=name content='Maud Enger'></div>"),
        ("<meta name=twitter:label1 content='Written by'><meta name=twitter:data1 content='Maud Enger'>", ""),
        (_said(**{"@graph": [{"@type": "Article", "author": {"@id": "#m"}}, {"@id": "#m", "name": "Maud Enger"}]}), ""),
        ('<script type="application/ld+json">{"author": "Maud Enger", "x": "a\nb"}</script>', ""),
    ],
)
def test_byline_is_found_however_it_is_given(head: str, above: str) -> None:
    """Glued to a job, below a label, beside a date, alone, in microdata, by reference, in data with raw line ends."""
    assert _text(_found(f"<h1>Stars</h1>{above}", head=head).byline) == "Maud Enger"


@pytest.mark.parametrize("line", ["<div class=author>Topic Author</div>", "<div class=author>Follow</div>"])
def test_labels_and_buttons_are_no_names(line: str) -> None:
    """What stands beside the names of authors is not taken for one."""
    assert _found(f"<h1>Stars</h1>{line}").byline is None


def test_of_titles_that_are_alike_the_best_one_is_taken() -> None:
    """A piece of the page's title that agrees with the heading doesn't win over the heading itself."""
    heading = "‘Ends the long debate’: economists weigh in on the latest jobs report of the year"
    head = _said(**{"@type": "NewsArticle", "headline": heading}) + f'<meta property=og:title content="{heading}">'
    found = _found(f"<h1>{heading}</h1>", title=f"{heading.partition(': ')[2]} | The Bay Gazette", head=head)
    assert _text(found.title) == heading


def test_several_authors_are_a_list() -> None:
    """The byline is the first name of the data, and the authors are all of them; a line of several is taken apart."""
    people = [{"@type": "Person", "name": name} for name in ("Ada Holm", "Bo Lind", "Ada Holm")]
    found = _found(head=_said(**{"@type": "NewsArticle", "author": people}))
    assert _text(found.byline) == "Ada Holm"
    assert [one.text for one in found.authors] == ["Ada Holm", "Bo Lind"]
    listed = _found(head="<meta name=author content='Ada Holm, Bo Lind, Cy Dahl'>")
    assert [one.text for one in listed.authors] == ["Ada Holm", "Bo Lind", "Cy Dahl"]
    line = _found(f"<h1>{HEADING}</h1><p class=byline>Von Ada Holm und Bo Lind</p>")
    assert (_text(line.byline), [one.text for one in line.authors]) == ("Ada Holm und Bo Lind", ["Ada Holm", "Bo Lind"])
    assert _found().authors == ()


def test_title_has_no_soft_hyphens_and_all_of_its_lines() -> None:
    """A title is read as it is seen, with its place."""
    found = _found("<h1><div>Home Repair Assis\u00adtance</div><div>Programs</div></h1>").title
    assert _text(found) == "Home Repair Assistance Programs"
    assert found is not None
    assert found.origin is not None
    assert len(found.origin.nodes) == 2


def test_hidden_byline_counts_where_none_is_seen() -> None:
    """What can be seen comes first, even if a hidden line stands nearer to the text."""
    hidden, seen = "<div hidden>By Nora Quist</div>", "<div>By Maud Enger</div>"
    assert _text(_found(f"<h1>Stars</h1>{hidden}{seen}").byline) == "Maud Enger"
    assert _text(_found(f"<h1>Stars</h1>{hidden}").byline) == "Nora Quist"


def test_byline_of_the_data_is_looked_for_on_the_page() -> None:
    """A name that the data tells has its place if it can be read; if not, it is told all the same."""
    head = _said(author={"@type": "Person", "name": "Maud Enger"})
    seen, unseen = _found("<p>Maud Enger, Bay</p>", head=head).byline, _found(head=head).byline
    assert (_text(seen), _text(unseen)) == ("Maud Enger", "Maud Enger")
    assert seen is not None
    assert seen.origin is not None
    assert unseen is not None
    assert unseen.origin is None


@pytest.mark.parametrize(
    ("head", "above", "day"),
    [
        (_said(datePublished="2021-05-05T18:50:31+02:00", dateModified="2022-01-01"), "", "2021-05-05"),
        (_said(dateModified="2022-01-01T00:00:00Z"), "", "2022-01-01"),
        ("<meta name=DC.Date content='2021-05-05'>", "", "2021-05-05"),
        ("<meta property=article:published_time content=2021-05-05T10:00:00Z>", "", "2021-05-05"),
        (_said(datePublished="2021-02-31"), "", None),
        ("", "<time datetime='2021-05-05T08:00'>last week</time>", "2021-05-05"),
        ("", "Published May 5th, 2021", "May 5th, 2021"),
        ("", "Stand: 5. Mai 2021, 12 Uhr", "5. Mai 2021"),
        ("", "05/05/2021", "05/05/2021"),
        ("", "May the 5th be with you", None),
    ],
)
def test_date_is_that_of_publication(head: str, above: str, day: str | None) -> None:
    """By the page's own data, else by `<time>`, else as it is written near the beginning."""
    assert _text(_found(f"<h1>Stars</h1><div>{above}</div>", head=head).date) == day


@pytest.mark.parametrize(
    ("head", "above", "day"),
    [
        ("<meta itemprop=datePublished content=2021-05-05T10:00:00-0400>", "", "2021-05-05"),
        ("<meta name=published content='May 5, 2021'>", "", "2021-05-05"),
        (_said(**{"@type": "Article", "dateModified": "2021-05-05"}), "<p>Updated May 5, 2021</p>", "2021-05-05"),
        (
            _said(**{"@type": "Article", "datePublished": "2019-02-01", "dateModified": "2021-05-05"}),
            "<time datetime=2021-05-05>May 5, 2021</time>",
            "2021-05-05",
        ),
        (_said(**{"@type": "ItemList", "itemListElement": [{"datePublished": "2019-02-01"}]}), "", None),
        ("", "<div>Joined: May 5, 2011</div>", None),
    ],
)
def test_date_that_is_shown_counts_more_than_the_data(head: str, above: str, day: str | None) -> None:
    """The day beside the title is that of the text, even if the data has an earlier one; those of others are not."""
    assert _text(_found(f"<h1>Stars</h1>{above}", head=head).date) == day


def test_date_of_the_data_stands_where_it_can_be_read() -> None:
    """The day has the place of the line that says it, and its value is a date."""
    head = element("meta", property="article:published_time", content="2021-05-05T10:00:00Z")
    page = article(head=(head,))
    found = find_content(page).date
    assert found is not None
    assert found.value == datetime.date(2021, 5, 5)
    assert found.origin is not None
    assert "5 May 2021" in page.node(found.origin.nodes[0]).raw_text


def test_times_far_from_the_text_count_where_all_agree() -> None:
    """One day in the whole page is its day; of several far away none is."""
    far = "<div>link</div>" * 60
    one, other = (f"<time datetime={day}>then</time>" for day in ("2021-05-05", "2019-01-01"))
    assert _text(_found("<h1>Stars</h1>", below=far + one).date) == "2021-05-05"
    assert _found("<h1>Stars</h1>", below=far + one + other).date is None


BYLINE_WORDS = sorted({*re.findall("[a-z]{2,}", f"{BY.pattern} {LABEL.pattern}"), "By", "Ada", "the", ":", "ſtory"})


@given(st.lists(st.sampled_from(BYLINE_WORDS), max_size=5).map(" ".join))
def test_lines_are_filtered_by_their_first_letters(line: str) -> None:
    """No line that says "by", and no label, is passed over because of the letters with which it begins."""
    assert may_say_by(line) or not BY.match(line)
    assert is_label(line) == bool(LABEL.fullmatch(line))
