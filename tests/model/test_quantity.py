"""What a module of formulas may declare, and that anything else is refused with file and line."""

import ast
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from commcost import CATALOG, Model, ModelError, load
from commcost.quantity import JAVASCRIPT_WORDS, declared_in

Written = Callable[..., ModuleType]

# The line that an error has to name is the one that holds HERE.
FORMULA = '''
@quantity(label="a price", symbol="x", unit=NUMBER)
def price(params, gpus, tokens):
    """Return a price."""
    return {formula}  # HERE
'''


def declaration(**changes: str) -> str:
    parts = {
        "decorator": '@quantity(label="a price", symbol="x", unit=NUMBER)',
        "signature": "price(gpus)",
        "doc": '"""Return a price."""',
        "body": "return 2 * gpus",
        **changes,
    }
    return "\n{decorator}\ndef {signature}:\n    {doc}\n    {body}\n".format(**parts)


def refusal(model: Model, *modules: ModuleType) -> str:
    with pytest.raises(ModelError) as refused:
        Model(model.catalog, *modules)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def line_of(module: ModuleType, mark: str) -> int:
    with open(str(module.__file__), encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, start=1) if mark in line)


def place_of(module: ModuleType, mark: str) -> str:
    """Return folder, file and line as a message names them."""
    return "/".join(str(module.__file__).split("/")[-2:]) + f":{line_of(module, mark)}"


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("params + gpus - tokens", 30e9 + 64 - 1e6),
        ("-params * gpus / tokens", -30e9 * 64 / 1e6),
        ("min(params, gpus, tokens)", 64),
        ("max(0, gpus - 100)", 0),
        ("abs(gpus - 100)", 36),
        ("ceil(gpus / 10)", 7),
        ("floor(gpus / 10)", 6),
        ("params if gpus > 1 else 0", 30e9),
        ("params if gpus <= 1 else tokens if gpus != 2 else 0", 1e6),
        ("2.5", 2.5),
    ],
)
def test_formula_within_the_subset_is_taken(model: Model, written: Written, formula: str, value: float) -> None:
    result = Model(model.catalog, written(FORMULA.format(formula=formula))).run().value("price")
    assert (result, type(result)) == (value, float)


@pytest.mark.parametrize(
    "formula",
    [
        "params ** 2",
        "params // gpus",
        "params % gpus",
        "params @ gpus",
        "[params]",
        "{params}",
        "(params, gpus)",
        "'params'",
        "f'{params}'",
        "True",
        "None",
        "1j",
        "round(params)",
        "pow(params, 2)",
        "sum(params, gpus)",
        "params.real",
        "params[0]",
        "float.fromhex(params)",
        "max(params, gpus, key=abs)",
        "max(*params)",
        "max(params)",
        "min()",
        "ceil(params, gpus)",
        "abs()",
        "lambda: params",
        "params and gpus",
        "not params",
        "+params",
        "~params",
        "params if gpus else tokens",
        "params if gpus > 1 and gpus < 9 else tokens",
        "params if 1 < gpus < 9 else tokens",
        "params * (gpus > 1)",
        "max(params > 1, gpus)",
        "(y := params)",
        "[p for p in params]",
        "params if gpus in tokens else 0",
        "params if gpus is tokens else 0",
    ],
)
def test_formula_outside_the_subset_is_refused_with_file_and_line(model: Model, written: Written, formula: str) -> None:
    module = written(FORMULA.format(formula=formula))
    message = refusal(model, module)
    assert message.startswith(f"{place_of(module, 'HERE')}: price: ")
    assert "is outside the formulas' subset; allowed: + - * /, min max abs ceil floor," in message


def test_what_is_outside_is_quoted_alone(model: Model, written: Written) -> None:
    message = refusal(model, written(FORMULA.format(formula="gpus + max(gpus, 3 * params ** 2)")))
    assert "price: 'params ** 2' is outside" in message


def test_refusal_names_the_line_within_a_long_formula(model: Model, written: Written) -> None:
    module = written(FORMULA.format(formula="(\n        gpus\n        + params ** 2  # THERE\n    )"))
    assert refusal(model, module).startswith(place_of(module, "THERE"))


@pytest.mark.parametrize("name", ["NUMBER", "LIMIT", "price"])
def test_name_that_is_no_parameter_is_refused(model: Model, written: Written, name: str) -> None:
    module = written("LIMIT = 3\n" + FORMULA.format(formula=f"gpus * {name}"))
    assert f"price: {name!r} is no parameter of the formula" in refusal(model, module)


def test_misspelt_parameter_is_refused_with_the_nearest(model: Model, written: Written) -> None:
    message = refusal(model, written(FORMULA.format(formula="gpu * params")))
    assert message.endswith("price: 'gpu' is no parameter of the formula; did you mean 'gpus'?")


@pytest.mark.parametrize(
    "body",
    [
        "half = gpus / 2\n    return 2 * half",
        "return",
        "pass",
        "yield gpus",
        "if gpus > 1:\n        return gpus\n    return 0",
        "assert gpus\n    return gpus",
    ],
)
def test_more_or_less_than_one_return_is_refused(model: Model, written: Written, body: str) -> None:
    module = written(declaration(body=body))
    message = refusal(model, module)
    assert message.startswith(place_of(module, "def price"))
    assert "price must be a docstring and one return; make each intermediate value a quantity" in message


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"decorator": '@quantity(label="a price", symbol="x")'}, "price has no unit; give one of"),
        ({"decorator": '@quantity(label="a price", symbol="x", unit="s")'}, "price has a unit that is none, 's'; give one of"),
        ({"decorator": '@quantity(label=" ", symbol="x", unit=NUMBER)'}, "price has no label"),
        ({"doc": "# no docstring"}, "price has no docstring; say what it returns"),
        ({"doc": '""'}, "price has no docstring"),
        ({"body": "return gpus > 1"}, "a comparison is declared with @predicate: 'gpus > 1'"),
        ({"decorator": '@predicate(label="a claim")'}, "a predicate is one comparison: '2 * gpus'"),
        (
            {"decorator": '@predicate(label="a claim")', "body": "return 1 if gpus > 1 else 0"},
            "a predicate is one comparison: '1 if gpus > 1 else 0'",
        ),
        (
            {"decorator": '@quantity(label="a price", symbol="x", unit=NUMBER, gpu=at("gpus", link="nvlink"))'},
            "gpu is given a meaning but is no parameter of the formula",
        ),
        ({"signature": "price(gpus=8)"}, "a parameter is a name of the model, without a default, *args or /"),
        ({"signature": "price(gpus, /)"}, "a parameter is a name of the model, without a default, *args or /"),
        ({"signature": "price(*gpus)"}, "a parameter is a name of the model, without a default, *args or /"),
        ({"signature": "price(**gpus)"}, "a parameter is a name of the model, without a default, *args or /"),
    ],
)
def test_declaration_that_lacks_or_confuses_something_is_refused(
    model: Model, written: Written, changes: dict[str, str], rule: str
) -> None:
    module = written(declaration(**changes))
    message = refusal(model, module)
    assert rule in message
    # Python counts a function from its decorator, a reader from its def.
    assert message.startswith((place_of(module, "def price"), place_of(module, "@")))


@pytest.mark.parametrize("comparison", ["1 < gpus < 9", "gpus in (1, 2)", "gpus is 1"])
@pytest.mark.filterwarnings("ignore:.is. with:SyntaxWarning")
def test_predicate_is_one_plain_comparison(model: Model, written: Written, comparison: str) -> None:
    module = written(declaration(decorator='@predicate(label="a claim")', body=f"return {comparison}"))
    assert f"{comparison!r} is outside the formulas' subset" in refusal(model, module)


def test_predicate_is_no_number_for_a_formula(model: Model, written: Written) -> None:
    claim = declaration(decorator='@predicate(label="a claim")', signature="many(gpus)", body="return gpus > 1")
    module = written(claim + declaration(signature="price(many)", body="return 2 * many"))
    assert "price: many is a predicate, not a number" in refusal(model, module)


@pytest.mark.parametrize("word", ["function", "new", "arguments", "eval", "typeof", "max", "floor"])
def test_name_that_javascript_or_a_formula_keeps_for_itself_is_refused(model: Model, written: Written, word: str) -> None:
    assert f"{word!r} is a reserved word" in refusal(model, written(declaration(signature=f"{word}(gpus)")))


def test_name_that_a_page_could_not_write_is_refused(model: Model, written: Written) -> None:
    assert "größe: 'größe' cannot be written on a page" in refusal(model, written(declaration(signature="größe(gpus)")))


@pytest.mark.parametrize("word", ["var", "this", "abs"])
def test_parameter_that_is_reserved_is_refused(model: Model, written: Written, word: str) -> None:
    module = written(declaration(signature=f"price({word})", body=f"return 2 * {word}"))
    assert f"price: {word!r} is a reserved word" in refusal(model, module)


def test_reserved_words_are_names_in_python_that_javascript_refuses() -> None:
    assert {"function", "new", "delete", "await", "static", "undefined", "NaN"} <= JAVASCRIPT_WORDS
    assert all(word.isidentifier() for word in JAVASCRIPT_WORDS)


def test_quantity_declared_in_two_modules_is_refused_with_both_places(model: Model, written: Written) -> None:
    first, second = written(declaration(), name="first"), written("\n" + declaration(), name="second")
    message = refusal(model, first, second)
    assert message.startswith(place_of(second, "@quantity"))
    assert message.endswith(f"price is declared twice; first at {place_of(first, '@quantity')}")


def test_quantity_declared_twice_in_a_module_is_refused_with_both_places(model: Model, written: Written) -> None:
    module = written(declaration() + declaration(body="return 3 * gpus  # HERE"))
    message = refusal(model, module)
    assert message.endswith(f"price is declared twice; first at {place_of(module, 'def price')}")


def test_quantity_named_as_an_input_is_refused(model: Model, written: Written) -> None:
    message = refusal(model, written(declaration(signature="params(gpus)")))
    assert message.endswith("params is already a name of the catalogue")


def test_quantity_named_as_the_override_of_an_example_is_refused(model: Model, written: Written) -> None:
    assert "example is already a name" in refusal(model, written(declaration(signature="example(gpus)")))


def test_unknown_parameter_is_refused_with_the_nearest(model: Model, written: Written) -> None:
    module = written(declaration(signature="price(gpuss)", body="return 2 * gpuss"))
    message = refusal(model, module)
    assert message == f"{place_of(module, '@')}: price: unknown parameter 'gpuss'; did you mean 'gpus'?"


def test_choice_as_parameter_is_refused(model: Model, written: Written) -> None:
    module = written(declaration(signature="price(link)", body="return 2 * link"))
    assert "price: link is a choice, not a number; use a figure of its record" in refusal(model, module)


@pytest.mark.parametrize(
    ("override", "rule"),
    [
        ('link="nvlnk"', "unknown link 'nvlnk'; did you mean 'nvlink'?"),
        ('example="nod"', "unknown example 'nod'; did you mean 'node'?"),
        ('gpus="8"', "gpus is a number, not a choice; name an example that sets it: '8'"),
        (
            'tokens="tenth_mor"',
            "tokens is a number, not a choice; name an example that sets it, or a multiple of it: 'tenth_mor'; did you mean 'tenth_more'?",
        ),
        ('gpus="tenth_more"', "gpus is a number, not a choice; name an example that sets it: 'tenth_more'"),
        ('lnk="nvlink"', "unknown input 'lnk'; did you mean 'link'?"),
    ],
)
def test_variant_at_nothing_known_is_refused(model: Model, written: Written, override: str, rule: str) -> None:
    variant = f'inside=at("link_bytes_per_second", {override})'
    module = written(
        declaration(
            decorator=f'@quantity(label="a price", symbol="x", unit=NUMBER, {variant})',
            signature="price(inside)",
            body="return 2 * inside",
        )
    )
    assert refusal(model, module) == f"{place_of(module, '@')}: price: inside: {rule}"


def test_cycle_is_refused_with_its_whole_way(model: Model, written: Written) -> None:
    chain = [("egg(hen)", "hen"), ("hen(chick)", "chick"), ("chick(egg)", "egg")]
    module = written("".join(declaration(signature=signature, body=f"return {body}") for signature, body in chain))
    assert refusal(model, module).endswith("a quantity depends on itself: egg → hen → chick → egg")


def test_quantity_of_itself_is_refused_even_at_another_choice(model: Model, written: Written) -> None:
    module = written(
        declaration(
            decorator='@quantity(label="a price", symbol="x", unit=NUMBER, other=at("price", link="other"))',
            signature="price(other)",
            body="return 2 * other",
        )
    )
    assert refusal(model, module).endswith("a quantity depends on itself: price → price")


def test_figure_that_some_record_lacks_is_refused(model: Model, written: Written) -> None:
    module = written(declaration(signature="price(headline_bits_per_second)", body="return headline_bits_per_second / 8"))
    message = refusal(model, module)
    assert message == "commcost/catalog.toml: links.nvlink.headline_bits_per_second: is missing; a formula uses it"


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("infiniband", ""),
        ("pcie_gen4", "commcost/catalog.toml: links.pcie_gen4.headline_bits_per_second: is missing; a formula uses it"),
        ("nvlink", "commcost/catalog.toml: links.nvlink.headline_bits_per_second: is missing; a formula uses it"),
        ("other", "commcost/catalog.toml: links.nvlink.headline_bits_per_second: is missing; a formula uses it"),
    ],
)
def test_formula_that_names_its_record_needs_a_figure_of_that_one(model: Model, written: Written, link: str, message: str) -> None:
    variant = f'sold=at("headline_bits_per_second", link="{link}")'
    module = written(
        declaration(
            decorator=f'@quantity(label="a price", symbol="x", unit=NUMBER, {variant})',
            signature="price(sold)",
            body="return sold / 8",
        )
    )
    if message:
        assert refusal(model, module) == message
    else:
        assert Model(model.catalog, module).run(link="nvlink").value("price") == 50e9


def test_named_record_does_not_take_the_figure_of_another_choice(tmp_path: Path) -> None:
    text = CATALOG.read_text(encoding="utf-8")
    start = text.index("[links.infiniband.link_bytes_per_second]")
    copied = tmp_path / "catalog.toml"
    copied.write_text(text[:start] + text[text.index("[", start + 1) :], encoding="utf-8")
    with pytest.raises(ModelError, match=r"links\.infiniband\.link_bytes_per_second: is missing; a formula uses it"):
        load(catalog=copied)


def test_symbol_stands_for_one_thing(model: Model, written: Written) -> None:
    module = written(declaration(signature="price(gpus)") + declaration(signature="fare(gpus)"))
    assert "the symbol 'x' already stands for price" in refusal(model, module)


def test_function_without_a_file_is_refused(model: Model) -> None:
    module = ModuleType("typed")
    source = "from commcost.quantity import quantity\nfrom commcost.units import NUMBER\n" + declaration()
    exec(compile(source, "<typed>", "exec"), module.__dict__)
    assert "price has no readable source; define it with def in a file" in refusal(model, module)


def test_quantities_stand_in_reading_order(written: Written) -> None:
    names = ["zebra", "ape", "mole"]
    module = written("".join(declaration(signature=f"{name}(gpus)") for name in names))
    assert list(declared_in(module)) == names


def test_quantity_that_a_module_only_imports_is_not_declared_there(model: Model, written: Written) -> None:
    module = written("from commcost.collectives import ring_factor\n" + declaration())
    assert list(declared_in(module)) == ["price"]


def test_quantity_keeps_what_its_declaration_says(written: Written) -> None:
    source = declaration(
        decorator='@quantity(label="a price", symbol="x", unit=SECONDS, far=at("gpus", link="other", example="node"))',
        signature="price(near, far)",
        body="return near - 2 * far",
    )
    quantity = declared_in(written(source))["price"]
    assert (quantity.label, quantity.symbol, quantity.unit.name, quantity.doc) == ("a price", "x", "s", "Return a price.")
    assert quantity.source_text == "near - 2 * far"
    assert isinstance(quantity.formula, ast.BinOp)
    assert (quantity.parameters["near"].name, quantity.parameters["near"].overrides) == ("near", ())
    assert quantity.parameters["far"].overrides == (("example", "node"), ("link", "other"))
