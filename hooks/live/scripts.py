"""The browser's modules as one file: each keeps its own scope and stands behind those that it imports.

As files of their own they would weigh a sixth more, and a slow network could bring some of them and lose others.
"""

import re
from collections.abc import Callable

IMPORT = re.compile(r'^import (\{[\w\s,]*\}) from "\./(\w+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:const|class|(?:async )?function) (\w+))", re.MULTILINE)
OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def joined(entry: str, read: Callable[[str], str | None]) -> str:
    """Return the module named ``entry`` with all that it imports, as the text of one module.

    ``read`` gives a module's text by name; a module for which it gives None stays a file of its own.

    Raises: ValueError for an import or an export of another kind.
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
            raise ValueError(f"{name}.js: cannot be joined: {other[0]}")
        modules[name] = f"const {name}_js = (() => {{\n{body}return {{ {', '.join(exports)} }};\n}})();"

    add(entry)
    return "\n".join(modules.values()) + "\n"
