"""The browser's modules become one file, in one scope."""

import re

import pytest

from hooks.live.errors import LiveError
from hooks.live.scripts import joined
from tests.support import ROOT

MODULES = {
    "run": 'import { twice } from "./sums.js";\nimport { one } from "./model.js";\nconst x = twice(one);\n',
    "sums": 'import { add } from "./add.js";\nimport { two, one } from "./model.js";\nexport function twice(y) {\n  return add(y, y);\n}\n',
    "add": "const sum = (a, b) => a + b;\nexport const add = sum;\nexport class Sum {}\n",
}

GIVEN = {"model": frozenset({"one", "two"})}


def test_a_module_stands_behind_what_it_imports() -> None:
    assert joined("run", MODULES.get, GIVEN) == (
        'import { one, two } from "./model.js";\n{\n'
        "const sum = (a, b) => a + b;\nconst add = sum;\nclass Sum {}\n"
        "function twice(y) {\n  return add(y, y);\n}\n"
        "const x = twice(one);\n}\n"
    )


@pytest.mark.parametrize("line", ["let sum = 1;", "async function sum() {}", "export class sum {}", "const { a, sum } = {};"])
def test_a_name_stands_at_the_top_of_one_module_only(line: str) -> None:
    with pytest.raises(LiveError, match=r"^run\.js:2: sum is a name of add\.js already"):
        joined("run", {**MODULES, "run": f'import {{ add }} from "./add.js";\n{line}\n'}.get, GIVEN)


@pytest.mark.parametrize(
    "line", ['import x from "./add.js";', "export default 3;", "export { x };", "export let x = 1;", 'import "./add.js";']
)
def test_a_module_of_another_kind_is_refused(line: str) -> None:
    with pytest.raises(LiveError, match=re.escape(f"run.js:2: cannot be joined to the other modules: {line}")):
        joined("run", {"run": f"// A comment.\n{line}\n", "add": ""}.get, GIVEN)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('import { x } from "./nowhere.js";', "nowhere.js exports no x"),
        ('import { add, sum } from "./add.js";', "add.js exports no sum"),
        ('import { one, three } from "./model.js";', "model.js exports no three"),
    ],
)
def test_an_import_of_what_there_is_not_is_refused(line: str, what: str) -> None:
    with pytest.raises(LiveError, match=re.escape(f"run.js:2: {what}")):
        joined("run", {**MODULES, "run": f"// A comment.\n{line}\n"}.get, GIVEN)


@pytest.mark.parametrize("path", sorted((ROOT / "docs/javascripts").glob("*.js")), ids=lambda path: path.name)
def test_no_text_template_holds_another(path) -> None:
    # What takes the comments out of the scripts would take spaces out of such a text as well.
    assert re.findall(r"`[^`]*\$\{[^}`]*`", path.read_text(encoding="utf-8")) == []
