"""A build that must not succeed says one clear line, fails, and leaves the site that stands as it is."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import copy_project, mkdocs

pytestmark = pytest.mark.xdist_group("failing builds")

OLD = {"index.html": b"the old site", "numbers.json": b"{}", "deep/er/page.html": b"\x00\xff"}
LEAK = '{{ "{{" }} gpus }}'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the project with an older site in it."""
    folder = copy_project(tmp_path / "project", light=True)
    for name, content in OLD.items():
        path = folder / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def files(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refused(project, *arguments):
    """Return what a build said that left the old site alone."""
    listed = {path.name for path in project.iterdir()}
    done = mkdocs(project, "build", *arguments)
    assert done.returncode != 0
    assert files(project / "site") == OLD
    assert {path.name for path in project.iterdir()} == listed
    assert "Traceback" not in done.stderr
    # mkdocs says in a line of its own on which page it was before it prints what was wrong.
    said = re.findall(r"^(?:ERROR +-  |Error: )(.*)", done.stderr, re.MULTILINE)
    [error] = [line for line in said if not re.match("Error (read|build)ing page", line)]
    assert done.stderr.strip().endswith(error)
    return error


def append(path, text):
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")
    return len(path.read_text(encoding="utf-8").splitlines())


def test_a_misspelt_name(project):
    line = append(project / "docs" / "terminology.md", "\n{{ quoted_all_reduce_secconds }}\n")
    assert refused(project).endswith(
        f"docs/terminology.md:{line}: unknown quantity 'quoted_all_reduce_secconds'; did you mean 'quoted_all_reduce_seconds'?"
    )


def test_a_typed_number_on_a_page_in_a_folder(project):
    line = append(project / "docs" / "reference" / "hardware.md", "\nA node holds 8 of them.\n")
    assert f"docs/reference/hardware.md:{line}: typed number '8'; write a quantity" in refused(project)


def test_a_page_that_is_no_text(project):
    (project / "docs" / "terminology.md").write_bytes(b"\xff\xfe\x00")
    assert refused(project).endswith("docs/terminology.md: not UTF-8 text")


def test_a_figure_of_the_catalogue_without_its_source(project):
    catalog = project / "commcost" / "catalog.toml"
    text = catalog.read_text(encoding="utf-8")
    table, at = "[accelerators.h100.peak_flops_per_second]", text.index("[accelerators.h100.peak_flops_per_second]")
    assert "\nsource = " in text[at : at + 600]
    catalog.write_text(text[:at] + re.sub(r"\nsource = .*", "", text[at:], count=1), encoding="utf-8")
    key = f"{table.strip('[]')}.source"
    assert refused(project).endswith(f"catalog.toml: {key}: is missing; must name the document it was read in")


def test_a_formula_outside_the_subset(project):
    formula = '\n\n@quantity(label="square", symbol="s", unit=NUMBER)\ndef gpus_squared(gpus):\n    """The square."""\n    return gpus**2\n'
    module = project / "commcost" / "compute.py"
    imports = "from commcost.units import NUMBER\nfrom commcost.quantity import quantity\n"
    line = append(module, f"\n\n{imports}{formula}")
    said = refused(project)
    assert f"commcost/compute.py:{line}: gpus_squared: 'gpus ** 2' is outside the formulas' subset; allowed: + - * /" in said


def test_a_typed_number_in_what_the_model_says(project):
    """Each beside the line of the file that says it; comparisons may stand there."""
    catalog, module = project / "commcost" / "catalog.toml", project / "commcost" / "links.py"
    remedy = "say it without, or declare a term with its reason (extra.terms)"
    for file, right, wrong, where, what in (
        (catalog, 'label = "GPUs of a node"', 'label = "GPUs of 8"', "commcost/catalog.toml: constants.node_gpus.label", "number '8'"),
        (
            catalog,
            'what = "dense 16-bit',
            'what = "dense fp16',
            "commcost/catalog.toml: accelerators.a100.peak_flops_per_second.what",
            "number 'fp16'",
        ),
        (catalog, 'label = "utilisation"', 'label = "half"', "commcost/catalog.toml: inputs.mfu.label", "number word 'half'"),
        (catalog, 'label = "one node"', 'label = "twelve cards"', "commcost/catalog.toml: examples.node.label", "number word 'twelve'"),
        (module, 'label="both directions against one"', 'label="foo 5"', r"commcost/links.py:\d+: duplex_factor", "number '5'"),
        (module, "Assumes a group with one GPU", "Assumes twice one GPU", r"commcost/links.py:\d+: leaving_factor", "number word 'twice'"),
    ):
        before = file.read_text(encoding="utf-8")
        assert right in before
        file.write_text(before.replace(right, wrong, 1), encoding="utf-8")
        assert re.fullmatch(f"hooks: {where}: typed {re.escape(what)}; {re.escape(remedy)}", told(project, "hooks", "names"))
        file.write_text(before, encoding="utf-8")


def test_a_mark_of_the_page_language_in_what_the_model_says(project):
    module = project / "commcost" / "links.py"
    module.write_text(module.read_text(encoding="utf-8").replace('label="both directions', 'label="both {% x %}', 1), encoding="utf-8")
    assert re.fullmatch(r"hooks: commcost/links\.py:\d+: duplex_factor: '\{%' in what the model says .*", told(project, "hooks", "names"))


def test_a_term_that_no_page_uses(project):
    config = project / "mkdocs.yml"
    config.write_text(config.read_text(encoding="utf-8").replace("  terms:\n", "  terms:\n    9Z: nothing\n"), encoding="utf-8")
    assert refused(project).endswith("mkdocs.yml: term '9Z' (nothing) is used on no page; remove it from extra.terms")


# --- Python that breaks

BROKEN = {
    "def (": "SyntaxError: ",
    "if True:\nnope": "IndentationError: ",
    "nope()": "NameError: name 'nope' is not defined",
    "import nope": "ModuleNotFoundError: No module named 'nope'",
    "from decimal import nope": "ImportError: cannot import name 'nope' from 'decimal'",
    "float('nope')": "ValueError: could not convert string to float: 'nope'",
    "raise RuntimeError('in\\ntwo lines')": "RuntimeError: in two lines",
}
PROGRAMS = {
    "hooks": ("names",),
    "commcost": ("bill",),
}


@pytest.mark.parametrize("file", ["overlap.py", "units.py"])
@pytest.mark.parametrize("code", BROKEN)
def test_broken_python_of_the_model_is_one_line_wherever_it_is_read(project, code, file):
    line = append(project / "commcost" / file, f"\n{code}\n")
    said = f"commcost/{file}:{line}: {BROKEN[code]}"
    assert refused(project).startswith(said)
    for program, arguments in PROGRAMS.items():
        assert told(project, program, *arguments).startswith(f"{program}: {said}")


@pytest.mark.parametrize("code", BROKEN)
def test_broken_python_of_a_figure_is_one_line(project, code):
    line = append(project / "hooks" / "figures" / "lanes.py", f"\n{code}\n")
    said = f"hooks/figures/lanes.py:{line}: {BROKEN[code]}"
    assert said in refused(project)
    assert said in told(project, "hooks", "render", "tree")
    assert not (project / "tree").exists()


@pytest.mark.parametrize("file", ["commcost/overlap.py", "hooks/figures/lanes.py"])
def test_code_that_leaves_the_build_is_no_success(project, file):
    line = append(project / file, "\nraise SystemExit(0)\n")
    assert f"{file}:{line}: SystemExit: 0" in refused(project)


def test_a_row_that_does_not_fit_its_head_names_the_figure(project):
    file = project / "hooks" / "figures" / "lanes.py"
    text = file.read_text(encoding="utf-8")
    line = text[: text.index("table = Table(")].count("\n") + 1
    file.write_text(text.replace('"other option", "its time"),', '"other option"),'), encoding="utf-8")
    assert f"hooks/figures/lanes.py:{line}: ValueError: a row of 6 cells below a head of 5: " in refused(project)


@pytest.mark.parametrize("code", list(BROKEN)[2:])
def test_a_figure_or_a_table_that_breaks_while_it_is_drawn_is_one_line(project, code):
    for path, head in {"figures/lanes.py": "def draw(pen):", "tables/links.py": "def make(values):"}.items():
        file = project / "hooks" / path
        before = file.read_text(encoding="utf-8")
        line = append(file, f"\n\n{head}\n    {code}\n")
        assert re.search(rf"docs/[a-z/-]+\.md:\d+: .*{re.escape(f'hooks/{path}:{line}: {BROKEN[code]}')}", refused(project))
        file.write_text(before, encoding="utf-8")


@pytest.mark.parametrize(
    ("path", "function", "kind"), [("figures/lanes.py", "draw", "Drawing"), ("tables/links.py", "make", "Table")], ids=["figure", "table"]
)
def test_a_figure_or_a_table_that_makes_nothing_is_named(project, path, function, kind):
    file = project / "hooks" / path
    before = file.read_text(encoding="utf-8")
    file.write_text(before.replace(f"def {function}(", "def other("), encoding="utf-8")
    assert f": hooks/{path}: has no function {function}; " in told(project, "hooks", "render", "tree")
    append(file, f"\n\ndef {function}(_):\n    pass\n")
    assert told(project, "hooks", "render", "tree").endswith(f": hooks/{path}: {function} must return a {kind}, not NoneType")


def test_broken_python_of_the_engine_is_one_line_of_a_build(project):
    line = append(project / "hooks" / "live" / "forms.py", "\ndef (\n")
    assert refused(project).startswith(f"hooks/live/forms.py:{line}: SyntaxError: ")


def test_a_browser_module_that_cannot_be_joined(project):
    line = append(project / "docs" / "javascripts" / "run.js", "\nexport default shown;\n")
    assert refused(project).endswith(f"run.js:{line}: cannot be joined to the other modules: export default shown;")


def test_a_browser_module_that_is_no_javascript(project):
    line = append(project / "docs" / "javascripts" / "dom.js", "\nconst ;\n")
    assert refused(project) == f"docs/javascripts/dom.js:{line}: unexpected ; in binding"


def told(project, module, *arguments):
    """Return the one line that a program refuses with."""
    done = subprocess.run([sys.executable, "-m", module, *arguments], cwd=project, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    [line] = done.stderr.splitlines()
    return line


def test_a_folder_that_cannot_be_written(project):
    (project / "taken").write_text("mine", encoding="utf-8")
    assert refused(project, "-d", "taken") == f"{project}/taken: Not a directory"
    assert refused(project, "-d", "taken/site") == f"{project}/taken: File exists"
    assert told(project, "hooks", "render", "taken/tree") == f"hooks: {project}/taken: File exists"


def test_a_dirty_build(project):
    assert refused(project, "--dirty").endswith("--dirty keeps old numbers on pages that did not change; build without it")


@pytest.mark.parametrize(
    ("template", "output"),
    [("404.html", "404.html"), ("sitemap.xml", "sitemap.xml"), ("partials/copyright.html", r"[a-z0-9/-]*(index|404)\.html")],
)
def test_a_template_that_leaves_a_mark_in_an_output(project, template, output):
    path = project / "hooks" / "templates" / "theme" / template
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"<p>{LEAK}</p>", encoding="utf-8")
    assert re.search(rf"{output}: a mark of the page language is left in the output: …[^\n]*{{{{ gpus }}}}", refused(project))


def test_a_claim_that_markdown_leaves_as_text(project):
    claim = "{% claim fits_under_step %}\nYes.\n{% otherwise %}\nNo.\n{% endclaim %}"
    line = append(project / "docs" / "terminology.md", f"\n<div>\n\n{claim}\n\n</div>\n")
    assert refused(project).startswith(f"docs/terminology.md:{line - 6}: Markdown takes a number or a claim for code, or drops it; ")


def test_what_a_page_may_show_is_built_and_the_unsaid_sentence_is_not_searched(project):
    text = """\
# Shown

Code: `{{ name(link="x") }}`, `{% claim a and b %}`, ``{{ ` }}``.

```jinja
{{ name(link="x") | fixed(2) }}
{% claim a < b %}
  it's "so" & so
{% endclaim %}
```

<!-- {{ name }} -->

<pre>{% table name %}</pre>

{% claim fits_under_step(accelerator="h100") %}
A unicorn.
{% otherwise %}
A unicorn.
{% endclaim %}

Either {% claim fits_under_step %}phantom{% otherwise %}phantasm{% endclaim %}.
"""
    (project / "docs" / "shown.md").write_text(text, encoding="utf-8")
    done = mkdocs(project, "build")
    assert done.returncode == 0, done.stderr
    assert not [path for path in project.iterdir() if path.name.startswith(".site")]
    html = (project / "site" / "shown" / "index.html").read_text(encoding="utf-8")
    search = (project / "site" / "search" / "search_index.json").read_text(encoding="utf-8")
    [said, unsaid] = sorted(["phantom", "phantasm"], key=lambda word: word not in search)
    assert unsaid not in search
    assert unsaid not in re.sub(r"<script\b.*?</script>", "", html, flags=re.DOTALL)
    assert unsaid in html
    assert search.count("A unicorn.") == 1
    claims = json.loads((project / "site" / "numbers.json").read_text(encoding="utf-8"))["claims"]["shown/"]
    assert [claim["text"] for claim in claims] == ["A unicorn.", said]


def test_a_page_that_another_plugin_reads_stands_beside_those_of_the_hook(project):
    config = project / "mkdocs.yml"
    text = config.read_text(encoding="utf-8")
    assert "  - search\n" in text
    blog = "  - blog:\n      archive: false\n      categories: false\n"
    config.write_text(text.replace("  - search\n", f"{blog}  - search\n"), encoding="utf-8")
    post = project / "docs" / "blog" / "posts" / "post.md"
    post.parent.mkdir(parents=True)
    post.write_text("---\ndate: 2024-01-01\n---\n# A kingfisher\n\nIt waits.\n\n<!-- more -->\n\nIt dives.\n", encoding="utf-8")
    (project / "docs" / "blog" / "index.md").write_text("# Birds\n", encoding="utf-8")
    done = mkdocs(project, "build")
    assert done.returncode == 0, done.stderr
    [written] = [html for path in (project / "site" / "blog").rglob("*.html") if "It dives." in (html := path.read_text(encoding="utf-8"))]
    assert 'class="ledger"' not in written
    assert "<details class=" in (project / "site" / "terminology" / "index.html").read_text(encoding="utf-8")
