"""Our reading of the main text, and the processor time that it takes on a page just opened.

The trees that are handed out were grown on these same pages. So each page is read by trees that were grown without it
(see `grow.py`): that is the figure that is held against others. What the trees say of pages that they know is beside.
"""

import gc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time

from bench.content import grow
from bench.content.pages import FOLDS, Truth
from bench.peers import answered
from sightline import __version__
from sightline.extract.content import ContentSettings, trace_content
from sightline.extract.content._model import the_model
from sightline.page import Page, dumps, loads

DEFAULT = "sightline"
STATIC = "sightline, static"
KNOWN = "sightline, pages it grew on"
MODES = {"sightline, precision": "precision", "sightline, recall": "recall"}
WARM_UP = 10  # as the peers are warm
NAMES = {"title": "title", "author": "byline", "date": "date"}  # how we call what the truth calls so
SCRIPT = Path(__file__).with_name("readers.py")
Fields = Mapping[str, object]


@dataclass(frozen=True)
class Answer:
    """What one way read: the texts of all pages, the processor's seconds for each, and what it says of them."""

    texts: Sequence[str]
    seconds: Sequence[float]
    fields: Sequence[Fields] = ()
    version: str = ""


def read_by_us(truth: Truth, pages: Sequence[Page], *, held_out: bool = True, favor: str = "balance") -> Answer:
    """The main text of every page, each opened anew, so that nothing is known of it."""
    settings = ContentSettings(favor=favor)
    models = grow.held_out() if held_out else [the_model()] * FOLDS
    for page in pages[:WARM_UP]:
        trace_content(page)
    packed = [dumps(page) for page in pages]
    gc.collect()
    gc.freeze()  # the collector would look through the pages of the whole set again and again
    texts, seconds, fields = [], [], []
    for own, content in zip(truth.pages, packed, strict=True):
        page = loads(content)
        began = process_time()
        found = trace_content(page, settings=settings, model=models[own.fold]).found
        # As the peers do: text, title, author and date; what is not asked for is not made.
        texts.append(found.text)
        fields.append({name: _said(getattr(found, own, None)) for name, own in NAMES.items()})
        seconds.append(process_time() - began)
    gc.unfreeze()
    return Answer(texts, seconds, fields, __version__)


def _said(value: object) -> object:
    """A value as a person reads it."""
    return getattr(value, "text", value)


def read_by_peers(files: Sequence[Path]) -> dict[str, Answer]:
    """The answers of all peers that are installed."""
    answers = answered("peers-content", SCRIPT, list(map(str, files)))
    return {name: Answer(**answer) for name, answer in answers.items()}
