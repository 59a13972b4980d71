"""The reader's scripts: the browser modules that ``run.js`` imports as one file, each behind those that it imports.

They share one scope, so a name at the top of a module is no other's.
As files of their own they would weigh a sixth more, and a slow network could bring some of them and lose others.
"""

import re
from collections.abc import Callable, Mapping

from hooks.live.errors import LiveError

IMPORT = re.compile(r'^import (\{[\w\s,]*\}) from "\./(\w+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:const|class|(?:async )?function) (\w+))", re.MULTILINE)
TOP = re.compile(r"^(?:async )?(?:const|let|class|function) (?:(\w+)|\{([^}]*)\})", re.MULTILINE)
OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def for_readers(modules: Mapping[str, str], model: str) -> dict[str, str]:
    """Return the scripts by name, from the browser modules' texts by name: ``run`` with all that it imports, the ``model``, the rest.

    Raises: LiveError for a module that cannot be joined.
    """
    if "run" not in modules:
        return {**modules, "model": model}
    taken, given = set(), {"model": _exports(model)}

    def read(name: str) -> str | None:
        taken.add(name)
        return modules.get(name)

    run = joined("run", read, given)
    rest = {name: text for name, text in modules.items() if name not in taken}
    return {**rest, "run": run, "model": model}


def joined(entry: str, read: Callable[[str], str | None], given: Mapping[str, frozenset[str]]) -> str:
    """Return the module named ``entry`` with all that it imports, as the text of one module in one scope.

    ``read`` gives a module's text by name, None where there is none; what stays a file of its own is ``given`` with its exports.

    Raises: LiveError for an import or an export of another kind, an import of what there is not, and for a name that two modules give
    at their top.
    """
    texts: dict[str, str] = {}
    apart: dict[str, set[str]] = {}
    homes: dict[str, str] = {}

    def add(name: str) -> None:
        text = read(name)
        assert text is not None
        texts[name] = ""  # stands in the way of a circle
        for found in IMPORT.finditer(text):
            imported, source = found[2], read(found[2])
            names = {one.strip() for one in found[1][1:-1].split(",") if one.strip()}
            missing = sorted(names - (given.get(imported, frozenset()) if source is None else _exports(source)))
            if missing:
                raise LiveError(f"{imported}.js exports no {missing[0]}", _place(name, text, found[0]))
            if source is None:
                apart.setdefault(imported, set()).update(names)
            elif imported not in texts:
                add(imported)
        body = EXPORT.sub("", IMPORT.sub("", text))
        if other := OTHER.search(body):
            raise LiveError(f"cannot be joined to the other modules: {other[0]}", _place(name, text, other[0]))
        for declared in TOP.finditer(body):
            for word in re.findall(r"\w+", declared[1] or declared[2]):
                if homes.setdefault(word, name) != name:
                    where = _place(name, text, declared[0].removesuffix(" "))
                    raise LiveError(f"{word} is a name of {homes[word]}.js already; modules are joined into one scope", where)
        del texts[name]
        texts[name] = body

    add(entry)
    imports = [f'import {{ {", ".join(sorted(names))} }} from "./{name}.js";\n' for name, names in apart.items()]
    # In a block of its own: what the minifier shortens is every name but those at the top of a module.
    return "".join((*imports, "{\n", *texts.values(), "}\n"))


def _exports(text: str) -> frozenset[str]:
    return frozenset(EXPORT.findall(text))


def _place(name: str, text: str, found: str) -> str:
    return f"{name}.js:{text[: text.index(found)].count(chr(10)) + 1}"
