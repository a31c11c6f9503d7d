"""What a batch reads: names become inputs, inputs give references to documents, and references become documents.

Nothing but the references is kept between the two steps, so that a reference made by one process is read by another.
"""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.scale.inputs._documents import DocumentReader, list_documents
    from sightline.scale.inputs._find import find_inputs
    from sightline.scale.inputs._kinds import is_called_like_input
    from sightline.scale.inputs._known import KnownInputs
    from sightline.scale.inputs._shapes import BatchInput, DocumentReference, InputSettings

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
        "_documents": "DocumentReader list_documents",
        "_find": "find_inputs",
        "_kinds": "is_called_like_input",
        "_known": "KnownInputs",
        "_shapes": "BatchInput DocumentReference InputSettings",
    },
)
