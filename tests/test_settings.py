"""Settings: declared once, checked always."""

from dataclasses import dataclass

import pytest

from sightline.errors import UsageError
from sightline.settings import Settings, describe, setting


@dataclass(frozen=True, kw_only=True)
class Oven(Settings):
    """An oven."""

    degrees: int = setting(180, help="how hot it is", minimum=50, maximum=250)
    mode: str = setting("fan", help="how the heat comes", choices=("fan", "grill"))
    light: bool = setting(default=True, help="whether the light is on")
    minutes: float = setting(5.0, help="how long to cook")
    dishes: tuple[str, ...] = setting((), help="what is in it")
    shelf: int | None = setting(None, help="where it stands")


def test_settings_accept_what_is_in_bounds() -> None:
    """The bounds themselves are allowed."""
    assert Oven(degrees=50).degrees == 50
    assert Oven(degrees=250, mode="grill").mode == "grill"
    assert Oven(minutes=5, dishes=("pie",), shelf=2).shelf == 2
    assert Oven(shelf=None).shelf is None


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"degrees": 49}, ["degrees of Oven", "at least 50", "not 49", "how hot it is"]),
        ({"degrees": 251}, ["at most 250"]),
        ({"mode": "steam"}, ["one of fan, grill", "not steam"]),
        ({"degrees": "hot"}, ["degrees of Oven must be a whole number, not 'hot'"]),
        ({"degrees": 180.5}, ["must be a whole number, not 180.5"]),
        ({"degrees": True}, ["must be a whole number, not True"]),
        ({"degrees": None}, ["must be a whole number, not None"]),
        ({"shelf": "top"}, ["must be a whole number, not 'top'"]),
        ({"minutes": float("nan")}, ["must be a number, not nan"]),
        ({"minutes": "5"}, ["must be a number, not '5'"]),
        ({"light": "off"}, ["must be True or False, not 'off'"]),
        ({"dishes": "pie"}, ["must be a tuple of texts, such as ('pie',), not 'pie'"]),
        ({"dishes": ["pie"]}, ["must be a tuple of texts, such as ('pie',), not ['pie']"]),
    ],
)
def test_settings_refuse_what_is_not(values: dict[str, object], words: list[str]) -> None:
    """The error names the setting, the bound, the value and what the setting means."""
    with pytest.raises(UsageError) as caught:
        Oven(**values)  # type: ignore[arg-type]
    assert all(word in caught.value.message for word in words)


def test_describe_gives_every_declared_field() -> None:
    """Whoever builds flags from settings finds all of them, with help."""
    assert [declared.name for declared in describe(Oven)] == ["degrees", "mode", "light", "minutes", "dishes", "shelf"]
    assert all(declared.metadata["help"] for declared in describe(Oven))


def test_a_secret_is_not_repeated() -> None:
    """Neither by an error nor by the settings themselves."""

    @dataclass(frozen=True, kw_only=True)
    class Keys(Settings):
        words: tuple[str, ...] = setting((), help="what opens doors", secret=True)

    with pytest.raises(UsageError) as caught:
        Keys(words="sesame")  # type: ignore[arg-type]
    assert caught.value.message == "words of Keys must be a tuple of texts; it says what opens doors."
    assert "sesame" not in repr(Keys(words=("sesame",)))
