"""What every extractor looks at first: blocks, looks, kinds of text; one piece of code for each."""

from sightline.extract.signals._blocks import Blocks, Spread, blocks_of
from sightline.extract.signals._kinds import Kind, kind_of
from sightline.extract.signals._looks import CLEAR, Looks, first_texts, looks_of
from sightline.extract.signals._tallies import Tallies

__all__ = ["CLEAR", "Blocks", "Kind", "Looks", "Spread", "Tallies", "blocks_of", "first_texts", "kind_of", "looks_of"]
