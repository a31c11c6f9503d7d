"""Which pages are like the examples."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

import sightline as sl
from sightline.crawler.likeness import (
    AnyLikeness,
    Judgement,
    Likeness,
    ProfileLikeness,
    Questions,
    SkeletonLikeness,
    WrapperLikeness,
)
from sightline.sources import parse, read_outline


def product(rows: int, reviews: int = 0) -> str:
    """A page about a product, long or short."""
    facts = "".join(f"<tr><th>Part {row}</th><td>{row * 7}</td></tr>" for row in range(rows))
    said = "".join(f'<div class="review r{number}"><b>Ann</b><p>Good.</p></div>' for number in range(reviews))
    return framed(f'<div class="gallery"><img></div><p class="price">5</p><table class="facts">{facts}</table>{said}')


def article(paragraphs: int) -> str:
    """A page of text."""
    return framed('<p class="byline">Ann</p>' + "<h2>More</h2><p>Text</p>" * paragraphs)


def framed(content: str) -> str:
    """What all pages of the site have."""
    menu = "".join(f'<li class="entry"><a href="/c{number}">Category {number}</a></li>' for number in range(20))
    return f'<html><body><nav id="menu"><ul>{menu}</ul></nav><main>{content}</main><footer class="end"></footer></html>'


def judged(likeness: Likeness, text: str) -> Judgement:
    """The judgement on a text."""
    return likeness.judge(text, read_outline(text), "https://shop.example/x")


def test_profile_recognises_pages_of_any_length() -> None:
    """A product with 2 rows and one with 200 are alike; articles are not, however much of the frame they share."""
    likeness = ProfileLikeness([product(5), product(9, reviews=2), product(30)])
    for paragraphs in range(1, 8):
        judged(likeness, article(paragraphs))
    assert judged(likeness, product(2)).is_target
    assert judged(likeness, product(200, reviews=50)).is_target
    assert not judged(likeness, article(60)).is_target


def test_profile_learns_what_the_whole_site_has() -> None:
    """The frame counts until other pages were seen to have it."""
    likeness = ProfileLikeness([product(5), product(9)])
    first = judged(likeness, article(3)).likeness
    for _ in range(5):
        judged(likeness, article(3))
    assert judged(likeness, article(3)).likeness < first / 2


def test_profile_goes_on_after_a_stop() -> None:
    """Resumed from its state, it judges as if it had never stopped."""
    one, other = ProfileLikeness([product(5)]), ProfileLikeness([product(5)])
    for paragraphs in range(1, 30):
        judged(one, article(paragraphs))
    other.resume(one.dumps())
    assert judged(one, article(4)) == judged(other, article(4))
    assert judged(one, product(7)) == judged(other, product(7))


def test_profile_tells_pages_by_what_they_call_themselves() -> None:
    """Pages with the same tags and classes differ by a word that all examples have in their headings."""

    def page(kind: str, name: str) -> str:
        return framed(f"<h1>{kind} {name}</h1><p>About {name}.</p>")

    likeness = ProfileLikeness([page("Enum", "Colour"), page("Enum", "Shape"), page("Enum", "Size")])
    for name in ("Pen", "Ink", "Paper", "Desk", "Lamp", "Chair"):
        judged(likeness, page("Class", name))
    assert judged(likeness, page("Enum", "Weekday")).is_target
    assert not judged(likeness, page("Class", "Weekday")).is_target


def test_profile_goes_on_with_one_more_example() -> None:
    """What was learned about the parts that are still looked for is kept."""
    one, other = ProfileLikeness([product(5)]), ProfileLikeness([product(5), product(9, reviews=2)])
    fresh = ProfileLikeness([product(5), product(9, reviews=2)])
    for paragraphs in range(1, 30):
        judged(one, article(paragraphs))
    other.resume(one.dumps())
    assert judged(other, article(4)).likeness < judged(fresh, article(4)).likeness / 2


def numbered(kinds: int) -> str:
    """A page with a list that products lack, and part of what they have."""
    return framed('<div class="gallery"><img></div><p class="price">5</p>' + "<p>Text</p>" * kinds)


def test_profile_knows_the_addresses_of_examples() -> None:
    """Of pages alike in all else, those with addresses like the examples' are more like them."""
    texts = [product(5), product(9)]
    likeness = ProfileLikeness(texts, ["https://shop.example/products/a-1", "https://shop.example/products/b-2"])
    for number in range(30):
        likeness.judge(product(6), read_outline(product(6)), f"https://shop.example/parts/{number}")
    near = likeness.judge(product(7), read_outline(product(7)), "https://shop.example/products/c-3").likeness
    far = likeness.judge(product(7), read_outline(product(7)), "https://shop.example/parts/c-3").likeness
    assert near > far


def asked_about(likeness: ProfileLikeness, pages: int) -> None:
    """Judge articles and products in doubt by turns."""
    for number in range(pages):
        text = numbered(number % 5) if number % 2 else article(3)
        likeness.judge(text, read_outline(text), f"https://shop.example/{number}")


@pytest.mark.parametrize("said", [True, False, None])
def test_profile_asks_at_most_three_times(said: bool | None) -> None:
    """However many pages are in doubt; a stop between does not make it more."""
    asked: list[str] = []

    def ask(url: str) -> bool | None:
        asked.append(url)
        return said

    likeness = ProfileLikeness([product(5), product(9)], questions=Questions(ask))
    for paragraphs in range(1, 40):
        judged(likeness, article(paragraphs))
    likeness._lowest = likeness._highest = likeness.score(likeness._reader.read(numbered(2), read_outline(numbered(2))))
    asked_about(likeness, 100)
    before = len(asked)
    assert before == 3 if said is None else 1 <= before <= 3
    resumed = ProfileLikeness([product(5), product(9)], questions=Questions(ask))
    resumed.resume(likeness.dumps())
    asked_about(resumed, 100)
    assert len(asked) <= 3


def test_profile_goes_by_what_it_is_told() -> None:
    """A page of which somebody says that it is one looked for is one, and so are those like it."""
    for said in (True, False):
        likeness = ProfileLikeness([product(5), product(9)], questions=Questions(lambda _, said=said: said))
        for paragraphs in range(1, 40):
            judged(likeness, article(paragraphs))
        doubtful = numbered(2)
        score = likeness.score(likeness._reader.read(doubtful, read_outline(doubtful)))
        likeness._lowest = likeness._highest = score  # in doubt, whatever the model says
        likeness._lowest = -100.0 if said else score
        likeness._highest = score if said else 100.0
        assert judged(likeness, doubtful).is_target is said
        assert judged(likeness, doubtful).is_target is said


def test_profile_without_anybody_to_ask_judges_alone() -> None:
    """Nothing is asked where nobody is there."""
    likeness = ProfileLikeness([product(5), product(9)])
    for number in range(60):
        judged(likeness, numbered(number % 7))
    assert likeness.dumps()


def test_profile_begins_anew_with_other_examples() -> None:
    """A background of other parts says nothing of these."""
    one, other, fresh = ProfileLikeness([product(5)]), ProfileLikeness([article(5)]), ProfileLikeness([article(5)])
    judged(one, article(3))
    other.resume(one.dumps())
    assert judged(other, product(4)) == judged(fresh, product(4))


def test_skeleton_takes_the_distances_among_its_templates() -> None:
    """A page as far from a template as the templates are from each other is a target, one farther off is not."""
    likeness = SkeletonLikeness(["abcd" * 5, "abcd" * 4, "abcd" * 6])
    assert likeness.threshold == 8
    assert likeness.judge("", _outline("abcd" * 8), "").is_target
    assert not likeness.judge("", _outline("abcd" * 9), "").is_target


def test_skeleton_of_a_single_template_takes_a_share_of_its_tags() -> None:
    """Without a second template, three tags in ten may differ."""
    likeness = SkeletonLikeness(["abcdefghij"])
    assert likeness.judge("", _outline("abcdefgxyz"), "").is_target
    assert not likeness.judge("", _outline("abcdefwxyz"), "").is_target


@given(st.lists(st.text("abc", max_size=12), min_size=1, max_size=5), st.text("abc", max_size=12))
def test_skeleton_judges_as_without_bounds(templates: list[str], page: str) -> None:
    """Bounds change nothing: the nearest of all templates decides."""
    likeness = SkeletonLikeness(templates)
    nearest = min(Levenshtein.distance(page, template) for template in templates)
    assert likeness.judge("", _outline(page), "").is_target == (nearest <= likeness.threshold)


def test_wrapper_takes_the_pages_that_it_can_read() -> None:
    """Pages with records are targets, pages of another template are not."""

    def page(names: list[str]) -> str:
        rows = "".join(f'<li class="hit"><b>{name}</b> <i>{len(name)}.50 €</i></li>' for name in names)
        return framed(f"<ul class='hits'>{rows}</ul>")

    wrapper = sl.induce([parse(page(["Vega", "Rigel", "Deneb"])), parse(page(["Altair", "Sirius", "Spica", "Mizar"]))])
    likeness = WrapperLikeness(wrapper)
    assert judged(likeness, page(["Capella", "Polaris", "Mira"])).is_target
    assert judged(likeness, "<p>Nothing here.") == Judgement(is_target=False, likeness=0.0)


@pytest.mark.parametrize("text", ["", "<p>anything"])
def test_any_takes_every_page(text: str) -> None:
    """Even an empty one."""
    assert judged(AnyLikeness(), text) == Judgement(is_target=True, likeness=1.0)


def _outline(skeleton: str):
    from dataclasses import replace

    return replace(read_outline(""), skeleton=skeleton)
