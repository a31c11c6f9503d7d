"""The main text of a page, as nodes: what a reader came for, without the frame around it."""

from sightline.extract.content._find import (
    ContentSettings,
    ContentTrace,
    content_of_nodes,
    extracted_nodes,
    find_content,
    trace_content,
    without_outliers,
)
from sightline.extract.content._locate import locate_text, located_share
from sightline.extract.content._main_text import About
from sightline.extract.content._model import ADDRESS_MEASURES, address_measures, likelihoods

__all__ = [
    "ADDRESS_MEASURES",
    "About",
    "ContentSettings",
    "ContentTrace",
    "address_measures",
    "content_of_nodes",
    "extracted_nodes",
    "find_content",
    "likelihoods",
    "locate_text",
    "located_share",
    "trace_content",
    "without_outliers",
]
