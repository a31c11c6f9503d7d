"""Articles after a redesign: another article, another design, and nothing in common but what the fields are."""

from itertools import count

import pytest

from sightline.extract.wrappers import Lesson, Wrapper

from .._templates import opened

WORDS = "The council said on Monday that the harbour would be closed for repairs until the end of the summer season"
NAV = "<nav><ul><li><a href=/a>Home</a></li><li><a href=/b>Sports</a></li><li><a href=/c>Weather</a></li></ul></nav>"
FOOT = "<footer><p>All rights reserved.</p><p><a href=/terms>Terms</a></p></footer>"


def _said(number: int, parts: int) -> list[str]:
    return [f"{WORDS}, and the people of town {number} heard it {n} times, as they did before." for n in range(parts)]


def _old(title: str, author: str, parts: list[str]) -> str:
    text = "".join(f"<p class=par>{part}</p>" for part in parts)
    return (
        f"{NAV}<div class=story><h1 class=head>{title}</h1><span class=author>{author}</span>"
        f"<div class=copy>{text}</div></div>{FOOT}"
    )


def _new(title: str, author: str, parts: list[str]) -> str:
    text = "".join(f"<p>{part}</p>" for part in parts)
    return (
        f"{NAV}<main><article><header><h1 data-x=t>{title}</h1><div class=byline-2>By <a rel=author>{author}</a></div>"
        f"</header><section>{text}</section></article></main>{FOOT}"
    )


@pytest.fixture(scope="module")
def wrapper() -> Wrapper:
    """A wrapper taught on an article of the old design."""
    parts = _said(1, 4)
    (page,) = opened(_old("Harbour closes", "Ada Holm", parts))
    return Lesson().show(page, {"title": ["Harbour closes"], "authors": ["Ada Holm"], "paragraphs": parts}).wrapper


def test_another_article_of_a_new_design_is_found_again(wrapper: Wrapper) -> None:
    """The main-text extractor says which nodes are its parts; nobody has confirmed it, so it is suspicious."""
    parts = _said(2, 6)
    (page,) = opened(_new("Bridge opens", "Bela Novak", parts))
    found = wrapper.read(page)
    (record,) = found.records.to_dicts()
    assert (record["title"], record["paragraphs"]) == ("Bridge opens", parts)
    assert found.verdict == "suspicious"


def test_repair_finds_the_same(wrapper: Wrapper) -> None:
    """What a page alone shows is what repair proposes."""
    parts = _said(3, 5)
    (page,) = opened(_new("Bridge opens", "Bela Novak", parts))
    (record,) = wrapper.repair([page]).wrapper.read(page).records.to_dicts()
    assert (record["title"], record["paragraphs"]) == ("Bridge opens", parts)


def test_without_healing_only_rules_count(wrapper: Wrapper) -> None:
    """Crawls and checks of a wrapper ask what its rules find."""
    (page,) = opened(_new("Bridge opens", "Bela Novak", _said(2, 6)))
    (record,) = wrapper.read(page, heal=False).records.to_dicts() or [{}]
    assert not record.get("paragraphs")


def test_a_page_about_nothing_of_the_kind_is_refused(wrapper: Wrapper) -> None:
    """A form has no article in it."""
    (page,) = opened(f"{NAV}<form><label>Name</label><button>Send</button></form>{FOOT}")
    assert wrapper.read(page).verdict == "failed"


# ---------------------------------------------------------------- what is left out, never found, or too much


def _shown(body: str, **fields: list[str]) -> Wrapper:
    (page,) = opened(body)
    return Lesson().show(page, fields).wrapper


def _verdict(wrapper: Wrapper, body: str) -> tuple[str, str]:
    found = wrapper.read(opened(body)[0])
    return found.verdict, " ".join(problem.what for problem in found.problems)


def test_a_second_paragraph_beside_a_value_is_suspicious() -> None:
    """Where there was one paragraph, there are two: the value may be longer."""
    body = "<h1>{}</h1><h2>Description</h2>{}<h2>Usage</h2><pre>f(x)</pre>"
    wrapper = _shown(body.format("One", "<p>It adds.</p>"), title=["One"], description=["It adds."])
    assert _verdict(wrapper, body.format("Two", "<p>It cuts.</p>"))[0] == "ok"
    verdict, why = _verdict(wrapper, body.format("Two", "<p>It cuts.</p><p>And it sews.</p>"))
    assert (verdict, "more of the same make" in why) == ("suspicious", True)


def test_a_list_that_goes_on_in_another_is_suspicious() -> None:
    """Ingredients in two lists, of which the rule knows the first."""
    numbers = count(1)

    def items(several: int) -> str:
        return "".join(f"<li>{next(numbers)} cups of flour</li>" for _ in range(several))

    body = "<h1>{}</h1><section><h2>Ingredients</h2><ul>{}</ul>{}</section><h2>Steps</h2><p>Stir.</p>"
    first = [f"{n} cups of flour" for n in range(1, 5)]
    wrapper = _shown(body.format("Bread", items(4), ""), title=["Bread"], ingredients=first)
    assert _verdict(wrapper, body.format("Cake", items(5), ""))[0] == "ok"
    assert _verdict(wrapper, body.format("Cake", items(3), f"<h3>Icing</h3><ul>{items(2)}</ul>"))[0] == "suspicious"


def test_a_field_that_no_rule_finds_is_told_until_it_is_dropped() -> None:
    """What was asked for and is never delivered makes no page ok."""
    body = "<h1>{}</h1><p>By the editors</p>"
    wrapper = _shown(body.format("One"), title=["One"], author=["Ada Holm"])
    verdict, why = _verdict(wrapper, body.format("Two"))
    assert (verdict, "“author”" in why) == ("suspicious", True)
    assert _verdict(Wrapper.loads(wrapper.dumps()).drop("author"), body.format("Two"))[0] == "ok"


def test_a_rule_that_takes_more_than_was_shown_is_told() -> None:
    """All values of the page were shown, and the rule takes another one as well."""
    crumbs = (
        "<h1>{}</h1><ol><li class=c>Home</li><li class=c>Books</li><li class=c>New</li><li class=c>Art</li>"
        "<li class=c>Top</li><li class=c>{}</li><li class=c>Last</li></ol>"
    )
    wrapper = _shown(crumbs.format("One", "One"), title=["One"], category=["Books", "Art"])
    assert _verdict(wrapper, crumbs.format("Two", "Two"))[0] == "suspicious"
