"""What every extractor looks at first: blocks, looks, kinds of text; one piece of code for each."""

from sightline.extract.signals._blocks import Blocks, Spread, blocks_of
from sightline.extract.signals._kinds import Kind, kind_of
from sightline.extract.signals._leaves import leaves_of, texts_of
from sightline.extract.signals._looks import CLEAR, Looks, first_texts, looks_of
from sightline.extract.signals._naming import class_name, kind_name, label_of, without_label
from sightline.extract.signals._pieces import Pieces
from sightline.extract.signals._profiles import Profiles
from sightline.extract.signals._said import TITLE_MARKS, described_by, said_by
from sightline.extract.signals._tallies import Tallies
from sightline.extract.signals._units import Units, units_of

__all__ = [
    "CLEAR",
    "TITLE_MARKS",
    "Blocks",
    "Kind",
    "Looks",
    "Pieces",
    "Profiles",
    "Spread",
    "Tallies",
    "Units",
    "blocks_of",
    "class_name",
    "described_by",
    "first_texts",
    "kind_name",
    "kind_of",
    "label_of",
    "leaves_of",
    "looks_of",
    "said_by",
    "texts_of",
    "units_of",
    "without_label",
]
