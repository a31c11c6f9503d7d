"""Examples of whole flows: their files are put beside the flows of the project, and nothing there is overwritten."""

from dataclasses import dataclass
from pathlib import Path

from sightline.errors import UsageError
from sightline.files import make_folder, write_bytes
from sightline.server._flow_desk import FlowDesk
from sightline.server._studio import Studio

__all__ = ["FLOW_EXAMPLES", "FlowExample", "place_flow_example"]

WRAPPERS = "wrappers"


@dataclass(frozen=True)
class FlowExample:
    """An example: its name, which is also that of its folder and of its flow, and the files that the flow reads."""

    name: str
    title: str
    about: str
    scripts: tuple[str, ...]
    wrappers: tuple[str, ...]
    data: tuple[str, ...]


FLOW_EXAMPLES = (
    FlowExample(
        "prices",
        "Where do our prices stand?",
        "Three competitors are read, matched to a catalogue of 1,000 products, checked and delivered. Two of them are "
        "shops that `python examples/prices/shops.py` opens on this machine.",
        scripts=("south.nav.yaml",),
        wrappers=("north.wrapper.json", "north-product.wrapper.json", "south.wrapper.json"),
        data=("catalogue.csv", "rates.csv", "vat.csv", "pricelist.pdf", "pricelist-2.pdf"),
    ),
)


def place_flow_example(studio: Studio, example: FlowExample, folder: Path) -> str:
    """Put an example into the project and return the name of its flow; other files of the same names are an error."""
    texts = {name: _with_folder((folder / name).read_text("utf-8"), example) for name in example.scripts}
    content = {name: text.encode() for name, text in texts.items()}
    content |= {name: (folder / name).read_bytes() for name in example.data}
    content |= {f"{WRAPPERS}/{name}": (folder / name).read_bytes() for name in example.wrappers}
    taken = [name for name, one in content.items() if _is_other(studio.folder / name, one)]
    if taken:
        raise UsageError(f"The project has {taken[0]} already, and it is another file; rename it first.")
    desk = studio.part(FlowDesk)
    flow = _with_folder((folder / f"{example.name}.flow.yaml").read_text("utf-8"), example)
    for name, one in content.items():
        path = studio.folder / name
        if not path.exists():
            make_folder(path.parent)
            write_bytes(path, one)
    name = desk.flows.documents.free_name(example.name)
    desk.create(name, flow)
    return name


def _with_folder(text: str, example: FlowExample) -> str:
    """A text that names wrappers where the Studio keeps them."""
    for name in example.wrappers:
        text = text.replace(f" {name}", f" {WRAPPERS}/{name}")
    return text


def _is_other(path: Path, content: bytes) -> bool:
    return path.exists() and path.read_bytes() != content
