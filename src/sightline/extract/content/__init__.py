"""The main text of a page, as nodes: what a reader came for, without the frame around it."""

from sightline.extract.content._about import About
from sightline.extract.content._adapters import EXTRACTORS, Extractor
from sightline.extract.content._find import Trace, content_of_nodes, find_content
from sightline.extract.content._likelihoods import likelihoods
from sightline.extract.content._located import located, located_share
from sightline.extract.content._settings import ContentSettings

__all__ = [
    "EXTRACTORS",
    "About",
    "ContentSettings",
    "Extractor",
    "Trace",
    "content_of_nodes",
    "find_content",
    "likelihoods",
    "located",
    "located_share",
]
