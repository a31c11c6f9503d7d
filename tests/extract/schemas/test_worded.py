"""Several values in one text: their wording, and what is no wording at all."""

import pytest

from sightline.extract.schemas import value_in
from sightline.extract.schemas._labels import wording_of
from sightline.extract.wrappers import Wrapper, induce

from .._templates import FOOT, opened

WHO = ("Ada", "Bo Li", "Cy", "Di", "Ed")
WHERE = ("Rome", "Oslo", "Bonn", "Lima", "New York")
FORM = "Company: {} · {} · Posted {}"
DAYS = ("3 May 2021", "4 June 2020", "5 May 2019", "6 July 2018", "7 May 2017")


def _texts(form: str) -> list[str]:
    return [form.format(who, where, day) for who, where, day in zip(WHO, WHERE, DAYS, strict=True)]


@pytest.mark.parametrize(
    ("form", "names"),
    [
        ("Company: {} · {} · Posted {}", ("Company", "", "Posted")),
        ("{} | {} | {}", ("", "", "")),
        ("Offered by {} in {} since {}", ("Offered", "", "")),
    ],
)
def test_values_are_what_is_between_the_words_that_all_texts_have(form: str, names: tuple[str, ...]) -> None:
    """Marks, labels and the words of a sentence separate values, and labels name them."""
    texts = _texts(form)
    wording = wording_of(texts)
    assert wording is not None
    assert wording.names == names
    read = [tuple(value_in(text, wording.joints, place) for place in range(3)) for text in texts]
    assert read == list(zip(WHO, WHERE, DAYS, strict=True))


@pytest.mark.parametrize(
    "texts",
    [
        [f"{where}, Italy" for where in WHERE],
        [f"University of {where}" for where in WHERE],
        ["one", "two", "three", "four", "five"],
        _texts("{} | {} | {}")[:3],
        [f"{text} " * 20 for text in _texts("Company: {} · {} · Posted {}")],
    ],
    ids=["commas", "one word", "nothing in common", "too few", "prose"],
)
def test_other_texts_are_one_value(texts: list[str]) -> None:
    """Places and names have words in common as well."""
    assert wording_of(texts) is None


def test_a_text_with_another_wording_has_no_such_value() -> None:
    """Nothing is guessed."""
    assert value_in("Closed", ("Company:", "· Posted", ""), 0) is None
    assert value_in("Company: · Posted today", ("Company:", "· Posted", ""), 0) is None


@pytest.fixture(scope="module")
def jobs() -> Wrapper:
    """A wrapper of lists whose records are worded as sentences."""
    lists = [
        "".join(f"<li><a href=/j>Job {page}{n}</a><p>{text}</p></li>" for n, text in enumerate(_texts(FORM)[page:]))
        for page in range(4)
    ]
    return Wrapper.loads(induce(opened(*(f"<h1>Jobs</h1><ul>{items}</ul>{FOOT}" for items in lists))).dumps())


def test_records_worded_as_sentences_have_all_their_columns(jobs: Wrapper) -> None:
    """The whole text is set aside, and can be had as well."""
    item = f"<li><a href=/j>Job</a><p>{FORM.format('Z', 'Y', 'now')}</p></li>"
    (page,) = opened(f"<h1>Jobs</h1><ul>{item}</ul>{FOOT}")
    (record,) = jobs.extract(page).to_dicts()
    assert {"Company": "Z", "Posted": "now"}.items() <= record.items()
    assert "Y" in record.values()
    (whole,) = jobs.all_fields().extract(page).to_dicts()
    assert FORM.format("Z", "Y", "now") in whole.values()


def test_a_value_within_a_text_can_be_renamed_and_dropped(jobs: Wrapper) -> None:
    """It is a field like any other."""
    name = next(name for name in jobs.fields if name.endswith("Company"))
    renamed = jobs.rename(name, "firm")
    assert any(own.endswith("firm") for own in renamed.fields)
    assert not any(own.endswith("Company") for own in jobs.drop(name).fields)
