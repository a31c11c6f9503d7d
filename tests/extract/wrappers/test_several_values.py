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
    assert "separated by “/”" in again.rules.words()


def test_what_was_not_shown_of_a_page_is_not_taken() -> None:
    """The first crumb and the last are of the same make, and nobody has shown them."""

    def page(*crumbs: str) -> Page:
        items = "".join(f"<li class='crumb'><a href='/{crumb}'>{crumb}</a></li>" for crumb in ("Home", *crumbs))
        return page_of(f"<ol>{items}<li class='crumb active'>This book</li></ol><h1>This book</h1>")

    wrapper = sl.teach().show(page("Arts", "Comics"), fields={"category": ["Arts", "Comics"]}).wrapper
    found = wrapper.read(page("Science", "Physics", "Optics"))
    assert found.records.to_dicts()[0]["category"] == ["Science", "Physics", "Optics"]
    assert found.verdict == "ok"


def _before(tags: str) -> Page:
    return page_of(
        f"<div class=old><h1 class=name>Alien</h1><span class=tags>{tags}</span><i class=by>Ridley Scott</i>"
        "<p class=about>A crew of seven meets what it should not have met.</p></div>"
    )


def _after(tags: str) -> Page:
    return page_of(
        f"<main><header><h2>Alien</h2></header><section><p>A crew of seven meets what it should not have met.</p>"
        f"<div><em>Ridley Scott</em></div>{tags}</section></main>"
    )


FIELDS = {"name": ["Alien"], "by": ["Ridley Scott"], "about": ["A crew of seven meets what it should not have met."]}


def test_one_text_that_becomes_several_is_followed_and_doubted() -> None:
    """The commas are gone, and every value is a node of its own."""
    tags = ["Horror, Science fiction, Space"]
    wrapper = sl.teach().show(_before(tags[0]), fields={**FIELDS, "tags": tags}).wrapper
    page = _after("<ul><li>Horror</li><li>Science fiction</li><li>Space</li></ul>")
    found = wrapper.repair([page]).wrapper.read(page)
    assert found.records.to_dicts()[0]["tags"] == ["Horror", "Science fiction", "Space"]
    assert found.verdict == "suspicious"


def test_several_values_that_become_one_text_are_followed_and_doubted() -> None:
    """As parts of that text."""
    shown = {**FIELDS, "tags": ["Horror", "Science fiction", "Space"]}
    wrapper = sl.teach().show(_before("<b>Horror</b> <b>Science fiction</b> <b>Space</b>"), fields=shown).wrapper
    page = _after("<aside>Horror, Science fiction, Space</aside>")
    found = wrapper.repair([page]).wrapper.read(page)
    assert found.records.to_dicts()[0]["tags"] == ["Horror", "Science fiction", "Space"]
    assert found.verdict == "suspicious"


def test_a_text_that_becomes_paragraphs_is_followed() -> None:
    """As one value, as it was."""
    parts = [
        f"The {number}th part of a long story, told by somebody who was there and saw it all." for number in range(5)
    ]
    shown = {"name": ["Alien"], "by": ["Ridley Scott"], "story": [" ".join(parts)]}
    story = f"<div class=story>{' '.join(parts)}</div>"
    old = f"<div class=old><h1 class=name>Alien</h1><i class=by>Ridley Scott</i>{story}</div>"
    wrapper = sl.teach().show(page_of(old), fields=shown).wrapper
    text = "".join(f"<p>{part}</p>" for part in parts)
    page = page_of(f"<main><h2>Alien</h2><em>Ridley Scott</em><section>{text}</section></main>")
    found = wrapper.repair([page]).wrapper.read(page)
    assert found.records.to_dicts()[0]["story"] == " ".join(parts)
