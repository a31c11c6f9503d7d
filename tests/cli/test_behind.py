"""`sightline behind`: lines for people, JSON for programs, and a file with the road; no secret in any of them."""

import json
from pathlib import Path

from ..sites.behind.apps import BY_NAME, TOKEN, served
from ._inside import sightline


def test_people_see_where_everything_comes_from() -> None:
    """The document, the array, every field, how the next page is asked for, and what to do with it."""
    with served(BY_NAME["rest-pages"], dearest=900) as shop:
        done = sightline("behind", shop.start, "--follow", "--delay", "0")
    assert done.status == 0
    for text in (
        "from items of GET",
        "€{price.amount}",
        "`page` of the query grows by 1",
        "8 records on the page behind",
    ):
        assert text in done.output
    assert f"sightline collect {shop.start} -o records.csv" in done.output


def test_programs_get_json_without_secrets(tmp_path: Path) -> None:
    """Tokens are used, and told nowhere; a road with one is not written."""
    with served(BY_NAME["token"], dearest=900) as shop:
        done = sightline("behind", shop.start, "--json", "--delay", "0")
        refused = sightline("behind", shop.start, "-o", tmp_path / "x.road.json", "--follow", "--delay", "0")
    (result,) = json.loads(done.output)["results"]
    (fed,) = (one for one in result["behind"]["lists"] if one["data"])
    assert fed["data"]["fields"]["title"] == {"from": "{name}", "exact": True, "share": 1.0}
    assert fed["request"]["headers"] == ["x-shop-token"]
    assert TOKEN not in done.output + done.errors + refused.output + refused.errors
    assert refused.status == 0
    assert "secrets" in refused.errors
    assert list(tmp_path.iterdir()) == []


def test_the_road_is_written_if_it_is_wanted(tmp_path: Path) -> None:
    """And the lines that are shown read it."""
    with served(BY_NAME["next-address"], dearest=900) as shop:
        done = sightline("behind", shop.start, "-o", tmp_path / "x.road.json", "--follow", "--delay", "0")
    assert (tmp_path / "x.road.json").exists()
    assert "DataRoad.load(" in done.output


def test_a_page_without_data_says_so() -> None:
    """No answer, no state."""
    with served(BY_NAME["rest-pages"]) as shop:
        done = sightline("behind", shop.site.url("/about"), "--delay", "0")
    assert done.status == 1
    assert "404" in done.errors
