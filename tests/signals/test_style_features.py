"""Computed styles become the published features, whatever the styles say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.signals import PROPERTIES, StyleFeatures, style_features
from sightline.signals._looks import _length, colour_channels, joined_features
from sightline.testing import element, page_of


def test_there_are_the_thirty_two_published_properties() -> None:
    """The published properties are all there."""
    assert len(PROPERTIES) == 32
    assert {"background-color", "border-top-left-radius", "outline-color", "text-decoration", "visibility"} <= set(
        PROPERTIES
    )


def test_colours_are_four_numbers_and_words_a_column_each() -> None:
    """Colours are split, words are columns, points are pixels."""
    page = page_of(
        element(
            "body", element("p", "one", style={"color": "rgb(10, 20, 30)", "text-align": "center", "font-size": "12pt"})
        )
    )
    features = style_features(page, page.with_tag("p"))
    row = dict(zip(features.names, features.matrix[0].tolist(), strict=True))
    assert [row[f"color {part}"] for part in ("red", "green", "blue", "alpha")] == [10, 20, 30, 1]
    assert (row["text-align: center"], row["text-align: left"]) == (1, 0)
    assert row["font-size"] == 16


@pytest.mark.parametrize("value", ["calc(1px + 2%)", "auto", "NaN", "", "12furlongs", "infpx", "1e999px"])
def test_what_is_no_length_is_unknown(value: str) -> None:
    """What has no length in pixels is not known."""
    assert np.isnan(_length(value))


@pytest.mark.parametrize("value", ["currentcolor", "", "rgb()", "color(srgb 1 0 0)", "#12", "hsl(1, 2%, 3%)"])
def test_what_is_no_colour_is_unknown(value: str) -> None:
    """What is no colour of the computed kind is not known."""
    assert np.isnan(colour_channels(value)).all()


def test_what_is_unknown_is_taken_for_the_median_of_the_others() -> None:
    """What is not known makes nobody an outlier."""
    parts = [StyleFeatures(("a", "b"), np.array([[1.0, np.nan], [3.0, np.nan], [np.nan, np.nan], [9.0, np.nan]]))]
    assert joined_features(parts).tolist() == [[1, 0], [3, 0], [3, 0], [9, 0]]


def test_a_page_without_styles_gives_rows_without_difference() -> None:
    """Without computed styles all nodes look the same."""
    page = page_of(element("body", element("p", "one"), element("h1", "two")), kind="static")
    features = joined_features([style_features(page, [1, 3])])
    assert (features[0] == features[1]).all()


@given(st.text(max_size=30))
def test_no_value_of_a_style_raises(value: str) -> None:
    """Whatever a style says, it is read or left unknown."""
    assert len(colour_channels(value)) == 4
    assert isinstance(_length(value), float)
