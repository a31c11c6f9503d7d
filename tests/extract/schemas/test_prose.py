"""Free text is one value however it is marked up, and lists are no free text."""

import numpy.typing as npt
import pytest

import sightline as sl
from sightline.extract.schemas import InduceSettings
from sightline.extract.schemas._outline import Instance, outlines_of
from sightline.extract.schemas._prose import prose_of
from sightline.page import Page

from .._templates import FOOT, learned, listed, opened, read, sentence

FORMS = (
    "<p>{}</p>",
    "<p>{} <b>{}</b> and so on</p>",
    "<p>{}</p><ul><li>{}<li>and another</ul>",
    "<p>{}</p><p>{} <a href=/>there</a></p>",
    "{}<br>{}",
)


def _text(number: int) -> str:
    return FORMS[number % 5].replace("{}", sentence(number), 1).replace("{}", sentence(number + 50), 1)


def _page(number: int) -> str:
    return f"<h1>Thing {number}</h1><div class=description>{_text(number)}</div><b class=price>{number} €</b>{FOOT}"


def test_marks_in_a_text_do_not_part_it() -> None:
    """A description is one value on every page, with paragraphs, links and lists in it."""
    wrapper = learned(map(_page, range(5)))
    assert wrapper.fields == ["title", "description", "price"]
    for number in range(5, 10):
        (page,) = opened(f"<div>{_text(number)}</div>")
        wanted = " ".join(page.text_of().split())
        assert read(wrapper, _page(number)) == [
            {"title": f"Thing {number}", "description": wanted, "price": f"{number} €"}
        ]


def test_a_form_that_was_never_seen_is_the_same_text() -> None:
    """Marks that no training page had are read as a part of the text."""
    wrapper = learned(map(_page, range(5)))
    text = "One <em>new</em> form <blockquote>with <code>code</code> in it</blockquote> and an end"
    (record,) = read(wrapper, f"<h1>New</h1><div class=description>{text}</div><b class=price>1 €</b>{FOOT}")
    assert record["description"] == "One new form with code in it and an end"


def test_an_empty_description_is_no_value() -> None:
    """A page that has the element and nothing in it has no value there, and the rest is read."""
    wrapper = learned(map(_page, range(5)))
    (page,) = opened(f"<h1>New</h1><div class=description></div><b class=price>1 €</b>{FOOT}")
    assert wrapper.read(page).records.to_dicts() == [{"title": "New", "description": None, "price": "1 €"}]


def test_a_heading_in_the_text_is_its_name() -> None:
    """What all texts begin with is a heading, and no part of the value."""

    def page(number: int) -> str:
        return f"<h1>Thing {number}</h1><div><h2>Description</h2>{_text(number)}</div><b>{number} €</b>{FOOT}"

    (record,) = read(learned(map(page, range(5))), page(5))
    assert record == {"title": "Thing 5", "Description": sentence(5), "price": "5 €"}


def test_a_list_of_links_is_no_text() -> None:
    """Links of varying number stay values of their own even where they are long."""

    def page(number: int) -> str:
        links = (f"<a href=/{own}>{sentence(10 * number + own)}</a>" for own in range(1 + number % 3))
        return f"<h1>Thing {number}</h1>{listed(*links)}{FOOT}"

    (record,) = read(learned(map(page, range(5))), page(5))
    assert list(record.values()) == ["Thing 5", [sentence(50), sentence(51), sentence(52)]]


def test_the_rule_can_be_left_out() -> None:
    """Without it a text falls into the parts that its marks make."""
    assert len(learned(map(_page, range(5)), InduceSettings(without=("prose",))).fields) > 3


@pytest.mark.parametrize("words", [8, 30])
def test_a_single_paragraph_is_a_plain_field(words: int) -> None:
    """Texts without any marks are no free text and are typed as any other."""
    wrapper = learned(f"<h1>Thing {n}</h1><p>{sentence(n, words)}</p>{FOOT}" for n in range(4))
    assert read(wrapper, f"<h1>New</h1><p>{sentence(9, words)}</p>{FOOT}")[0]["title"] == "New"
    assert len(wrapper.fields) == 2


@pytest.mark.parametrize("head", ["<h3>Result {}</h3>", "<h3><a href=/{}>Result {}</a></h3>"])
def test_a_plain_list_of_results_is_no_text(head: str) -> None:
    """Results of a heading and a sentence each are records, without any class and whatever their number."""

    def said(number: int) -> list[list[str]]:
        return [[f"Result {number}{own}", sentence(10 * number + own)] for own in range(3 + number)]

    def page(number: int) -> str:
        items = (f"{head.replace('{}', name.split()[1])}<p>{text}</p>" for name, text in said(number))
        return f"<h1>Results</h1>{listed(*items)}{FOOT}"

    found = read(learned(map(page, range(5))), page(5))
    assert [[value for name, value in record.items() if name != "link"] for record in found] == said(5)


def test_free_texts_of_many_records_are_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """To read a part of a page costs all of it, so each page is read once, and the texts stay in their order."""
    outlines = outlines_of(opened(listed("one <b>x</b>", "two"), listed("three", "four <b>y</b>")))
    instances = [
        Instance(outline, number, outline.kids(node))
        for number, outline in enumerate(outlines)
        for node in range(len(outline))
        if outline.page.strings[outline.page.tag[outline.node[node]]] == "li"
    ]
    first, second, third, fourth = instances
    pages: list[Page] = []
    whole = Page.texts_between

    def counted(page: Page, starts: npt.ArrayLike, stops: npt.ArrayLike) -> list[str]:
        pages.append(page)
        return whole(page, starts, stops)

    monkeypatch.setattr(Page, "texts_between", counted)
    assert prose_of([third, first, fourth, second]).texts == ["three", "one x", "four y", "two"]
    assert len(pages) == 2


def test_paragraphs_of_any_number_are_one_text() -> None:
    """A description has one paragraph here and three there; it is one value, and its paragraphs can be had as well."""
    words = "The harbour keeps what the meadow shows and follows the lantern to the quarry"
    bodies = [
        f"<h1>Thing {number}</h1><div class=text>{''.join(parts)}</div>{FOOT}"
        for number in range(6)
        for parts in [[f"<p>{words} {number} {n}.</p>" for n in range(1 + number % 3)]]
    ]
    wrapper = sl.induce(opened(*bodies))
    (page,) = opened(f"<h1>Thing 9</h1><div class=text><p>{words} a.</p><p>{words} b.</p></div>{FOOT}")
    (record,) = wrapper.all_fields().extract(page).to_dicts()
    assert f"{words} a. {words} b." in record.values()
    assert [f"{words} a.", f"{words} b."] in record.values()


TITLES = (
    "Renting a <b>house</b> for summer {}",
    "A <b>house</b> at the sea {}",
    "<b>House</b> and garden {} for sale",
    "Old barn {} near a <b>house</b> or two",
    "What a {} costs",
)


def _results(number: int) -> str:
    items = [
        f"<li><h3>{TITLES[(number + n) % 5].format(10 * number + n)}</h3><span class=price>{n + number} €</span></li>"
        for n in range(3 + number % 3)
    ]
    return f"<h1>Results {number}</h1><ul>{''.join(items)}</ul>{FOOT}"


def test_words_that_results_mark_do_not_part_their_titles() -> None:
    """What was searched for is marked wherever it is, and is the same on all pages."""
    wrapper = learned(map(_results, range(5)))
    found = read(wrapper, _results(7))
    titles = [TITLES[(7 + n) % 5].format(70 + n).replace("<b>", "").replace("</b>", "") for n in range(4)]
    assert [title for title in titles if f"'{title}'" not in str(found)] == []


def test_labels_that_are_marked_part_their_values() -> None:
    """A label has its colon on all pages."""
    bodies = [
        f"<h1>Book {n}</h1><p>Maker: <b>House {n}</b>{f' Year: <b>19{n}0</b>' if n % 2 else ''}</p>{FOOT}"
        for n in range(1, 7)
    ]
    found = str(read(learned(bodies[:5]), bodies[4])[0])
    assert "'House 5'" in found
    assert "'1950'" in found
