"""Signals that every extractor starts from: blocks, looks, kinds of text; each computed in one place."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.signals._days import WrittenDay, days_in
    from sightline.signals._layout_blocks import GridCell, LayoutBlocks, Spread, grid_cells, layout_blocks, span_of
    from sightline.signals._looks import (
        CLEAR,
        PROPERTIES,
        Looks,
        StyleFeatures,
        bold_nodes,
        colour_channels,
        first_texts,
        font_sizes,
        is_bold,
        joined_features,
        looks_of,
        pixels,
        style_features,
    )
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
    from sightline.signals._pieces import DECORATION, Pieces, TagProfiles, Tallies, Units, leaves_of, texts_of, units_of
    from sightline.signals._self_description import (
        PICTURE_SOURCES,
        TITLE_MARKS,
        described_by,
        json_ld,
        picture_address,
        published_data,
    )
    from sightline.signals._text_blocks import (
        NodeNumbers,
        TextBlocks,
        TextKind,
        block_starts,
        text_blocks,
        text_kind,
        within,
    )
    from sightline.signals._totals import is_total
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
    "WrittenDay",
    "block_starts",
    "bold_nodes",
    "class_name",
    "class_words",
    "colour_channels",
    "days_in",
    "described_by",
    "first_texts",
    "fits_name",
    "font_sizes",
    "grid_cells",
    "has_label",
    "is_bold",
    "is_total",
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

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_days": "WrittenDay days_in",
        "_layout_blocks": "GridCell grid_cells span_of LayoutBlocks Spread layout_blocks",
        "_looks": "CLEAR Looks bold_nodes first_texts font_sizes is_bold looks_of pixels PROPERTIES"
        " StyleFeatures colour_channels joined_features style_features",
        "_naming": "class_name class_words fits_name has_label kind_name label_of set_name without_label word_set",
        "_pieces": "DECORATION Pieces Units units_of leaves_of texts_of Tallies TagProfiles",
        "_self_description": "TITLE_MARKS described_by json_ld published_data PICTURE_SOURCES picture_address",
        "_text_blocks": "NodeNumbers TextBlocks block_starts text_blocks within TextKind text_kind",
        "_totals": "is_total",
        "_walls": "LOGIN Wall recognise_wall wall_on",
    },
)
