"""The scores of things compare as a careful person would, and planted contradictions are what they say."""

from pathlib import Path

import pytest
from bench.about.contradictions import plant
from bench.about.peers import best_of, published, remarks_of, scores_of, side_by_side
from bench.about.readers import article, is_of, items, product, recipe
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


OFFER = {"@type": "Offer", "price": "49", "priceCurrency": "EUR", "availability": "https://schema.org/InStock"}


def test_what_pages_say_is_mapped_plainly() -> None:
    """The first offer of a product, the steps of sections, and the authors by their names."""
    said = {"@type": ["schema:x", "http://schema.org/Product"], "name": "Lamp", "brand": {"name": "Mira"}}
    assert is_of(said, ("Product",)) and not is_of({"@type": None}, ("Product",))
    lamp = product({**said, "offers": [OFFER, {"price": 1}]})
    assert (lamp["price"], lamp["availability"], lamp["brand"], lamp["sku"]) == ("49", "InStock", "Mira", None)
    sections = [{"name": "Dough", "itemListElement": [{"text": "Mix."}, {"name": "Rest."}]}, "Bake.\nEat."]
    assert recipe({"recipeInstructions": sections})["recipeInstructions"] == ["Dough", "Mix.", "Rest.", "Bake.", "Eat."]
    assert article({"author": [{"name": "Ann"}, "Bob"]})["author"] == ["Ann", "Bob"]
    assert [one["a"] for one in items([{"a": 1, "b": {"a": 2}}])] == [1, 2]


def test_others_are_scored_as_we_are() -> None:
    """A library by the kinds that it reads, a system by the fields that the set has; the best stands beside us."""
    ours = [
        PageFields("product", {"price": ["49"], "brand": ["Mira"]}, "product", {}),
        PageFields("recipe", {"name": ["Bread"]}, "recipe", {}),
    ]
    answers = {
        "extruct": {"kinds": ["product", "recipe"], "fields": [{"price": "49.00"}, {"name": "Bun"}]},
        "recipe-scrapers": {"kinds": ["recipe"], "fields": [{}, {"name": "bread"}]},
    }
    scores = scores_of(ours, answers)
    assert best_of(scores, ("product", "price")) == best_of(scores, ("recipe", "name")) == 1.0
    assert best_of(scores, ("article", "name")) is None
    systems = published(ours, [{"others": {"Zyte": {"price": "49.0"}, "Diffbot": {"price": None}}}, {}])
    assert {name: own["product", "price"].f1 for name, own in systems.items()} == {
        "Zyte as published": 1.0,
        "Diffbot as published": 0.0,
    }
    assert ("product", "brand") not in systems["Zyte as published"]
    assert side_by_side(field_scores(ours), {**scores, **systems}, [("product", "price")]).row_count == 1


def test_missing_libraries_are_told() -> None:
    """What is not installed is named, and the others have their version and time."""
    told = list(remarks_of({"extruct": {"version": "1", "seconds": [0.0, 0.01], "errors": ["", "X: y"]}}))
    assert told[0].startswith("extruct 1: 10.0 ms") and told[0].endswith("raised on 1.")
    assert told[1].startswith("Not installed: trafilatura, recipe-scrapers")
