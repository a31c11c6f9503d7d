"""Reading and verifying: values with their origins, and pages of another template refused with a reason."""

from collections.abc import Callable
from typing import Any

import pytest

import sightline as sl
from sightline.data import Record, Value
from sightline.extract.wrappers import Found
from sightline.page import Page
from sightline.testing import element, page_of, shop_pages

from ...._effort import growth
from ..._templates import FOOT, learned, listed, listing, opened, product, read, sentence

pytestmark = pytest.mark.usefixtures("either_way")

MENU = (
    "<nav>"
    + "".join(f"<a href=/{word}>{word}</a>" for word in ("Home", "Cameras", "Lenses", "Bags", "Jobs"))
    + "</nav>"
)
BASE = "<footer><p>Imprint</p><i>Terms</i><b>Privacy</b></footer>"


def _page(number: int, more: str = "") -> str:
    rows = "".join(
        f"<tr><th>{label}</th><td>{label.lower()} {number}</td></tr>" for label in ("Price", "Weight", "Zoom", "Maker")
    )
    return f"{MENU}<h1>Camera {number}</h1><table>{rows}</table>{more}{BASE}"


@pytest.fixture(scope="module")
def wrapper() -> sl.Wrapper:
    """A wrapper for pages of cameras with a menu and a foot."""
    return learned(map(_page, range(4)))


def _found(wrapper: sl.Wrapper, body: str) -> tuple[Page, Found]:
    (page,) = opened(body)
    return page, wrapper.read(page)


def _values(field: Any) -> list[Value]:
    if isinstance(field, Value):
        return [field]
    inner = field.values() if isinstance(field, Record) else field
    return [value for own in inner for value in _values(own)]


def test_a_page_of_the_template_is_in_order(wrapper: sl.Wrapper) -> None:
    """All fixed texts, fields and texts are known, and there is nothing to complain about."""
    _, found = _found(wrapper, _page(9))
    assert (found.verdict, found.found, found.filled, found.known, found.problems) == ("ok", 1, 1, 1, ())
    assert found.records[0].text("Weight") == "weight 9"


@pytest.mark.parametrize(
    "body",
    [
        f"<div><p>{sentence(1)}</p><p>{sentence(2)}</p></div>",
        listing(1, 5),
        "<table><tr><td>a<td>b<tr><td>c<td>d</table>",
        "<h1>Camera 9</h1><p>x</p>",
        "just words",
    ],
    ids=["article", "list", "table", "heading", "words"],
)
def test_a_page_of_another_site_is_refused(wrapper: sl.Wrapper, body: str) -> None:
    """It has no records, and extracting from it is an error that names the page and the reason."""
    page, found = _found(wrapper, body)
    assert (found.verdict, len(found.records)) == ("failed", 0)
    assert found.problems
    with pytest.raises(sl.errors.VerificationError, match=r"^the page: .*not a page of this wrapper.*%") as caught:
        wrapper.extract(page)
    assert caught.value.page == "the page"
    assert found.problems[0].what in caught.value.problem


def test_the_error_names_the_page() -> None:
    """A page is named by its address, or else by its title."""
    wrapper = learned(map(_page, range(4)))
    body = element("html", element("body", element("p", "News")))
    for page, name in (
        (page_of(body, kind="static", url="https://example.org/news"), "https://example.org/news"),
        (page_of(body, kind="static", url="", title="The news"), "The news"),
    ):
        with pytest.raises(sl.errors.VerificationError) as caught:
            wrapper.extract(page)
        assert caught.value.page == name


@pytest.mark.parametrize("body", ["", "<p hidden>secret</p>", "<script>1</script>", "<img src=a.png>"])
def test_an_empty_page_is_refused(wrapper: sl.Wrapper, body: str) -> None:
    """Nothing to read is no record, and the reason says so."""
    page, found = _found(wrapper, body)
    assert (found.verdict, len(found.records), found.found, found.known) == ("failed", 0, 0, 0)
    with pytest.raises(sl.errors.VerificationError, match="no readable text"):
        wrapper.extract(page)


@pytest.mark.parametrize(
    "body",
    [
        f"<div><h2>About us</h2><p>{sentence(1)}</p><p>{sentence(2)}</p></div>",
        f"<div>{listed(*(f'<b>Lens {own}</b> <i>{own} €</i>' for own in range(5)))}</div>",
        "<form><label>Name</label><label>Mail</label><button>Send</button></form>",
    ],
    ids=["article", "list", "form"],
)
def test_the_same_head_and_foot_over_another_body_is_refused(wrapper: sl.Wrapper, body: str) -> None:
    """A page of the same site is no page of the template."""
    _, found = _found(wrapper, f"{MENU}{body}{BASE}")
    assert (found.verdict, len(found.records)) == ("failed", 0)


def test_unknown_parts_are_told_with_their_place(wrapper: sl.Wrapper) -> None:
    """A page with parts that no page had is read and suspicious, and says where they are."""
    more = f"<section>{''.join(f'<p>{sentence(own)}</p>' for own in range(6))}</section>"
    page, found = _found(wrapper, _page(9, more))
    assert found.verdict == "suspicious"
    assert found.records[0].text("Price") == "price 9"
    assert 0 < found.known < 0.8
    (section,) = page.with_tag("section").tolist()
    places = [page.find(problem.xpath) for problem in found.problems]
    assert places
    assert all(place is not None and section <= place < page.end[section] for place in places)
    assert sentence(0)[:40] in found.problems[0].what


def test_missing_parts_are_told_with_their_place(wrapper: sl.Wrapper) -> None:
    """What all pages had and this one has not is named, at the element that should hold it."""
    page, found = _found(wrapper, _page(9).replace(BASE, "").replace("<h1>Camera 9</h1>", ""))
    assert found.verdict in ("suspicious", "failed")
    assert any("“title”" in own.what for own in found.problems)
    assert any("“Imprint”" in own.what for own in found.problems)
    assert all(page.find(own.xpath) is not None for own in found.problems)


def test_a_missing_row_is_named(wrapper: sl.Wrapper) -> None:
    """A row that was always there is missed by its label."""
    _, found = _found(wrapper, _page(9).replace("<tr><th>Zoom</th><td>zoom 9</td></tr>", ""))
    assert found.verdict == "suspicious"
    assert [own.what for own in found.problems] == ["the row “Zoom” is missing"]
    record = found.records[0]
    assert "Zoom" not in {name for name, value in record.items() if value}
    assert record.text("Maker") == "maker 9"


@pytest.mark.parametrize("body", [_page(9), _page(9, f"<section><p>{sentence(1)}</p></section>"), listing(1, 3), ""])
def test_shares_are_shares(wrapper: sl.Wrapper, body: str) -> None:
    """Whatever the page, the measures lie between nothing and all."""
    _, found = _found(wrapper, body)
    assert all(0 <= share <= 1 for share in (found.found, found.filled, found.known))


def test_values_know_their_place() -> None:
    """Every value says which node of which page it was read from."""
    wrapper = learned(listing(number, 2 + number) for number in range(4))
    (page,) = opened(listing(9, 4))
    values = [value for record in wrapper.extract(page) for value in _values(record)]
    assert len(values) == 10
    for value in values:
        assert value.origin is not None
        assert value.origin.page == page.whole_id
        (node,) = value.origin.nodes
        assert page.text_of(int((page.numbers == node).nonzero()[0][0])) == value.text


def test_free_text_keeps_its_words_apart() -> None:
    """Lines of a free text are separated by one blank."""
    forms = ("<p>{}</p><p>{}</p>", "<p>{}</p><ul><li>{}</ul>", "{}<br>{}", "<p>{} <b>{}</b></p>")

    def page(number: int, form: str) -> str:
        text = form.replace("{}", sentence(number), 1).replace("{}", sentence(number + 50), 1)
        return f"<h1>Thing {number}</h1><div>{text}</div>{FOOT}"

    wrapper = learned(page(number, form) for number, form in enumerate(forms))
    for form in forms:
        (record,) = wrapper.extract(opened(page(9, form))[0])
        assert f"{sentence(9)} {sentence(59)}" in [value.text for value in _values(record)]


def test_reading_twice_gives_the_same() -> None:
    """What was read before does not change what is read, of this page and of others."""
    wrapper, fresh = (learned(listing(number, 2 + number) for number in range(4)) for _ in range(2))
    pages = opened(listing(7, 4), product(1), listing(8, 9), listing(7, 4))
    told = [(found.verdict, found.records.to_dicts()) for found in map(wrapper.read, [*pages, *reversed(pages)])]
    assert told[:4] == told[:3:-1]
    assert told[:4] == [(found.verdict, found.records.to_dicts()) for found in map(fresh.read, pages)]


def test_first_words_decide_whatever_was_read_before() -> None:
    """Of two fields that come and go, the one that begins like a text takes it, on every page in any order."""
    forms = {"by": "<b>Written for us by {}</b>", "near": "<i>Seen quite near to {}</i>"}
    names = ("Ada", "Bert", "Cleo", "Dora", "Emil", "Fritz", "Gina")
    towns = ("Rome", "Oslo", "Paris", "Berlin", "Wien", "Bern", "Prag")
    held = (forms, forms, ("by",), ("near",), forms, ("near",), ("by",))

    def page(title: str, *told: str) -> str:
        return f"{MENU}<h1>Story of {title}</h1><div>{''.join(told)}</div>{BASE}"

    bodies = [
        page(name[::-1], *(forms[form].format({"by": name, "near": town}[form]) for form in own))
        for name, town, own in zip(names, towns, held, strict=True)
    ]
    (both,) = read(learned(bodies), bodies[0])
    by, near = (next(name for name, text in both.items() if text.startswith(word)) for word in ("Written", "Seen"))
    others = {by: "Written for us by Zoe", near: "Seen quite near to Kiew"}  # in markup that no page had
    for order in ([by, near], [near, by]):
        wrapper = learned(bodies)
        for name in order:
            (record,) = read(wrapper, page("Hugo", f"<em>{others[name]}</em>"))
            assert record == {"title": "Story of Hugo", name: others[name]}


def test_pages_built_by_hand_are_read() -> None:
    """A wrapper asks nothing of a page but its texts and elements."""
    wrapper = sl.induce(shop_pages(4))
    assert wrapper.extract(shop_pages(6)[5]).to_dicts() == [{"title": "Camera 5", "Price": "105 €", "Weight": None}]


@pytest.mark.slow
def test_foreign_pages_of_any_size_are_refused(wrapper: sl.Wrapper) -> None:
    """A page with 30,000 texts of another template is refused, with work that grows as they do."""

    def reading(count: int) -> Callable[[], Any]:
        (page,) = opened("".join(f"<p class=x{own}>text <b>{own}</b></p>" for own in range(count)))
        return lambda: wrapper.read(page)

    assert reading(15_000)().verdict == "failed"
    assert growth(reading, 300) < 6
