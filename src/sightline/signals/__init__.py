"""Signals that every extractor starts from: blocks, looks, kinds of text; each computed in one place."""

from typing import TYPE_CHECKING

from sightline._lazy import lazily

if TYPE_CHECKING:
    from sightline.signals._grid_cells import GridCell, grid_cells, span_of
    from sightline.signals._layout_blocks import LayoutBlocks, Spread, layout_blocks
    from sightline.signals._leaves import leaves_of, texts_of
    from sightline.signals._looks import CLEAR, Looks, bold_nodes, first_texts, font_sizes, is_bold, looks_of, pixels
    from sightline.signals._naming import (
        class_name,
        class_words,
        fits_name,
        has_label,
        kind_name,
        label_of,
        set_name,
        without_label,
        word_set,
    )
    from sightline.signals._pictures import PICTURE_SOURCES, picture_address
    from sightline.signals._pieces import DECORATION, Pieces
    from sightline.signals._self_description import TITLE_MARKS, described_by, json_ld, published_data
    from sightline.signals._style_features import (
        PROPERTIES,
        StyleFeatures,
        colour_channels,
        joined_features,
        style_features,
    )
    from sightline.signals._tag_profiles import TagProfiles
    from sightline.signals._tallies import Tallies
    from sightline.signals._text_blocks import NodeNumbers, TextBlocks, block_starts, text_blocks, within
    from sightline.signals._text_kinds import TextKind, text_kind
    from sightline.signals._units import Units, units_of
    from sightline.signals._walls import LOGIN, Wall, recognise_wall, wall_on

__all__ = [
    "CLEAR",
    "DECORATION",
    "LOGIN",
    "PICTURE_SOURCES",
    "PROPERTIES",
    "TITLE_MARKS",
    "GridCell",
    "LayoutBlocks",
    "Looks",
    "NodeNumbers",
    "Pieces",
    "Spread",
    "StyleFeatures",
    "TagProfiles",
    "Tallies",
    "TextBlocks",
    "TextKind",
    "Units",
    "Wall",
    "block_starts",
    "bold_nodes",
    "class_name",
    "class_words",
    "colour_channels",
    "described_by",
    "first_texts",
    "fits_name",
    "font_sizes",
    "grid_cells",
    "has_label",
    "is_bold",
    "joined_features",
    "json_ld",
    "kind_name",
    "label_of",
    "layout_blocks",
    "leaves_of",
    "looks_of",
    "picture_address",
    "pixels",
    "published_data",
    "recognise_wall",
    "set_name",
    "span_of",
    "style_features",
    "text_blocks",
    "text_kind",
    "texts_of",
    "units_of",
    "wall_on",
    "within",
    "without_label",
    "word_set",
]

__getattr__ = lazily(
    __name__,
    {
        "_grid_cells": "GridCell grid_cells span_of",
        "_layout_blocks": "LayoutBlocks Spread layout_blocks",
        "_leaves": "leaves_of texts_of",
        "_looks": "CLEAR Looks bold_nodes first_texts font_sizes is_bold looks_of pixels",
        "_naming": "class_name class_words fits_name has_label kind_name label_of set_name without_label word_set",
        "_pictures": "PICTURE_SOURCES picture_address",
        "_pieces": "DECORATION Pieces",
        "_self_description": "TITLE_MARKS described_by json_ld published_data",
        "_style_features": "PROPERTIES StyleFeatures colour_channels joined_features style_features",
        "_tag_profiles": "TagProfiles",
        "_tallies": "Tallies",
        "_text_blocks": "NodeNumbers TextBlocks block_starts text_blocks within",
        "_text_kinds": "TextKind text_kind",
        "_units": "Units units_of",
        "_walls": "LOGIN Wall recognise_wall wall_on",
    },
)
