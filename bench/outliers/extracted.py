"""What extractors took from pages, as blocks of the rendered page, and how much of each is right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bench.content import grow
from bench.content.pages import PageTruth, Truth
from sightline.checks import ExtractedNodes
from sightline.checks.outliers._likeness import ExtractedBlocks, extracted_blocks
from sightline.extract.content import likelihoods, locate_text
from sightline.page import Page

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Extracted:
    """What one extractor took from one page: its blocks, their texts, how right each is, and what a witness says."""

    truth: PageTruth
    seen: ExtractedNodes
    pieces: ExtractedBlocks
    texts: tuple[str, ...]
    right: Floats
    words: Floats
    witness: Floats


def extracted(truth: Truth, pages: Sequence[Page], answers: Mapping[str, Sequence[str]]) -> dict[str, list[Extracted]]:
    """The answers of extractors, found again on the rendered pages.

    The witness is the content extractor, by a model that has not seen its domain.
    """
    models = grow.held_out()
    witnesses = [likelihoods(page, models[own.fold]) for own, page in zip(truth.pages, pages, strict=True)]
    return {
        name: [
            _extracted(own, page, text, witness)
            for own, page, text, witness in zip(truth.pages, pages, texts, witnesses, strict=True)
        ]
        for name, texts in answers.items()
    }


def _extracted(truth: PageTruth, page: Page, text: str, witness: Floats) -> Extracted:
    nodes = locate_text(page, text) if len(page) else np.zeros(0, dtype=np.int32)
    seen = ExtractedNodes(page, nodes.tolist(), truth.id, witness)
    pieces = extracted_blocks(seen)
    texts = tuple(text_of(seen, pieces, int(row)) for row in pieces.rows)
    right, words = grow.shares(texts, truth.text) if texts else (np.zeros(0), np.zeros(0))
    from sightline.checks.outliers._outliers import _witness as by_block

    told = by_block(seen, pieces)
    assert told is not None
    return Extracted(truth, seen, pieces, texts, right, words, told)


def text_of(seen: ExtractedNodes, pieces: ExtractedBlocks, row: int) -> str:
    """What was extracted of a block."""
    page = seen.page
    held = pieces.texts[pieces.block_of == row]
    nodes = held[np.isin(held, seen.texts)]
    between = np.arange(nodes[0], nodes[-1] + 1)
    joined = between[page.is_text[between] & (page.is_blank[between] | np.isin(between, nodes))]
    return " ".join("".join(page.strings[text] for text in page.text[joined].tolist()).split())
