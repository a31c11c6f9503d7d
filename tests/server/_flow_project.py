"""A project with a flow that was run three times: files, a page with origins, a match, a check and a delivery."""

import shutil
import textwrap
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sightline.flow.run import FlowRun, run_flow
from sightline.flow.spec import Flow

PAGE = Path(__file__).parents[2] / "examples" / "cameras.html"
SHOP = """\
id,name,price
1,LUMORA Z7 body only,2849.00
2,Arden R50 kit RF 18-45mm,879.00
3,Corvus M-12 10x42 binoculars,369.00
4,Heliox pocket radio,
"""
CATALOGUE = """\
id,name,price
P-001,Lumora Z-7 mirrorless camera body,2899.00
P-004,Arden R-50 camera with RF 18-45 lens,899.00
P-008,Corvus M12 binoculars 10x42,379.00
P-009,Heliox TG9343T cordless telephone,99.00
"""
FLOW = """
flow: 1
about: What the shops ask
schedule: every day at 6:30 Europe/Vienna
steps:
  shop:
    read: shop.csv
  catalogue:
    read: catalogue.csv
  euro:
    normalise: shop
    columns:
      - type: price
  known:
    match: euro
    to: catalogue
  good:
    check: known
    need: [price]
  positions:
    sql: SELECT id AS offer, name, price FROM good
  kept:
    deliver: positions
    to: prices.duckdb#positions
    key: offer
  cameras:
    extract: cameras.html
    take: lists
    static: true
  cheap:
    sql: SELECT title AS model, money AS price FROM cameras
"""


class FlowProject:
    """A folder with the files of a flow, and a way to run it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "shop.csv").write_text(SHOP)
        (folder / "catalogue.csv").write_text(CATALOGUE)
        shutil.copy(PAGE, folder / "cameras.html")
        self.write(FLOW)

    def write(self, text: str, name: str = "prices") -> None:
        """Write a flow."""
        (self.folder / f"{name}.flow.yaml").write_text(textwrap.dedent(text).lstrip())

    def change(self, old: str, new: str, file: str = "shop.csv") -> None:
        """Change a file that the flow reads."""
        path = self.folder / file
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))

    def run(self, day: int = 16, name: str = "prices", **options: Any) -> FlowRun:
        """Run the flow on a day in November."""
        flow = Flow.load(self.folder / f"{name}.flow.yaml")
        return run_flow(flow, store=self.folder, now=datetime(2026, 11, day, 6, 30, tzinfo=UTC), **options)
