"""Write the types of the API for the front end: `python web/openapi/document.py`, after `npm ci` in this folder.

The models of the server's answers and requests become `src/api/schema.d.ts`, which is committed: building the front end
needs no Python, and installing Sightline needs no Node. A test compares the checksum in its first line with the server.
"""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sightline.server import StudioSettings, create_app

HERE = Path(__file__).parent
TYPES = HERE.parent / "src" / "api" / "schema.d.ts"


def api_document() -> dict[str, Any]:
    """The models of the API as an OpenAPI document, without paths and titles."""
    with TemporaryDirectory() as folder:
        app = create_app(StudioSettings(project=folder))
        found = app.openapi()
        app.state.studio.close()
    models = {name: _untitled(model) for name, model in found["components"]["schemas"].items()}
    about = {"title": "Sightline Studio", "version": "1"}
    return {"openapi": found["openapi"], "info": about, "paths": {}, "components": {"schemas": models}}


def _untitled(schema: Any) -> Any:
    """A schema without the titles of its members, which say their names again."""
    if isinstance(schema, list):
        return [_untitled(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: _untitled(one) for key, one in schema.items() if key != "title" or not isinstance(one, str)}


def first_line(document: dict[str, Any]) -> str:
    """The first line of the types that belong to a document."""
    checksum = hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()[:16]
    return f"// Written by web/openapi/document.py; checksum of the API: {checksum}\n"


def main() -> None:
    """Write the types."""
    document = api_document()
    program = HERE / "node_modules" / ".bin" / "openapi-typescript"
    if not program.exists():
        sys.exit(f"{program} is missing; run `npm ci` in {HERE} first.")
    text = json.dumps(document)
    made = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout
    TYPES.write_text(first_line(document) + made, "utf-8")


if __name__ == "__main__":
    main()
