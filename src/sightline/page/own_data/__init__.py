"""What a page says about itself for machines: JSON-LD, items in its markup, `meta` elements, the state of programs."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.page.own_data._documents import OwnDocument, OwnPath, OwnSyntax, OwnValue
    from sightline.page.own_data._own_data import OwnData
    from sightline.page.own_data._read import published_json_ld, read_descriptions, read_own_data
    from sightline.page.own_data._things import OwnThing

__all__ = [
    "OwnData",
    "OwnDocument",
    "OwnPath",
    "OwnSyntax",
    "OwnThing",
    "OwnValue",
    "published_json_ld",
    "read_descriptions",
    "read_own_data",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_documents": "OwnDocument OwnPath OwnSyntax OwnValue",
        "_own_data": "OwnData",
        "_read": "published_json_ld read_descriptions read_own_data",
        "_things": "OwnThing",
    },
)
