"""What feeds a page is found and told, and the lines that are shown run."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from sightline.errors import UnreadableError, UsageError
from sightline.jobs import new_loader
from sightline.navigate.behind import DataBehind, DataRoad, behind, command_for, python_for, road_records
from sightline.net import CrawlPolicy
from sightline.page import PageRequest

from ...sites.behind.apps import BY_NAME, TOKEN, served

POLITE = CrawlPolicy(delay=0)


def fed(address: str, *, follow: bool = False, static: bool = False) -> DataBehind:
    """What feeds a page."""
    with new_loader(policy=POLITE, static=static) as loader:
        return behind(address, loader=loader, follow=follow)


def test_each_field_has_its_path_and_the_way_it_is_written() -> None:
    """Of the list that the page shows; the next page is told from the request alone, where names say it."""
    with served(BY_NAME["rest-offset"]) as shop:
        found = fed(shop.start)
    (one,) = (one for one in found.lists if one.match)
    assert one.match is not None
    assert (one.records, one.match.path, one.match.share) == (8, ("hits", "found"), 1)
    told = {name: field.told for name, field in one.match.fields.items()}
    assert told["title"] == "{name}"
    assert told["price"] == "€{price.amount}"
    assert told["stock"] == "stock (True: In stock, False: Sold out)"
    assert told["link"].endswith("/lens/{id}")
    assert one.road is not None
    assert one.road.turn is not None
    assert one.road.turn.told == "`offset` of the query grows by 8"


def test_the_next_page_is_asked_for_if_it_is_wanted() -> None:
    """One page is turned in the browser; its request tells what the first one does not."""
    with served(BY_NAME["cursor"]) as shop:
        alone, followed = fed(shop.start), fed(shop.start, follow=True)
        asked = shop.by_program
    assert (alone.best, alone.lists[0].why) == (
        None,
        f"nothing tells how to ask for the page after GET {shop.site.url('/v2/lenses')}",
    )
    assert followed.best is not None
    assert followed.best.followed == 8
    assert len(asked) == 2


@pytest.mark.parametrize("name", ["rest-pages", "graphql", "state", "link-header"])
def test_all_records_follow_from_the_road(name: str, tmp_path: Path) -> None:
    """Also from one that was kept in a file, without any browser."""
    with served(BY_NAME[name], dearest=900) as shop:
        found = fed(shop.start, follow=True)
        assert found.best is not None
        assert found.best.road is not None
        found.best.road.save(tmp_path / "x.road.json")
        with new_loader(static=True, policy=POLITE) as loader:
            records = list(road_records(DataRoad.load(tmp_path / "x.road.json"), loader=loader))
        assert [(one.text("title"), one.text("price")) for one in records] == shop.records


def test_the_lines_that_are_shown_run(tmp_path: Path) -> None:
    """As they stand; with a token they find the road anew, and the token is in no line and no file."""
    with served(BY_NAME["token"], pages=2, dearest=900) as shop:
        found = fed(shop.start, follow=True)
        lines = python_for(found)
        done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True)
        assert len(done.stdout.splitlines()) == len(shop.records)
        assert TOKEN not in lines + command_for(found) + json.dumps(found.to_json()) + repr(found)
        assert found.best is not None
        assert found.best.road is not None
        with pytest.raises(UsageError, match="secrets"):
            found.best.road.save(tmp_path / "x.road.json")
    assert list(tmp_path.iterdir()) == []


def test_a_page_without_a_browser_has_its_states() -> None:
    """A list that is in the HTML with its state is fed without any script."""
    with served(BY_NAME["state"]) as shop:
        found = fed(shop.start, static=True)
    assert [document.told for document in found.documents] == ["window.__STATE__ in the page"]


def test_a_road_that_is_lost_says_why(tmp_path: Path) -> None:
    """An answer unlike those that were seen, a file that is none."""
    with served(BY_NAME["rest-pages"]) as shop:
        found = fed(shop.start, follow=True)
        assert found.best is not None
        assert found.best.road is not None
        elsewhere = PageRequest(shop.start)
        road = DataRoad(elsewhere, found.best.road.path, found.best.road.rules)
        with pytest.raises(UnreadableError, match="not JSON"), new_loader(static=True, policy=POLITE) as loader:
            list(road_records(road, loader=loader))
    (tmp_path / "x.json").write_text('{"request": 7}')
    with pytest.raises(UsageError, match="not the file of a road"):
        DataRoad.load(tmp_path / "x.json")
