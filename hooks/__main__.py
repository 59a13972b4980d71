"""The site without a site generator: ``python -m hooks names``, ``render DIR`` and ``changes OLD NEW``."""

import argparse
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
from hooks.live.forms import FORMS
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
    """Yield every name that a page can use: how to write it, what it is worth in the default run, its unit and its label."""
    model = site.engine.values.model
    settable = [name for name in site.run.inputs if name not in model.choices]
    yield f"Forms: {', '.join(FORMS)}; fixed, significant, percent and times take a count of digits, such as fixed(2)."
    for choice, records in model.choices.items():
        yield f'Override {choice}="…": other, {", ".join(records)}'
    yield f'Override example="…": {", ".join(model.examples)}'
    yield f"An example sets what has no override of its own: {', '.join(settable)}."
    for name, entry in model.names.items():
        quantity = model.quantities.get(name)
        if quantity is not None and quantity.is_predicate:
            holds = "holds" if site.run.value(name) else "does not hold"
            yield f"{{% claim {name} %}}  {holds}  {entry.label}"
            continue
        try:
            shown = site.engine.values.evaluate(Expression(name))
        except LiveError:
            continue  # a figure that the chosen records do not give
        unit = shown.unit if shown.unit not in ("", "1") else "name" if shown.form == "name" else "plain number"
        yield f"{{{{ {name} }}}}  {shown.text}  {entry.label} ({unit}, {shown.form})"


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
    files |= {DOCS / path: content for path, content in assets.generated(site, DOCS).items()}
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
