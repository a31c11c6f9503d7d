"""A page-level schema from several pages of one template (UWIDE), and the template that reads further pages.

docs/wrappers.md describes the steps.
"""

from sightline.extract.schemas._induce import (
    INDUCE_RULES,
    Induced,
    InduceSettings,
    fields_of,
    induce_template,
    same_template,
    schema_of,
)
from sightline.extract.schemas._labels import cut_lead, is_neutral, lead_of, value_in
from sightline.extract.schemas._outline import (
    TEXT_SYMBOL,
    Alphabet,
    LearningStep,
    Outline,
    collapse_spaces,
    element_words,
    outline_of,
)
from sightline.extract.schemas._parse import deciding_features, inner_kids, parse, pieces
from sightline.extract.schemas._sheet_form import SheetForm, form_of
from sightline.extract.schemas._sheet_labels import SheetLabels
from sightline.extract.schemas._sheet_shared import sheet_labels
from sightline.extract.schemas._template import (
    DecidingText,
    Inner,
    ItemSteps,
    Leaf,
    Program,
    ProgramStep,
    ProgramSteps,
    Reference,
    Slot,
    Taker,
    Template,
    TemplateBody,
    TemplateRow,
    Within,
    copy_template,
    fields_within,
    is_required,
    leaves_in,
    references_in,
)

__all__ = [
    "INDUCE_RULES",
    "TEXT_SYMBOL",
    "Alphabet",
    "DecidingText",
    "InduceSettings",
    "Induced",
    "Inner",
    "ItemSteps",
    "Leaf",
    "LearningStep",
    "Outline",
    "Program",
    "ProgramStep",
    "ProgramSteps",
    "Reference",
    "SheetForm",
    "SheetLabels",
    "Slot",
    "Taker",
    "Template",
    "TemplateBody",
    "TemplateRow",
    "Within",
    "collapse_spaces",
    "copy_template",
    "cut_lead",
    "deciding_features",
    "element_words",
    "fields_of",
    "fields_within",
    "form_of",
    "induce_template",
    "inner_kids",
    "is_neutral",
    "is_required",
    "lead_of",
    "leaves_in",
    "outline_of",
    "parse",
    "pieces",
    "references_in",
    "same_template",
    "schema_of",
    "sheet_labels",
    "value_in",
]
