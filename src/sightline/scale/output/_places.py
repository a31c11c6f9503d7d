"""Where values were seen, as small as it can be said: the page is known from the document, and most have no box."""

from typing import Any

from sightline.data import Field, Origin, Value

__all__ = ["place_of", "places_of"]


def place_of(origin: Origin | None) -> dict[str, Any] | None:
    """The nodes of an origin, and whatever else it has.

    >>> place_of(Origin("3f2a", (17,))), place_of(Origin("3f2a", (17,), (1.0, 2.0, 3.04, 4.0)))
    ({'nodes': (17,)}, {'nodes': (17,), 'box': [1.0, 2.0, 3.0, 4.0]})
    """
    if origin is None:
        return None
    place: dict[str, Any] = {"nodes": origin.nodes}
    if origin.box is not None:
        place["box"] = [round(float(edge), 1) for edge in origin.box]
    if origin.sheet != 1:
        place["sheet"] = origin.sheet
    if origin.original:
        place["original"] = origin.original
    return place


def places_of(field: Field) -> Any:
    """The places of all values of a field, nested as they are; None where none is known."""
    if isinstance(field, Value):  # asked first: most fields are, and records are slow to be recognised
        return place_of(field.origin)
    if field is None:
        return None
    if isinstance(field, tuple):
        several = [places_of(item) for item in field]
        return several if any(several) else None
    return {name: place for name, inner in field.items() if (place := places_of(inner))} or None
