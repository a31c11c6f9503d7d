"""Wrapper files of strangers: checked as a whole before any of it is used, and refused in one sentence."""

import json
from pathlib import Path
from typing import Any

import pytest

import sightline as sl
from sightline.documents import MOST_BYTES
from sightline.errors import UsageError, VerificationError
from sightline.extract.wrappers import Lesson
from sightline.extract.wrappers.patterns._codec import DEEPEST as DEEPEST_RECORDS
from sightline.extract.wrappers.patterns._expression import StepBudget
from sightline.extract.wrappers.templates._codec import DEEPEST as DEEPEST_BODIES
from sightline.page import Page

from .._templates import learned, listing, opened, product

HANGING = r"((?:(?!.*z)a)*)*b"
BODY = "<h1>Film</h1><p class=by>Director: Jane Campion</p><p>x</p>"


@pytest.fixture(autouse=True)
def few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up after a tenth of a second, as a page does after some seconds."""
    monkeypatch.setattr(StepBudget.__init__, "__defaults__", (20_000,))


def _taught() -> sl.Wrapper:
    return Lesson(opened(BODY)[0]).want("director", "Jane Campion").want("title", "Film").wrapper


def _with_cut(expression: str) -> sl.Wrapper:
    document = _taught().to_json()
    assert document["patterns"][0]["cut"]
    document["patterns"][0]["cut"] = expression
    return sl.Wrapper.from_json(document)


def _long(letters: str = "a") -> Page:
    return opened(f"<h1>Film</h1><p class=by>{letters * 5_000}</p><p>x</p>")[0]


# ------------------------------------------------------------------ expressions


def test_an_expression_that_takes_too_long_fails_the_page_and_is_named() -> None:
    """The verdict says which field and which expression; nothing that was read is passed off as the records."""
    found = _with_cut(HANGING).read(_long())
    assert (found.verdict, len(found.records)) == ("failed", 0)
    (problem,) = found.problems
    assert "director" in problem.what
    assert HANGING in problem.what
    assert problem.xpath.endswith("/p[1]")


def test_extracting_with_such_an_expression_is_an_error() -> None:
    """The error names both, and does not say that the page is of another site."""
    with pytest.raises(VerificationError) as caught:
        _with_cut(HANGING).extract(_long())
    assert "director" in str(caught.value)
    assert HANGING in str(caught.value)
    assert "nothing that the wrapper was taught" not in str(caught.value)


def test_such_a_wrapper_can_still_be_looked_at_and_repaired() -> None:
    """Explaining, judging and repairing end as well."""
    wrapper, page = _with_cut(HANGING), _long()
    assert wrapper.explain(page)
    assert wrapper.judge(page, "Film")
    assert wrapper.repair([page]).changes
    assert HANGING in wrapper.words()


def test_an_expression_that_hangs_in_python_reads_pages() -> None:
    """`((a+)+)b$` asks `re` for years; here it finds nothing, or what it should."""
    wrapper = _with_cut(r"((a+)+)b$")
    assert wrapper.read(_long()).records.to_dicts()[0]["director"] is None
    assert wrapper.read(opened(f"<h1>Film</h1><p class=by>{'a' * 900}b</p>")[0]).records.to_dicts() == [
        {"director": "a" * 900, "title": "Film"}
    ]


# ------------------------------------------------------------------ what is refused

TAUGHT = [
    (("patterns", 0, "cut"), 5, "patterns[0].cut must be a text or null, not a whole number"),
    (("patterns", 0, "cut"), "((a)", "cannot be used: it is not a regular expression"),
    (("patterns", 0, "cut"), r"(a)\1", "refers back"),
    (("patterns", 0, "name"), ["x"], "patterns[0].name must be a text, not a list"),
    (("patterns", 0, "name"), "", "patterns[0].name must be a text of length >= 1"),
    (("patterns", 1, "rules", 0, "if", 0, "value"), None, "patterns[1].rules[0].if[0].value must be a text, not null"),
    (("patterns", 1, "rules", 0, "if"), None, "patterns[1].rules[0].if must be a list, not null"),
    (("patterns", 0, "pages"), -1, "patterns[0].pages must be a whole number >= 0"),
    (("patterns", 0, "pages"), 10**40, "patterns[0].pages must be a whole number <= 1000000000"),
    (("patterns", 0, "many"), 1, "patterns[0].many must be true or false, not a whole number"),
    (("patterns",), [], "patterns must be a list of length >= 1"),
    (("rendered",), "yes", "rendered must be true or false, not a text"),
    (("training", "left out"), [1], "training.left out[0] must be a text, not a whole number"),
    (("checked", 0, "verdict"), "fine", "checked[0].verdict has the unknown value 'fine'"),
    (("checked", 0, "found"), 1.5, "checked[0].found must be a number <= 1.0"),
    (("profile", "fields", 0, "fill"), -1, "The fill of a profile must be a number from 0 to 1e+09, not -1"),
    (("profile", "fields", 0, "low"), "cheap", "profile.fields[0].low must be a number or null, not a text"),
    (("profile", "fields", 0, "low"), 10**400, "profile.fields[0].low is too large a number"),
    (("profile", "fields", 0, "type"), {"kind": "date", "year": 0}, "profile.fields[0].type"),
    (("profile", "fields", 0, "evidence"), [["self", "taste", "x"]], "taste"),
    (("profile", "most"), 10**20, "The most of a profile must be a number from 0 to 1e+09"),
]


@pytest.mark.parametrize(("path", "value", "told"), TAUGHT, ids=lambda own: str(own)[:50])
def test_a_wrong_entry_of_a_taught_wrapper_is_named(path: tuple[Any, ...], value: object, told: str) -> None:
    """Its place in the file, what is there, and what should be."""
    _refused(_changed(_taught().to_json(), path, value), told)


SLOT = ("templates", 0, "page", "slots", 0)
INDUCED = [
    ((*SLOT, "seen"), -1, "templates[0].page.slots[0].seen must be a whole number >= 0"),
    ((*SLOT, "at"), 1e300, "templates[0].page.slots[0].at must be a number <= "),
    ((*SLOT, "elements"), {"": 1}, "templates[0].page.slots[0].elements must be a text of length >= 1"),
    ((*SLOT, "elements"), {" ": 1}, "is not the name of an element"),
    ((*SLOT, "inside"), {}, "inside a slot or a row there must be slots, a text or a field"),
    ((*SLOT, "inside"), {"slots": []}, "how often it was seen"),
    (("templates", 0, "page", "headed"), True, "a headed body has a slot for its heading"),
    (("templates", 0, "records"), 3, "templates[0].records must be a text or null, not a whole number"),
    (("language",), {}, "language must be a text or null, not an object"),
]


@pytest.mark.parametrize(("path", "value", "told"), INDUCED, ids=lambda own: str(own)[-50:])
def test_a_wrong_entry_of_an_induced_wrapper_is_named(path: tuple[Any, ...], value: object, told: str) -> None:
    """The same for templates."""
    _refused(_changed(learned(map(product, range(4))).to_json(), path, value), told)


def test_a_name_for_both_a_value_and_records_is_refused() -> None:
    """No record could hold them; neither a file nor an edit may say so."""
    wrapper = learned(listing(number, 3 + number) for number in range(4)).records_of(None)
    name = next(name for name in wrapper.fields if f"{name}.title" in wrapper.fields)
    text = wrapper.dumps().replace('"text": "Our lenses"', f'"field": "{name}"')
    with pytest.raises(UsageError, match="both a value and records"):
        sl.Wrapper.loads(text)


def test_two_fields_of_one_name_in_a_record_are_refused() -> None:
    """One of them would hide the other."""
    body = "<ul>" + "".join(f"<li><b>Cam {own}</b><i>{own} €</i>" for own in range(1, 5)) + "</ul>"
    shown = [{"name": f"Cam {own}", "price": f"{own} €"} for own in (1, 2)]
    document = Lesson().show(opened(body)[0], records=shown).wrapper.to_json()
    document["patterns"][0]["fields"][1]["name"] = "name"
    _refused(document, "two patterns named 'name'")


def test_records_are_nested_to_a_depth() -> None:
    """As deep as exported code can be compiled, and no deeper."""
    document = _taught().to_json()
    innermost = document["patterns"][1]
    nested = innermost
    for _ in range(DEEPEST_RECORDS - 1):
        nested = {**innermost, "fields": [nested]}
    document["patterns"] = [nested]
    wrapper = sl.Wrapper.from_json(document)
    for framework in ("scrapy", "web-poet"):
        compile(wrapper.to_code(framework), "exported", "exec")
    assert wrapper.read(opened(BODY)[0]).verdict
    document["patterns"] = [{**innermost, "fields": [nested]}]
    _refused(document, "nested more than 20 deep")


def test_templates_are_nested_to_a_depth() -> None:
    """Deeper ones would exhaust the stack when a page is read."""
    document = learned(map(product, range(4))).to_json()
    slot = document["templates"][0]["page"]["slots"][0]
    inside = slot["inside"]
    for _ in range(DEEPEST_BODIES):
        inside = {"seen": 4, "slots": [{**slot, "inside": inside}]}
    slot["inside"] = inside
    _refused(document, "nested more than 120 deep")


@pytest.mark.parametrize(
    "text",
    [
        '{"format": NaN}',
        '{"format": 1e999}',
        r'{"format": "\ud800"}',
        '{"format": ' + "9" * 5_000 + "}",
        "[" * 100_000,
        '{"a":' * 100_000,
        b'{"format": "\xff"}',
        b"\x00\x00\xfe\xff",
    ],
    ids=lambda own: str(own)[:30],
)
def test_what_json_does_not_have_is_refused(text: str | bytes) -> None:
    """No number that is none, no half characters, no bottomless nesting."""
    with pytest.raises(UsageError, match=r"^This is not a wrapper, since it is not JSON[^\n]*\.$"):
        sl.Wrapper.loads(text)


@pytest.mark.parametrize("value", [object(), {1, 2}, "\ud800"], ids=["object", "set", "half a character"])
def test_plain_values_are_checked_as_a_file_is(value: object) -> None:
    """What is handed over in Python can be no more than a file can hold."""
    with pytest.raises(UsageError, match=r"^This is not a wrapper"):
        sl.Wrapper.from_json({"format": value})


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_files_of_other_editors_are_read(encoding: str) -> None:
    """JSON in the encodings that its standard has had, with a byte order mark or without."""
    text = _taught().dumps()
    assert sl.Wrapper.loads(text.encode(encoding)).dumps() == text


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    """Before it is read as JSON, and without reading all of it."""
    path = tmp_path / "large.json"
    with path.open("wb") as stream:
        stream.truncate(MOST_BYTES + 1)
    with pytest.raises(UsageError, match=r"large\.json: the file has more than 64,000,000 bytes"):
        sl.Wrapper.load(path)


def test_the_file_and_the_place_are_named(tmp_path: Path) -> None:
    """One sentence has all that somebody needs who has many wrappers."""
    path = tmp_path / "films.wrapper.json"
    path.write_text(json.dumps(_changed(_taught().to_json(), ("patterns", 0, "rules"), {})))
    with pytest.raises(UsageError) as caught:
        sl.Wrapper.load(path)
    assert str(caught.value) == (
        f"{path}: This wrapper is damaged (patterns[0].rules must be a list, not an object); fix the file, or make one "
        "with `sightline teach` or `sightline induce`."
    )


def test_a_unit_that_nobody_knows_is_decided_anew() -> None:
    """A type of a file may name any unit; what cannot be converted to it gets the unit that it is written with."""
    document = learned(map(product, range(4))).to_json()
    text = json.dumps(document).replace('"unit": "g"', '"unit": "stones"')
    assert text.count("stones") > 1
    found = sl.Wrapper.loads(text).extract(opened(product(9))[0])
    assert found.to_dicts(typed=True)[0]["Weight"] == 950.0
    assert "Weight: measure g" in str(found.typed().schema)


def _changed(document: dict[str, Any], path: tuple[Any, ...], value: object) -> dict[str, Any]:
    holder: Any = document
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return document


def _refused(document: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError) as caught:
        sl.Wrapper.loads(json.dumps(document))
    assert told in str(caught.value)
    assert str(caught.value).startswith("This wrapper is damaged (")
    assert "\n" not in str(caught.value)
