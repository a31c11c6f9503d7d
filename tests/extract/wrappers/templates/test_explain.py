"""Why each text of a page was read as what it was read as."""

import pytest

import sightline as sl
from sightline.extract.wrappers import Explained
from sightline.page import Page
from sightline.testing import list_page, shop_pages

from ..._templates import FOOT, learned, listing, opened, product, sentence


def _explained(wrapper: sl.Wrapper, body: str) -> tuple[Page, list[Explained]]:
    (page,) = opened(body)
    return page, wrapper.explain(page)


def _roles(explained: list[Explained]) -> dict[str, tuple[str, str | None]]:
    return {own.text: (own.role, own.field) for own in explained}


@pytest.fixture(scope="module")
def wrapper() -> sl.Wrapper:
    """A wrapper for pages about one camera each."""
    return learned(map(product, range(4)))


@pytest.mark.parametrize(
    "body",
    [product(9), product(9, more="<section><p>New</p><p>Newer</p></section>"), product(9).replace("<h1>", "<h2>"), ""],
    ids=["in order", "with unknown parts", "changed", "empty"],
)
def test_every_text_is_explained_once(wrapper: sl.Wrapper, body: str) -> None:
    """All texts of the page are there, in their order, none twice and none missing."""
    page, explained = _explained(wrapper, body)
    seen = [" ".join(page.strings[text].split()) for text in page.text.tolist() if text >= 0]
    assert [own.text for own in explained] == [text for text in seen if text]


def test_every_text_of_a_list_is_explained_once() -> None:
    """So are those of all items."""
    lists = learned(listing(number, 3 + number) for number in range(4))
    _, explained = _explained(lists, listing(9, 3))
    texts = ["Our lenses", "Lens 9-0", "90.50 €", "Lens 9-1", "91.50 €", "1 left", "Lens 9-2", "92.50 €"]
    assert [own.text for own in explained] == [*texts, "All prices include tax."]


def test_places_are_told(wrapper: sl.Wrapper) -> None:
    """The xpath of each text leads to a node with that text."""
    page, explained = _explained(wrapper, product(9))
    for own in explained:
        node = page.find(own.xpath)
        assert node is not None
        assert page.text_of(node) == own.text


def test_roles_are_told(wrapper: sl.Wrapper) -> None:
    """A text is the template's own, or the value of a field."""
    roles = _roles(_explained(wrapper, product(9))[1])
    assert roles == {
        "Home": ("template", None),
        "Camera 9": ("field", "title"),
        "Price:": ("template", None),
        "99 €": ("field", "Price"),
        "Weight:": ("template", None),
        "950 g": ("field", "Weight"),
        "All prices include tax.": ("template", None),
    }


def test_a_fixed_text_that_says_something_else_has_changed(wrapper: sl.Wrapper) -> None:
    """The template's text is told beside the page's."""
    _, explained = _explained(wrapper, product(9).replace(FOOT, "<hr><footer>Without tax.</footer>"))
    (own,) = [own for own in explained if own.text == "Without tax."]
    assert (own.role, own.field, own.why) == ("changed", None, "the template says “All prices include tax.” here")


def test_unknown_texts_are_told(wrapper: sl.Wrapper) -> None:
    """What has no place in the template is there, and said to have none."""
    _, explained = _explained(wrapper, product(9, more="<section><p>New words</p></section>"))
    assert _roles(explained)["New words"] == ("unknown", None)


def test_dropped_fields_are_told(wrapper: sl.Wrapper) -> None:
    """A dropped field is known and not handed out."""
    kept = sl.Wrapper.loads(wrapper.dumps())
    assert _roles(_explained(kept.drop("Price"), product(9))[1])["99 €"] == ("dropped", "Price")


def test_renamed_fields_are_told_by_their_new_name(wrapper: sl.Wrapper) -> None:
    """An explanation speaks of fields as the wrapper calls them."""
    assert _roles(_explained(wrapper.rename("Price", "cost"), product(9))[1])["99 €"] == ("field", "cost")


def test_reasons_name_the_place(wrapper: sl.Wrapper) -> None:
    """Why a text is a field says in which element it stands, or in which row."""
    _, explained = _explained(wrapper, product(9))
    whys = {own.text: own.why for own in explained}
    assert "<h1>" in whys["Camera 9"]
    assert all(whys.values())


def test_free_text_is_one_value() -> None:
    """A description with marks in it is explained as the one value that it is."""
    forms = ("<p>{}</p><p>{}</p>", "<p>{}</p><ul><li>{}</ul>", "{}<br>{}", "<p>{} <b>{}</b></p>")

    def page(number: int, form: str) -> str:
        text = form.replace("{}", sentence(number), 1).replace("{}", sentence(number + 50), 1)
        return f"<h1>Thing {number}</h1><div class=description>{text}</div>{FOOT}"

    wrapper = learned(page(number, form) for number, form in enumerate(forms))
    _, explained = _explained(wrapper, page(9, forms[0]))
    (own,) = [own for own in explained if own.field == "description"]
    assert own.text == f"{sentence(9)} {sentence(59)}"
    assert "with all markup in it" in own.why


def test_boxes_are_told_where_there_are_any() -> None:
    """A page without layout has no boxes, a rendered one has them."""
    assert {own.box for own in sl.induce(shop_pages(4)).explain(shop_pages(1)[0])} == {None}
    pages = [list_page(["Home", f"Thing {number}"]) for number in range(4)]
    boxes = [own.box for own in sl.induce(pages).explain(pages[0])]
    assert boxes == [(40, 40, 72, 56), (40, 64, 96, 80)]


def test_a_page_of_another_template_is_explained() -> None:
    """Even where nothing can be extracted, what is known is told, and nothing fails."""
    wrapper = learned(map(product, range(4)))
    page, explained = _explained(wrapper, listing(9, 2))
    assert wrapper.read(page).verdict == "failed"
    assert [own.text for own in explained if own.role == "template"] == ["All prices include tax."]
