"""Flow files: what is read, integrated, normalised, matched, checked and delivered, in words that people can read."""

from sightline.flow.spec._document import FlowDocument
from sightline.flow.spec._flow import FLOW_KEYS, FLOW_VERSION, Flow
from sightline.flow.spec._forms import ChangeRule
from sightline.flow.spec._normal_form import NORMAL_KINDS, NormalColumn, NormalKind
from sightline.flow.spec._schema import flow_schema
from sightline.flow.spec._steps import (
    FLOW_STEPS,
    CollectSource,
    DeduplicateStep,
    DeliverStep,
    ExtractSource,
    FlowStep,
    GateStep,
    JoinStep,
    MatchStep,
    NestStep,
    NormaliseStep,
    NotifyStep,
    PlaySource,
    QuerySource,
    ReadSource,
    SqlStep,
    UnionStep,
    UnnestStep,
    write_flow_step,
)

__all__ = [
    "FLOW_KEYS",
    "FLOW_STEPS",
    "FLOW_VERSION",
    "NORMAL_KINDS",
    "ChangeRule",
    "CollectSource",
    "DeduplicateStep",
    "DeliverStep",
    "ExtractSource",
    "Flow",
    "FlowDocument",
    "FlowStep",
    "GateStep",
    "JoinStep",
    "MatchStep",
    "NestStep",
    "NormalColumn",
    "NormalKind",
    "NormaliseStep",
    "NotifyStep",
    "PlaySource",
    "QuerySource",
    "ReadSource",
    "SqlStep",
    "UnionStep",
    "UnnestStep",
    "flow_schema",
    "write_flow_step",
]
