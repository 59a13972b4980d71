"""The reader's scripts: the browser modules that ``run.js`` imports as one file, each in its own scope behind those that it imports.

As files of their own they would weigh a sixth more, and a slow network could bring some of them and lose others.
"""

import re
from collections.abc import Callable, Mapping

from hooks.live.errors import LiveError

IMPORT = re.compile(r'^import (\{[\w\s,]*\}) from "\./(\w+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:const|class|(?:async )?function) (\w+))", re.MULTILINE)
OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def for_readers(modules: Mapping[str, str], model: str) -> dict[str, str]:
    """Return the scripts by name, from the browser modules' texts by name: ``run`` with all that it imports, the ``model``, the rest.

    Raises: LiveError for a module that cannot be joined.
    """
    if "run" not in modules:
        return {**modules, "model": model}
    taken = set()

    def read(name: str) -> str | None:
        taken.add(name)
        return modules.get(name)

    run = joined("run", read)
    rest = {name: text for name, text in modules.items() if name not in taken}
    return {**rest, "run": run, "model": model}


def joined(entry: str, read: Callable[[str], str | None]) -> str:
    """Return the module named ``entry`` with all that it imports, as the text of one module.

    ``read`` gives a module's text by name; a module for which it gives None stays a file of its own.

    Raises: LiveError for an import or an export of another kind.
    """
    modules: dict[str, str] = {}

    def add(name: str) -> None:
        if name in modules:
            return
        text = read(name)
        if text is None:
            modules[name] = f'import * as {name}_js from "./{name}.js";'
            return
        for _, imported in IMPORT.findall(text):
            add(imported)
        exports = EXPORT.findall(text)
        body = EXPORT.sub("", IMPORT.sub(r"const \1 = \2_js;\n", text))
        if other := OTHER.search(body):
            line = text[: text.index(other[0])].count("\n") + 1
            raise LiveError(f"cannot be joined to the other modules: {other[0]}", f"{name}.js:{line}")
        modules[name] = f"const {name}_js = (() => {{\n{body}return {{ {', '.join(exports)} }};\n}})();"

    add(entry)
    return "\n".join(modules.values()) + "\n"
