"""Rules by their names: each can be left out, and many are seen to be worth something on a page of their own."""

from collections.abc import Callable
from typing import Any

import pytest

from sightline.errors import UsageError
from sightline.extract.lists import LIST_RULES, TOP_RULES, ListSettings, TopSettings, find_lists, find_top
from sightline.page import Page
from sightline.testing import list_page

from ._pages import STARS, WORDS, article, listed, prose, rendered, static, texts_of, titles_of

TITLE = "10 Brightest Stars of the Night"
HEADING = f"<h1>{TITLE}</h1>"
COLUMNS = "".join(f"<ul class=c>{''.join(f'<li>{star}</li>' for star in part)}</ul>" for part in (STARS[:5], STARS[5:]))


def _pages() -> list[Page]:
    body = f"<nav>{listed([f'<a href=/{word}>{word}</a>' for word in WORDS[:5]], 'ul')}</nav>{HEADING}"
    return [
        static(""),
        list_page(STARS, title=TITLE),
        static(body + article(STARS), TITLE),
        static(body + COLUMNS + "<p>a <b>b</b><br>c<br>d", TITLE),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", LIST_RULES)
def test_every_rule_of_lists_can_be_left_out(name: str) -> None:
    """No rule is needed for an answer."""
    settings = ListSettings(without=(name,))
    for page in _pages():
        assert isinstance(find_lists(page, settings=settings), list)


@pytest.mark.slow
@pytest.mark.parametrize("name", TOP_RULES)
def test_every_rule_of_top_lists_can_be_left_out(name: str) -> None:
    """No rule is needed for an answer."""
    settings = TopSettings(without=(name,), least_score=0)
    for page in _pages():
        found = find_top(page, settings=settings)
        assert found is None or len(found) == 10


def test_all_rules_can_be_left_out_at_once() -> None:
    """With nothing left there is an answer, too."""
    for page in _pages():
        find_lists(page, settings=ListSettings(without=tuple(LIST_RULES)))
        assert find_top(page, settings=TopSettings(without=tuple(TOP_RULES))) is None


LIST_PAGES: dict[str, Callable[[], Page]] = {
    "joining": lambda: static(f"<div>{COLUMNS}</div>"),
    "forests": lambda: static(f"<h1>Stars</h1>{article(STARS)}"),
    "inline": lambda: static("<p>" + " | ".join(f"<a href=/{word}>{word}</a>" for word in WORDS[:6])),
    "make": lambda: static(f"<div>{''.join(f'<div>{word}</div><div><p>{word}</p></div>' for word in WORDS)}</div>"),
    "looks": lambda: rendered(
        "<div>" + "".join(f"<p>{word}<p style='font-size:30px'>{word}" for word in WORDS) + "</div>"
    ),
    "nested": lambda: static(
        "<div>"
        + "".join(f"<div class=c><p>{prose(n)}</p>{listed(['small', 'middle', 'large'])}</div>" for n in range(9))
        + "</div>"
    ),
    "pieces": lambda: static(
        listed([f"<p><a href=/{n}>{star} here</a> with <a href=/x{n}>a friend</a></p><p>{n}</p>"
                for n, star in enumerate(STARS)], "ul")
    ),
    "unfading": lambda: rendered(f"<p>x</p><div style='opacity:0'>{article(STARS)}</div>"),
}  # fmt: skip


def _lists(page: Page, **options: Any) -> list[Any]:
    found = find_lists(page, settings=ListSettings(**options))
    return [texts_of(found), [[item.components.to_dict() for item in one] for one in found]]


@pytest.mark.parametrize("name", LIST_PAGES)
def test_leaving_a_rule_of_lists_out_changes_something(name: str) -> None:
    """There is a page on which the lists are others without the rule."""
    page = LIST_PAGES[name]()
    assert _lists(page, without=(name,)) != _lists(page)


TOP_PAGES: dict[str, Callable[[], Page]] = {
    "interleaving": lambda: rendered(
        HEADING
        + "<div>"
        + "".join(f"<{tag}>{star}</{tag}>" for n, star in enumerate(STARS) for tag in [("p", "blockquote")[n % 2]])
        + "</div>",
        TITLE,
    ),
    "k ± 1": lambda: rendered(
        HEADING
        + "".join(
            f"<{tag}>{star}</{tag}><p>{prose(n, 30)}</p>"
            for n, star in enumerate(STARS)
            for tag in [("h2", "h3")[n == 4]]
        ),
        TITLE,
    ),
    "item title": lambda: rendered(
        HEADING + listed([f"<b>{star}</b> {prose(n)}" for n, star in enumerate(STARS)], "ul"), TITLE
    ),
    "windows": lambda: rendered(HEADING + article([*STARS, "Conclusion", "FAQ"]), TITLE),
    "hidden": lambda: rendered(
        f"{HEADING}<div>"
        + "".join(
            f"<div class={('off', 'on')[n == 0]}><h2>{star}</h2><p>{prose(n)}</p></div>" for n, star in enumerate(STARS)
        )
        + "</div>",
        TITLE,
        ".off{display:none}",
    ),
    "unfading": lambda: rendered(
        f"<h1>Stars</h1><div style='opacity:0'>{HEADING}{article(STARS)}</div>", "Stars"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TOP_PAGES)
def test_leaving_a_rule_of_top_lists_out_changes_something(name: str) -> None:
    """There is a page on which the ten stars are found, and not without the rule."""
    page = TOP_PAGES[name]()
    assert titles_of(find_top(page)) == list(STARS)
    assert titles_of(find_top(page, settings=TopSettings(without=(name,)))) != list(STARS)


def test_without_any_measure_nothing_keeps_a_promise() -> None:
    """The score is made of the measures alone."""
    page = rendered(HEADING + article(STARS), TITLE)
    measures = tuple(name for name in TOP_RULES if name.startswith("measure: "))
    assert find_top(page) is not None
    assert find_top(page, settings=TopSettings(without=measures)) is None


@pytest.mark.parametrize("made", [ListSettings, TopSettings])
def test_an_unknown_rule_is_refused_by_name(made: type[ListSettings] | type[TopSettings]) -> None:
    """The message names what was asked for and what there is."""
    with pytest.raises(UsageError, match=r"'colours'.*headings.*measure: "):
        made(without=("headings", "colours"))


@pytest.mark.parametrize("least", [-0.1, 1.1, float("nan")])
@pytest.mark.parametrize("made", [ListSettings, TopSettings])
def test_a_score_that_cannot_be_is_refused(made: type[ListSettings] | type[TopSettings], least: float) -> None:
    """Scores lie between 0 and 1."""
    with pytest.raises(UsageError, match="least"):
        made(least_score=least)


@pytest.mark.parametrize("least", [-1, 0, 1])
def test_a_list_of_less_than_two_is_refused(least: int) -> None:
    """One record repeats nothing."""
    with pytest.raises(UsageError, match="least"):
        ListSettings(least_records=least)


@pytest.mark.parametrize("rules", [LIST_RULES, TOP_RULES])
def test_every_rule_says_what_it_does(rules: dict[str, str]) -> None:
    """Rules have names without capitals and a line that says what each means."""
    for name, text in rules.items():
        assert name == name.lower()
        assert len(text) > 10


def test_a_lower_score_finds_more() -> None:
    """What is promised and hardly kept is found by whoever asks for it."""
    page = static(HEADING + "".join(f"<p>{word}" for word in WORDS[:10]), TITLE)
    strict, lenient = (find_top(page, settings=TopSettings(least_score=least)) for least in (1.0, 0.0))
    assert strict is None
    assert lenient is not None
    assert len(lenient) == 10
