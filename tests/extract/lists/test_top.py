"""The items that a title promises, on pages that keep the promise in many ways, and on pages that do not."""

from collections.abc import Callable, Sequence

import pytest

import sightline as sl
from sightline.data import ItemList
from sightline.errors import UsageError
from sightline.extract.lists import TopSettings, find_top
from sightline.extract.published import basic_top
from sightline.page import Page

from ..._effort import effort
from ._pages import STARS, WORDS, article, listed, prose, rendered, static, titles_of

TITLE = "10 Brightest Stars of the Night"
HEADING = f"<h1>{TITLE}</h1>"
MENU = listed([f"<a href=/{word}>{word.title()}</a>" for word in WORDS[:10]], "ul")
ADVERTISEMENT = "<div class=ad>Advertisement <a href=/buy>Buy a telescope today</a></div>"


def _found(body: str, *, title: str = TITLE, css: str = "", k: int | None = None) -> ItemList | None:
    return find_top(rendered(body, title, css), k=k)


def _cards(stars: Sequence[str], first: int = 0) -> str:
    return "".join(
        f"<div class=card><img src=/{star}.png width=40 height=40><h3><a href='/star/{star}'>{star}</a></h3>"
        f"<p>{prose(first + place)}</p></div>"
        for place, star in enumerate(stars)
    )


def _rows(stars: Sequence[str], head: str = "", *, number: bool = True) -> str:
    rows = [
        f"<tr>{f'<td>{place}</td>' if number else ''}<td>{star}</td><td>{place * 3}.5 light years</td></tr>"
        for place, star in enumerate(stars, start=1)
    ]
    return f"<table>{head}{''.join(rows)}</table>"


def _alternating(tags: Sequence[str]) -> str:
    made = [f"<{tags[place % len(tags)]}>{star}</{tags[place % len(tags)]}>" for place, star in enumerate(STARS)]
    return f"<div>{''.join(made)}</div>"


KEPT: dict[str, str] = {
    "numbered list": listed(STARS),
    "list with dots": listed(STARS, "ul"),
    "unclosed items": "<ul>" + "".join(f"<li>{star}" for star in STARS),
    "items with bold names": listed([f"<b>{star}</b> {prose(place)}" for place, star in enumerate(STARS)], "ul"),
    "items with linked names": listed(
        [f"<a href=/{star}>{star}</a> {prose(place)}" for place, star in enumerate(STARS)], "ul"
    ),
    "cards": f"<div class=grid>{_cards(STARS)}</div>",
    "cards in rows": "".join(f"<div class=row>{_cards(STARS[row : row + 2], row)}</div>" for row in range(0, 10, 2)),
    "table rows": _rows(STARS),
    "table rows below a heading row": _rows(STARS, "<tr><th>No<th>Star<th>Distance</tr>"),
    "table rows without numbers": _rows(STARS, "<tr><th>Star<th>Distance</tr>", number=False),
    "rows of alternating classes": "<table>"
    + "".join(
        f"<tr class={('even', 'odd')[place % 2]}><td>{star}</td><td>{prose(place, 5)}</td></tr>"
        for place, star in enumerate(STARS)
    )
    + "</table>",
    "headings in an article": article(STARS),
    "smaller headings in an article": article(STARS, "h3"),
    "numbered headings": article([f"{place}. {star}" for place, star in enumerate(STARS, start=1)]),
    "headings that count down": article([f"#{10 - place} {star}" for place, star in enumerate(STARS)]),
    "headings in words that count": article([f"Star {place}: {star}" for place, star in enumerate(STARS, start=1)]),
    "advertisements between headings": "".join(
        f"<h2>{star}</h2><p>{prose(place, 30)}</p>{ADVERTISEMENT if place % 3 == 0 else ''}"
        for place, star in enumerate(STARS)
    ),
    "advertisements between cards": "<div>"
    + "".join(
        f"<div class=item><h3>{star}</h3><p>{prose(place, 30)}</p></div>{ADVERTISEMENT if place % 3 == 0 else ''}"
        for place, star in enumerate(STARS)
    )
    + "</div>",
    "related articles at the end": article(STARS)
    + "<aside class=related><h4>Related</h4>"
    + listed([f"<a href=/r{place}>{prose(place, 4)}</a>" for place in range(4)], "ul")
    + "</aside>",
    "list in two parts": f"<div>{listed(STARS[:5])}{listed(STARS[5:])}</div>",
    "list with a remark between its parts": f"<div>{listed(STARS[:5])}<p>And now others</p>{listed(STARS[5:])}</div>",
    "two alternating tags": _alternating(("p", "blockquote")),
    "three alternating tags": _alternating(("p", "blockquote", "section")),
    "one heading of another level": "".join(
        f"<{tag}>{star}</{tag}><p>{prose(place, 30)}</p>"
        for place, star in enumerate(STARS)
        for tag in ["h3" if place == 4 else "h2"]
    ),
    "one card of another class": "<div>"
    + "".join(
        f"<div class={'sponsored' if place == 4 else 'item'}><h3>{star}</h3><p>{prose(place)}</p></div>"
        for place, star in enumerate(STARS)
    )
    + "</div>",
    "conclusion and questions behind": article([*STARS, "Conclusion", "FAQ"]),
    "introduction before": article(["Introduction", *STARS]),
    "introduction and conclusion around": article(["Introduction", *STARS, "Conclusion"]),
    "numbered between others": article(
        ["Introduction", *(f"{place}. {star}" for place, star in enumerate(STARS, start=1)), "Conclusion", "FAQ"]
    ),
    "menu of as many at the end": f"{listed(STARS)}<footer>{MENU}</footer>",
}


@pytest.mark.slow
@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT.keys())
def test_the_promised_items_are_found(body: str) -> None:
    """However they are written, the ten stars are found, in order, and nothing else."""
    found = _found(HEADING + body)
    assert titles_of(found) == list(STARS)
    assert found is not None
    assert (found.k, found.promised, found.kind, found.caption) == (10, 10, "items", TITLE)
    assert found.box is not None
    assert 0.5 <= found.score <= 1


@pytest.mark.parametrize("name", ["cards", "headings in an article", "numbered headings", "headings that count down"])
def test_a_browser_is_not_needed(name: str) -> None:
    """What the markup says is enough for pages that are plain about it; there are no boxes then."""
    found = find_top(static(HEADING + KEPT[name], TITLE))
    assert titles_of(found) == list(STARS)
    assert found is not None
    assert found.box is None


def test_a_menu_of_as_many_links_is_not_the_list() -> None:
    """Of two lists of the promised length the one of the content is found, wherever the menu stands."""
    for body in (f"<nav>{MENU}</nav>{HEADING}{listed(STARS)}", f"{HEADING}{article(STARS)}<footer>{MENU}</footer>"):
        assert titles_of(_found(body)) == list(STARS)


def test_numbers_leave_the_titles_and_become_ranks() -> None:
    """A title is a name; the number before it is kept apart, and stays in the text."""
    found = _found(HEADING + KEPT["numbered headings"])
    assert found is not None
    assert [item.rank for item in found] == list(range(1, 11))
    assert found[0].text.text.startswith("1. Sirius\n")
    down = _found(HEADING + KEPT["headings that count down"])
    assert down is not None
    assert [item.rank for item in down] == list(range(10, 0, -1))


def test_numbers_in_a_column_become_ranks() -> None:
    """Numbers in the first cell of each row count as well."""
    found = _found(HEADING + KEPT["table rows"])
    assert found is not None
    assert [item.rank for item in found] == list(range(1, 11))


def test_items_without_numbers_have_no_rank() -> None:
    """No number is made up."""
    found = _found(HEADING + article(STARS))
    assert found is not None
    assert {item.rank for item in found} == {None}


def test_items_end_where_the_next_begins() -> None:
    """Each item holds its heading and what stands behind it, and nothing of its neighbours or of the page's end."""
    found = _found(HEADING + article(STARS) + "<h1>About us</h1><p>We look up.</p>")
    assert found is not None
    expected = [f"{star}\n{prose(place, 30)}" for place, star in enumerate(STARS, start=1)]
    assert [item.text.text for item in found] == expected


def test_items_have_their_pictures_and_links() -> None:
    """Addresses are whole, and the link is that of the title."""
    found = find_top(static(HEADING + KEPT["cards"], TITLE))
    assert found is not None
    first = found[0]
    assert first.image is not None
    assert first.link is not None
    assert first.image.text == "https://shop.example/Sirius.png"
    assert first.link.text == "https://shop.example/star/Sirius"


def test_labels_in_items_become_their_parts() -> None:
    """What follows "Price:" is a part without its label; a line such as "Pros" names the lines behind it."""
    body = "".join(
        f"<h2>{star}</h2><p>{prose(place, 12)}</p><p>Price: ${place}0</p>"
        f"<p>Pros</p><p>bright {place}</p><p>near {place}</p>"
        for place, star in enumerate(STARS, start=1)
    )
    found = _found(HEADING + body)
    assert titles_of(found) == list(STARS)
    assert found is not None
    assert found[2].components.to_dict() == {
        "title": "Arcturus",
        "text": prose(3, 12),
        "Price": "$30",
        "Pros": "bright 3\nnear 3",
    }
    assert [column.name for column in found.columns] == ["title", "text", "Price", "Pros"]


def test_hidden_slides_are_found_when_nothing_else_is() -> None:
    """A slide show shows one item at a time; the others are there, waiting."""
    slides = "".join(
        f"<div class='slide{' on' if place == 0 else ''}'><h2>{star}</h2><p>{prose(place)}</p></div>"
        for place, star in enumerate(STARS)
    )
    page = rendered(f"{HEADING}<div class=show>{slides}</div>", TITLE, ".slide{display:none}.slide.on{display:block}")
    assert titles_of(find_top(page)) == list(STARS)
    assert find_top(page, settings=TopSettings(without=("hidden",))) is None


@pytest.mark.parametrize("hiding", ["hidden", "style='display:none'"])
def test_slides_hidden_by_their_markup_are_found(hiding: str) -> None:
    """So are those that an attribute hides, also where nothing was laid out."""
    slides = "".join(
        f"<div {hiding if place else ''}><h2>{star}</h2><p>{prose(place)}</p></div>" for place, star in enumerate(STARS)
    )
    assert titles_of(find_top(static(f"{HEADING}<div class=show>{slides}</div>", TITLE))) == list(STARS)


def test_what_can_be_seen_comes_before_what_is_hidden() -> None:
    """Hidden items of the right number are not looked for where visible ones keep the promise."""
    hidden = listed([word.title() for word in WORDS[:10]])
    assert titles_of(_found(f"{HEADING}<div style='display:none'>{hidden}</div>{listed(STARS)}")) == list(STARS)


# ------------------------------------------------------------------ pages that promise nothing, or do not keep it


@pytest.mark.parametrize(
    "title", ["Photography 101", "The Best of 2010", "In 10 minutes", "Chapter 10", "Stars and Nights"]
)
def test_without_a_promise_there_is_no_top_list(title: str) -> None:
    """A list of ten under a title that counts nothing is a list, and not one that was promised."""
    assert _found(f"<h1>{title}</h1>{listed(STARS)}", title=title) is None


BROKEN: dict[str, str] = {
    "nothing": "",
    "a sentence": "<p>Sorry.</p>",
    "paragraphs": "".join(f"<p>{prose(place, 40)}</p>" for place in range(4)),
    "too few": listed(STARS[:7]),
    "one": listed(STARS[:1]),
    "an empty list": "<ol></ol>",
    "many more": listed([f"{star} {number}" for number in range(3) for star in STARS]),
    "a picture": "<img src=x.png width=40 height=40>",
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN.keys())
def test_a_promise_that_is_not_kept_gives_none(body: str) -> None:
    """No list of the right length, no answer: a wrong one would be worse."""
    assert _found(HEADING + body) is None


def test_a_menu_alone_does_not_keep_a_promise() -> None:
    """As many links as there should be items, above the title, are the menu."""
    assert _found(f"<nav>{MENU}</nav>{HEADING}<p>{prose(1, 60)}</p>") is None


def test_a_number_that_hardly_counts_needs_a_list_that_counts_itself() -> None:
    """The title "iPhone 10 review" promises nothing, unless ten numbered things follow."""
    heading = "<h1>iPhone 10 review</h1>"
    assert _found(heading + listed(STARS), title="iPhone 10 review") is None
    assert titles_of(_found(heading + KEPT["numbered headings"], title="iPhone 10 review")) == list(STARS)


# ------------------------------------------------------------------ k given


def test_k_overrides_the_title() -> None:
    """Whoever knows better says so; the title then promises nothing."""
    body = HEADING + article(STARS) + "<aside>" + listed(STARS[:4]) + "</aside>"
    found = _found(body, k=4)
    assert found is not None
    assert (found.k, len(found), found.caption) == (4, 4, None)


def test_k_finds_lists_under_any_title() -> None:
    """No title is needed when k is given."""
    assert titles_of(_found(f"<h1>Stars</h1>{listed(STARS[:6])}", title="Stars", k=6)) == list(STARS[:6])


@pytest.mark.parametrize("k", [-5, 0, 1])
@pytest.mark.parametrize("verb", [find_top, sl.top_list])
def test_a_k_that_is_no_list_is_refused(k: int, verb: Callable[..., object]) -> None:
    """One item is no list; the message is one sentence that names what was asked for."""
    with pytest.raises(UsageError, match=rf"^k is {k}, ") as error:
        verb(static(listed(STARS)), k=k)
    assert str(error.value).endswith(".")
    assert "\n" not in str(error.value)


def test_a_k_of_thousands_on_a_small_page_is_no_more_work() -> None:
    """Looking for more than a page has takes no longer than looking for what it has."""
    page = static(HEADING + listed(STARS), TITLE)
    assert find_top(page, k=10_000) is None
    assert effort(lambda: find_top(page, k=10_000)) <= effort(lambda: find_top(page, k=len(STARS)))


@pytest.mark.slow
def test_a_k_of_thousands_is_found_where_it_is() -> None:
    """Three thousand items are a list as ten are."""
    page = static(f"<h1>Stars</h1>{listed([f'{WORDS[place % 24]} {place}' for place in range(3_000)])}")
    found = find_top(page, k=3_000)
    assert found is not None
    assert (len(found), found[2_999].title.text) == (3_000, f"{WORDS[2_999 % 24]} 2999")


# ------------------------------------------------------------------ lists over several pages


def _chain(pages: Sequence[Page]) -> Callable[[Page], Page | None]:
    """The page behind a page, in a row of them."""
    ids = [page.id for page in pages]

    def following(page: Page) -> Page | None:
        place = ids.index(page.id) + 1
        return pages[place] if place < len(pages) else None

    return following


def _parts(sizes: Sequence[int], number: Callable[[int], int]) -> list[Page]:
    """An article cut into pages of so many items, with the number of each."""
    pages, first = [], 0
    for size in sizes:
        heads = [f"{number(place)}. {STARS[place]}" for place in range(first, first + size)]
        pages.append(static(f"<h1>{TITLE}, page {len(pages) + 1}</h1>{article(heads)}", TITLE))
        first += size
    return pages


@pytest.mark.parametrize("sizes", [(4, 4, 2), (5, 5), (3, 3, 2, 2)])
@pytest.mark.parametrize("down", [False, True], ids=["upwards", "downwards"])
def test_a_list_over_several_pages_is_read_to_its_end(sizes: tuple[int, ...], down: bool) -> None:
    """Numbers that count on from page to page make one list; every item knows its page."""
    pages = _parts(sizes, (lambda place: 10 - place) if down else (lambda place: place + 1))
    found = find_top(pages[0], following=_chain(pages))
    assert titles_of(found) == list(STARS)
    assert found is not None
    assert [item.rank for item in found] == (list(range(10, 0, -1)) if down else list(range(1, 11)))
    assert [item.text.origin.page for item in found if item.text.origin][-1] == pages[-1].id
    assert found.k == 10


def test_a_chain_that_ends_too_soon_gives_none() -> None:
    """Part of a list is not the list."""
    pages = _parts((4, 4, 2), lambda place: place + 1)
    assert find_top(pages[0], following=_chain(pages[:2])) is None
    assert find_top(pages[0], following=lambda _: None) is None
    assert find_top(pages[0]) is None


def test_a_chain_without_end_is_given_up() -> None:
    """A page that leads to itself does not count on, and is left."""
    pages = _parts((4, 4, 2), lambda place: place + 1)
    assert find_top(pages[0], following=lambda page: page) is None


def test_a_list_on_one_page_asks_for_no_other() -> None:
    """What is complete is not read on."""

    def never(_: Page) -> Page | None:
        raise AssertionError("asked for another page")

    assert titles_of(find_top(rendered(HEADING + listed(STARS), TITLE), following=never)) == list(STARS)


# ------------------------------------------------------------------ the published algorithm


def test_the_published_algorithm_is_there_alone() -> None:
    """K nodes of one tag path, grown up; the most text wins; nothing is measured, so it scores 1."""
    found = basic_top(static(f"{HEADING}{listed(STARS)}", TITLE))
    assert titles_of(found) == list(STARS)
    assert found is not None
    assert (found.score, found.evidence) == (1.0, ())


def test_the_published_algorithm_finds_none_where_none_is() -> None:
    """No title, no number; no such number of nodes, no list."""
    assert basic_top(static("<p>x")) is None
    assert basic_top(static(HEADING), k=7) is None


def test_the_published_algorithm_takes_the_list_with_the_most_text() -> None:
    """A menu of as many short links loses against longer items."""
    long = [prose(place) for place in range(10)]
    assert titles_of(basic_top(static(f"{MENU}{listed(long)}"), k=10)) == long


# ------------------------------------------------------------------ promises that are nearly kept


def _stars(names: str, heading: str = "<h2>{number}. Star {name}</h2>") -> str:
    return "".join(
        heading.format(number=number, name=name) + f"<p>Some words about the star {name}.</p>"
        for number, name in enumerate(names, start=1)
    )


@pytest.mark.parametrize(
    "body",
    [
        _stars("ABCDEFGHI"),
        _stars("ABCDEFGHI", "<h2>Star {name}</h2>"),
        _stars("ABCDEFGHI") + "<h2>Conclusion</h2><p>All of them shine.</p>",
    ],
)
def test_nine_are_not_ten(body: str) -> None:
    """Neither the page's own heading nor its conclusion is the item that is missing."""
    title = "10 Bright Stars"
    assert sl.top_list(sl.open(f"<title>{title}</title><h1>{title}</h1>{body}".encode(), static=True)) is None


@pytest.mark.parametrize("frame", ["<nav>{}</nav>", "<h2>Read more</h2>{}", "<h2>Related stories</h2>{}"])
def test_links_beside_an_article_keep_no_promise(frame: str) -> None:
    """A menu, or links to other stories, may be as many as was promised and are not what was."""
    links = "".join(f"<li><a href='/{name}'>Another story {name}</a></li>" for name in "abcd")
    prose = "<p>A long text about the economy that goes on for a while.</p>" * 5
    title = "4 reasons why things slow down"
    page = f"<title>{title}</title><h1>{title}</h1>{prose}" + frame.format(f"<ul>{links}</ul>")
    assert sl.top_list(sl.open(page.encode(), static=True)) is None


def test_a_part_under_a_label_ends_with_its_kind() -> None:
    """What a label heads is a list; the text behind the list is the item's own."""
    parts = "<p>Cons</p><ul><li>faint {name}</li><li>far {name}</li></ul><p>The text about {name} goes on here.</p>"
    body = "".join(f"<h2>Star {name}</h2>" + parts.format(name=name) for name in "ABCD")
    found = sl.top_list(sl.open(f"<title>4 stars</title><h1>4 stars</h1>{body}".encode(), static=True))
    assert found is not None
    assert found.to_dicts()[0] == {
        "title": "Star A",
        "Cons": "faint A\nfar A",
        "text": "The text about A goes on here.",
    }


def test_of_several_links_in_a_text_none_is_the_items() -> None:
    """The title's link is the item's, or the only one there is."""
    body = "".join(
        f"<h2>Star {name}</h2><p>See <a href='/x'>this</a> and <a href='/y'>that</a> about {name}.</p>" for name in "AB"
    ) + "".join(f"<h2><a href='/{name}'>Star {name}</a></h2><p>Words about {name}.</p>" for name in "CD")
    found = sl.top_list(sl.open(f"<title>4 stars</title><h1>4 stars</h1>{body}".encode(), static=True))
    assert found is not None
    assert [item.link.text if item.link else None for item in found] == [None, None, "/C", "/D"]


@pytest.mark.parametrize("k", ["5", 2.5])
def test_k_that_is_no_number_of_items_is_refused(k: object) -> None:
    """One sentence, not an error of the language."""
    with pytest.raises(UsageError, match="at least 2 items"):
        sl.top_list(sl.open(b"<title>x</title><p>y", static=True), k=k)  # type: ignore[arg-type]
