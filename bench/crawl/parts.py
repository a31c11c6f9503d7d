"""The parts of pages that the likeness compares, read once and kept, so that a simulated crawl need not read pages."""

import pickle
from functools import cache

import numpy as np

from bench.crawl.graph import FORMAT, Graph, graph_of
from bench.crawl.sites import CACHE
from sightline.arrays import LongArray
from sightline.crawler._page_parts import PartReader

_FORMAT = 2  # one higher when what a `PartReader` reads changes


class KeptParts:
    """The parts of the pages of one site."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._reader = PartReader()
        self._path = CACHE / f"{graph.name}.parts{FORMAT}.{_FORMAT}.pickle"
        self._known: dict[int, LongArray] = pickle.loads(self._path.read_bytes()) if self._path.exists() else {}
        self._kept = len(self._known)

    def of(self, page: int) -> LongArray:
        """The numbers of the parts of a page, each once."""
        known = self._known.get(page)
        if known is None:
            read = self._reader.read(self._graph.text_of(page), self._graph.outlines[page], self._graph.urls[page])
            known = self._known[page] = np.unique(read).astype(np.int32)
        return known

    def keep(self) -> None:
        """Write down what was read."""
        if len(self._known) > self._kept:
            self._kept = len(self._known)
            part = self._path.with_suffix(".part")
            part.write_bytes(pickle.dumps(self._known, protocol=5))
            part.replace(self._path)


@cache
def parts_of(site: str) -> KeptParts:
    """The parts of the pages of a site."""
    return KeptParts(graph_of(site))
