"""What a batch reads: names become inputs, inputs give references to documents, and references become documents.

Nothing but the references is kept between the two steps, so that a reference made by one process is read by another.
"""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.scale.inputs._documents import DocumentReader, KnownInputs, list_documents
    from sightline.scale.inputs._find import find_inputs
    from sightline.scale.inputs._kinds import BatchInput, DocumentReference, InputSettings, is_called_like_input

__all__ = [
    "BatchInput",
    "DocumentReader",
    "DocumentReference",
    "InputSettings",
    "KnownInputs",
    "find_inputs",
    "is_called_like_input",
    "list_documents",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_documents": "DocumentReader list_documents KnownInputs",
        "_find": "find_inputs",
        "_kinds": "is_called_like_input BatchInput DocumentReference InputSettings",
    },
)
