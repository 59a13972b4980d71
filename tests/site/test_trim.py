"""The theme's style sheets lose what no page can use, and nothing else."""

from pathlib import Path

from hooks.trim import SHEETS, trim, trimmed

USED = {"md-typeset", "tabbed", "md-search", "id"}
NAMED = {"dir": {"ltr"}, "data-md-color-scheme": {"slate"}}


def trimmed_one(css: str, *read: str) -> str:
    return trimmed([css], USED, NAMED, set(read))[0]


def test_a_selector_goes_with_a_class_or_an_id_that_nothing_has() -> None:
    assert trimmed_one(".md-typeset .tabbed,.gone>a,#other{color:red}#id{top:0}") == ".md-typeset .tabbed{color:red}#id{top:0}"
    assert trimmed_one(".gone{color:red}") == ""
    assert trimmed_one("a:hover,::before,*{color:red}") == "a:hover,::before,*{color:red}"


def test_what_a_selector_excludes_is_not_asked_for() -> None:
    assert trimmed_one(".tabbed:not(.gone):is(.gone,a){color:red}") == ".tabbed:not(.gone):is(.gone,a){color:red}"


def test_colours_and_directions_that_no_page_names_go_and_other_attributes_stay() -> None:
    css = "[dir=rtl] a{left:0}[dir=ltr] a{right:0}[data-md-color-scheme=default]{top:0}[data-md-color-scheme=slate]{top:1}[type=x]{top:2}"
    assert trimmed_one(css) == "[dir=ltr] a{right:0}[data-md-color-scheme=slate]{top:1}[type=x]{top:2}"


def test_rules_stay_within_what_holds_them_and_what_is_left_empty_goes() -> None:
    css = "@media print{.gone{top:0}}@media screen and (min-width:1px){.gone{top:0}.tabbed{top:1}}"
    assert trimmed_one(css) == "@media screen and (min-width:1px){.tabbed{top:1}}"
    assert trimmed_one("@keyframes turn{to{top:0}}@font-face{src:url(x)}") == "@keyframes turn{to{top:0}}@font-face{src:url(x)}"


def test_a_custom_property_stays_only_as_long_as_something_reads_it() -> None:
    css = ":root{--read:var(--by-it);--by-it:1;--lost:var(--by-lost);--by-lost:url('data:x;y');--ours:2;top:0}a{top:var(--read)}"
    assert trimmed_one(css, "--ours") == ":root{--read:var(--by-it);--by-it:1;--ours:2;top:0}a{top:var(--read)}"
    assert trimmed([":root{--there:1}", "a{top:var(--there)}"], USED, NAMED, set()) == [":root{--there:1}", "a{top:var(--there)}"]
    assert trimmed_one(".gone{top:var(--x)}:root{--x:1}") == ":root{}"


def test_strings_brackets_and_escapes_hide_what_they_hold() -> None:
    css = r"""@charset "{;}";a[href$=".gone,#x"]:before{content:"}.gone{\"";src:url(data:x;{,})}.\31 0{top:1}/* } .gone{ */b{top:2}"""
    assert trimmed_one(css) == css
    assert trimmed_one(r".gone\:here{top:0}.tabbed.gone\+{top:1}") == r".gone\:here{top:0}.tabbed.gone\+{top:1}"
    assert trimmed_one(".gone:is(a,b:not(c,.d)),.md-typeset:is(a,b:not(.d:nth-child(2)) .e){top:0}") == (
        ".md-typeset:is(a,b:not(.d:nth-child(2)) .e){top:0}"
    )
    assert trimmed_one(":root{--gone:url('a;b');--there:{a;b};top:0}", "--there") == ":root{--there:{a;b};top:0}"


def test_what_stands_between_rules_ends_none_of_them() -> None:
    assert trimmed_one("a{top:0}\n") == "a{top:0}\n"
    assert trimmed_one("a{top:0};b{top:1}") == "a{top:0};b{top:1}"
    assert trimmed_one("/*! by } */@import url(x.css);\na{top:0}\n/* end */") == "/*! by } */@import url(x.css);\na{top:0}\n/* end */"
    assert (
        trimmed_one("\n@media print{.gone{top:0}}/* } */@media print{.gone{top:0}.tabbed{top:1}}") == "/* } */@media print{.tabbed{top:1}}"
    )


def test_a_name_that_a_script_makes_out_of_its_beginning_stays(tmp_path: Path) -> None:
    files = {
        "index.html": '<p class="tabbed">',
        "assets/javascripts/bundle.js": "e.className=`tabbed-control tabbed-control--${t}`;for(;i--;);",
        f"{SHEETS}/main.css": ".tabbed-control--next,.tabbed-other--next,.ix{top:0}",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    trim(tmp_path)
    assert (tmp_path / SHEETS / "main.css").read_text(encoding="utf-8") == ".tabbed-control--next{top:0}"
