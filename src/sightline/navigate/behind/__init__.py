"""The data behind a page: what gives its lists and values, and how to ask for more of it without a browser."""

from sightline.navigate.behind._ends import ListEnd
from sightline.navigate.behind._find import DataBehind, FedList, behind
from sightline.navigate.behind._follow import command_for, python_for, road_records
from sightline.navigate.behind._request_parts import RequestPart
from sightline.navigate.behind._road import DataRoad, LostRoad
from sightline.navigate.behind._scout import COMPARED, RoadScout, ScoutedPage, check_road
from sightline.navigate.behind._turn import Turn

__all__ = [
    "COMPARED",
    "DataBehind",
    "DataRoad",
    "FedList",
    "ListEnd",
    "LostRoad",
    "RequestPart",
    "RoadScout",
    "ScoutedPage",
    "Turn",
    "behind",
    "check_road",
    "command_for",
    "python_for",
    "road_records",
]
