"""Labels like "Best overall" above the names of items, headings with more in them, and numbers that promise nothing."""

import pytest

from sightline.data import ItemList
from sightline.extract.lists import TopSettings, find_top

from ._pages import STARS, listed, prose, static, titles_of

AWARDS = ("Best Overall", "Runner-Up", "Best Budget", "Editor's Choice", "Best for Travel")
NAMES = STARS[:5]
TITLE = "The 5 Best Telescopes"


def _found(body: str, title: str = TITLE, *, without: tuple[str, ...] = ()) -> ItemList | None:
    return find_top(static(f"<h1>{title}</h1><p>{prose(0)}</p>{body}", title), settings=TopSettings(without=without))


def _sections(item: str) -> str:
    """An item for each name, in an article with a section before and one behind."""
    items = "".join(
        item.format(award=award, name=name, text=prose(place, 30))
        for place, (award, name) in enumerate(zip(AWARDS, NAMES, strict=True))
    )
    return f"<h2>How we tested</h2><p>{prose(7, 30)}</p>{items}<h2>FAQ</h2><p>{prose(8, 30)}</p>"


@pytest.mark.parametrize(
    "item",
    [
        "<h2>{award}</h2><h3>{name}</h3><p>{text}</p><h3>Key specs</h3><p>{text}</p>",
        "<h2>{award}</h2><figure><img src=a.png><figcaption>Photo: A. Author</figcaption></figure>"
        "<p><b>{name}</b></p><p>{text}</p>",
        "<p class=label>{award}</p><h2>{name}</h2><p>{text}</p>",
    ],
    ids=["a smaller heading", "a bold line behind a picture", "a label above the heading"],
)
def test_the_name_is_the_title_and_not_what_it_is_chosen_for(item: str) -> None:
    """Wherever the name stands below its label."""
    assert titles_of(_found(_sections(item))) == list(NAMES)


def test_the_label_stays_in_the_text_of_the_item() -> None:
    """Nothing of an item is lost."""
    found = _found(_sections("<h2>{award}</h2><h3>{name}</h3><p>{text}</p>"))
    assert found is not None
    assert found[0].text.text.startswith(f"{AWARDS[0]}\n{NAMES[0]}")


def test_what_is_the_same_below_every_label_is_no_name() -> None:
    """Names differ."""
    assert titles_of(_found(_sections("<h2>{award}</h2><h3>Why we like it</h3><p>{text}</p>"))) == list(AWARDS)


def test_names_that_are_no_awards_keep_what_is_below_them() -> None:
    """A heading below a name is part of the item."""
    item = "<h2>{name}</h2><h3>A {name} of your own</h3><p>{text}</p>"
    assert titles_of(_found(_sections(item))) == list(NAMES)


def test_the_rule_can_be_left_out() -> None:
    """As every rule can."""
    body = _sections("<h2>{award}</h2><h3>{name}</h3><p>{text}</p>")
    assert titles_of(_found(body, without=("awards",))) == list(AWARDS)


def test_badges_of_some_cards_are_no_titles() -> None:
    """All cards have their names, whether they have a badge or not."""
    cards = "".join(
        f"<div class=card><img src=/{name}.png>{f'<div class=badge>{award}</div>' if place != 1 else ''}"
        f"<div class=name><a href=/{name}>{name}</a></div><p>{prose(place)}</p></div>"
        for place, (award, name) in enumerate(zip(AWARDS, NAMES, strict=True))
    )
    assert titles_of(_found(f"<div>{cards}</div>")) == list(NAMES)


def test_a_heading_over_two_lines_is_one_title() -> None:
    """A break in a heading does not end it."""
    cards = "".join(
        f"<div class=card><h3><a href=/{name}>{name}</a><br>with a stand</h3><p>{prose(place)}</p></div>"
        for place, name in enumerate(NAMES)
    )
    assert titles_of(_found(f"<div>{cards}</div>")) == [f"{name} with a stand" for name in NAMES]


def test_numbers_go_on_in_a_heading_of_another_level() -> None:
    """One heading of the wrong level does not let the conclusion in."""
    body = "".join(
        f"<h{2 + (place == 3)}>{place}. {name}</h{2 + (place == 3)}><p>{prose(place, 30)}</p><h3>Verdict</h3>"
        f"<p>{prose(place, 20)}</p>"
        for place, name in enumerate(NAMES, start=1)
    )
    assert titles_of(_found(f"{body}<h2>The bottom line</h2><p>{prose(9, 30)}</p>")) == list(NAMES)


def test_a_list_among_paragraphs_of_the_same_number_is_found() -> None:
    """Paragraphs are no items, and do not hide them."""
    paragraphs = "".join(f"<p>{prose(place, 45)}</p>" for place in range(4))
    items = listed([f"<b>{name}</b> {prose(place, 12)}" for place, name in enumerate(NAMES)])
    assert titles_of(_found(f"{paragraphs}{items}")) == list(NAMES)


@pytest.mark.parametrize(
    "title",
    ["2 comments", "Model 3 house by the lake", "Blender with a jar, 3 preset programs, black"],
    ids=["comments", "a name", "a feature behind a comma"],
)
def test_a_number_that_counts_something_else_finds_nothing(title: str) -> None:
    """Two or three lines that are alike are on every page."""
    sections = "".join(f"<h2>{name}</h2><p>{prose(place, 30)}</p>" for place, name in enumerate(NAMES[:3]))
    pair = "".join(f"<h3>{name}</h3><p>{prose(place, 30)}</p>" for place, name in enumerate(NAMES[3:]))
    assert _found(sections + pair, title) is None
