"""Wrappers as JSON: what is kept reads every page as before, can be edited, and is refused when it is damaged."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sightline as sl
from sightline.errors import OutputError, UsageError
from sightline.extract.wrappers.templates._codec import pretty
from sightline.testing import shop_pages

from ..._templates import FOOT, learned, lenses, listed, listing, opened, product, read, rules_of, sentence, table

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=30,
)


def _told(wrapper: sl.Wrapper, body: str) -> tuple[object, ...]:
    """Everything that a wrapper says about a page."""
    (page,) = opened(body)
    found = wrapper.read(page)
    explained = [(own.text, own.xpath, own.role, own.field) for own in wrapper.explain(page)]
    records = [record.to_dict(origins=True) for record in found.records]
    return records, str(found.records.schema), found.verdict, found.found, found.filled, found.known, explained


def _groups(number: int, count: int) -> str:
    parts = "".join(f"<dt>Term {number}{own}</dt><dd>Says {number}{own}</dd>" for own in range(count))
    return f"<h1>Words {number}</h1><dl>{parts}</dl>{FOOT}"


def _article(number: int, count: int) -> str:
    forms = ("<p>{}</p>", "<p>{} <b>bold{}</b></p>", "{}<br>{}", "<p>{}</p><ul><li>{}</ul>")
    text = forms[count % 4].replace("{}", sentence(number), 1).replace("{}", sentence(number + 50), 1)
    trail = listed("<a href=/>Home</a>", *(f"<a href=/{own}>Category {number}{own}</a>" for own in range(count)))
    return f"{trail}<h1>Thing {number}</h1><div><h2>Story</h2>{text}</div>{FOOT}"


def _cells(number: int, count: int) -> str:
    rows = [
        (f"Item {number}{own}", f"<b>{number}{own} €</b>" if own % 2 else f"{number}{own} €", "-")
        for own in range(count)
    ]
    return f"<h1>Prices {number}</h1>{table(rows, ['Name', 'Price', 'Note'])}{FOOT}"


def _labels(number: int, count: int) -> str:
    rows = [(label, f"{label} {number}") for label in ("Price", "Weight", "Zoom", "Maker", "Colour")[: 2 + count % 4]]
    return product(number, rows=rows[:: -1 if number % 2 else 1])


TEMPLATES = {"list": listing, "groups": _groups, "article": _article, "cells": _cells, "labels": _labels}


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_kept_wrapper_reads_as_before(name: str) -> None:
    """Records, origins, verdicts and explanations are the same, of pages of the template and of others."""
    made = TEMPLATES[name]
    wrapper = learned(made(number, count) for number, count in enumerate((1, 3, 2, 4, 5)))
    kept = sl.Wrapper.loads(wrapper.dumps())
    assert kept.fields == wrapper.fields
    assert str(kept.schema) == str(wrapper.schema)
    assert rules_of(kept).each == rules_of(wrapper).each
    assert (kept.training, kept.checked) == (wrapper.training, wrapper.checked)
    bodies = [made(number, count) for number, count in ((0, 1), (2, 2), (8, 1), (9, 7))]
    for body in (*bodies, f"{bodies[-1]}<section><p>x</p></section>", ""):
        assert _told(kept, body) == _told(wrapper, body)
    for page in opened(product(7), listing(7, 3), _groups(7, 2)):
        one, two = kept.read(page), wrapper.read(page)
        assert (one.verdict, one.records.to_dicts()) == (two.verdict, two.records.to_dicts())


@st.composite
def _shops(draw: st.DrawFn) -> list[str]:
    """Pages of a random shop: optional rows, records of random number, random classes, and marks here and there."""
    labels = draw(st.lists(st.sampled_from(["Price", "Weight", "Zoom", "Maker", "Colour"]), min_size=2, unique=True))
    classes = draw(st.lists(st.sampled_from(["a", "b1", "c-2", "price"]), min_size=2, max_size=2))
    pages = []
    for number in range(5):
        rows = [(label, f"{label} {number}") for label in labels if draw(st.booleans())]
        mark = draw(st.sampled_from(["b", "i", "span"]))
        items = [
            f"<h3 class={classes[0]}>Item {number}{own}</h3><{mark} class={classes[1]}>{number}{own} €</{mark}>"
            for own in range(draw(st.integers(0, 4)))
        ]
        own_class = draw(st.sampled_from(["", "x", f"only{number}y"]))
        body = f"<h1>Thing {number}</h1>{table(rows)}{listed(*items) if items else ''}"
        pages.append(f"<div class='main {own_class}'>{body}</div>{FOOT}")
    return pages


@pytest.mark.slow
@settings(max_examples=40)
@given(_shops())
def test_any_wrapper_survives_its_file(pages: list[str]) -> None:
    """Whatever the shop, what was written reads every page exactly as before, and is written the same way again."""
    wrapper = learned(pages[:4])
    kept = sl.Wrapper.loads(wrapper.dumps())
    for body in pages:
        assert _told(kept, body) == _told(wrapper, body)
    assert kept.fields == wrapper.fields


@pytest.mark.parametrize("name", ["list", "groups", "article", "labels"])
def test_what_is_read_is_written_again(name: str) -> None:
    """A file that was loaded and saved is the same file."""
    written = learned(TEMPLATES[name](number, count) for number, count in enumerate((1, 3, 2, 4, 5))).dumps()
    assert sl.Wrapper.loads(written).dumps() == written


def test_a_mended_wrapper_is_kept_as_it_is() -> None:
    """New names, dropped fields and what is a record survive the file."""
    wrapper = learned(listing(number, 3 + number) for number in range(4))
    (name,) = rules_of(wrapper).each
    mended = wrapper.rename(f"{name}.title", "lens").drop(f"{name}.stock").rename(name, "lenses")
    kept = sl.Wrapper.loads(mended.dumps())
    assert rules_of(kept).each == ("lenses",)
    found = kept.read(opened(listing(9, 2))[0]).records.to_dicts()
    assert found == [{"lens": own["title"], "price": own["price"]} for own in lenses(9, 2)]
    assert f"{'lenses'}.stock" in kept.restore("lenses.stock").fields


def _edited(document: Any, old: str, new: str) -> Any:
    """A document with a name replaced wherever it stands as a field."""
    if isinstance(document, dict):
        return {key: new if (key, own) == ("field", old) else _edited(own, old, new) for key, own in document.items()}
    return [_edited(own, old, new) for own in document] if isinstance(document, list) else document


def test_a_file_can_be_edited() -> None:
    """A field renamed by hand is renamed, and text in another encoding of JSON is the same text."""
    document = json.loads(learned(map(product, range(4))).dumps())
    wrapper = sl.Wrapper.loads(json.dumps(_edited(document, "title", "Kameraname"), ensure_ascii=True))
    assert read(wrapper, product(9)) == [{"Kameraname": "Camera 9", "Price": "99 €", "Weight": "950 g"}]


def test_the_schema_in_a_file_is_for_reading_only() -> None:
    """What people read first may be missing; the template is what counts."""
    document = learned(map(product, range(4))).to_json()
    for key in ("schema", "checked", "training", "learned", "language", "rendered"):
        del document[key]
    assert read(sl.Wrapper.from_json(document), product(9)) == read(learned(map(product, range(4))), product(9))


def _damaged() -> dict[str, object]:
    good = json.loads(sl.induce(shop_pages(3)).dumps())
    (template,) = good["templates"]
    page = template["page"]
    slot = page["slots"][0]
    return {
        "another format": good | {"format": "something"},
        "no format": {key: own for key, own in good.items() if key != "format"},
        "a list": [good],
        "a text": "wrapper",
        "nothing": None,
        "a number": 5,
        "another version": good | {"version": 99},
        "no version": {key: own for key, own in good.items() if key != "version"},
        "learned in another way": good | {"learned": "by heart"},
        "learned in a list of ways": good | {"learned": ["from pages alone"]},
        "a set that is not there": good | {"templates": [template | {"records": "lost"}]},
        "no templates": {key: own for key, own in good.items() if key != "templates"},
        "templates of another kind": good | {"templates": 7},
        "a template without a page": good | {"templates": [{"records": None}]},
        "a page of another kind": good | {"templates": [template | {"page": []}]},
        "no slots": good | {"templates": [template | {"page": {"seen": 1}}]},
        "a slot without an inside": good
        | {
            "templates": [
                template | {"page": page | {"slots": [{key: own for key, own in slot.items() if key != "inside"}]}}
            ]
        },
        "a slot that takes something else": good
        | {"templates": [template | {"page": page | {"slots": [slot | {"takes": "everything"}]}}]},
        "elements of another kind": good
        | {"templates": [template | {"page": page | {"slots": [slot | {"elements": 3}]}}]},
        "an unknown key in what was checked": good | {"checked": [{"unheard": 1}]},
    }


DAMAGED = _damaged()


@pytest.mark.parametrize("document", DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_document_is_refused(document: object) -> None:
    """What is no wrapper, or of another version, is an error in one sentence."""
    with pytest.raises(UsageError, match=r"^(This wrapper|This is not a wrapper|A slot of a wrapper)[^\n]*\.$"):
        sl.Wrapper.loads(json.dumps(document))


@pytest.mark.parametrize("text", ["", "{", "not json", b"\xff\xfe\x00", b"\x80abc", "[1, 2"])
def test_what_is_no_json_is_refused(text: str | bytes) -> None:
    """Text that cannot be read says that it is no wrapper."""
    with pytest.raises(UsageError, match=r"^This is not a wrapper, since it is not JSON"):
        sl.Wrapper.loads(text)


def test_the_version_is_told() -> None:
    """Whoever has a newer file knows what to do."""
    with pytest.raises(UsageError, match="has version 99, but this Sightline reads version 1; make "):
        sl.Wrapper.loads(json.dumps(DAMAGED["another version"]))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("learned in another way", "it claims to be learned 'by heart', which no wrapper is"),
        ("a set that is not there", "there is no set 'lost'"),
        ("no templates", "templates is missing"),
    ],
)
def test_what_is_damaged_is_told(name: str, told: str) -> None:
    """Whoever changed a file by hand knows where to look."""
    with pytest.raises(UsageError) as caught:
        sl.Wrapper.loads(json.dumps(DAMAGED[name]))
    again = "make one with `sightline teach` or `sightline induce`"
    assert str(caught.value) == f"This wrapper is damaged ({told}); fix the file, or {again}."


def test_wrappers_are_kept_in_files(tmp_path: Path) -> None:
    """Saving gives the path, and loading the same wrapper."""
    wrapper = sl.induce(shop_pages(4))
    path = wrapper.save(tmp_path / "shop.wrapper.json")
    assert path.read_text(encoding="utf-8") == wrapper.dumps()
    assert sl.Wrapper.load(path).dumps() == sl.Wrapper.load(str(path)).dumps() == wrapper.dumps()
    assert [own.name for own in tmp_path.iterdir()] == ["shop.wrapper.json"]


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    """Where saving fails, the old file is as it was, and no other file is there."""
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "folder.json" / "inside").write_text("x")
    with pytest.raises(OutputError, match=r"folder\.json"):
        sl.induce(shop_pages(4)).save(tmp_path / "folder.json")
    assert [own.name for own in tmp_path.iterdir()] == ["folder.json"]
    with pytest.raises(OutputError, match="choose another place"):
        sl.induce(shop_pages(4)).save(tmp_path / "missing" / "shop.json")


def test_other_suffixes_are_refused(tmp_path: Path) -> None:
    """A wrapper is a `.json` file, so that people and editors know it."""
    with pytest.raises(UsageError, match=r"shop\.txt: a wrapper is saved as a \.json file"):
        sl.induce(shop_pages(4)).save(tmp_path / "shop.txt")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("content", "reason"), [(None, "no such file"), (b"{}", "not a wrapper"), (b"{", "not JSON")])
def test_files_that_are_no_wrappers_are_named(tmp_path: Path, content: bytes | None, reason: str) -> None:
    """An error about a file begins with the file."""
    path = tmp_path / "shop.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=reason) as caught:
        sl.Wrapper.load(path)
    assert str(caught.value).startswith(str(path))


@given(JSON)
def test_pretty_json_is_json(value: object) -> None:
    """What is laid out for people is the same value, and what fits on a line is on one."""
    text = pretty(value)
    assert json.loads(text) == value
    assert ("\n" in text) <= (len(json.dumps(value, ensure_ascii=False)) > 100)


def test_a_wrapper_can_be_read_by_people() -> None:
    """Lines are short, and labels and names stand in it as they are."""
    text = sl.induce(shop_pages(4)).dumps()
    assert max(map(len, text.splitlines())) < 160
    assert "Price:" in text
    assert "€" in text


def test_cells_that_are_bold_here_and_there_are_written_again() -> None:
    """Marks around some cells of a column leave the file the same when it was loaded and saved."""

    def page(number: int) -> str:
        rows = [
            (f"<b>Item {number}{own}</b>" if (number + own) % 2 else f"Item {number}{own}", f"{number}{own} €")
            for own in range(number + 1)
        ]
        return f"<h1>Prices {number}</h1>{table(rows, ['Name', 'Price'])}{FOOT}"

    written = learned(map(page, range(1, 5))).dumps()
    assert sl.Wrapper.loads(written).dumps() == written


def test_a_file_without_any_template_is_refused() -> None:
    """A wrapper of no template could read no page."""
    with pytest.raises(UsageError, match=r"^This (wrapper|is not a wrapper)[^\n]*\.$"):
        sl.Wrapper.loads('{"format": "sightline wrapper", "version": 1, "templates": []}')
