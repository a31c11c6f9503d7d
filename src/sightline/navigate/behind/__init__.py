"""The data behind a page: what gives its lists and values, and how to ask for more of it without a browser."""

from sightline.navigate.behind._road import DataRoad, LostRoad
from sightline.navigate.behind._scout import RoadScout, ScoutedPage, check_road
from sightline.navigate.behind._turn import Turn

__all__ = ["DataRoad", "LostRoad", "RoadScout", "ScoutedPage", "Turn", "check_road"]
