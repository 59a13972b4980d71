"""A site: its settings, its model and its pages, rendered without any site generator."""

import importlib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown import Markdown

from hooks.live import javascript
from hooks.live.errors import LiveError
from hooks.live.forms import js_number
from hooks.live.model import Model, Run
from hooks.live.prose import Vocabulary, check
from hooks.live.render import DrawFigure, Engine, MakeTable, Page, address, render
from hooks.live.scripts import joined
from hooks.live.values import Values

TEMPLATES = Path(__file__).parent.parent / "templates"
# A tag, what the engine hides while it reads, and its own markup where Markdown took it for text.
MARKS = re.compile(r"\{\{|\{%|%\}|[\ue000-\ue003]|&lt;data class=|/// html \|")
LITERAL = re.compile(r"<(pre|code|script|style)\b[^>]*>.*?</\1>|<!--.*?-->", re.DOTALL)


@dataclass
class Site:
    """Renders pages for one run and keeps what they used, for ``numbers.json``, the census and the check of terms."""

    settings: Mapping[str, Any]
    model_name: str
    run: Run
    engine: Engine
    pages: dict[str, Page] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Return the site's name."""
        return str(self.settings["site_name"])

    def render(self, path: str, text: str) -> Page:
        """Return the page at ``path`` (relative to the docs folder) rendered from its source ``text``.

        Raises: LiveError, one line "docs/path:LINE: what; what would be right".
        """
        page = render(text, path, self.engine)
        # Only what the summaries need is kept: at a thousand pages the Markdown itself would weigh.
        self.pages[path] = Page("", page.numbers, page.claims, page.terms)
        return page

    def finish(self) -> None:
        """Refuse what only shows when every page is rendered: a term that none uses.

        Raises: LiveError
        """
        used = {term for page in self.pages.values() for term in page.terms}
        for term, reason in self.engine.vocabulary.terms.items():
            if term not in used:
                raise LiveError(f"term {term!r} ({reason}) is used on no page; remove it from extra.terms", "mkdocs.yml")

    def numbers_json(self) -> str:
        """Return ``numbers.json``: the run, each page's numbers in reading order, and its claims. Stable, a line a number."""
        inputs = ", ".join(f"{json.dumps(name)}: {_json_number(value)}" for name, value in self.run.inputs.items())
        rendered = [(path, page) for path, page in sorted(self.pages.items()) if path.endswith(".md")]
        pages = _lines((address(path), page.numbers) for path, page in rendered)
        claims = _lines((address(path), page.claims) for path, page in rendered)
        model = json.dumps(self.model_name)
        return f'{{"schema": 1, "model": {model}, "run": {{{inputs}}},\n"pages": {pages},\n"claims": {claims}}}\n'

    def run_bar(self) -> str:
        """Return the line that states the run on every page, with its verdict, as HTML.

        Raises: LiveError
        """
        name = "templates/run"
        page = render((TEMPLATES / "run.md").read_text(encoding="utf-8"), "", self.engine, where=f"{name}.md", prefix="run-")
        self.pages[name] = Page("", (), (), page.terms)
        return str(self.engine.markdown(page.markdown))

    def javascript(self) -> str:
        """Return the model as a JavaScript module, for the reader's browser."""
        return javascript.module(self.engine.values.model)

    def scripts(self, sources: Mapping[str, str]) -> dict[str, str]:
        """Return the reader's scripts by name, from the browser modules' texts by name: the model, ``run`` with all it imports, the rest.

        Raises: ValueError for a module that cannot be joined.
        """
        taken = set()

        def read(name: str) -> str | None:
            taken.add(name)
            return sources.get(name)

        run = joined("run", read)
        rest = {name: text for name, text in sources.items() if name not in taken}
        return {**rest, "run": run, "model": self.javascript()}

    def census(self) -> str:
        """Return the count of numbers by kind. None is typed: a typed one stops the build."""
        computed = sum(len(page.numbers) for page in self.pages.values())
        terms = sum((Counter(page.terms) for page in self.pages.values()), Counter[str]()).total()
        claims = sum(len(page.claims) for page in self.pages.values())
        return f"{computed + terms} numbers: {computed} computed, {terms} terms, 0 typed; {claims} claims"

    def check_output(self, name: str, text: str) -> None:
        """Refuse an output file in which a mark of the page language is left.

        Raises: LiveError
        """
        text = LITERAL.sub("", text)
        mark = MARKS.search(text)
        if mark:
            around = " ".join(text[max(0, mark.start() - 30) : mark.end() + 40].split())
            raise LiveError(f"a mark of the page language is left in the output: …{around}…", name)


def load(config: Path, figures: Mapping[str, DrawFigure], tables: Mapping[str, MakeTable], run_file: Path | None = None) -> Site:
    """Return the site that the mkdocs configuration at ``config`` describes, for the default run of ``run_file`` if there is one.

    ``figures`` draw what ``{% figure name %}`` names; ``tables`` make what ``{% table name %}`` names.

    Raises: LiveError, one line, for a configuration or a model that makes no sense.
    """
    settings = dict(read_settings(config))
    settings["site_name"] = _named_in(run_file) or settings.get("site_name") or ""
    extra = settings.get("extra") or {}
    name = extra.get("model")
    if not isinstance(name, str):
        raise LiveError(f"extra.model must name the model's package: {name!r}", config.name)
    try:
        model = cast(Model, importlib.import_module(name).load(run_file))
        run = model.run()
    except ModuleNotFoundError as error:
        raise LiveError(f"extra.model: {error}", config.name) from None
    except ValueError as error:
        raise LiveError(str(error)) from None
    vocabulary = Vocabulary(_terms(extra.get("terms") or {}, config.name), model.texts)
    templates = Environment(loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, autoescape=True)
    engine = Engine(Values(model, run), vocabulary, figures, tables, templates, _converter(settings))
    _check_labels(settings, vocabulary, config.name)
    return Site(settings, name, run, engine)


def read_settings(config: Path) -> Mapping[str, Any]:
    """Return the mkdocs configuration at ``config`` as plain data.

    Raises: LiveError
    """
    try:
        settings = yaml.safe_load(config.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise LiveError(f"not readable as YAML: {' '.join(str(error).split())}", config.name) from None
    if not isinstance(settings, dict):
        raise LiveError("must be names with values", config.name)
    return settings


def _named_in(run_file: Path | None) -> str | None:
    """Return the site's name that a run file gives (``[site] name``); whatever else is wrong in it, the model tells."""
    try:
        site = tomllib.loads(run_file.read_text(encoding="utf-8")).get("site") if run_file else None
    except (OSError, ValueError):
        return None
    if site is None:
        return None
    if not isinstance(site, dict) or set(site) - {"name"} or not isinstance(site.get("name"), str) or not site["name"].strip():
        raise LiveError(f"site: must hold a name that is a text and nothing else: {site!r}", run_file.name if run_file else "")
    return str(site["name"].strip())


def _nav(entries: Iterable[Any]) -> Iterable[tuple[str, str]]:
    for entry in entries:
        if isinstance(entry, str):
            yield "", entry
            continue
        for label, target in entry.items():
            if isinstance(target, str):
                yield label, target
            else:
                yield label, ""
                yield from _nav(target)


def _check_labels(settings: Mapping[str, Any], vocabulary: Vocabulary, file: str) -> None:
    """Refuse numbers in the site's name, its description and the navigation, which are copied where nothing updates them."""
    texts = [str(settings.get(key) or "") for key in ("site_name", "site_description", "copyright")]
    for text in [*texts, *(label for label, _ in _nav(settings.get("nav") or []))]:
        findings, _ = check(text, vocabulary)
        if findings:
            raise LiveError(str(findings[0]), file)


def _terms(terms: Any, file: str) -> Mapping[str, str]:
    if not isinstance(terms, dict):
        raise LiveError(f"extra.terms must give each term its reason: {terms!r}", file)
    for term, reason in terms.items():
        if not isinstance(term, str) or not term.strip() or not isinstance(reason, str) or not reason.strip():
            raise LiveError(f"extra.terms: a term is a text with a reason: {term!r}: {reason!r}", file)
    return terms


def _converter(settings: Mapping[str, Any]) -> Any:
    """Return Markdown's conversion with the site's own extensions, for what travels as HTML (captions, unsaid sentences)."""
    extensions, configs = [], {}
    for extension in settings.get("markdown_extensions") or []:
        name, options = next(iter(extension.items())) if isinstance(extension, dict) else (extension, None)
        if name != "toc":  # headings stay with the page
            extensions.append(name)
            configs[name] = options or {}
    markdown = Markdown(extensions=extensions, extension_configs=configs)
    return lambda text: markdown.reset().convert(text)


def _lines(entries: Iterable[tuple[str, Iterable[str]]]) -> str:
    blocks = []
    for name, lines in entries:
        inner = ",\n".join(lines)
        blocks.append(f"{json.dumps(name)}: [{chr(10) + inner + chr(10) if inner else ''}]")
    return "{" + ",\n".join(blocks) + "}"


def _json_number(value: float | str) -> str:
    return json.dumps(value) if isinstance(value, str) else js_number(value)
