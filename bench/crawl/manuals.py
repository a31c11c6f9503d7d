"""The manuals that simulated crawls visit: which packages they come in, what made them, and what is looked for there.

A rule tells targets by the name of the file, or by what the page calls itself; the crawler does not know it. The rules
of the second half were written down before any crawl of these manuals was looked at. `maker` is the program that made
the pages: settings are chosen with all manuals of one maker left out, since they look alike.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

__all__ = ["MANUALS", "Manual"]

Rule = Callable[[str, str], bool]
"""Whether a page is a target, by its path and its text."""


@dataclass(frozen=True)
class Manual:
    """A manual: its packages (of each, the first name that this Debian has), its folder in them, and its targets."""

    name: str
    maker: str
    packages: tuple[tuple[str, ...], ...]
    folder: str
    front: str
    targets: dict[str, Rule] = field(hash=False)
    without: str = "^$"
    """A pattern for paths that are left out."""


def _named(pattern: str) -> Rule:
    return lambda path, _: re.search(pattern, path) is not None


def _says(pattern: str) -> Rule:
    return lambda _, text: re.search(pattern, text) is not None


def _catalog(path: str, text: str) -> bool:
    return re.search(r"(^|/)(catalog|view|infoschema)-", path) is not None and "catalog_table_entry" in text


MANUALS = (
    Manual(
        "java",
        "javadoc",
        (("openjdk-17-doc", "openjdk-21-doc", "openjdk-25-doc"),),
        "usr/share/doc/openjdk-*-jre-headless/api",
        "index.html",
        {
            "packages": _named(r"/package-summary\.html$"),
            "enums": _says(r'<h1 title="Enum Class '),
        },
    ),
    Manual(
        "postgresql",
        "DocBook",
        (("postgresql-doc-15", "postgresql-doc-17", "postgresql-doc-18"),),
        "usr/share/doc/postgresql-doc-*/html",
        "index.html",
        {"catalogs": _catalog},
    ),
    Manual(
        "qt",
        "QDoc",
        tuple((f"{name}5-doc-html",) for name in ("qtbase", "qtdeclarative", "qtmultimedia", "qttools", "qtsvg")),
        "usr/share/qt5/doc",
        "qtcore/qtcore-index.html",
        {
            "examples": _named(r"-example\.html$"),
            "obsolete": _named(r"-obsolete\.html$"),
        },
    ),
    Manual(
        "rust",
        "rustdoc",
        (("rust-doc",),),
        "usr/share/doc/rust-doc/html",
        "std/index.html",
        {
            "traits": _named(r"/trait\.[^/]*\.html$"),
            "macros": _named(r"/macro\.[^/]*\.html$"),
        },
        # 27,000 pages, nearly all of them on single instructions of processors.
        without=r"^core/|^src/|/print\.html$",
    ),
    Manual(
        "libstdcxx",
        "Doxygen",
        (("libstdc++-12-doc", "libstdc++-14-doc", "libstdc++-15-doc"),),
        "usr/share/doc/gcc-*-base/libstdc++/user",
        "index.html",
        {"files": _says(r"<title>[^<]*File Reference</title>")},
    ),
    Manual(
        "sqlite",
        "SQLite's own",
        (("sqlite3-doc",),),
        "usr/share/doc/sqlite3",
        "index.html",
        {"syntax": _named(r"^syntax/[^/]*\.html$")},
    ),
    Manual(
        "python",
        "Sphinx",
        (("python3.11-doc", "python3.13-doc"),),
        "usr/share/doc/python3.*/html",
        "index.html",
        {"modules": _says(r'<section id="module-'), "c-api": _named(r"^c-api/")},
    ),
    Manual(
        "django",
        "Sphinx",
        (("python-django-doc",),),
        "usr/share/doc/python-django-doc/html",
        "index.html",
        {"releases": _named(r"^releases/\d"), "sources": _named(r"^_modules/.*/")},
    ),
    Manual(
        "pandas",
        "Sphinx",
        (("python-pandas-doc",),),
        "usr/share/doc/python-pandas-doc/html",
        "index.html",
        {"series": _named(r"^reference/api/pandas\.Series\."), "news": _named(r"^whatsnew/v")},
    ),
    Manual(
        "cmake",
        "Sphinx",
        (("cmake-doc",),),
        "usr/share/doc/cmake-data/html",
        "index.html",
        {"commands": _named(r"^command/"), "policies": _named(r"^policy/")},
    ),
    Manual(
        "eigen",
        "Doxygen",
        (("libeigen3-doc",),),
        "usr/share/doc/libeigen3-dev/html",
        "index.html",
        {
            "classes": _says(r"<title>[^<]*(Class|Struct)( Template)? Reference</title>"),
            "members": _named(r"-members\.html$"),
        },
        without="(^|/)search/",
    ),
    Manual(
        "wx",
        "Doxygen",
        (("wx3.2-doc",),),
        "usr/share/doc/wx3.2-doc/html",
        "index.html",
        {"classes": _says(r"<title>[^<]*Class( Template)? Reference</title>"), "overviews": _named(r"^overview_")},
        without="^search/",
    ),
    Manual(
        "ffmpeg",
        "Doxygen",
        (("ffmpeg-doc",),),
        "usr/share/doc/ffmpeg/api",
        "index.html",
        {
            "files": _says(r"<title>[^<]*File Reference</title>"),
            "structs": _says(r"<title>[^<]*Struct Reference</title>"),
        },
        without="^search/",
    ),
    Manual(
        "htsjdk",
        "javadoc",
        (("libhtsjdk-java-doc",),),
        "usr/share/doc/libhtsjdk-java/api",
        "index.html",
        {"interfaces": _says(r'<h1 title="Interface '), "packages": _named(r"/package-summary\.html$")},
    ),
    Manual(
        "lang3",
        "javadoc",
        (("libcommons-lang3-java-doc",),),
        "usr/share/doc/libcommons-lang3-java/api",
        "index.html",
        {"classes": _says(r'<h1 title="Class '), "uses": _named(r"/class-use/")},
    ),
    Manual(
        "groovy",
        "groovydoc",
        (("groovy-doc",),),
        "usr/share/doc/groovy/gapi",
        "index.html",
        {"packages": _named(r"/package-summary\.html$"), "interfaces": _says(r'<h2 title="[^"]*Interface ')},
    ),
    Manual(
        "scala",
        "scaladoc",
        (("scala-doc",),),
        "usr/share/doc/scala-2.11/api/library",
        "index.html",
        {"packages": _named(r"/package\.html$"), "objects": _named(r"[^/$]\$\.html$")},
    ),
    Manual(
        "gtk",
        "gtk-doc",
        (("libgtk-3-doc",),),
        "usr/share/gtk-doc/html/gtk3",
        "index.html",
        {"objects": _says(r'name="[^"]*\.object-hierarchy"')},
    ),
    Manual(
        "gio",
        "gtk-doc",
        (("libglib2.0-doc",),),
        "usr/share/gtk-doc/html/gio",
        "index.html",
        {"objects": _says(r'name="[^"]*\.object-hierarchy"')},
    ),
    Manual(
        "gtk4",
        "gi-docgen",
        (("libgtk-4-doc",),),
        "usr/share/doc/libgtk-4-doc/gtk4",
        "index.html",
        {"classes": _named(r"^class\."), "signals": _named(r"^signal\.")},
    ),
    Manual(
        "gimp",
        "DocBook",
        (("gimp-help-en",),),
        "usr/share/gimp/2.0/help/en",
        "index.html",
        {"filters": _named(r"^(gimp-filter|plug-in)-"), "tools": _named(r"^gimp-tool-")},
    ),
    Manual(
        "boost",
        "BoostBook",
        (("libboost1.74-doc", "libboost1.83-doc", "libboost1.88-doc"),),
        "usr/share/doc/libboost1.*-doc/doc/html",
        "index.html",
        {"templates": _says(r"<title>(Class|Struct) template "), "macros": _says(r"<title>Macro ")},
    ),
    Manual(
        "base",
        "Haddock",
        (("ghc-doc",),),
        "usr/share/doc/ghc-doc/html/libraries/base-*",
        "index.html",
        {"modules": _named(r"^[A-Z][^/]*\.html$"), "sources": _named(r"^src/")},
    ),
    Manual(
        "pandoc",
        "Haddock",
        (("libghc-pandoc-doc",),),
        "usr/share/doc/libghc-pandoc-doc/html",
        "index.html",
        {"modules": _named(r"^[A-Z][^/]*\.html$")},
    ),
    Manual(
        "restframework",
        "MkDocs",
        (("python-djangorestframework-doc",),),
        "usr/share/doc/python3-djangorestframework/html",
        "index.html",
        {"guide": _named(r"^api-guide/")},
    ),
    Manual(
        "octave",
        "texinfo",
        (("octave-doc",),),
        "usr/share/doc/octave/octave.html",
        "index.html",
        {"functions": _says(r'<d[lt][^>]* (class|id)="(def|first-def|index-)')},
        without="^XREF",
    ),
    Manual(
        "lilypond",
        "texinfo",
        (("lilypond-doc-html",),),
        "usr/share/doc/lilypond/html/Documentation",
        "internals/index.html",
        {"engravers": _named(r"^internals/[^/]*engraver\.html$"), "glossary": _named(r"^music-glossary/")},
        without="-big-page",
    ),
    Manual(
        "maxima",
        "texinfo",
        (("maxima-doc",),),
        "usr/share/doc/maxima-doc/html",
        "maxima_toc.html",
        {"functions": _says(r"<title>Functions and Variables for")},
    ),
    Manual(
        "cppreference",
        "MediaWiki",
        (("cppreference-doc-en-html",),),
        "usr/share/cppreference/doc/html/en",
        "index.html",
        {"headers": _named(r"^cpp/header/"), "algorithms": _named(r"^cpp/algorithm/")},
    ),
    Manual(
        "yard",
        "YARD",
        (("yard-doc",),),
        "usr/share/doc/yard/doc",
        "index.html",
        {"handlers": _named(r"/Handlers/.*/"), "modules": _says(r"<h1>Module:")},
    ),
    Manual(
        "erlang",
        "erl_docgen",
        (("erlang-doc",),),
        "usr/share/doc/erlang-doc",
        "doc/index.html",
        {"widgets": _named(r"^lib/wx-[^/]*/doc/html/wx"), "applications": _named(r"_app\.html$")},
    ),
    Manual(
        "batteries",
        "ocamldoc",
        (("libbatteries-ocaml-doc",),),
        "usr/share/doc/libbatteries-ocaml-doc/html/api",
        "index.html",
        {"modules": _says(r"<h1>Module <a"), "types": _named(r"^type_")},
    ),
    Manual(
        "grass",
        "g.html2man",
        (("grass-doc",),),
        "usr/share/doc/grass-doc/html",
        "index.html",
        {"rasters": _named(r"^r\."), "topics": _named(r"^topic_")},
    ),
    Manual(
        "git",
        "AsciiDoc",
        (("git-doc",),),
        "usr/share/doc/git-doc",
        "index.html",
        {"commands": _named(r"^git-[^/]*$")},
    ),
    Manual(
        "racket",
        "Scribble",
        (("racket-doc",),),
        "usr/share/doc/racket",
        "index.html",
        {"reference": _named(r"^reference/"), "srfi": _named(r"^srfi/")},
    ),
    Manual(
        "crystal",
        "Crystal's own",
        (("crystal-doc",),),
        "usr/share/doc/crystal/api-docs",
        "index.html",
        {"errors": _named(r"(Error|Exception)\.html$"), "modules": _says(r'<span class="kind">module<')},
    ),
    Manual(
        "awesome",
        "LDoc",
        (("awesome-doc",),),
        "usr/share/doc/awesome/doc",
        "index.html",
        {"classes": _named(r"^classes/")},
    ),
)
