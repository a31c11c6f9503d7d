"""`sightline code`: a taught wrapper or a navigation script as Python code for another framework."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from sightline.cli._console import remark
from sightline.cli._flags import REQUIRED, Flags, argument, flag, output_file
from sightline.errors import UsageError
from sightline.files import write_bytes

SUFFIX = ".py"
SCRIPTS = (".yaml", ".yml")
PLAYWRIGHT = "playwright"


@dataclass(frozen=True, kw_only=True)
class CodeFlags(Flags):
    """Which code is written, and where."""

    framework: str = flag(
        REQUIRED,
        help="the framework: web-poet (a page object) or scrapy (a spider) for wrappers, playwright for scripts",
        names="--for",
        metavar="web-poet|scrapy|playwright",
    )
    name: str = flag("Item", help="what a page describes; names the class")
    out: Path | None = output_file("write the code to this .py file instead of printing it")


def code_command(
    file: Annotated[Path, argument(metavar="FILE", help="A taught wrapper, or a navigation script.")],
    flags: CodeFlags,
) -> None:
    """Export a taught wrapper or a navigation script as Python code for another framework.

    The code runs without Sightline, and therefore without its verdict on each page.

    [bold]Examples[/]

      sightline code shop.wrapper.json --for web-poet --name Camera -o camera_page.py

      sightline code shop.wrapper.json --for scrapy --name Camera -o cameras.py

      scrapy runspider cameras.py -a urls=https://example.org/camera/7 -O cameras.jsonl

      sightline code cameras.nav.yaml --for playwright -o cameras.py
    """
    out, framework = flags.out, flags.framework
    if out and out.suffix.lower() != SUFFIX:
        raise UsageError(f"{out}: the code is Python; use the suffix {SUFFIX}.")
    written = _script_code(file, framework) if file.suffix in SCRIPTS else _wrapper_code(file, framework, flags.name)
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
    from sightline.navigate.script import Script  # which wrappers do not need

    script = Script.load(file)
    from sightline.navigate import playwright_code  # slow to import; a mistake in the script is told before

    return playwright_code(script)
