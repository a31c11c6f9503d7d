"""Long work on many pages: jobs that yield outcomes, tell how far they are, and can be cancelled.

Shells (the command line, the server) iterate over jobs; they decide nothing themselves.
"""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.jobs._checking import (
        OPENING,
        CheckedPage,
        CheckedRun,
        XPaths,
        check_found,
        check_run,
        checked_content,
        checked_records,
        record_checks,
        record_outliers,
    )
    from sightline.jobs._extractors import (
        ENTRY_POINTS,
        OWN_NAME,
        Extractor,
        Tried,
        extractor,
        extractors,
        method,
        methods,
        text_extractors,
        try_method,
        wrapper_extractor,
    )
    from sightline.jobs._job import Cancel, Job, Meter, OnProgress, Outcome, Progress, Work, new_loader, structured_page
    from sightline.jobs._project_wrappers import ProjectWrappers, StoredWrapper, WrapperHistory
    from sightline.jobs._row_differences import DifferentRow, RowDifferences, row_differences
    from sightline.jobs._survey import Survey, SurveyedResult, SurveyKind, survey
    from sightline.jobs._teaching import (
        ExampleTexts,
        PageExamples,
        TaughtWrapper,
        joined_examples,
        read_examples,
        teach_pages,
        tried_without_browser,
    )

__all__ = [
    "ENTRY_POINTS",
    "OPENING",
    "OWN_NAME",
    "Cancel",
    "CheckedPage",
    "CheckedRun",
    "DifferentRow",
    "ExampleTexts",
    "Extractor",
    "Job",
    "Meter",
    "OnProgress",
    "Outcome",
    "PageExamples",
    "Progress",
    "ProjectWrappers",
    "RowDifferences",
    "StoredWrapper",
    "Survey",
    "SurveyKind",
    "SurveyedResult",
    "TaughtWrapper",
    "Tried",
    "Work",
    "WrapperHistory",
    "XPaths",
    "check_found",
    "check_run",
    "checked_content",
    "checked_records",
    "extractor",
    "extractors",
    "joined_examples",
    "method",
    "methods",
    "new_loader",
    "read_examples",
    "record_checks",
    "record_outliers",
    "row_differences",
    "structured_page",
    "survey",
    "teach_pages",
    "text_extractors",
    "tried_without_browser",
    "try_method",
    "wrapper_extractor",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_checking": "OPENING CheckedPage CheckedRun check_found check_run checked_content checked_records"
        " record_checks"
        " record_outliers XPaths",
        "_extractors": "ENTRY_POINTS OWN_NAME Extractor Tried extractor extractors method methods text_extractors"
        " try_method wrapper_extractor",
        "_job": "Job Outcome Work Cancel Meter OnProgress Progress new_loader structured_page",
        "_project_wrappers": "ProjectWrappers StoredWrapper WrapperHistory",
        "_row_differences": "DifferentRow RowDifferences row_differences",
        "_survey": "Survey SurveyedResult SurveyKind survey",
        "_teaching": "tried_without_browser ExampleTexts PageExamples TaughtWrapper joined_examples"
        " read_examples teach_pages",
    },
)
