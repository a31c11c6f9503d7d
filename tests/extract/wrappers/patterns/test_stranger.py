"""Where a field is missing on a page, what its rule finds instead is reported, and never said to be ok."""

import pytest

import sightline as sl
from sightline.extract.wrappers.patterns._stranger import BIAS, CLUES
from sightline.extract.wrappers.patterns._stranger_weights import STRANGER_WEIGHTS
from sightline.page import Page

from ..._templates import opened

CARS = (
    ("Alder GT", "4-Cyl, Turbo, 1.6 Liter", "Manual, 6 gears", "25 mpg City"),
    ("Birch SE", "V6, 3.5 Liter", "Automatic, 8 gears", "22 mpg City"),
    ("Cedar LX", "V8, 5.0 Liter", "Automatic, 6 gears", "17 mpg City"),
    ("Dogwood", "4-Cyl, 2.0 Liter", "Manual, 5 gears", "28 mpg City"),
)


def car(name: str, engine: str, gears: str, mileage: str) -> Page:
    """A page about a car: what is empty has its label alone."""
    rows = (("Engine", engine), ("Transmission", gears), ("Gas mileage", mileage))
    told = "".join(f"<b>{label}:</b>{f'<span>{value}</span>' if value else ''} " for label, value in rows)
    return opened(f"<h1>{name}</h1><div class=facts>{told}</div><p>Prices may differ from shop to shop.</p>")[0]


@pytest.fixture(scope="module")
def wrapper() -> sl.Wrapper:
    """Taught on three cars: their names, engines and mileages."""
    lesson = sl.teach()
    for name, engine, gears, mileage in CARS[:3]:
        lesson.show(
            car(name, engine, gears, mileage), fields={"name": [name], "engine": [engine], "mileage": [mileage]}
        )
    return sl.Wrapper.loads(lesson.wrapper.dumps())


@pytest.mark.parametrize("shown", CARS)
def test_values_of_the_field_are_none(wrapper: sl.Wrapper, shown: tuple[str, str, str, str]) -> None:
    """Of the pages that were shown and of another one, the words and numbers of which nobody has seen."""
    read = wrapper.read(car(*shown))
    assert (read.verdict, read.problems) == ("ok", ())
    assert read.records.to_dicts() == [{"name": shown[0], "engine": shown[1], "mileage": shown[3]}]


def test_the_next_label_is_one(wrapper: sl.Wrapper) -> None:
    """Where the engine is not told, its rule finds the label behind its own; whatever it gives, it is not ok."""
    read = wrapper.read(car("Elm", "", "Manual, 5 gears", "31 mpg City"))
    (record,) = read.records.to_dicts()
    assert record["engine"] != "4-Cyl, 2.0 Liter"
    assert read.verdict == "suspicious"
    assert any("engine" in problem.what for problem in read.problems)


def test_every_clue_has_a_weight() -> None:
    """And nothing else has one."""
    assert set(STRANGER_WEIGHTS) == {*CLUES, BIAS}


def test_repair_does_not_learn_it(wrapper: sl.Wrapper) -> None:
    """Pages that lack a field must not teach that the label behind it is a value: they stay doubtful after repair."""
    lacking = [car(name, "", gears, mileage) for name, _, gears, mileage in CARS]
    repaired = wrapper.repair([*lacking, *(car(*shown) for shown in CARS)]).wrapper
    assert [repaired.read(page, heal=False).verdict for page in lacking] == ["suspicious"] * len(lacking)
    assert repaired.read(car(*CARS[0]), heal=False).verdict == "ok"
