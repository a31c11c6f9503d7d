"""Rules learned from pages alone: templates, and reading, editing, explaining and storing by them."""

from sightline.extract.wrappers.templates._codec import Machine, MachineMove, MachineState, machine_of, pretty
from sightline.extract.wrappers.templates._main_fields import set_aside
from sightline.extract.wrappers.templates._read import TemplateReading, read_page
from sightline.extract.wrappers.templates._references import add_references
from sightline.extract.wrappers.templates._templates import FROM_PAGES, Templates

__all__ = [
    "FROM_PAGES",
    "Machine",
    "MachineMove",
    "MachineState",
    "TemplateReading",
    "Templates",
    "add_references",
    "machine_of",
    "pretty",
    "read_page",
    "set_aside",
]
