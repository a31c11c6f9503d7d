"""The Studio's server: the REST API over a project folder, and the pages of the front end.

It translates and decides nothing: what it answers comes from the public verbs and the project folder. docs/studio.md
describes it for users. Only `sightline studio` imports this package, since its framework takes long to import.
"""

from sightline.server._app import create_app
from sightline.server._serve import serve
from sightline.server._settings import StudioSettings

__all__ = ["StudioSettings", "create_app", "serve"]
