"""`sightline code`: a taught wrapper as Python code for another framework."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from sightline import Wrapper
from sightline.cli._console import remark
from sightline.cli._wrappers import WrapperFile
from sightline.errors import UsageError
from sightline.files import write_bytes

__all__ = ["register"]

SUFFIX = ".py"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(code)


def code(
    file: WrapperFile,
    *,
    framework: Annotated[
        str,
        typer.Option(
            "--for",
            metavar="web-poet|scrapy",
            help="The target framework: web-poet (a page object) or scrapy (a spider).",
            show_default=False,
        ),
    ],
    name: Annotated[str, typer.Option("--name", help="What a page describes; names the class.")] = "Item",
    out: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the code to this .py file instead of printing it.")
    ] = None,
) -> None:
    """Export a taught wrapper as Python code for another framework: XPaths and a few lines around them.

    The code runs without Sightline, and therefore without its verdict on each page.

    [bold]Examples[/]

      sightline code shop.wrapper.json --for web-poet --name Camera -o camera_page.py

      sightline code shop.wrapper.json --for scrapy --name Camera -o cameras.py

      scrapy runspider cameras.py -a urls=https://example.org/camera/7 -O cameras.jsonl
    """
    if out and out.suffix.lower() != SUFFIX:
        raise UsageError(f"{out}: the code is Python; use the suffix {SUFFIX}.")
    written = Wrapper.load(file).to_code(framework, name=name)
    if out:
        remark(f"Written: {write_bytes(out, written.encode())}")
    else:
        sys.stdout.write(written)
