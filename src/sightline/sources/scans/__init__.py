"""Pictures of sheets, such as scans and photos, as words and drawn lines with places: the steps in order, `_ink` first.

They need the extra `ocr`, and so does importing any of them but this one.
"""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.sources.scans._ink import Gray, gray_of, straightened
    from sightline.sources.scans._recognise import Recognised, recognise
    from sightline.sources.scans._text_reader import TextReader, text_reader
    from sightline.sources.scans._words import RecognisedLine, RecognisedWord

__all__ = [
    "Gray",
    "Recognised",
    "RecognisedLine",
    "RecognisedWord",
    "TextReader",
    "gray_of",
    "recognise",
    "straightened",
    "text_reader",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_ink": "Gray gray_of straightened",
        "_recognise": "Recognised recognise",
        "_text_reader": "TextReader text_reader",
        "_words": "RecognisedLine RecognisedWord",
    },
)
