"""Taught wrappers as code for other frameworks: it runs there, and reads what the wrapper reads."""

import ast
import asyncio
from typing import Any

import pytest
import web_poet
from hypothesis import assume, given
from hypothesis import strategies as st
from scrapy.http import HtmlResponse

import sightline as sl
from sightline.errors import UsageError
from sightline.extract.wrappers import Lesson
from sightline.extract.wrappers.patterns import View
from sightline.page import Page
from sightline.testing import element, page_of

from .._templates import learned, listed, opened, product, table
from ._small_pages import BODIES, TRIED, document

URL = "https://example.org/shop/1"
START = "<!doctype html><html lang=en><meta charset=utf-8><body>"


def _page(body: str) -> Page:
    return opened(body)[0]


def _made(body: str, **examples: str) -> sl.Wrapper:
    lesson = Lesson(_page(body))
    for name, text in examples.items():
        lesson.want(name, text)
    return lesson.wrapper


def _loaded(code: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "exported"}
    exec(compile(code, "exported.py", "exec"), names)
    return names


def _by_scrapy(wrapper: sl.Wrapper, body: str) -> list[dict[str, Any]]:
    """What the spider yields for a page, without the address that it adds."""
    spider = _loaded(wrapper.to_code("scrapy", name="Shop"))["ShopSpider"](urls=URL)
    response = HtmlResponse(URL, body=(START + body).encode(), encoding="utf-8")
    return [{name: value for name, value in item.items() if name != "url"} for item in spider.parse(response)]


def _by_web_poet(wrapper: sl.Wrapper, body: str) -> dict[str, Any]:
    """What the page object gives for a page."""
    page = _loaded(wrapper.to_code("web-poet", name="Shop"))["ShopPage"]
    response = web_poet.HttpResponse(URL, (START + body).encode(), encoding="utf-8")
    item: dict[str, Any] = asyncio.run(page(response).to_item())
    return item


def camera(name: str, price: str, weight: str) -> str:
    """A page about one camera, with labels in bold and bare values."""
    facts = f"<p><b>Price:</b> {price}</p><p><b>Weight:</b> <i class=weight>{weight}</i></p>"
    return f"<h1>{name}</h1>{facts}<p>Made with care</p>"


# ------------------------------------------------------------------ code that runs

FORMS = {
    "bare texts": (camera("EOS", "$500", "950 g"), camera("D850", "$70", "9 g"), {"price": ("$500", "$70")}),
    "classes": (camera("EOS", "$500", "950 g"), camera("D850", "$70", "9 g"), {"weight": ("950 g", "9 g")}),
    "headings": (camera("EOS", "$500", "950 g"), camera("D850", "$70", "9 g"), {"name": ("EOS", "D850")}),
    "rows": (
        table([("Price", "$5"), ("Weight", "9 g")], first="th"),
        table([("Size", "x"), ("Price", "$6"), ("Weight", "8 g")], first="th"),
        {"price": ("$5", "$6"), "weight": ("9 g", "8 g")},
    ),
    "terms": (
        "<dl><dt>Price<dd>$5<dt>Weight<dd>9 g</dl>",
        "<dl><dt>Size<dd>x<dt>Price<dd>$6<dt>Weight<dd>8 g</dl>",
        {"price": ("$5", "$6"), "weight": ("9 g", "8 g")},
    ),
    "parts": (
        "<p class=by>Director: Jane Campion</p><p>x</p>",
        "<p class=by>Director: Akira Kurosawa</p><p>y</p>",
        {"director": ("Jane Campion", "Akira Kurosawa")},
    ),
    "lines": (
        "<p class=at>1 Main Street<br>Vienna</p><p>x</p>",
        "<p class=at>2 High Street<br>Graz</p><p>y</p>",
        {"address": ("1 Main Street Vienna", "2 High Street Graz")},
    ),
    "blocks": (
        "<div class=at><p>1 Main Street</p><p>Vienna</p></div><p>x</p>",
        "<div class=at><p>2 High Street</p><p>Graz</p></div><p>y</p>",
        {"address": ("1 Main Street Vienna", "2 High Street Graz")},
    ),
    "quotes": (
        """<p>The "best" one's price: <b>$5</b></p><p>x <b>y</b></p>""",
        """<p>The "best" one's price: <b>$6</b></p><p>x <b>z</b></p>""",
        {"price": ("$5", "$6")},
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_code_reads_what_the_wrapper_reads(form: str) -> None:
    """On the page that was taught and on another one, in both frameworks."""
    first, second, examples = FORMS[form]
    wrapper = _made(first, **{name: texts[0] for name, texts in examples.items()})
    for number, body in enumerate((first, second)):
        wanted = {name: texts[number] for name, texts in examples.items()}
        assert wrapper.read(_page(body)).records.to_dicts() == [wanted]
        assert _by_web_poet(wrapper, body) == wanted
        assert _by_scrapy(wrapper, body) == [wanted]


def test_code_says_nothing_where_there_is_nothing() -> None:
    """A page without the value gives None, as a wrapper has no value."""
    wrapper = _made(camera("EOS", "$500", "950 g"), weight="950 g")
    body = "<h1>D850</h1><p>Nothing more is known</p>"
    assert _by_scrapy(wrapper, body) == [{"weight": None}]
    assert _by_web_poet(wrapper, body) == {"weight": None}


def test_code_passes_over_what_is_empty() -> None:
    """An element without a text is no value, so the first value is behind it."""
    document = _made("<div><b class=b>12 €</b><b class=b>13 €</b></div><p>x</p>", price="12 €").to_json()
    rule = {"pick": "first", "if": [{"way": "self", "test": "class", "value": "b"}]}
    document["patterns"][0]["rules"] = [rule]
    wrapper = sl.Wrapper.from_json(document)
    body = "<div><i class=b></i><b class=b>14 €</b><b class=b>15 €</b></div><p>x</p>"
    assert wrapper.read(_page(body)).records.to_dicts() == [{"price": "14 €"}]
    assert _by_scrapy(wrapper, body) == [{"price": "14 €"}]


def test_code_never_takes_what_is_not_shown() -> None:
    """Scripts and styles are no texts."""
    body = "<p class=cost>$5<script>alert('no')</script><style>p {}</style></p><p>x</p>"
    wrapper = _made(body, price="$5")
    assert _by_scrapy(wrapper, body) == [{"price": "$5"}]


@pytest.mark.parametrize(
    ("body", "name", "example", "whole"),
    [
        ("<h1>A</h1><img src='/a.png'><a href='b.html'>more</a>", "image", "/a.png", "https://example.org/a.png"),
        ("<h1>A</h1><img src='/a.png'><a href='b.html'>more</a>", "next", "b.html", "https://example.org/shop/b.html"),
        ("<p><time datetime='2021-05-12'>in May</time></p><p>x</p>", "date", "2021-05-12", "2021-05-12"),
    ],
)
def test_code_takes_attributes(body: str, name: str, example: str, whole: str) -> None:
    """Addresses are whole, other attributes as they are."""
    wrapper = _made(body, **{name: example})
    assert _by_scrapy(wrapper, body) == [{name: whole}]
    assert _by_web_poet(wrapper, body) == {name: whole}


def test_code_takes_lists() -> None:
    """A field with several values is a list, also if it has none."""
    body = "<h1>A</h1>" + listed("one", "two", "three", "four") + "<p>end</p>"
    wrapper = Lesson().show(_page(body), {"name": ["A"], "part": ["one", "two", "three", "four"]}).wrapper
    assert _by_web_poet(wrapper, body)["part"] == ["one", "two", "three", "four"]
    assert _by_web_poet(wrapper, "<h1>B</h1>")["part"] == []


def test_code_takes_records() -> None:
    """A spider yields them, a page object has them in a field; a field that a record lacks is None."""
    body = listed(
        *(f"<a class=card href=/{own}><b>Cam {own}</b></a>" + ("<i>new</i>" if own % 2 else "") for own in range(1, 5))
    )
    shown = [{"name": "Cam 1", "mark": "new"}, {"name": "Cam 2"}]
    wrapper = Lesson().show(_page(body), records=shown).wrapper
    wanted = [{"name": f"Cam {own}", "mark": "new" if own % 2 else None} for own in range(1, 5)]
    assert _by_scrapy(wrapper, body) == wanted
    assert _by_web_poet(wrapper, body) == {"items": wanted}


def test_code_takes_an_attribute_of_the_record_itself() -> None:
    """A card is a link as a whole, and its address a field."""
    body = "<div>" + "".join(f"<a class=card href=/c{own}><b>Cam {own}</b></a>" for own in range(1, 5)) + "</div>"
    shown = [{"name": f"Cam {own}", "link": f"/c{own}"} for own in (1, 2)]
    wrapper = Lesson().show(_page(body), records=shown).wrapper
    assert _by_scrapy(wrapper, body) == [
        {"name": f"Cam {own}", "link": f"https://example.org/c{own}"} for own in range(1, 5)
    ]


def test_dropped_fields_are_not_exported() -> None:
    """Nobody wants them."""
    body = camera("EOS", "$500", "950 g")
    wrapper = _made(body, name="EOS", weight="950 g").drop("name")
    assert _by_scrapy(wrapper, body) == [{"weight": "950 g"}]
    assert _by_web_poet(wrapper, body) == {"weight": "950 g"}


def test_dropped_fields_of_records_are_not_exported() -> None:
    """Nor in records."""
    body = listed(*(f"<b>Cam {own}</b><i>${own}</i>" for own in range(1, 5)))
    wrapper = (
        Lesson().show(_page(body), records=[{"name": "Cam 1", "price": "$1"}, {"name": "Cam 2", "price": "$2"}]).wrapper
    )
    assert _by_scrapy(wrapper.drop("items.price"), body) == [{"name": f"Cam {own}"} for own in range(1, 5)]


SPECIAL = (
    "__init__",
    "__class__",
    "__slots__",
    "__post_init__",
    "__init_subclass__",
    "__dict__",
    "_x",
    "__mangled",
    "_",
)
PLAIN = ("self", "None", "class", "field", "dict", "item", "ﬁeld", "ｕｒｌ", "ｔｏ_ｉｔｅｍ", "print", "type", "super")


@pytest.mark.parametrize("name", [*SPECIAL, *PLAIN])
def test_no_name_replaces_what_the_code_needs(name: str) -> None:
    """A field of any name is read beside another; nothing of a page object or of the code itself is replaced by it."""
    body = camera("EOS", "$500", "950 g")
    wrapper = _made(body, **{name: "950 g", "title": "EOS"})
    page = _loaded(wrapper.to_code("web-poet", name="Shop"))["ShopPage"]
    methods = [method for method, value in vars(page).items() if hasattr(value, "original_method")]
    assert len(methods) == 2
    assert {"field", "dict", *dir(web_poet.WebPage)}.isdisjoint(methods)
    assert not [method for method in methods if method.startswith("_")]
    assert _by_web_poet(wrapper, body) == {name: "950 g", "title": "EOS"}
    assert _by_scrapy(wrapper, body) == [{name: "950 g", "title": "EOS"}]


@pytest.mark.parametrize(
    "text",
    [
        '"""\nimport os\nos.abort()\n"""',
        "'''; import os; os.abort() #",
        '\\"""',
        "x\x00y",
        "x\u202ey",
        "x\ry",
        "x\u2028import os",
        "\\N{DIGIT ONE}",
        '"',
        "{os}",
        "%(x)s",
    ],
    ids=repr,
)
def test_no_text_of_a_file_becomes_code(text: str) -> None:
    """Names, labels and addresses stand in the code as texts, whatever they hold; nothing in it is disguised."""
    document = _made(camera("EOS", "$500", "950 g"), weight="950 g").to_json()
    document["patterns"][0]["name"] = f"a{text}b".replace(".", "")
    for test, value in (("class", text), ("id", text), ("after", text), ("attribute", f"title={text}")):
        document["patterns"][0]["rules"].append({"if": [{"way": "self", "test": test, "value": value}]})
    wrapper = sl.Wrapper.from_json(document)
    for framework in ("web-poet", "scrapy"):
        code = wrapper.to_code(framework)
        assert all(letter.isprintable() or letter == "\n" for letter in code)
        assert not {"os", "abort"} & {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    assert _by_scrapy(wrapper, camera("EOS", "$500", "950 g"))


NO_NAMES = ("b] | //script[x", "*[count(//*//*//*//*)]", "@click", ":href", "x or true()", "a b", "a\nb")


@pytest.mark.parametrize("test", ["tag", "has", "attribute", "starts"])
@pytest.mark.parametrize("name", NO_NAMES)
def test_names_that_are_no_names_are_not_written_into_selectors(test: str, name: str) -> None:
    """They would be read as part of the selector; the rule is used by the wrapper alone."""
    document = _made(camera("EOS", "$500", "950 g"), weight="950 g").to_json()
    value = f"{name}=x" if test in ("attribute", "starts") else name
    document["patterns"][0]["rules"] = [{"if": [{"way": "self", "test": test, "value": value}]}]
    wrapper = sl.Wrapper.from_json(document)
    written = wrapper.to_json()["patterns"][0]["rules"][0]
    assert "xpath" not in written
    assert "css" not in written
    _refused(wrapper, "weight")
    assert wrapper.read(_page(camera("EOS", "$500", "950 g"))).verdict


def test_an_expression_that_could_hang_is_not_exported() -> None:
    """Code that runs elsewhere has nobody to stop it."""
    document = _made("<p class=by>Director: Jane Campion</p><p>x</p>", director="Jane Campion").to_json()
    document["patterns"][0]["cut"] = r"((a+)+)b$"
    _refused(sl.Wrapper.from_json(document), "director", "((a+)+)b$", "for ever")


def test_an_exported_expression_is_tried_on_texts_of_some_length_only() -> None:
    """A longer text is an error there, since the work grows with a power of the length."""
    wrapper = _made("<p class=by>Director: Jane Campion</p><p>x</p>", director="Jane Campion")
    with pytest.raises(ValueError, match="characters, too many for"):
        _by_scrapy(wrapper, f"<p class=by>Director: {'x ' * 3_000}</p><p>x</p>")


@pytest.mark.parametrize("name", ["class", "2nd price", "prix €", "to_item", "response", "url"])
def test_any_name_of_a_field_can_be_exported(name: str) -> None:
    """Keywords, digits, blanks and what the framework calls its own are no hindrance."""
    body = camera("EOS", "$500", "950 g")
    wrapper = _made(body, **{name: "950 g"})
    assert _by_web_poet(wrapper, body) == {name: "950 g"}
    spider = _loaded(wrapper.to_code("scrapy"))["ItemSpider"]()
    (item,) = spider.parse(HtmlResponse(URL, body=(START + body).encode(), encoding="utf-8"))
    assert "950 g" in item.values()


def test_two_names_that_are_one_identifier_are_kept_apart() -> None:
    """Neither of two fields hides the other."""
    body = camera("EOS", "$500", "950 g")
    wrapper = _made(body, **{"a b": "EOS", "a_b": "950 g"})
    assert _by_web_poet(wrapper, body) == {"a b": "EOS", "a_b": "950 g"}


@pytest.mark.parametrize("name", ['the "best"', 'say """hi"""', "back\\slash", "it's", "new\nline"])
def test_odd_names_do_not_break_the_code(name: str) -> None:
    """What stands in a docstring or a key is only a text."""
    body = camera("EOS", "$500", "950 g")
    wrapper = _made(body, **{name: "950 g"})
    assert _by_web_poet(wrapper, body) == {name: "950 g"}
    assert _by_scrapy(wrapper, body) == [{name: "950 g"}]


def test_the_rules_are_told_in_the_code() -> None:
    """People who read it see what was meant."""
    wrapper = _made(camera("EOS", "$500", "950 g"), weight="950 g")
    for framework in ("web-poet", "scrapy"):
        assert "weight: the" in wrapper.to_code(framework)


@pytest.mark.slow
@TRIED
@given(BODIES, BODIES, st.integers(0, 40))
def test_code_reads_any_page_as_the_wrapper_does(body: str, other: str, number: int) -> None:
    """Whatever was pointed at, on the page that was taught and on any other; or the export says that it cannot."""
    page = sl.open(document(body).encode(), static=True)
    candidates = View(page).candidates.tolist()
    assume(candidates)
    wrapper = Lesson(page).want("field", candidates[number % len(candidates)]).wrapper
    try:
        code = wrapper.to_code("scrapy")
    except UsageError:
        return
    spider = _loaded(code)["ItemSpider"]()
    for text in map(document, (body, other)):
        found = [_plain(own) for own in spider.parse(HtmlResponse(URL, body=text.encode(), encoding="utf-8"))]
        read = [_plain(own) for own in wrapper.read(sl.open(text.encode(), static=True), heal=False).records.to_dicts()]
        assert list(filter(None, found)) == list(filter(None, read)), wrapper.words()


def _plain(item: dict[str, Any]) -> dict[str, Any]:
    """What an item says, without what is not there."""
    return {name: value for name, value in item.items() if name != "url" and value}


# ------------------------------------------------------------------ what is refused


def _refused(wrapper: sl.Wrapper, *told: str, framework: str = "scrapy", name: str = "Shop") -> None:
    with pytest.raises(UsageError) as problem:
        wrapper.to_code(framework, name=name)
    assert all(own in str(problem.value) for own in told), str(problem.value)


def test_flat_records_are_refused() -> None:
    """No selector gives them."""
    body = "<dl>" + "".join(f"<dt>Cam {own}</dt><dd>{own} €</dd>" for own in range(1, 6)) + "</dl>"
    shown = [{"name": f"Cam {own}", "price": f"{own} €"} for own in (1, 2)]
    _refused(Lesson().show(_page(body), records=shown).wrapper, "items", "siblings")


def test_rules_that_need_a_rendered_page_are_refused() -> None:
    """The message says which field and why."""
    plain, large = {"font-size": "16px"}, {"font-size": "30px"}
    parts = [
        element("p", "$9", box=(0, 0, 100, 20), style=plain),
        element("p", "$5", box=(0, 40, 100, 60), style=large),
        element("p", "$7", box=(0, 80, 100, 100), style=plain),
    ]
    page = page_of(element("html", element("body", *parts, box=(0, 0, 800, 100), style=plain)))
    document = Lesson(page).want("price", "$5").reject("price", "$9").wrapper.to_json()
    document["patterns"][0]["rules"] = [{"if": [{"way": "self", "test": "larger", "value": ""}]}]
    wrapper = sl.Wrapper.from_json(document)
    assert wrapper.read(page).records.to_dicts() == [{"price": "$5"}]
    _refused(wrapper, "price", "rendered")


def test_rules_by_the_data_of_a_page_are_refused() -> None:
    """JSON-LD cannot be asked for in XPath."""
    document = _made(camera("EOS", "$500", "950 g"), price="$500").to_json()
    document["patterns"][0]["rules"] = [{"if": [{"way": "self", "test": "said", "value": "price"}]}]
    _refused(sl.Wrapper.from_json(document), "price", "data")


def test_a_rule_that_cannot_be_written_is_left_out_only_if_another_can() -> None:
    """Of two rules one is enough, and it has to be the one that is used."""
    document = _made(camera("EOS", "$500", "950 g"), weight="950 g").to_json()
    larger, marked = ({"if": [{"way": "self", "test": test, "value": "weight"}]} for test in ("larger", "class"))
    document["patterns"][0]["rules"] = [larger, marked]
    assert _by_scrapy(sl.Wrapper.from_json(document), camera("EOS", "$500", "950 g")) == [{"weight": "950 g"}]


def test_induced_wrappers_are_refused() -> None:
    """A template is more than selectors."""
    _refused(learned(map(product, range(4))), "taught")


@pytest.mark.parametrize("framework", ["django", "", "Scrapy"])
def test_unknown_frameworks_are_refused(framework: str) -> None:
    """Those that there are are told."""
    _refused(_made(camera("EOS", "$5", "9 g"), name="EOS"), "web-poet", "scrapy", framework=framework)


@pytest.mark.parametrize("name", ["", "class", "My Shop", "1st", "a-b"])
def test_a_class_needs_a_name(name: str) -> None:
    """Python has to take it."""
    _refused(_made(camera("EOS", "$5", "9 g"), name="EOS"), "class", name=name)
