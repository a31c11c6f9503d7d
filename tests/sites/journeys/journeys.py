"""Forty-odd journeys of a person through pages as shops have them, to be recorded and replayed."""

from ._forms import FORMS
from ._kit import LOOKS, Journey, JourneySite, LookName, serve_journeys
from ._widgets import WIDGETS
from ._windows import WINDOWS

__all__ = ["JOURNEYS", "LOOKS", "Journey", "JourneySite", "LookName", "serve_journeys"]

JOURNEYS = (*FORMS, *WINDOWS, *WIDGETS)
