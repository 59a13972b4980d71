"""The engine over the recipe: what the tests of this folder render with."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown import Markdown

from commcost.model import Model
from hooks.live import settings
from hooks.live.charts import Drawing, Pen
from hooks.live.engine import Engine
from hooks.live.errors import LiveError
from hooks.live.prose import Vocabulary
from hooks.live.render import Page, render
from hooks.live.site import TEMPLATES
from hooks.live.tables import Table
from hooks.live.values import Values
from tests.live import recipe

ROOT = Path(__file__).parents[2]


def draw_flour(pen: Pen) -> Drawing:
    """Draw one bar, with one cell beside it."""
    bar = {"type": "bar", "x": [pen.number("flour_grams")], "y": ["flour"], "text": [pen.text("{{ flour_grams }} of it")]}
    layout = {"xaxis": {"visible": False}, "yaxis": {"type": "category"}}
    return Drawing({"data": [bar], "layout": layout}, Table(("what", "weight"), (("flour", "{{ flour_grams }}"),), "Flour"))


def list_ovens(_: Values) -> Table:
    """List what each oven takes."""
    cells = tuple((f'{{{{ oven(oven="{id}") }}}}', f'{{{{ baking_seconds(oven="{id}") }}}}') for id in ("gas", "wood"))
    return Table(("oven", "baking"), cells, "Ovens")


SETTINGS = settings.read(ROOT / "mkdocs.yml")
EXTENSIONS = [*SETTINGS["markdown_extensions"], {"pymdownx.tabbed": {"alternate_style": True}}]
AS_HTML = settings.converter({"markdown_extensions": EXTENSIONS})


def converter(*, toc: bool) -> Markdown:
    """Return Markdown with the site's own extensions, and tabs."""
    listed = [next(iter(e.items())) if isinstance(e, dict) else (e, {}) for e in EXTENSIONS]
    configs = {name: options or {} for name, options in listed if toc or name != "toc"}
    return Markdown(extensions=list(configs), extension_configs=configs)


def engine(
    model: Model | None = None,
    *,
    figures: Mapping[str, Any] | None = None,
    tables: Mapping[str, Any] | None = None,
    terms: Mapping[str, str] | None = None,
) -> Engine:
    """Return the engine over ``model`` (the recipe), with one figure and one table of its own."""
    model = model or recipe.load()
    return Engine(
        Values(model, model.run()),
        Vocabulary(terms or {}, model.texts),
        figures if figures is not None else {"flour": draw_flour},
        tables if tables is not None else {"ovens": list_ovens},
        Environment(loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, autoescape=True),
        AS_HTML,
    )


ENGINE = engine()


def page(text: str, path: str = "page.md", engine: Engine = ENGINE) -> Page:
    """Return ``text`` rendered, without the ledger at its end."""
    return render(text, path, replace(engine, has_ledger=False))


def html(text: str, path: str = "page.md", engine: Engine = ENGINE) -> str:
    """Return ``text`` as a reader gets it, without the page's ledger and JSON."""
    return without_data(converter(toc=True).convert(body(page(text, path, engine).markdown)))


def refusal(call: Callable[..., object], *arguments: object) -> str:
    """Return what ``call`` is refused with; nothing where it is not."""
    try:
        call(*arguments)
    except LiveError as error:
        return str(error)
    return ""


def body(markdown: str) -> str:
    """Return rendered Markdown without its front matter."""
    return re.sub(r"\A---\n.*?\n---\n", "", markdown, flags=re.DOTALL)


DATA = re.compile(r'<script type="application/json"[^>]*>(.*?)</script>', re.DOTALL)


def data(text: str, engine: Engine = ENGINE) -> dict[str, Any]:
    """Return the page's JSON, read where a browser reads it: from the HTML; without what belongs to the ledger."""
    found = DATA.search(converter(toc=True).convert(body(render(text, "page.md", engine).markdown)))
    return {kind: entries for kind, entries in json.loads(found[1]).items() if kind not in ("rows", "sources")} if found else {}


def without_data(html: str) -> str:
    """Return a page's HTML without its JSON."""
    return DATA.sub("", html).strip()
