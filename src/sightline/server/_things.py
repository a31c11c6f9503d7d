"""What pages are about: the thing, what is said and what is seen of it, and files of it."""

from typing import Any

from fastapi import APIRouter, Response
from typing_extensions import TypedDict

from sightline.data import Extraction, Thing, ThingDoubt, ThingValue, Verdict
from sightline.errors import UsageError
from sightline.extract.about import KINDS, AboutSettings
from sightline.jobs import XPaths, extractor
from sightline.server._caches import Cache
from sightline.server._results import exported_file
from sightline.server._shapes import BoxResponse, JsonResponse, box_shape, encodable
from sightline.server._studio import Studio, StudioDep

router = APIRouter(prefix="/pages/{page_id}/thing", tags=["things"])

MOST_VALUES = 200  # of one field; recipes have up to some forty ingredients
LONGEST_TEXT = 2_000  # characters of a value on the card; the main text of an article is read below
READINGS = 4  # of a page, as different kinds, that are remembered


class ThingValueResponse(TypedDict):
    """A value of a field: where it is seen, and where the page's own data says it."""

    text: str
    shown: str
    box: BoxResponse | None
    said: str | None


class ThingDoubtResponse(TypedDict):
    """Why a field is doubtful: what is said for machines, and what is shown, and where."""

    reason: str
    said: str | None
    seen: str | None
    box: BoxResponse | None


class ThingFieldResponse(TypedDict):
    """A field with its values and doubts."""

    name: str
    values: list[ThingValueResponse]
    doubts: list[ThingDoubtResponse]


class ThingResponse(TypedDict):
    """The thing that a page is about; its kind is null if it is about no single thing."""

    kind: str | None
    name: str
    kinds: list[str]
    is_list: bool
    fields: list[ThingFieldResponse]
    verdict: Verdict
    reasons: list[str]


@router.get("", response_model=ThingResponse)
def show_thing(page_id: str, studio: StudioDep, kind: str = "") -> Response:
    """What a page is about; with `kind`, it is read as a thing of that kind."""
    found = studio.part(Things).read(page_id, kind)
    thing = _thing(found)
    named = thing["name"]
    return JsonResponse(
        {
            "kind": thing.kind,
            "name": encodable(named) if isinstance(named, str) else "",
            "kinds": list(KINDS),
            "is_list": thing.is_list,
            "fields": _fields(thing),
            "verdict": found.verdict,
            "reasons": list(found.reasons),
        }
    )


@router.get("/export", response_class=Response)
def export_thing(
    page_id: str, studio: StudioDep, kind: str = "", format: str = "csv", *, origins: bool = False
) -> Response:
    """The thing as a file with one row, in any format of results; `origins` adds where each value was seen."""
    thing = _thing(studio.part(Things).read(page_id, kind))
    if thing.kind is None:
        raise UsageError("The page is about no single thing; read it as a kind first.")
    xpaths = XPaths()
    xpaths.add_results(studio.page(page_id), [thing])
    title = thing["name"] or studio.info(page_id).title or thing.kind
    return exported_file(thing, format, title, origins=origins, xpath=xpaths if origins else None)


class Things:
    """What pages are about; each is read once as each kind, as long as it is remembered."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._read: Cache[tuple[str, str], Extraction] = Cache(READINGS * studio.settings.cached_pages)

    def read(self, page_id: str, kind: str = "") -> Extraction:
        """What a page is about, read as a kind if one is named."""
        if kind and kind not in KINDS:
            raise UsageError(f"There is no kind {kind!r:.40}; use one of {', '.join(KINDS)}.")
        self._studio.check_page(page_id)
        settings = AboutSettings(kind=kind)
        return self._read.get(
            (page_id, kind), lambda: extractor("about")(self._studio.page(page_id), settings=settings)
        )


def _thing(found: Extraction) -> Thing:
    (thing,) = (result for result in found if isinstance(result, Thing))
    return thing


def _fields(thing: Thing) -> list[dict[str, Any]]:
    """The fields in the order of their kind, those that are only doubted last."""
    names = dict.fromkeys((*thing.fields, *(one.field for one in thing.doubts)))
    return [
        {
            "name": name,
            "values": [_value(one) for one in thing.fields.get(name, ())[:MOST_VALUES]],
            "doubts": [_doubt(one) for one in thing.doubts if one.field == name],
        }
        for name in names
    ]


def _value(one: ThingValue) -> dict[str, Any]:
    """A value as it is understood, and as it is written on the page."""
    origin = one.value.origin
    return {
        "text": encodable(str(one.plain)[:LONGEST_TEXT]),
        "shown": encodable(one.value.text[:LONGEST_TEXT]),
        "box": box_shape(origin.box) if origin else None,
        "said": one.said,
    }


def _doubt(one: ThingDoubt) -> dict[str, Any]:
    return {
        "reason": encodable(one.reason),
        "said": encodable(one.said) if one.said else None,
        "seen": encodable(one.seen) if one.seen else None,
        "box": box_shape(one.origin.box) if one.origin else None,
    }
