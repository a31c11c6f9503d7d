"""The public face of the package."""

from types import FunctionType

import sightline.data


def test_all_names_exist_and_are_sorted() -> None:
    """Every name of `__all__` exists, once, in the order that ruff keeps."""
    names = sightline.data.__all__
    assert len(set(names)) == len(names)
    assert all(hasattr(sightline.data, name) for name in names)


def test_all_lists_every_visible_name() -> None:
    """Nothing is visible that is not in `__all__`, apart from private modules."""
    visible = {name for name in vars(sightline.data) if not name.startswith("_")}
    assert visible == set(sightline.data.__all__)


def test_public_names_are_documented() -> None:
    """Every public class and function has a docstring."""
    undocumented = [
        name
        for name in sightline.data.__all__
        if isinstance(getattr(sightline.data, name), type | FunctionType) and not getattr(sightline.data, name).__doc__
    ]
    assert undocumented == []
