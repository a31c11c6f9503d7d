"""Several values where one was taught, one text where several were, and rules that keep to what was shown."""

import pytest

import sightline as sl
from sightline.extract.wrappers import Wrapper
from sightline.page import Page

from .._templates import opened


def page_of(body: str) -> Page:
    """A page with such a body."""
    (page,) = opened(body)
    return page


def _movie(*, genres: str, title: str = "Alien") -> Page:
    return page_of(
        f"<h1>{title}</h1><table><tr><td>Genres</td><td>{genres}</td></tr><tr><td>Year</td><td>1979</td></tr></table>"
    )


def _read(wrapper: Wrapper, page: Page) -> tuple[object, str]:
    found = wrapper.read(page)
    return found.records.to_dicts()[0].get("genres"), found.verdict


@pytest.mark.parametrize(
    "block",
    [
        "<ul><li><a href='/d'>Drama</a></li><li><a href='/c'>Crime</a></li></ul>",
        "Drama<br>Crime",
        "<div>Drama</div><div>Crime</div>",
    ],
)
def test_a_block_with_several_values_where_one_was_taught_gives_each_and_is_doubted(block: str) -> None:
    """Each is a value, but nobody has shown that there may be several."""
    wrapper = sl.teach().show(_movie(genres="Horror"), fields={"genres": ["Horror"], "title": ["Alien"]}).wrapper
    assert _read(wrapper, _movie(genres=block)) == (["Drama", "Crime"], "suspicious")
    assert _read(wrapper, _movie(genres="Comedy")) == ("Comedy", "ok")


def test_the_paragraphs_of_one_text_stay_together() -> None:
    """Two paragraphs are no two genres."""
    wrapper = sl.teach().show(_movie(genres="Horror"), fields={"genres": ["Horror"], "title": ["Alien"]}).wrapper
    assert _read(wrapper, _movie(genres="<p>A drama.</p><p>And a comedy.</p>"))[0] == "A drama. And a comedy."


def test_values_taught_as_parts_of_one_text_are_a_set_everywhere() -> None:
    """A word parts values only where it stands by itself."""
    shown = {"genres": ["Drama", "Comedy", "Crime"], "title": ["Alien"]}
    wrapper = sl.teach().show(_movie(genres="Drama, Comedy and Crime"), fields=shown).wrapper
    assert _read(wrapper, _movie(genres="War, Romance")) == (["War", "Romance"], "ok")
    assert _read(wrapper, _movie(genres="Horror")) == (["Horror"], "ok")
    assert _read(wrapper, _movie(genres="<a>War</a> and <a>Band of Brothers</a>")) == (
        ["War", "Band of Brothers"],
        "ok",
    )


def test_a_label_in_the_same_text_is_cut_off_first() -> None:
    """What is left of the text is parted."""

    def page(line: str) -> Page:
        return page_of(f"<h1>Alien</h1><p class='by'>{line}</p><p>A long text about it.</p>")

    wrapper = sl.teach().show(page("By Ann Lee; Bo Li"), fields={"author": ["Ann Lee", "Bo Li"]}).wrapper
    assert wrapper.read(page("By Cy Do; Di Mo; Ed Po")).records.to_dicts()[0]["author"] == ["Cy Do", "Di Mo", "Ed Po"]


def test_parts_of_a_text_survive_saving_and_are_told_in_words() -> None:
    """The marks are part of the wrapper file."""
    shown = {"genres": ["Drama", "Comedy"], "title": ["Alien"]}
    wrapper = sl.teach().show(_movie(genres="Drama / Comedy"), fields=shown).wrapper
    again = Wrapper.from_json(wrapper.to_json())
    assert _read(again, _movie(genres="War / Romance")) == (["War", "Romance"], "ok")
    assert "parted by “/”" in again.rules.words()


def test_what_was_not_shown_of_a_page_is_not_taken() -> None:
    """The first crumb and the last are of the same make, and nobody has shown them."""

    def page(*crumbs: str) -> Page:
        items = "".join(f"<li class='crumb'><a href='/{crumb}'>{crumb}</a></li>" for crumb in ("Home", *crumbs))
        return page_of(f"<ol>{items}<li class='crumb active'>This book</li></ol><h1>This book</h1>")

    wrapper = sl.teach().show(page("Arts", "Comics"), fields={"category": ["Arts", "Comics"]}).wrapper
    found = wrapper.read(page("Science", "Physics", "Optics"))
    assert found.records.to_dicts()[0]["category"] == ["Science", "Physics", "Optics"]
    assert found.verdict == "ok"
