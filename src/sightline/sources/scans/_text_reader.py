"""Step 4 of a scan: what a piece of text says, by the recognition model that RapidOCR's wheel carries.

The model looks at a strip 48 dots high and names, for every eight dots across, the character that it sees there, or
none: so every character has a place. The wheel's own pipeline isn't used: its detection model alone takes longer than a
whole sheet takes here, and it gives lines without the gaps between columns.
"""

import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from sightline.errors import MissingExtra
from sightline.sources.scans._ink import Gray

HEIGHT = 48  # dots, what the model was trained on
STEP = 8  # dots that one answer of the model is about
WIDTHS = 32  # strips are as wide as a multiple of this, so that few different shapes come before the model
MOST_AT_ONCE = 8  # strips of one width that are read together,
MOST_DOTS = 1600  # and how wide they are together: the answer to eight dots has 18,710 numbers
WIDEST = 3200  # dots of a strip; a line of type across A3 has 3,000
NARROWEST = 48
# What is kept of 18,708 characters on a sheet that isn't Chinese or Japanese; the model sees stars and yens in smudges.
LATIN = ((0x20, 0x24F), (0x370, 0x52F), (0x1E00, 0x1EFF), (0x2010, 0x22FF), (0x25A0, 0x25FF), (0x2713, 0x2718))
# What it takes a mark for that stands alone.
LOOK_ALIKES = {
    "一": "-",
    "ー": "-",
    "（": "(",
    "）": ")",
    "，": ",",
    "：": ":",
    "；": ";",
    "％": "%",
    "＋": "+",
    "＝": "=",
    "。": ".",
}
IDEOGRAPHS = 0x2E80  # from here on, more or less


@dataclass(frozen=True)
class StripText:
    """A text with, for each character, its place across in dots of the strip and the model's confidence, 0 to 1."""

    text: str
    places: npt.NDArray[np.float32]
    confidences: npt.NDArray[np.float32]


@dataclass(frozen=True)
class StripTexts:
    """A strip read with all characters that the model knows, and with those of Latin, Greek and Cyrillic alone."""

    any: StripText
    latin: StripText


class TextReader:
    """The recognition model, loaded once for a process; for any number of threads."""

    def __init__(self, model: Path, threads: int) -> None:
        import onnxruntime  # slow to import, and part of an extra

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # other processes need the cores, too
        self._session: Any = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        self._input = self._session.get_inputs()[0].name
        known = self._session.get_modelmeta().custom_metadata_map["character"].split("\n")
        self._characters: tuple[str, ...] = ("", *known, " ")  # 0 stands for no character
        self._as_latin = tuple(LOOK_ALIKES.get(character, character) for character in self._characters)
        kept = [number for number, character in enumerate(self._as_latin) if not character or _is_latin(character)]
        self._latin = np.array(kept, dtype=np.int64)

    def read(self, strips: Sequence[Gray]) -> list[StripTexts]:
        """What each strip says; strips are `HEIGHT` dots high."""
        found: list[StripTexts | None] = [None] * len(strips)
        for numbers, batch in _batches(strips):
            (answer,) = self._session.run(None, {self._input: batch})
            for number, one in zip(numbers, answer, strict=True):
                found[number] = self._both(one)
        return [each for each in found if each is not None]

    def _both(self, answer: npt.NDArray[np.float32]) -> StripTexts:
        best = answer.argmax(axis=1)
        whole = _reading(best, answer[np.arange(len(best)), best], self._characters)
        part = answer[:, self._latin]
        chosen = part.argmax(axis=1)
        latin = _reading(self._latin[chosen], part[np.arange(len(chosen)), chosen], self._as_latin)
        return StripTexts(whole, latin)


def _reading(best: npt.NDArray[np.int64], sure: npt.NDArray[np.float32], characters: Sequence[str]) -> StripText:
    """Answers one after the other that are the same are one character."""
    fresh = np.flatnonzero(np.diff(best, prepend=-1))
    ends = np.append(fresh[1:], len(best))
    kept = [(start, end) for start, end in zip(fresh.tolist(), ends.tolist(), strict=True) if best[start]]
    text = "".join(characters[best[start]] for start, _ in kept)
    places = np.array([(start + end) / 2 * STEP for start, end in kept], dtype=np.float32)
    confidences = np.array([sure[start:end].max() for start, end in kept], dtype=np.float32)
    return StripText(text, places, confidences)


def _is_latin(character: str) -> bool:
    return any(first <= ord(character[0]) <= last for first, last in LATIN)


def _batches(strips: Sequence[Gray]) -> Iterator[tuple[list[int], npt.NDArray[np.float32]]]:
    """Strips of about one width, as the model wants them, with their numbers."""
    widths = [-(-strip.shape[1] // WIDTHS) * WIDTHS for strip in strips]
    order = sorted(range(len(strips)), key=widths.__getitem__)
    start = 0
    while start < len(order):
        width = widths[order[start]]
        numbers = [
            number
            for number in order[start : start + min(max(MOST_DOTS // width, 1), MOST_AT_ONCE)]
            if widths[number] == width
        ]
        batch = np.ones((len(numbers), HEIGHT, width), dtype=np.float32)
        for place, number in enumerate(numbers):
            strip = strips[number]
            batch[place, :, : strip.shape[1]] = strip.astype(np.float32) / 127.5 - 1.0
        yield numbers, np.repeat(batch[:, None], 3, axis=1)
        start += len(numbers)


def strip_of(picture: Gray, box: tuple[float, float, float, float], pressed: float) -> tuple[Gray, float]:
    """A part of a picture as a strip, white where the box juts out, and how many of its dots across are one dot.

    It is pressed together by this factor, or more if it would be too wide.
    """
    x0, y0, x1, y1 = (round(side) for side in box)
    tall, wide = picture.shape
    part = picture[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)]
    out = (max(-y0, 0), max(y1 - tall, 0), max(-x0, 0), max(x1 - wide, 0))
    part = np.asarray(cv2.copyMakeBorder(part, *out, cv2.BORDER_CONSTANT, value=255.0), dtype=np.uint8)
    scale = HEIGHT / (y1 - y0)
    own = min(max(round((x1 - x0) * scale * pressed), 1), WIDEST)
    strip = np.full((HEIGHT, max(own, NARROWEST)), 255, dtype=np.uint8)
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    strip[:, :own] = cv2.resize(part, (own, HEIGHT), interpolation=way)
    return strip, own / (x1 - x0)


@lru_cache(maxsize=1)
def _loaded(process: int) -> TextReader:  # noqa: ARG001 - the key of a cache
    """The reader of a process: a forked child can't use its parent's."""
    spec = find_spec("rapidocr")
    folders = spec.submodule_search_locations if spec else None
    models = sorted(Path(folders[0]).glob("models/*_rec_*.onnx")) if folders else []
    if not models or find_spec("onnxruntime") is None:
        raise MissingExtra("ocr", "Reading text in pictures")
    return TextReader(models[0], threads=os.cpu_count() or 1)


_lock = threading.Lock()


def text_reader() -> TextReader:
    """The reader of this process; MissingExtra if the extra `ocr` isn't installed."""
    with _lock:
        return _loaded(os.getpid())
