"""`sightline code`: a taught wrapper or a navigation script as Python code for another framework."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from sightline.cli._console import remark
from sightline.errors import UsageError
from sightline.files import write_bytes

__all__ = ["register_code"]

SUFFIX = ".py"
SCRIPTS = (".yaml", ".yml")
PLAYWRIGHT = "playwright"


def register_code(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(code)


def code(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A taught wrapper, or a navigation script.", show_default=False)
    ],
    *,
    framework: Annotated[
        str,
        typer.Option(
            "--for",
            metavar="web-poet|scrapy|playwright",
            help="The framework: web-poet (a page object) or scrapy (a spider) for wrappers, playwright for scripts.",
            show_default=False,
        ),
    ],
    name: Annotated[str, typer.Option("--name", help="What a page describes; names the class.")] = "Item",
    out: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the code to this .py file instead of printing it.")
    ] = None,
) -> None:
    """Export a taught wrapper or a navigation script as Python code for another framework.

    The code runs without Sightline, and therefore without its verdict on each page.

    [bold]Examples[/]

      sightline code shop.wrapper.json --for web-poet --name Camera -o camera_page.py

      sightline code shop.wrapper.json --for scrapy --name Camera -o cameras.py

      scrapy runspider cameras.py -a urls=https://example.org/camera/7 -O cameras.jsonl

      sightline code cameras.nav.yaml --for playwright -o cameras.py
    """
    if out and out.suffix.lower() != SUFFIX:
        raise UsageError(f"{out}: the code is Python; use the suffix {SUFFIX}.")
    written = _script_code(file, framework) if file.suffix in SCRIPTS else _wrapper_code(file, framework, name)
    if out:
        remark(f"Written: {write_bytes(out, written.encode())}")
    else:
        sys.stdout.write(written)


def _wrapper_code(file: Path, framework: str, name: str) -> str:
    if framework == PLAYWRIGHT:
        raise UsageError(f"{file} is a wrapper, and Playwright is for navigation scripts; choose web-poet or scrapy.")
    from sightline.extract.wrappers import Wrapper  # which scripts do not need before they are checked

    return Wrapper.load(file).to_code(framework, name=name)


def _script_code(file: Path, framework: str) -> str:
    if framework != PLAYWRIGHT:
        raise UsageError(f"{file} is a navigation script, which can be exported for playwright only.")
    from sightline.navigate.script import Script

    script = Script.load(file)
    from sightline.navigate import playwright_code  # slow to import; a mistake in the script is told before

    return playwright_code(script)
