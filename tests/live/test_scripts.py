"""The browser's modules become one file, in which each keeps its own scope."""

import re

import pytest

from hooks.live.errors import LiveError
from hooks.live.scripts import joined
from tests.support import ROOT

MODULES = {
    "run": 'import { twice } from "./sums.js";\nimport { one } from "./model.js";\nconst x = twice(one);\n',
    "sums": 'import { add } from "./add.js";\nexport const x = 3;\nexport function twice(y) {\n  return add(y, y);\n}\n',
    "add": "const sum = (a, b) => a + b;\nexport const add = sum;\nexport class Sum {}\n",
}


def test_a_module_stands_behind_what_it_imports_and_keeps_its_names_to_itself() -> None:
    assert joined("run", MODULES.get) == (
        "const add_js = (() => {\nconst sum = (a, b) => a + b;\nconst add = sum;\nclass Sum {}\nreturn { add, Sum };\n})();\n"
        "const sums_js = (() => {\nconst { add } = add_js;\nconst x = 3;\nfunction twice(y) {\n  return add(y, y);\n}\n"
        "return { x, twice };\n})();\n"
        'import * as model_js from "./model.js";\n'
        "const run_js = (() => {\nconst { twice } = sums_js;\nconst { one } = model_js;\nconst x = twice(one);\nreturn {  };\n})();\n"
    )


@pytest.mark.parametrize(
    "line", ['import x from "./add.js";', "export default 3;", "export { x };", "export let x = 1;", 'import "./add.js";']
)
def test_a_module_of_another_kind_is_refused(line: str) -> None:
    with pytest.raises(LiveError, match=re.escape(f"run.js:2: cannot be joined to the other modules: {line}")):
        joined("run", {"run": f"// A comment.\n{line}\n", "add": ""}.get)


@pytest.mark.parametrize("path", sorted((ROOT / "docs/javascripts").glob("*.js")), ids=lambda path: path.name)
def test_no_text_template_holds_another(path) -> None:
    # What takes the comments out of the scripts would take spaces out of such a text as well.
    assert re.findall(r"`[^`]*\$\{[^}`]*`", path.read_text(encoding="utf-8")) == []
