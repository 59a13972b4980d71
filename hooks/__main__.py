"""The site without a site generator: ``python -m hooks names``, ``render DIR`` and ``changes OLD NEW``."""

import argparse
import ast
import logging
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml

from hooks import assets, project, swap
from hooks.live.changes import changes
from hooks.live.errors import LiveError
from hooks.live.expressions import Expression
from hooks.live.faults import told
from hooks.live.forms import DIGITS, FORMS, js_number
from hooks.live.model import EXAMPLE, OTHER, Model
from hooks.live.site import Site

CONFIG = Path("mkdocs.yml")
DOCS = Path("docs")


def main(arguments: list[str]) -> int:
    """Run one command and return its exit status; what is refused is one line on standard error."""
    parser = argparse.ArgumentParser(prog="python -m hooks", description="The pages' engine, without a site generator.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("names", help="every name a page can use")
    commands.add_parser("render", help="write the rendered Markdown tree").add_argument("directory", type=Path)
    differing = commands.add_parser("changes", help="what differs between two built sites, as Markdown")
    differing.add_argument("old", type=Path)
    differing.add_argument("new", type=Path)
    chosen = parser.parse_args(arguments)
    logging.basicConfig(format="hooks: %(message)s", level=logging.INFO)
    try:
        if chosen.command == "changes":
            print(changes(chosen.old, chosen.new), end="")
            return 0
        site = project.load(CONFIG, project.asked_for())
        if chosen.command == "names":
            print("\n".join(names(site)))
        else:
            render(site, chosen.directory)
    except BrokenPipeError:
        raise
    except Exception as error:
        print(f"hooks: {told(error, project.ROOT)}", file=sys.stderr)
        return 1
    return 0


def names(site: Site) -> Iterator[str]:
    """Yield every name that a page can use, as it is written there: with its value in the default run, its label, unit and form."""
    model, engine = site.engine.values.model, site.engine
    yield f"{{{{ name | … }}}}  a form: {', '.join(_written(form) for form in FORMS)}"
    for choice, records in model.choices.items():
        yield f'{{{{ name({choice}="…") }}}}  {OTHER}, {", ".join(records)}'
    for name in model.inputs:
        multiples = [f"{multiple.name}, {multiple.label}" for multiple in model.multiples.values() if name in multiple.of]
        if multiples:
            yield f'{{{{ name({name}="…") }}}}  {"; ".join(multiples)}'
    yield f'{{{{ name({EXAMPLE}="…") }}}}  one of the examples below, which sets what has no override of its own'
    for name in [name for name in model.names if name not in _predicates(model)]:
        yield f"{{{{ {name} }}}}  {_value(name, site)}"
    for name in _predicates(model):
        yield f"{{% claim {name} %}}  {'holds' if site.run.value(name) else 'does not hold'}  {model.names[name].label}"
    for name in engine.figures:
        yield f"{{% figure {name} %}}  {_summary(f'figures/{name}.py')}"
    for name in engine.tables:
        yield f"{{% table {name} %}}  {_summary(f'tables/{name}.py')}"
    for name, entry in model.examples.items():
        settings = ", ".join(f"{key} = {_plain(value)}" for key, value in entry.overrides.items())
        yield f'{EXAMPLE}="{name}"  {entry.label}: {settings}'
    for term, reason in engine.vocabulary.terms.items():
        yield f"{term}  a term: {reason}"


def _written(form: str) -> str:
    """Return a form as a page writes it, with the counts of digits that it takes."""
    if form not in DIGITS:
        return form
    least, most, default = DIGITS[form]
    return f"{form}(2)" + (f" or {form}" if default is not None else "") + f" ({least} to {most} digits)"


def _predicates(model: Model) -> list[str]:
    return [name for name, quantity in model.quantities.items() if quantity.is_predicate]


def _value(name: str, site: Site) -> str:
    """Return what a name is worth in the default run, its label, its unit and its form."""
    entry = site.engine.values.model.names[name]
    try:
        shown = site.engine.values.evaluate(Expression(name)).text
    except LiveError:
        shown = "not given in this run"  # a figure that the chosen records lack
    unit = "a name" if entry.unit is None else f"{entry.unit.name if entry.unit.name != '1' else 'plain number'}, {entry.unit.form}"
    return f"{shown}  {entry.label} ({unit})"


def _plain(value: float | str) -> str:
    return value if isinstance(value, str) else js_number(value)


def _summary(file: str) -> str:
    """Return the first line of what a file of figures or tables says of itself."""
    return (ast.get_docstring(ast.parse((project.ROOT / "hooks" / file).read_text(encoding="utf-8"))) or "").partition("\n")[0]


def render(site: Site, directory: Path) -> None:
    """Write the pages as plain Markdown, with everything else of the site and a configuration without the hook.

    Another generator can build that tree. Nothing is written unless every page renders.

    Raises: LiveError, also where ``directory`` already holds something.
    """
    if directory.exists() and any(directory.iterdir()):
        raise LiveError("is not empty; name a new folder", str(directory))
    pages = {path: site.render_file(path.relative_to(DOCS).as_posix(), path).markdown for path in sorted(DOCS.rglob("*.md"))}
    site.finish()
    files = {path: markdown.encode() for path, markdown in pages.items()}
    for name, made in assets.generated(site, DOCS).items():
        files[DOCS / name] = made.read_bytes() if isinstance(made, Path) else made
    changed = {name: value for name, value in {**site.settings, **project.settings(site)}.items() if name not in ("hooks", "watch")}
    beside = swap.begin(directory)
    try:
        shutil.copytree(DOCS, beside.folder / DOCS, ignore=_browser_modules)
        theme = changed.get("theme")
        if isinstance(theme, dict) and "custom_dir" in theme:
            shutil.copytree(theme["custom_dir"], beside.folder / "theme")
            changed["theme"] = {**theme, "custom_dir": "theme"}
        files[CONFIG] = yaml.safe_dump(changed, allow_unicode=True, sort_keys=False).encode()
        for path, content in files.items():
            (beside.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (beside.folder / path).write_bytes(content)
        swap.take_place(beside)
    except BaseException:
        swap.abandon(beside)
        raise


def _browser_modules(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if assets.is_source((Path(folder) / name).relative_to(DOCS).as_posix())]


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BrokenPipeError:
        # Whoever read has read enough; Python would complain once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
