"""Results and runs as files to download, in any format that the library writes."""

from typing import Any

from fastapi import Response

from sightline.data import FORMATS, Exportable, export
from sightline.errors import UsageError
from sightline.server._pages import attachment, file_name

__all__ = ["exported_file"]

MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/jsonl",
    "json": "application/json",
    "xml": "application/xml",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "parquet": "application/vnd.apache.parquet",
    "html": "text/html; charset=utf-8",
}


def exported_file(result: Exportable, format: str, title: str, **how: Any) -> Response:
    """The file of a result, named by a title; `how` goes to `sightline.data.export`."""
    name = format.lower().lstrip(".")
    if name not in FORMATS:
        raise UsageError(f"There is no format {format!r:.20}; use one of {', '.join(FORMATS)}.")
    headers = attachment(f"{file_name(title)}.{name}")
    media_type = MEDIA_TYPES.get(name, "application/octet-stream")
    return Response(export(result, name, **how), media_type=media_type, headers=headers)
