"""Whatever is wrong with a page is one line: which page, which line, what, and what would be right."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from hooks.live.charts import Drawing
from hooks.live.errors import LiveError
from hooks.live.site import Site
from hooks.live.tables import Table
from hooks.project import load
from tests.live._engine import ROOT, draw_flour, engine, page

CLAIM, OTHERWISE, END = "{% claim one_loaf_is_enough %}", "{% otherwise %}", "{% endclaim %}"
FRONT = {
    0: "",
    3: "---\ndescription: Bread.\n---\n",
    40: "---\ndescription: Bread.\ntags:\n" + "  - bread\n" * 36 + "---\n",
}


def refusal(text, **more):
    with pytest.raises(LiveError) as error:
        page(text, **more)
    assert "\n" not in str(error.value)
    return str(error.value)


# -- what is wrong, with what would be right

ACTIVE = {"script": "script", "STYLE": "STYLE", "script/async": "script", "style media=print": "style"}
CLAIMS = 'predicates, name or name(input="choice"), joined by and, or, not'
LANGUAGE = 'name, name(input="choice", example="name"), and | form(digits)'
KNOWN = "known: baking_seconds, flour_grams, guests, loaves, one_loaf_is_enough, oven, share, spare_seconds"
CODE = (
    "indented by four spaces under nothing that holds it, this is code; "
    "indent it less, put a blank line above the list that shall hold it, or fence it to show it"
)
UNREADABLE = "\0\x07\x0b\x0c\x1b\x7f\x85\xad\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202e\u2060\u2066\u2069\ufeff\ufff9\U000e0041"
WRONG = {
    # Expressions.
    "{{ guest }}": "unknown quantity 'guest'; did you mean 'guests'?",
    "{{ zzz }}": "unknown quantity 'zzz'; " + KNOWN,
    "{{ loaves | fixd(2) }}": "unknown form 'fixd(2)'; did you mean 'fixed'?",
    "{{ loaves | fixed }}": "form fixed takes 0 to 12 digits, such as fixed(2): 'fixed'",
    "{{ flour_grams | percent }}": "flour_grams: percent needs a plain number, not g",
    "{{ oven | words }}": "oven is a name and takes no form",
    '{{ loaves(ovem="gas") }}': "unknown input 'ovem'; did you mean 'oven'?",
    '{{ loaves(oven="gaz") }}': "unknown oven 'gaz'; did you mean 'gas'?",
    '{{ loaves(example="partly") }}': "unknown example 'partly'; did you mean 'party'?",
    '{{ loaves(guests="6") }}': "guests is a number, not a choice; name an example that sets it: '6'",
    "{{ loaves(guests=6) }}": "an override is no number; name an example that sets it, loaves(example=\"…\"): 'loaves(guests=6)'",
    "{{ loaves * 2 }}": "'loaves * 2' is outside the page language; allowed: " + LANGUAGE,
    "{{ }}": "an empty expression; allowed: " + LANGUAGE,
    "{{ one_loaf_is_enough }}": "'one_loaf_is_enough' is a predicate; write it as {% claim one_loaf_is_enough %}",
    # Marks.
    "{{ guests }": "'{{' without its partner; close it, or put it into code to show it",
    "guests }}": "'}}' without its partner; close it, or put it into code to show it",
    "{% claim": "'{%' without its partner; close it, or put it into code to show it",
    "claim %}": "'%}' without its partner; close it, or put it into code to show it",
    "{% clam one_loaf_is_enough %}": "unknown tag 'clam'; did you mean 'claim'?",
    "{% endtable %}": "{% endtable %} closes nothing; a table has no end tag",
    "{% %}": "unknown tag ''; known: claim, endclaim, endfigure, figure, otherwise, table",
    "a \ue000 b": "the character '\\ue000' cannot stand in a page; remove it",
    **{f"a {character} b": f"the character {character!r} cannot stand in a page; remove it" for character in UNREADABLE},
    **{f"<{tag}>a{{ b": f"<{name}> cannot stand in a page; nobody checks what it shows" for tag, name in ACTIVE.items()},
    # Claims.
    "{% claim one_loaf %}a{% otherwise %}b{% endclaim %}": "unknown predicate 'one_loaf'; did you mean 'one_loaf_is_enough'?",
    "{% claim enough %}a{% otherwise %}b{% endclaim %}": "unknown predicate 'enough'; known: one_loaf_is_enough",
    "{% claim loaves %}a{% endclaim %}": "'loaves' is a number, not a predicate; a claim takes a predicate; known: one_loaf_is_enough",
    "{% claim one_loaf_is_enough | words %}a{% endclaim %}": (
        "'one_loaf_is_enough | words' is outside the page language; allowed: " + CLAIMS
    ),
    "{% claim one_loaf_is_enough < loaves %}a{% endclaim %}": (
        "'one_loaf_is_enough < loaves' is outside the page language; allowed: " + CLAIMS
    ),
    '{% claim one_loaf_is_enough(example="lane") %}a{% endclaim %}': "unknown example 'lane'; did you mean 'lone'?",
    "{% claim one_loaf_is_enough %}a{% endclaim %}": (
        "claim one_loaf_is_enough depends on guests, which a reader may set; add {% otherwise %} with what holds then"
    ),
    '{% claim one_loaf_is_enough(example="party") %}a{% endclaim %}': (
        "claim one_loaf_is_enough(example=party) is false; rewrite the sentence, or add {% otherwise %}"
    ),
    f"{CLAIM}a": "{% claim %} is not closed; add {% endclaim %}",
    f"{CLAIM}a{OTHERWISE}b": "{% claim %} is not closed; add {% endclaim %}",
    OTHERWISE: "{% otherwise %} closes nothing; open {% claim … %} before it",
    END: "{% endclaim %} closes nothing; open {% claim … %} before it",
    "{% endfigure %}": "{% endfigure %} closes nothing; open {% figure … %} before it",
    f"{CLAIM}a{OTHERWISE}b{OTHERWISE}c{END}": "a second {% otherwise %} in one claim; keep one",
    f"{CLAIM}a {CLAIM}b{OTHERWISE}c{END}{OTHERWISE}d{END}": "a claim cannot stand in a claim; join predicates with and, or, not",
    f"{CLAIM}a{OTHERWISE}b{{% endclaim one_loaf_is_enough %}}": "{% endclaim %} takes nothing: 'one_loaf_is_enough'",
    f"{CLAIM}a\n\nb{OTHERWISE}c{END} d": "a claim inside a paragraph or a definition holds one paragraph; put blank lines around the claim",
    f"> {CLAIM}a{OTHERWISE}b{END}": "a claim, figure or table cannot stand in a block quote; move it out",
    # Figures and tables.
    "{% figure flur %}\n{{ guests }}\n{% endfigure %}": "unknown figure 'flur'; did you mean 'flour'?",
    "{% table oven %}": "unknown table 'oven'; did you mean 'ovens'?",
    "{% figure flour | words %}": "a figure takes no form: flour",
    '{% figure flour(oven="gaz") %}\n{{ guests }}\n{% endfigure %}': "unknown oven 'gaz'; did you mean 'gas'?",
    "{% figure flour %}\n{{ guests }}": "{% figure %} is not closed; add {% endfigure %}",
    "word {% figure flour %}": "a figure starts at the margin, on a line of its own",
    "- {% table ovens %}": "a table starts at the margin, on a line of its own",
    f"{CLAIM}{{% table ovens %}}{OTHERWISE}b{END}": "a table cannot stand in a claim; move it below",
    # Places.
    "# Bread for {{ guests }}": "a heading or title holds no numbers, since it is copied where nothing updates it; say it in the text",
    "    {{ guests }}": CODE,
    '<b class="{{ oven }}">': "an expression cannot stand inside an HTML tag or an address; write it in text, an alt text or a title",
    # Prose.
    "Bread for 6.": "typed number '6'; write a quantity, {{ name }}, or declare a term with its reason (extra.terms)",
    "Bread for six.": (
        "typed number word 'six'; write a quantity in words, {{ name | words }} or {{ name | about }}, "
        "or declare a term with its reason (extra.terms)"
    ),
    "Gas is faster.": (
        "typed comparison 'faster'; put the sentence into {% claim predicate %}, or declare a term with its reason (extra.terms)"
    ),
}


@pytest.mark.parametrize("front", FRONT)
@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_said_at_its_line(wrong, front):
    text = f"{FRONT[front]}# Title\n\nWords.\n\n{wrong}"
    said = refusal(text)
    place, _, what = said.partition(": ")
    line = int(place.removeprefix("docs/page.md:"))
    # Front matter, a heading, a sentence and two blank lines stand above.
    assert (line, what) == (front + 5, WRONG[wrong])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{CLAIM}\nA.\n\n{{{{ guest }}}}\n{OTHERWISE}\nB.\n{END}", 4),
        (f"{CLAIM}\nA.\n{OTHERWISE}\nB.\n\n{{{{ guest }}}}\n{END}", 6),
        (f"Words\n{CLAIM}A{OTHERWISE}B\n{{{{ guest }}}}{END}", 3),
        ("- a\n- b\n\n    c\n\n    {{ guest }}\n", 6),
        ("1. a\n2. {{ guest }}", 2),
        ('=== "Tab"\n\n    a\n\n=== "Tab"\n\n    {{ guest }}', 7),
        ("!!! note\n    a\n    {{ guest }}", 3),
        ("| a |\n| --- |\n| b |\n| {{ guest }} |", 4),
        ("```\n{{ guest }}\n```\n\n`{{ guest }}`\n\n<!--\n{{ guest }}\n-->\n\n{{ guest }}", 11),
        ("a\n\n![{{ guests }}\n{{ guest }}](b.png)", 3),
        ("{{\n\n  guest\n}}", 1),
        ("{% figure flour %}\n{{ guests }}\n\n{{ guest }}\n{% endfigure %}", 4),
        ("a\r\nb\r\n\r\n{{ guest }}", 4),
        ("\ufeff---\r\ntags: [a]\r\n---\r\n\r\n{{ guest }}", 5),
        ("---\n---\n{{ guest }}", 3),
    ],
)
def test_a_line_is_true_wherever_the_mistake_stands(text, line):
    assert refusal(text) == f"docs/page.md:{line}: unknown quantity 'guest'; did you mean 'guests'?"


def test_a_list_under_words_without_a_blank_line_between_holds_nothing():
    assert refusal("Words\n- an item\n\n    {{ guests }}") == f"docs/page.md:4: {CODE}"


@pytest.mark.parametrize(
    ("front", "line", "what"),
    [
        ("description: a\ntitle: 12", 3, "the title must be a text, in quotes: 12"),
        ("title: Bread for 12", 2, "typed number '12'"),
        ("title: Bread for twelve", 2, "typed number word 'twelve'"),
        ('title: "Bread for {{ guests }}"', 2, "a title holds no numbers, since it is copied to places where nothing updates it"),
        ("tags: [a]\n\ndescription: Faster bread", 4, "typed comparison 'Faster'"),
        ('description: "Bread for {{ guest }}"', 2, "unknown quantity 'guest'; did you mean 'guests'?"),
        ("description: {{ guests }}", 2, "front matter is not YAML: found unhashable key"),
        ("a: b\nc: [d", 4, "front matter is not YAML: expected ',' or ']', but got '<stream end>'"),
        ("a: b: c", 2, "front matter is not YAML: mapping values are not allowed here"),
        ("a: b\nc: !!bool d", 2, "front matter is not YAML: 'd'"),
        ("a: !!timestamp b", 2, "front matter is not YAML: 'NoneType' object has no attribute 'groupdict'"),
        ("a: !!int ''", 2, "front matter is not YAML: string index out of range"),
        ("a: !!python/object:os.system b", 2, "front matter is not YAML: could not determine a constructor"),
        ("date: 2026-13-45", 2, "front matter is not YAML: month must be in 1..12"),
        ("just words", 1, "front matter must be names with values"),
        ("a: " + "[" * 5000, 2, "front matter is not YAML: "),
        # Whatever it holds may be shown by a theme or a plugin.
        ('tags: ["{{ guests }}"]', 2, "of the front matter only the description is computed; say it there, or in the text"),
        ("a: b\nsubtitle: 64 guests are faster", 3, "typed number '64'"),
        ("a:\n  b:\n    - c: twice as good", 4, "typed number word 'twice'"),
        ("tags:\n  - bread\n  - 64", 4, "typed number '64'"),
        ("a: [[b, more bread]]", 2, "typed comparison 'more bread'"),
        ("a: >\n  b\n  seven c", 2, "typed number word 'seven'"),
        ('a: "{{ guests"', 2, "of the front matter only the description is computed"),
        ("description: a {{ b", 2, "'{{' without its partner; close it, or leave it out"),
    ],
)
def test_front_matter_is_refused_at_its_line(front, line, what):
    assert refusal(f"---\n{front}\n---\n# Title\n").startswith(f"docs/page.md:{line}: {what}")


@pytest.mark.parametrize(
    "front",
    ["date: 2026-11-29", "icon: material/numeric-7-box", "template: main2.html", "search:\n  boost: 2", "hide: [toc]", "a: &b [*b]",
     "a: true", "tags: [Kiln 9]", "social:\n  cards: false"],
)  # fmt: skip
def test_what_is_no_text_may_hold_digits_in_the_front_matter(front):
    assert page(f"---\n{front}\n---\n# Title\n").numbers == ()


# -- what figures and tables say


BAD_TEXT = ["7 loaves", "seven loaves", "more than a loaf", "{{ guest }}", "{{ loaves | fixd }}"]


@pytest.mark.parametrize("text", BAD_TEXT)
@pytest.mark.parametrize("place", ["drawn", "pen", "head", "cell", "caption", "table"])
def test_what_a_figure_or_a_table_says_is_checked_too(place, text):
    table = {
        "head": Table((text, "b"), ()),
        "cell": Table(("a",), ((text,),)),
        "caption": Table(("a",), (), text),
        "table": Table(("a", text), ()),
    }

    def draw(pen):
        drawing = draw_flour(pen)
        words = pen.text(text) if place == "pen" else text
        chart = {"data": [], "layout": {"annotations": [{"text": words}]}} if place in ("drawn", "pen") else drawing.chart
        return Drawing(chart, table.get(place, drawing.table))

    bad = engine(figures={"flour": draw}, tables={"ovens": lambda values: table["table"]})
    tag = "{% table ovens %}" if place == "table" else "{% figure flour %}\nIt takes {{ flour_grams }}.\n{% endfigure %}"
    if place == "drawn" and "{{" in text:
        assert "{{" in page(tag, engine=bad).markdown  # the site's check of its output finds that
        return
    said = refusal(f"# Title\n\n{tag}\n", engine=bad)
    named = "table ovens" if place == "table" else "figure flour"
    assert re.match(rf"docs/page\.md:[35]: {named}: (typed|unknown) ", said)


def test_a_bare_number_in_a_chart_is_refused():
    bad = engine(figures={"flour": lambda pen: Drawing({"data": [{"x": [1.0]}]}, Table(("a",), ()))})
    said = refusal("{% figure flour %}\n{{ guests }}\n{% endfigure %}", engine=bad)
    assert said == "docs/page.md:3: figure flour: a bare number among the marks of 'x'; draw quantities: [1.0]"


# -- the real pages


PAGES = sorted(path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md"))
TYPED = {"7": "number '7'", "seven": "number word 'seven'", "faster": "comparison 'faster'"}
# Where a number is found, the others are: these have more to them.
MORE = ("paragraph", "heading", "caption", "sentence that holds", "sentence that does not")
PLACES = {
    "paragraph": "It is {typed} here.",
    "heading": "## It is {typed} here {{#own}}",
    "list": "- a\n\n    It is {typed} here.",
    "cell": "| a | b |\n| --- | --- |\n| c | is {typed} |",
    "link text": "See [what is {typed}](index.md).",
    "alt text": "![It is {typed}](a.png)",
    "title": '[a](index.md "It is {typed}")',
    "caption": "{{% figure {figure} %}}\nIt is {typed}: {{{{ {quantity} }}}}.\n{{% endfigure %}}",
    "sentence that holds": "{{% claim {predicate} %}}\nIt is {typed}.\n{{% otherwise %}}\nIt is not.\n{{% endclaim %}}",
    "sentence that does not": "{{% claim not {predicate} %}}\nIt is {typed}.\n{{% otherwise %}}\nIt is not.\n{{% endclaim %}}",
}


@pytest.fixture(scope="module")
def site() -> Site:
    """The real site."""
    return load(ROOT / "mkdocs.yml")


@pytest.fixture(scope="module")
def names(site: Site) -> dict[str, str]:
    """A figure, a quantity and a predicate that holds, of the real site."""
    model = site.engine.values.model
    predicates = [name for name, quantity in model.quantities.items() if quantity.is_predicate and site.run.value(name)]
    quantities = [name for name, quantity in model.quantities.items() if not quantity.is_predicate]
    return {"figure": "flour", "quantity": quantities[0], "predicate": predicates[0]}


def render_real(site: Site, path: str, text: str) -> None:
    """Render a page of the real site, without drawing, which takes most of the time."""
    figures = dict.fromkeys([*site.engine.figures, "flour"], lambda pen: Drawing(None, Table(("a",), ())))
    tables = dict.fromkeys(site.engine.tables, lambda values: Table(("a",), ()))
    replace(site, engine=replace(site.engine, figures=figures, tables=tables), pages={}).render(path, text)


@pytest.mark.xdist_group("real pages")
@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(("place", "typed"), [(place, typed) for place in PLACES for typed in TYPED if typed == "7" or place in MORE])
def test_what_is_typed_into_a_real_page_is_found_at_its_line(site, names, path, place, typed):
    text = (ROOT / "docs" / path).read_text(encoding="utf-8").rstrip("\n") + "\n\n"
    planted = PLACES[place].format(typed=typed, **names)
    line = text.count("\n") + 1 + planted.split(typed)[0].count("\n")
    if typed == "faster" and place.startswith("sentence"):
        render_real(site, path, text + planted)  # a claim computes its comparison
        return
    with pytest.raises(LiveError) as error:
        render_real(site, path, text + planted)
    assert str(error.value).startswith(f"docs/{path}:{line}: typed {TYPED[typed]}; ")


@pytest.mark.xdist_group("real pages")
@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("name", ["title", "description"])
@pytest.mark.parametrize("typed", TYPED)
def test_what_is_typed_into_the_front_matter_of_a_real_page_is_found_at_its_line(site, path, name, typed):
    text = (ROOT / "docs" / path).read_text(encoding="utf-8")
    planted = re.sub(r"\A(---\n.*?\n---\n)?", f"---\ntags: [a]\n{name}: It is {typed}\n---\n", text, count=1, flags=re.DOTALL)
    with pytest.raises(LiveError) as error:
        render_real(site, path, planted)
    assert str(error.value).startswith(f"docs/{path}:3: typed {TYPED[typed]}; ")


@pytest.mark.xdist_group("real pages")
@pytest.mark.parametrize("path", PAGES)
def test_a_misspelt_name_at_the_end_of_a_real_page_is_found_at_its_line(site, names, path):
    text = (ROOT / "docs" / path).read_text(encoding="utf-8").rstrip("\n") + "\n\n"
    with pytest.raises(LiveError) as error:
        render_real(site, path, f"{text}{{{{ {names['quantity']}x }}}}")
    line = text.count("\n") + 1
    assert str(error.value) == f"docs/{path}:{line}: unknown quantity '{names['quantity']}x'; did you mean '{names['quantity']}'?"


# -- the configuration


def configured(folder: Path, change) -> Path:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    (folder / "mkdocs.yml").write_text(change(text), encoding="utf-8")
    return folder / "mkdocs.yml"


@pytest.mark.xdist_group("real pages")
def test_a_term_that_no_page_uses_is_refused(tmp_path):
    site = load(configured(tmp_path, lambda text: text.replace("  terms:\n", "  terms:\n    9Z: the name of nothing\n")))
    for path in PAGES:
        site.render(path, (ROOT / "docs" / path).read_text(encoding="utf-8"))
    with pytest.raises(LiveError) as error:
        site.finish()
    assert str(error.value) == "mkdocs.yml: term '9Z' (the name of nothing) is used on no page; remove it from extra.terms"


@pytest.mark.parametrize(
    ("was", "becomes", "what"),
    [
        ("site_name: What", "site_name: What 7", "mkdocs.yml: typed number '7'"),
        ("- Home: index.md", "- Home in seven lines: index.md", "mkdocs.yml: typed number word 'seven'"),
        ("model: commcost", "model: comcost", "mkdocs.yml: extra.model: No module named 'comcost'"),
        ("model: commcost", "model: os.path", "mkdocs.yml: extra.model: os.path has no function load, which would return a model"),
        ("model: commcost", "model: 7", "mkdocs.yml: extra.model must name the model's package: 7"),
        ("  terms:\n", "  terms:\n    7: a count\n", "mkdocs.yml: extra.terms: a term is a text with a reason: 7: 'a count'"),
        ("  terms:\n", "  terms:\n    7Z:\n", "mkdocs.yml: extra.terms: a term is a text with a reason: '7Z': None"),
        ("site_name: What", "site_name: [The", "mkdocs.yml: not readable as YAML: "),
    ],
)
def test_a_configuration_that_makes_no_sense_is_refused_in_one_line(tmp_path, was, becomes, what):
    with pytest.raises(LiveError) as error:
        load(configured(tmp_path, lambda text: text.replace(was, becomes, 1)))
    assert str(error.value).startswith(what)
    assert "\n" not in str(error.value)
