"""Tables as people see them, however they were coded."""

from sightline.extract.tables._evidence import PARTS
from sightline.extract.tables._expansion import ventrec
from sightline.extract.tables._find import find_tables, trace_tables
from sightline.extract.tables._settings import RULES, TableSettings
from sightline.extract.tables._trace import Candidate, TableTrace

__all__ = ["PARTS", "RULES", "Candidate", "TableSettings", "TableTrace", "find_tables", "trace_tables", "ventrec"]
