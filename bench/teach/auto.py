"""Pages as AutoScraper reads them: `python bench/teach/auto.py` in an interpreter that has it.

Reads a JSON list of jobs from the input, each `{"examples": [{"path", "fields", "records"}], "read": [paths]}`, and
writes `{"version", "jobs": [[records of a page, ...], ...]}`. Nothing of this project is imported: it needs an old
BeautifulSoup, and lives in an environment of its own.

It is used as well as we could find: a name with one text a page is read by exact rules and its first text is taken, one
with several by similar rules. Of the rules that it learns, those are kept (`keep_rules`) that say nothing wrong on any
example, or else the best; of an attribute of records the one that finds most. Without that, every further example adds
errors.
"""

import json
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from importlib.metadata import version
from itertools import zip_longest
from pathlib import Path
from typing import Any

try:
    from autoscraper import AutoScraper  # type: ignore[import-not-found, unused-ignore]
except ModuleNotFoundError:
    AutoScraper = None

# It compares whole texts, and the examples are as a person sees them: without this, a text that goes over two lines of
# the source is never found.
BLANKS = re.compile(r"\s+")

Wanted = dict[str, list[str]]
Found = dict[str, list[str]]


def main() -> None:
    """Do all jobs; without AutoScraper, the answer is null."""
    jobs = json.load(sys.stdin)
    answer = AutoScraper and {"version": version("autoscraper"), "jobs": [_done(job) for job in jobs]}
    json.dump(answer, sys.stdout)


class Taught:
    """A scraper built on example pages, with the rules that are right on them."""

    def __init__(self, examples: list[dict[str, Any]]) -> None:
        self.scraper = AutoScraper()
        self.of_records = {name for example in examples for record in example["records"] for name in record}
        wanted = [_wanted(example) for example in examples]
        self.several = {name for page in wanted for name, texts in page.items() if len(texts) > 1} | self.of_records
        pages = [_html(example["path"]) for example in examples]
        for html, texts in zip(pages, wanted, strict=True):
            self.scraper.build(html=html, wanted_dict=texts, update=True)
        # Rules are learned from the end of the page to its beginning; the first text of a page is asked for.
        self.names = {rule["stack_id"]: rule["alias"] for rule in reversed(self.scraper.stack_list)}
        self.rules = self._kept(pages, wanted)
        self.scraper.keep_rules([rule for rules in self.rules.values() for rule in rules])

    def read(self, html: str) -> list[dict[str, Any]]:
        """The fields of a page, and its records: lists side by side."""
        if not self.scraper.stack_list:
            return []
        said = self._said(html)
        values = {
            name: list(dict.fromkeys(text for rule in rules for text in said.get(rule, ())))
            for name, rules in self.rules.items()
            if name not in self.of_records
        }
        page: dict[str, Any] = {
            name: texts if name in self.several else texts[:1] for name, texts in values.items() if texts
        }
        columns = {
            name: texts
            for name in sorted(self.of_records & self.rules.keys())
            if (texts := said.get(self.rules[name][0]))
        }
        if rows := [dict(zip(columns, row, strict=True)) for row in zip_longest(*columns.values())]:
            page["records"] = rows
        return [page] if page else []

    def _kept(self, pages: list[str], wanted: list[Wanted]) -> dict[str, list[str]]:
        worth: dict[str, float] = defaultdict(float)
        wrong: Counter[str] = Counter()
        for html, texts in zip(pages, wanted, strict=True) if self.names else ():
            said = self._said(html)
            for rule, name in self.names.items():
                true, given = ({_compared(text) for text in own} for own in (texts[name], said.get(rule, [])))
                # Only some records are shown: what else is found of them may be right.
                known = 2 * len(true) if name in self.of_records else len(true) + len(given)
                worth[rule] += 2 * len(true & given) / max(1, known)
                wrong[rule] += len(given - true)
        kept = {}
        for name in dict.fromkeys(self.names.values()):
            rules = [rule for rule, own in self.names.items() if own == name]
            best = max(reversed(rules), key=lambda rule: worth[rule])
            flawless = [rule for rule in rules if not wrong[rule]]
            kept[name] = [best] if name in self.of_records else flawless or [best]
        return kept

    def _said(self, html: str) -> Found:
        """What every rule finds."""
        soup = self.scraper._get_soup(html=html)  # parsed once for both, which is only quicker
        exact = self.scraper.get_result_exact(soup=soup, grouped=True)
        similar = self.scraper.get_result_similar(soup=soup, grouped=True)
        found = ((rule, (similar if name in self.several else exact).get(rule)) for rule, name in self.names.items())
        return {rule: texts for rule, texts in found if texts}


def _done(job: dict[str, Any]) -> list[list[dict[str, Any]]]:
    taught = Taught(job["examples"])
    return [taught.read(_html(path)) for path in job["read"]]


def _wanted(example: dict[str, Any]) -> Wanted:
    wanted: Wanted = defaultdict(list)
    for texts in (example["fields"], *example["records"]):
        for name, several in texts.items():
            wanted[name] += several
    return wanted


def _compared(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).lower().split())


def _html(path: str) -> str:
    return BLANKS.sub(" ", Path(path).read_text("utf-8-sig", "replace"))


if __name__ == "__main__":
    main()
