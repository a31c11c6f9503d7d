"""The types of the front end are those of the API."""

import runpy
from pathlib import Path

import pytest
from fastapi.routing import APIRoute

from sightline.server._serve import RESOURCES

WEB = Path(__file__).parents[2] / "web"


def test_types_of_the_front_end_are_up_to_date() -> None:
    """They are written from the models of the API, and committed."""
    made = runpy.run_path(str(WEB / "openapi" / "document.py"))
    found = (WEB / "src" / "api" / "schema.d.ts").read_text("utf-8")
    assert found.startswith(made["first_line"](made["api_document"]())), "run `make types`"


@pytest.mark.parametrize("route", [one for router in RESOURCES for one in router.routes if isinstance(one, APIRoute)])
def test_json_is_declared(route: APIRoute) -> None:
    """Every route that answers with JSON says of which shape; a file, a stream or nothing has none."""
    is_other = route.status_code == 204 or getattr(route.response_class, "__name__", "") in (
        "Response",
        "EventSourceResponse",
    )
    assert is_other or route.response_model is not None
    assert "dict[str, typing.Any]" not in str(route.response_model)
