"""Rules as XPath and CSS: they select the texts that the rules themselves take."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from lxml import etree, html
from selectolax.lexbor import LexborHTMLParser

import sightline as sl
from sightline.extract.wrappers.patterns import Condition, Rule, SearchSpan, View, css_of, xpath_of
from sightline.extract.wrappers.patterns._codec import quoted
from sightline.extract.wrappers.patterns._pattern import matches_of

from .._small_pages import BODIES, CLASSES, TAGS, TRIED, document

REGULAR = {"re": "http://exslt.org/regular-expressions"}
WAYS = ("self", "parent", "inside", "holds")
LABELS = ("price", "weight", "one", "two words")

# ------------------------------------------------------------------ rules

VALUES = {
    "tag": st.sampled_from(TAGS),
    "class": st.sampled_from(CLASSES),
    "id": st.just("main"),
    "attribute": st.sampled_from(("title=t1", "class=a b")),
    "has": st.sampled_from(("title", "class")),
    "starts": st.sampled_from(("title=t", "class=a")),
    "place": st.sampled_from(("1", "2")),
    "last": st.just(""),
    "kind": st.sampled_from(("money", "number")),
    "text": st.sampled_from(("Weight", "Two words")),
    "begins": st.sampled_from(("Wei", "Two")),
}


def _conditions(
    test: str, *, negated: st.SearchStrategy[bool], ways: tuple[str, ...] = WAYS
) -> st.SearchStrategy[Condition]:
    """Conditions with one test; those of the text itself have one way only."""
    by_marks = test in ("tag", "class", "id", "attribute", "has", "starts", "place", "last")
    led = st.sampled_from(ways if by_marks else ("self",))
    return st.builds(Condition, led, st.just(test), VALUES.get(test, st.sampled_from(LABELS)), negated)


def _rules(*parts: st.SearchStrategy[Condition], pick: str = "all") -> st.SearchStrategy[Rule]:
    return st.tuples(*parts).map(lambda conditions: Rule(conditions, pick))


_tag = _conditions("tag", negated=st.just(False), ways=("self",))
_bare = st.just(Condition("self", "tag", "#text"))
_told = st.just(False)
_either = st.booleans()


# ------------------------------------------------------------------ what is selected


def _taken(body: str, rule: Rule) -> list[str]:
    page = sl.open(document(body).encode(), static=True)
    view = View(page)
    nodes = matches_of(view, rule, SearchSpan(0, len(page)), view.candidates)
    return [_run_together(view.text(node)) for node in nodes.tolist()]


def _run_together(text: str) -> str:
    """A text without blanks: where blocks part texts, only a page knows."""
    return "".join(text.split())


def _selected(body: str, path: str) -> list[str]:
    """The texts that an XPath gives; elements that say nothing are nothing to take."""
    found = etree.XML(document(body)).xpath(path, namespaces=REGULAR)
    texts = ["".join(own.itertext()) if isinstance(own, etree._Element) else str(own) for own in found]
    return [told for text in texts if (told := _run_together(text))]


def _check(body: str, rule: Rule) -> None:
    path = xpath_of(rule)
    assume(path is not None)
    assert path is not None
    assert _selected(body, path) == _taken(body, rule), path


@pytest.mark.slow
@pytest.mark.parametrize(
    "test", ["tag", "class", "id", "attribute", "has", "starts", "after", "under", "following", "kind"]
)
def test_xpath_selects_what_a_condition_takes(test: str) -> None:
    """Marks by every way, and labels, are the same in XPath."""

    @TRIED
    @given(BODIES, _rules(_conditions(test, negated=_told)))
    def check(body: str, rule: Rule) -> None:
        _check(body, rule)

    check()


@pytest.mark.slow
@pytest.mark.parametrize("test", ["tag", "class", "id", "has", "after", "under", "following", "kind"])
def test_xpath_selects_what_a_denied_condition_takes(test: str) -> None:
    """What is denied is the same, and neither the page as a whole nor its head is ever selected."""

    @TRIED
    @given(BODIES, _rules(_conditions(test, negated=st.just(True))))
    def check(body: str, rule: Rule) -> None:
        _check(body, rule)

    check()


@TRIED
@given(BODIES, _rules(_conditions("beside", negated=_told)))
def test_xpath_selects_what_stands_beside_a_label(body: str, rule: Rule) -> None:
    """The lowest element that begins with the label counts, not those around it."""
    _check(body, rule)


@pytest.mark.slow
@pytest.mark.parametrize("test", ["text", "begins"])
def test_xpath_selects_what_says_a_text(test: str) -> None:
    """The whole text, and how it begins."""

    @TRIED
    @given(BODIES, _rules(_conditions(test, negated=_told)))
    def check(body: str, rule: Rule) -> None:
        _check(body, rule)

    check()


@pytest.mark.parametrize(("test", "value"), [("text", "weight"), ("begins", "wei")])
def test_xpath_compares_texts_as_the_rule_does(test: str, value: str) -> None:
    """A rule does not look at the case of letters, so its XPath does not, or there is none."""
    rule = Rule((Condition("self", test, value),))
    path = xpath_of(rule)
    assert path is None or _selected("<div>Weight</div>", path) == _taken("<div>Weight</div>", rule) == ["Weight"]


@pytest.mark.parametrize("test", ["place", "last"])
def test_xpath_counts_siblings_of_a_tag(test: str) -> None:
    """A place among siblings is told for a tag, since only those of one tag are counted."""

    @TRIED
    @given(BODIES, _rules(_tag, _conditions(test, negated=_told, ways=("self",))))
    def check(body: str, rule: Rule) -> None:
        _check(body, rule)

    check()
    assert xpath_of(Rule((Condition("self", test, "1"),))) is None


@pytest.mark.slow
@pytest.mark.parametrize("test", ["after", "under", "kind"])
def test_xpath_selects_bare_texts(test: str) -> None:
    """A text that stands beside others, by what is around it; no text of the head is one."""

    @TRIED
    @given(BODIES, _rules(_bare, _conditions(test, negated=_told, ways=("self",))))
    def check(body: str, rule: Rule) -> None:
        path = xpath_of(rule)
        assert path is not None
        assert set(_selected(body, path)) == set(_taken(body, rule)), path

    check()


@pytest.mark.parametrize(
    "condition", [Condition("parent", "class", "cost"), Condition("self", "following", "price")], ids=str
)
def test_xpath_selects_a_bare_text_behind_its_label(condition: Condition) -> None:
    """The most common way to write a value: a bold label and a bare text."""
    body = '<p class="cost"><b>Price:</b> 12 €</p><p><b>Weight:</b> 9 g</p>'
    rule = Rule((condition, Condition("self", "kind", "money")))
    path = xpath_of(rule)
    assert path is not None
    assert _selected(body, path) == _taken(body, rule) == ["12€"]


@TRIED
@given(BODIES, _rules(_conditions("class", negated=_told), _conditions("after", negated=_either)))
def test_xpath_joins_conditions(body: str, rule: Rule) -> None:
    """All conditions of a rule have to hold."""
    _check(body, rule)


@pytest.mark.slow
@pytest.mark.parametrize("pick", ["first", "last"])
def test_xpath_picks_one_match(pick: str) -> None:
    """The first or last of all on the page, not of each element."""
    either = _conditions("class", negated=_either) | _conditions("after", negated=_either)

    @TRIED
    @given(BODIES, _rules(either, pick=pick))
    def check(body: str, rule: Rule) -> None:
        _check(body, rule)

    check()


@pytest.mark.parametrize(
    "condition",
    [
        Condition("self", "tag", "#text", negated=True),
        Condition("holds", "tag", "#text"),
        Condition("parent", "tag", "#text"),
        Condition("inside", "tag", "#text"),
    ],
    ids=str,
)
def test_xpath_about_bare_texts_can_be_read(condition: Condition) -> None:
    """What is said of bare texts is XPath, or is not told at all."""
    path = xpath_of(Rule((condition,)))
    assert path is None or etree.XPath(path, namespaces=REGULAR)


def test_xpath_of_two_tags_selects_nothing() -> None:
    """No element has two tags."""
    path = xpath_of(Rule((Condition("self", "tag", "div"), Condition("self", "tag", "b"))))
    assert path is None or _selected("<div>one</div>", path) == []


def test_xpath_of_a_column() -> None:
    """Cells below a heading are selected by it."""
    body = (
        "<table><tbody><tr><th>Name</th><th>Price</th></tr><tr><td>EOS</td><td>9 €</td></tr>"
        "<tr><td>D850</td><td><b>8 €</b></td></tr></tbody></table>"
    )
    rule = Rule((Condition("self", "tag", "td"), Condition("self", "column", "price")))
    path = xpath_of(rule)
    assert path is not None
    assert _selected(body, path) == _taken(body, rule) == ["9€", "8€"]


def test_xpath_in_a_record_selects_the_record_itself() -> None:
    """A field may stand on the element that the record is, as the address of a card does."""
    (card,) = html.fromstring('<div><a class="card" href="/5d"><b>EOS</b></a></div>').xpath("//a")
    path = xpath_of(Rule((Condition("self", "class", "card"),)), inside=True)
    assert path is not None
    assert card.xpath(path) == [card]


def test_xpath_in_a_record_stays_in_it() -> None:
    """A field is looked for in its record only."""
    first, _ = html.fromstring("<ul><li><b>1</b></li><li><b>2</b></li></ul>").xpath("//li")
    path = xpath_of(Rule((Condition("self", "tag", "b"),)), inside=True)
    assert path is not None
    assert [own.text for own in first.xpath(path)] == ["1"]
    assert xpath_of(Rule((), "first"), inside=True) == "."


@pytest.mark.parametrize("test", ["look", "larger", "right of", "below", "in row of", "in column of"])
def test_nothing_visual_is_a_selector(test: str) -> None:
    """Selectors know nothing of how a page looks."""
    rule = Rule((Condition("self", "tag", "b"), Condition("self", test, "x")))
    assert xpath_of(rule) is None
    assert css_of(rule) is None


@pytest.mark.parametrize("text", ["plain", 'say "hi"', "it's", 'it\'s "both"', '"', '"\'"', ""])
def test_every_text_is_quoted(text: str) -> None:
    """A text with any marks is a literal that says the same."""
    assert etree.XML("<a/>").xpath(f"string({quoted(text)})") == text


@TRIED
@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff")))
def test_any_text_is_quoted(text: str) -> None:
    """So is any other text that an XML parser takes."""
    assert etree.XML("<a/>").xpath(f"string({quoted(text)})") == text


# ------------------------------------------------------------------ CSS


@pytest.mark.slow
@pytest.mark.parametrize("test", ["tag", "class", "id", "attribute", "has", "starts"])
def test_css_selects_what_a_rule_takes(test: str) -> None:
    """Marks of the element, of its parent and of one around it are the same in CSS."""
    ways = ("self", "parent", "inside")

    @TRIED
    @given(BODIES, _rules(_tag, _conditions(test, negated=_told, ways=ways)))
    def check(body: str, rule: Rule) -> None:
        selector = css_of(rule)
        if selector is None or len([one for one in rule.conditions if (one.way, one.test) == ("self", "tag")]) > 1:
            return
        found = html.fromstring(document(body)).cssselect(selector)
        texts = [_run_together("".join(own.itertext())) for own in found]
        assert [text for text in texts if text] == _taken(body, rule), selector

    check()


@TRIED
@given(BODIES, _rules(_tag, _conditions("place", negated=_told) | _conditions("last", negated=_told)))
def test_css_counts_siblings(body: str, rule: Rule) -> None:
    """Places among siblings of one tag are the same in CSS, also around the element."""
    selector = css_of(rule)
    assume(selector is not None)
    assert selector is not None
    found = [_run_together(own.text()) for own in LexborHTMLParser(document(body)).css(selector)]
    assert [text for text in found if text] == _taken(body, rule), selector


@pytest.mark.parametrize(
    "rule",
    [
        Rule((Condition("self", "class", "a"),), "first"),
        Rule((Condition("self", "class", "a", negated=True),)),
        Rule((Condition("holds", "class", "a"),)),
        Rule((Condition("inside", "class", "a"), Condition("inside", "class", "b"))),
        Rule((Condition("self", "tag", "#text"),)),
        Rule((Condition("self", "after", "price"),)),
    ],
    ids=["first", "denied", "holds", "twice inside", "bare text", "label"],
)
def test_css_cannot_say_everything(rule: Rule) -> None:
    """What CSS has no word for is not told in CSS."""
    assert css_of(rule) is None


@pytest.mark.parametrize("value", ["md:price", "-", "--", "1st", "-1", "a.b", "ä"])
def test_css_of_odd_classes_can_be_read(value: str) -> None:
    """A class that is no plain name is written so that it is understood, or not at all."""
    page = html.fromstring(f'<div><b class="{value}">x</b></div>')
    selector = css_of(Rule((Condition("self", "class", value),)))
    assert selector is None or [own.tag for own in page.cssselect(selector)] == ["b"]


def test_the_properties_look_at_something() -> None:
    """The pages that are made up have nodes that rules take, or the comparisons above would say nothing."""
    taken = np.array(
        [
            len(_taken('<div class="a">Price:<b class="a">12 €</b></div>', Rule((one,))))
            for one in (
                Condition("self", "class", "a"),
                Condition("self", "after", "price"),
                Condition("inside", "tag", "div"),
            )
        ]
    )
    assert (taken > 0).all()
