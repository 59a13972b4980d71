"""A site: a run of its model, and its pages, rendered without any site generator."""

import importlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import cast

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from hooks.live import faults, gate, javascript, settings, summary, tree
from hooks.live.engine import DrawFigure, Engine, MakeTable
from hooks.live.errors import LiveError
from hooks.live.links import dead, from_page
from hooks.live.model import Model, Run
from hooks.live.places import MARK
from hooks.live.prose import Vocabulary, check
from hooks.live.render import Page, render
from hooks.live.settings import Settings
from hooks.live.tables import Appearance, Appearances
from hooks.live.values import Values

TEMPLATES = Path(__file__).parent.parent / "templates"
NOTHING = Page("", "", (), (), {})


@dataclass
class Site:
    """Renders pages for one run and keeps what they used, for ``numbers.json``, the census and the check of terms.

    The ``bar`` states the run on every page; ``labels`` counts the terms in the navigation and the site's name;
    ``spoken`` are those of the model's own words, on whatever page they may come to stand.
    ``early`` are pages that another one needed before they were asked for, and ``listings`` those that need them.
    """

    settings: Settings
    model_name: str
    run: Run
    engine: Engine
    labels: Counter[str]
    spoken: frozenset[str]
    docs: Path
    bar: Page = NOTHING
    pages: dict[str, Page] = field(default_factory=dict)
    early: dict[str, Page] = field(default_factory=dict)
    listings: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.engine = replace(self.engine, appearances=self.appearances, stated=self.bar.used)

    @property
    def name(self) -> str:
        """Return the site's name."""
        return str(self.settings["site_name"])

    def render(self, path: str, text: str) -> Page:
        """Return the page at ``path`` (relative to the docs folder) rendered from its source ``text``.

        Raises: LiveError, one line "docs/path:LINE: what; what would be right".
        """
        page = render(text, path, self.engine)
        # Only what the summaries need is kept: at a thousand pages the texts themselves would weigh.
        self.pages[path] = replace(page, words="", end="", used=())
        return page

    def render_file(self, path: str, file: Path) -> Page:
        """Return the page at ``path`` rendered from its ``file``.

        Raises: LiveError, also for a file that cannot be read
        """
        if path in self.early:
            return self.early.pop(path)
        try:
            text = file.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError:
            raise LiveError("not UTF-8 text", f"docs/{path}") from None
        except OSError as error:
            raise LiveError(f"cannot be read: {error.strerror}", f"docs/{path}") from None
        return self.render(path, text)

    def appearances(self, listing: str) -> Appearances:
        """Return on which pages each name appears, as the page at ``listing`` links to them, in the order of the navigation.

        A page that lists appearances is none, else each of two such pages would wait for the other.
        """
        self.listings.add(listing)
        paths = sorted(path for path in self.engine.files if path.endswith(".md"))
        for path in paths:
            if path not in self.pages and path not in self.listings:
                self.early[path] = self.render_file(path, self.docs / path)
        titles = settings.titles(self.settings)
        found: dict[str, tuple[Appearance, ...]] = {}
        for path in dict.fromkeys((*titles, *paths)):
            appearance = Appearance(titles.get(path, path), from_page(path, listing))
            for name in self.pages[path].names if path in self.pages and path not in self.listings else ():
                found[name] = (*found.get(name, ()), appearance)
        return found

    def finish(self) -> None:
        """Refuse what only shows when every page is rendered: a term that is used nowhere.

        Raises: LiveError
        """
        used = {*self.labels, *self.spoken, *self.bar.terms, *(term for page in self.pages.values() for term in page.terms)}
        for term, reason in self.engine.vocabulary.terms.items():
            if term not in used:
                raise LiveError(f"term {term!r} ({reason}) is used on no page; remove it from extra.terms", "mkdocs.yml")

    def run_bar(self) -> str:
        """Return the bar that states the run on every page, as HTML; "" where the site has none."""
        return self.engine.markdown(self.bar.words) + self.bar.end if self.bar.words else ""

    def numbers_json(self) -> bytes:
        """Return ``numbers.json``, of the pages rendered so far."""
        model, terms = self.engine.values.model, self.engine.vocabulary.terms
        file = BytesIO()
        for piece in summary.numbers_json(self.model_name, model, self.run.inputs, self.bar, self.pages, terms):
            file.write(piece.encode())
        return file.getvalue()

    def census(self) -> str:
        """Return the count of numbers by kind, of the pages rendered so far."""
        return summary.census((self.bar, *self.pages.values()), self.labels)

    def javascript(self) -> str:
        """Return the model as a JavaScript module, for the reader's browser."""
        return javascript.module(self.engine.values.model)

    def check_output(self, name: str, text: str) -> None:
        """Refuse an output file in which a mark of the page language is left.

        Raises: LiveError
        """
        gate.check_output(name, text)

    def check_page(self, path: str, source: str, markdown: str, html: str, title: str) -> None:
        """Refuse a page on which a number or a claim did not become an element, and a typed one in a title that its file's name gave.

        Raises: LiveError
        """
        gate.check_page(f"docs/{path}", source, markdown, html)
        findings, _ = check(title, self.engine.vocabulary)
        if findings:
            raise LiveError(f"in the title, {title!r}: {findings[0].outright}", f"docs/{path}")

    def dead_links(self, pages: Mapping[str, str], source: Callable[[str], str], files: Iterable[str]) -> Iterator[tuple[str, LiveError]]:
        """Yield what is wrong with each link that leads nowhere, and the path of its page; see ``links.dead``."""
        return dead(pages, source, files)


def load(
    config: Path,
    figures: Mapping[str, DrawFigure],
    tables: Mapping[str, MakeTable],
    *,
    bar: Path | None = None,
    run_file: Path | None = None,
) -> Site:
    """Return the site that the mkdocs configuration at ``config`` describes, for the default run of ``run_file`` if there is one.

    ``figures`` draw what ``{% figure name %}`` names; ``tables`` make what ``{% table name %}`` names;
    the file ``bar`` holds the text, in the page language, that states the run on every page.

    Raises: LiveError, one line, for a configuration or a model that makes no sense.
    """
    chosen = settings.read(config, run_file)
    name = settings.model_name(chosen, config.name)
    model, run = _model(name, config, run_file)
    vocabulary = Vocabulary(settings.terms(chosen, config.name), model.texts)
    spoken = _check_prose(model, vocabulary)
    docs = config.parent / str(chosen.get("docs_dir") or "docs")
    templates = Environment(loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, autoescape=True)
    engine = Engine(
        Values(model, run),
        vocabulary,
        figures,
        tables,
        templates,
        settings.converter(chosen),
        tree.files(docs),
        settings.has_ledger(chosen, config.name),
    )
    labels = settings.check_labels(chosen, vocabulary, config.name, run_file)
    return Site(chosen, name, run, engine, labels, spoken, docs, _bar(bar, config.resolve().parent, engine) if bar else NOTHING)


def _model(name: str, config: Path, run_file: Path | None) -> tuple[Model, Run]:
    try:
        package = importlib.import_module(name)
        if not hasattr(package, "load"):
            raise LiveError(f"extra.model: {name} has no function load, which would return a model", config.name)
        model = cast(Model, package.load(run_file))
        return model, model.run()
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and error.name and f"{name}.".startswith(f"{error.name}."):
            raise LiveError(f"extra.model: {error}", config.name) from None
        raise faults.told(error, config.parent) from None


def _check_prose(model: Model, vocabulary: Vocabulary) -> frozenset[str]:
    """Refuse numbers in what the model says beside computed ones; comparisons may stand there, since predicates are called by them.

    Return the terms that it uses.
    """
    used: set[str] = set()
    for where, text in model.prose.items():
        if mark := MARK.search(text):
            raise LiveError(f"{mark[0]!r} in what the model says would be read as the page language; say it without", where)
        findings, terms = check(text, vocabulary, [(0, len(text))])
        used |= terms.keys()
        if findings:
            raise LiveError(findings[0].outright, where)
    return frozenset(used)


def _bar(path: Path, root: Path, engine: Engine) -> Page:
    where = (path.relative_to(root) if path.is_relative_to(root) else path).as_posix()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LiveError(f"cannot be read as text: {error}", where) from None
    return render(text, "", engine, where=where, prefix="run-")
