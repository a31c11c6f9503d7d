"""Where a page of a list leads is found by what links say, are called, lead to, and stand beside."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sightline as sl
from sightline.navigate import Paging
from sightline.navigate.paging._find import REASONS
from sightline.navigate.paging._weights import NEXT_WEIGHTS

from ..._effort import growth

HERE = "https://shop.example/cameras"
ITEMS = "<ul>" + "".join(f"<li><a href=/camera/{n}>Camera {n}</a> {n}9 €</li>" for n in range(1, 9)) + "</ul>"


def paging(pager: str, url: str = HERE, *, head: str = "") -> Paging:
    """Where a list with this pager below it leads."""
    return sl.next_page(sl.open(f"<html><head>{head}</head><body>{ITEMS}{pager}</body>", url=url, static=True))


@pytest.mark.parametrize(
    "said",
    [
        *("Next", "next page", "Next »", "Nächste Seite", "weiter", "Suivant", "Siguiente", "Próxima", "Avanti"),
        *("Volgende", "Następna", "Další", "Következő", "Следующая", "След.", "Επόμενη", "Sonraki", "التالي"),
        *("次のページ", "下一页", "다음", "ถัดไป", "Nästa", "Neste", "Seuraava"),
    ],
)
def test_the_next_page_is_found_in_many_languages(said: str) -> None:
    """One word beside the list is enough, if its address is that of the list."""
    found = paging(f"<p><a href=?page=2>{said}</a></p>")
    assert (found.next, found.way) == (f"{HERE}?page=2", "link")


@pytest.mark.parametrize(
    "link",
    [
        "<a href=?page=2>›</a>",
        "<a href=?page=2 aria-label='Next page'>&gt;</a>",
        "<a href=?page=2><img src=/i/next.gif></a>",
        "<a href=?page=2 rel=next>2</a>",
        "<ul class=pagination><li>1<li><a href=?page=2>2</a><li><a href=?page=3>3</a></ul>",
        "<div>1 <a href=?page=2>2</a> <a href=?page=3>3</a> <a href=?page=4>4</a></div>",
    ],
)
def test_the_next_page_is_found_without_words(link: str) -> None:
    """Arrows, labels for the blind, pictures and numbers do as well."""
    assert paging(link).next == f"{HERE}?page=2"


@pytest.mark.parametrize(
    ("url", "links", "wanted"),
    [
        (
            "/list?start=20",
            "<a href=?start=0>1</a> <a href=?start=10>2</a> 3 <a href=?start=30>4</a>",
            "/list?start=30",
        ),
        ("/list/page/2", "<a href=/list>1</a> 2 <a href=/list/page/3>3</a> <a href=/list/page/3>»</a>", "/list/page/3"),
        (
            "/list-2.html",
            "<a href=list.html>1</a> 2 <a href=list-3.html>3</a> <a href=list-4.html>4</a>",
            "/list-3.html",
        ),
        ("/list?page=3&q=x", "<a href='?page=2&q=x'>Previous</a> <a href='?page=4&q=x'>Next</a>", "/list?page=4&q=x"),
    ],
)
def test_the_page_after_this_one_is_next(url: str, links: str, wanted: str) -> None:
    """Whatever is counted, and wherever the number is in the address."""
    site = "https://shop.example"
    assert paging(f"<div class=pager>{links}</div>", site + url).next == site + wanted


@pytest.mark.parametrize(
    "pager",
    [
        "",
        "<p><a href=/about>About us</a> <a href=/next-generation>The next generation of cameras is here</a></p>",
        "<div class=pager><a href=?page=1>Previous</a> <a href=?page=1>1</a> 2</div>",
        "<p>Show <a href=?limit=20>20</a> <a href=?limit=50>50</a> <a href=?limit=100>100</a></p>",
        "<div class=calendar><a href=?month=12>»</a></div>",
        "<p><a href=#top>Next</a></p>",
    ],
)
def test_no_next_page_is_made_up(pager: str) -> None:
    """Headlines, the last page, sizes of pages, calendars and jumps are none."""
    assert paging(pager, f"{HERE}?page=2").next is None


def test_all_pages_are_told_in_the_order_of_the_page() -> None:
    """Each address once, without the page itself and without what is no page of the list."""
    numbers = " ".join(f"<a href=?page={n}>{n}</a>" for n in (1, 2, 4, 5))
    found = paging(f"<div class=pager>{numbers} <a href=?page=4>Next</a></div>", f"{HERE}?page=3")
    assert found.pages == tuple(f"{HERE}?page={n}" for n in (1, 2, 4, 5))


@pytest.mark.parametrize(
    ("said", "total", "records"),
    [
        ("Page 2 of 17", 17, None),
        ("Seite 2 von 17", 17, None),
        ("Страница 2 из 17", 17, None),
        ("11 – 20 of 1,340 results", None, 1340),
        ("Results 11 to 20 of about 340", None, 340),
        ("24/7 support", None, None),
    ],
)
def test_what_the_page_counts_is_told(said: str, total: int | None, records: int | None) -> None:
    """Counters of pages and of records are kept apart."""
    found = paging(f"<p>{said}</p><a href=?page=3>Next</a>", f"{HERE}?page=2")
    assert (found.total, found.records) == (total, records)


@pytest.mark.parametrize(
    "button", ["<button>Load more</button>", "<a href=#>Mehr laden</a>", "<input type=button value=More>"]
)
def test_a_button_that_loads_more_is_told(button: str) -> None:
    """It has no address, and the node to press is told."""
    found = paging(button)
    assert (found.next, found.way) == (None, "button")
    assert found.button is not None
    assert "button says" in found.evidence[0]


@pytest.mark.parametrize("off", ["<button disabled>Load more</button>", "<a href=# aria-disabled=true>Next</a>"])
def test_a_button_that_cannot_be_pressed_is_none(off: str) -> None:
    """After the last record many pages keep their button and switch it off."""
    assert paging(off).way is None
    assert paging(f"{off}<button>Show more</button>").way == "button"


@pytest.mark.parametrize(
    "button",
    [
        "<button data-url='?page=2'>Load more</button>",
        "<button data-href='/cameras?page=2'>Next</button>",
        "<button onclick=\"location.href='?page=2'\">Next</button>",
        "<a href=\"javascript:go('/cameras?page=2')\">Next</a>",
        "<div role=button onclick=\"load('?page=2', 8)\">Show more</div>",
        "<form action=/cameras><button name=page value=2>Next</button></form>",
        "<form><input type=hidden name=page value=2><button name=page value=2>Next</button></form>",
    ],
)
def test_the_address_behind_a_button_is_told(button: str) -> None:
    """It is in an attribute, in its script, or in what its form sends; the button itself is told as well."""
    found = paging(button)
    assert (found.next, found.way) in [(f"{HERE}?page=2", "button"), (f"{HERE}?page=2&page=2", "button")]
    assert found.button is not None
    assert found.next in found.pages


@pytest.mark.parametrize(
    "button",
    [
        "<button onclick=\"say('loading / more')\">Load more</button>",
        "<form method=post action=/cameras><button name=page value=2>Next</button></form>",
        "<button data-url='javascript:more()'>Load more</button>",
    ],
)
def test_a_button_without_an_address_is_to_be_pressed(button: str) -> None:
    """What is no address is not made one, and forms that post have none."""
    found = paging(button)
    assert (found.next, found.way) == (None, "button")


def test_a_button_leads_where_the_head_says() -> None:
    """The head names the next page and a button loads it; without a button nobody is led there."""
    head = "<link rel=next href='?page=2'>"
    assert paging("<button>Load more</button>", head=head).next == f"{HERE}?page=2"
    assert paging("<p>The end.</p>", head=head).next is None


@pytest.mark.parametrize(
    "box",
    [
        "<select><option value='?page=1'>1<option value='?page=2'>2<option value='?page=3'>3</select>",
        "<select onchange=\"location='?page='+this.value\"><option>1<option>2<option>3</select>",
        "<form action=/cameras><select name=page><option>1<option>2<option>3</select></form>",
    ],
)
def test_the_address_behind_a_choice_is_told(box: str) -> None:
    """It is the value, what a script puts before it, or what the form sends."""
    found = paging(box)
    assert (found.next, found.way, found.choice) == (f"{HERE}?page=2", "box", "2")
    assert f"{HERE}?page=3" in found.pages


def test_each_list_of_a_page_has_its_next_page() -> None:
    """The first one is next; those of further lists are told beside it."""

    def pager(key: str) -> str:
        return f"<div class=pager>1 <a href=?{key}=2>2</a> <a href=?{key}=3>3</a> <a href=?{key}=2>Next</a></div>"

    found = paging(f"{pager('page')}<h2>Reviews</h2>{ITEMS}{pager('p')}")
    assert (found.next, found.others) == (f"{HERE}?page=2", (f"{HERE}?p=2",))
    assert paging(pager("page") + pager("page")).others == ()


@pytest.mark.parametrize("here", [2, 5])
def test_numbers_alone_are_followed_in_the_middle(here: int) -> None:
    """Addresses count records: by a known name where nothing is called a pager, or by any name in a pager."""
    for key, size, called in (("start", 10, ""), ("abstand", 15, " class=pager")):
        links = " ".join(
            str(n) if n == here else f"<a href='?{key}={size * (n - 1)}'>{n}</a>" for n in range(1, here + 3)
        )
        assert (
            paging(f"<p{called}>{links}</p>", f"{HERE}?{key}={size * (here - 1)}").next == f"{HERE}?{key}={size * here}"
        )


def test_an_address_without_a_number_is_followed() -> None:
    """A link that says just next, and leads to an opaque mark on the same path."""
    assert paging("<p><a href=?after=9f0c2e7d>Next</a></p>").next == f"{HERE}?after=9f0c2e7d"


@pytest.mark.parametrize(
    "link",
    [
        "<nav class=post-navigation><div class=nav-next><a href=/the-next-one/ rel=next>Next post</a></div></nav>",
        "<p><a href=?month=2024-06>»</a></p>",
        "<p><a href=/agenda/2024/06/>Next ›</a></p>",
        "<p><a href=/cart>Continue shopping</a></p>",
        "<p>Home › <a href=/photo>› Photo</a></p>",
    ],
)
def test_what_follows_something_else_is_not_next(link: str) -> None:
    """Posts, months, checkouts and paths."""
    assert paging(link).next is None


def test_the_number_of_a_visit_makes_no_other_address() -> None:
    """Links to one page that differ in it are one, and the page's own link with another one is no way on."""
    pager = """<p class=pager><a href=?sid=81f0c5e29a6d4b37&page=1>1</a> <a href=?sid=c5e29a6d4b3781f0&page=2>2</a>
    <a href=?sid=6d4b37c5e29a81f0&page=3>3</a> <a href=?sid=4b37c5e29a81f06d&page=3>Next</a></p>"""
    found = paging(pager, f"{HERE}?sid=0f18d6a92e5c73b4&page=2")
    assert found.next == f"{HERE}?sid=6d4b37c5e29a81f0&page=3"
    assert [page[-1] for page in found.pages] == ["1", "3"]


def test_the_evidence_is_told() -> None:
    """What the link says comes first, then what speaks for it."""
    found = paging("<div class=pager>1 <a href=?page=2>2</a> <a href=?page=2>Next</a></div>")
    assert found.evidence[0] == "a link says “2”"
    assert "it says “next”" in found.evidence


def test_every_clue_for_a_link_has_words() -> None:
    """Whichever of them is told as evidence."""
    assert {name for name, weight in NEXT_WEIGHTS.items() if weight > 0} == set(REASONS)


def test_a_saved_page_is_told_where_it_comes_from() -> None:
    """Without that its links lead nowhere."""
    page = sl.open(f"{ITEMS}<a href=?page=2>Next</a>".encode(), static=True)
    assert sl.next_page(page).next is None
    assert sl.next_page(page, url=HERE).next == f"{HERE}?page=2"


@given(st.lists(st.tuples(st.text(max_size=8), st.text(max_size=8)), max_size=6), st.text(max_size=10))
def test_any_links_are_read(links: list[tuple[str, str]], url: str) -> None:
    """Nothing that a page can write is an error, and what is next is one of its links."""
    body = "".join(f"<a href='{href.replace(chr(39), '')}'>{said.replace('<', '')}</a>" for href, said in links)
    page = sl.open(f"<p>{body}</p>".encode("utf-8", "replace"), static=True)
    found = sl.next_page(page, url=f"https://example.org/{url}")
    assert found.next is None or found.next in found.pages


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    [
        "<a href=?page={n}>{n}</a>",
        "<button>{n}</button>",
        "<p><button>{n}</button><button>2</button></p>",
        "<select><option>1<option>2</select>",
        "<a href=/{n}><img src=next{n}.png></a>",
    ],
)
def test_long_pages_take_no_longer_than_they_are(part: str) -> None:
    """Four times as many links, buttons or boxes are about four times as much work."""

    def read(count: int) -> Callable[[], object]:
        page = sl.open("".join(part.replace("{n}", str(n)) for n in range(count)), url=HERE, static=True)
        return lambda: sl.next_page(page)

    assert growth(read, 200) < 6
