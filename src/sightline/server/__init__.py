"""The Studio's server: the REST API over a project folder, and the pages of the front end.

It translates and decides nothing: what it answers comes from the public verbs and the project folder. docs/studio.md
describes it for users. Only `sightline studio` imports this package, since its framework takes long to import.
"""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.server._access import Access, is_loopback_name
    from sightline.server._pages import open_several
    from sightline.server._serve import claimed, create_app, listening, serve
    from sightline.server._studio import PASSWORD_VARIABLE, StudioSettings

__all__ = [
    "PASSWORD_VARIABLE",
    "Access",
    "StudioSettings",
    "claimed",
    "create_app",
    "is_loopback_name",
    "listening",
    "open_several",
    "serve",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_access": "Access is_loopback_name",
        "_pages": "open_several",
        "_serve": "claimed listening serve create_app",
        "_studio": "PASSWORD_VARIABLE StudioSettings",
    },
)
