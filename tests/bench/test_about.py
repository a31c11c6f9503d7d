"""The scores of things compare as a careful person would, and planted contradictions are what they say."""

from pathlib import Path

import pytest
from bench.about.contradictions import plant
from bench.about.samples import bare, labels_of, sample
from bench.about.scores import PageFields, field_scores, worth

import sightline as sl
from sightline.extract.about._candidates import candidates_of

LAMP = (Path(__file__).parents[2] / "examples/lamp.html").read_text("utf-8")
FAIR = LAMP.replace("OutOfStock", "InStock")


@pytest.mark.parametrize(
    ("name", "true", "found", "right"),
    [
        ("price", ["49"], [49.0], 1.0),
        ("price", ["49"], ["59"], 0.0),
        ("totalTime", [80], ["PT1H20M"], 1.0),
        ("datePublished", ["2024-03-05 10:00"], ["2024-03-05"], 1.0),
        ("priceCurrency", ["€"], ["EUR"], 1.0),
        ("recipeYield", ["4 servings"], ["4"], 1.0),
        ("name", ["Brass lamp"], ["brass  LAMP!"], 1.0),
        ("recipeIngredient", ["flour", "salt"], ["flour"], 2 / 3),
        ("image", ["https://a.example/b/lamp.jpg?w=1"], ["lamp.jpg"], 1.0),
    ],
)
def test_values_are_compared_by_what_they_mean(
    name: str, true: list[object], found: list[object], right: float
) -> None:
    """Values are compared by what they mean."""
    assert worth("recipe", name, true, found) == pytest.approx(right)


def test_a_field_that_is_not_there_counts_against_precision() -> None:
    """What is given where there is nothing costs precision, what is missing recall."""
    pages = [
        PageFields("product", {"price": ["5"]}, "product", {"price": 5}),
        PageFields("product", {"price": ["5"]}, "product", {}),
        PageFields("product", {}, "product", {"price": 5}),
    ]
    score = field_scores(pages)["product", "price"]
    assert (score.pages, score.precision, score.recall, score.f1) == (2, 0.5, 0.5, 0.5)


def test_a_bare_page_has_nothing_for_machines() -> None:
    """A bare page has no scripts and no descriptions, and shows the same."""
    page = sl.open(bare(LAMP.encode()), static=True)
    assert page.own_data.things() == ()
    assert page.text_of() == sl.open(LAMP.encode(), static=True).text_of()


def test_samples_are_labelled_by_what_is_true() -> None:
    """The candidates that say the truth are labelled, and no others."""
    made = sample(
        "1", "things", "lamps.example", "product", LAMP.encode(), "", {"price": ["49.00"], "sku": ["BL-1042"]}
    )
    assert {one.text for one, is_true in zip(made.found, made.labels["price"], strict=True) if is_true} == {
        "€49.00",
        "49.00",
    }
    found = candidates_of(sl.open(LAMP.encode(), static=True))
    assert not labels_of(found, ["1"], ("money",), lambda true, one: str(one.value[0]) == true).any()


def test_contradictions_are_planted_in_what_is_said_alone() -> None:
    """Each contradiction is planted in what is said, and caught."""
    thing = sl.about(sl.open(FAIR.encode(), static=True))
    assert thing.doubts == ()
    planted = list(plant(FAIR, "", thing))
    assert [(one.field, one.caught) for one in planted] == [("price", True), ("availability", True)]
