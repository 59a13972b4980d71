"""With a run in the address and a slow or broken network, the default is never passed off as the reader's."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route

from tests.browser.reader import Reader

RUN = "work-it-out/?gpus=8&link=nvlink"
SCRIPTS = ("run", "model")
# What of the default a reader could take for theirs: each number, each sentence that depends on the run, each chart.
VISIBLE = """
() => [...document.querySelectorAll("data.q, .claim, .run-whose, .figure-chart > *")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && one.getClientRects().length)
  .map((one) => one.textContent || one.tagName)
"""


def hold(page: Page, *names: str) -> Callable[[], None]:
    """Hold scripts back, and return what lets them go."""
    waiting: list[Route] = []

    def wait(route: Route) -> None:
        waiting.append(route)

    def let_go() -> None:
        while waiting:
            waiting.pop().continue_()

    for name in names:
        page.route(f"**/javascripts/{name}.js", wait)
    return let_go


def seen(reader: Reader) -> list[str]:
    return list(reader.page.evaluate(VISIBLE))


@pytest.mark.parametrize("late", [("model",), ("run",), ("run", "model"), ("run", "model", "plotly.min")], ids="+".join)
def test_no_default_number_is_seen_before_the_run_is_the_readers(late: tuple[str, ...], phone: Reader) -> None:
    let_go = hold(phone.page, *late)
    phone.page.goto(phone.address + RUN, wait_until="commit")
    phone.page.locator(".md-footer").wait_for(state="attached")
    # What the catalogue says of its sources is nobody's run.
    phone.page.add_style_tag(content="dfn, cite { display: none }")
    for _ in range(5):
        assert seen(phone) == []
        assert not re.search(r"\d (s|GPUs|%|billion|GB)\b", phone.page.locator("body").inner_text())
        phone.page.mouse.wheel(0, 400)
        phone.page.wait_for_timeout(100)
    says = phone.page.evaluate("getComputedStyle(document.querySelector('.run'), '::before').content")
    assert says == '"Working out your run…"'
    let_go()
    phone.waits_for_the_run()
    assert len(seen(phone)) > 20
    assert phone.line().startswith("Your run 30 billion parameters · 8 × H100 · NVLink · 40 % Communication is 0.5 %")
    assert phone.page.evaluate("getComputedStyle(document.querySelector('.run'), '::before').content") == "none"


def test_on_a_slow_network_no_frame_shows_the_default(phone: Reader) -> None:
    network = phone.context.new_cdp_session(phone.page)
    network.send("Network.enable")
    slow = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 200_000}
    network.send("Network.emulateNetworkConditions", slow)
    phone.page.add_init_script(
        f"""
        globalThis.frames = [];
        const look = () => {{
          const isReaders = document.querySelector("[data-run-own]") !== null;
          if (!isReaders) frames.push(...({VISIBLE})());
          if (!isReaders) requestAnimationFrame(look);
        }};
        requestAnimationFrame(look);
        """
    )
    phone.page.route("**/javascripts/plotly.min.js", blocked)  # which would keep the narrow line from the rest
    phone.page.goto(phone.address + RUN, wait_until="commit")
    phone.waits_for_the_run()
    assert phone.page.evaluate("frames") == []
    assert phone.line().startswith("Your run")
    phone.provoked(r"ERR_FAILED .*/plotly\.min\.js$")


def blocked(route: Route) -> None:
    route.abort()


def broken(route: Route) -> None:
    route.fulfill(body="const = ;", content_type="text/javascript")


def throwing(route: Route) -> None:
    route.fulfill(body="null.run;", content_type="text/javascript")


def missing(route: Route) -> None:
    route.fulfill(status=404, body="not here")


@pytest.mark.parametrize("fault", [blocked, broken, throwing, missing])
@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("path", [RUN, "work-it-out/"])
def test_a_script_that_does_not_arrive_is_told_and_the_page_stands(
    path: str, script: str, fault: Callable[[Route], None], reader: Reader
) -> None:
    page = reader.context.new_page()  # in which something may be thrown
    page.route(f"**/javascripts/{script}.js", fault)
    page.goto(reader.address + path)
    there = Reader(page, reader.address)
    (notice,) = there.notices()
    assert notice == "A part of this page did not arrive: it shows the default run and cannot take yours."
    assert page.locator(".run-notice").is_visible()
    assert there.line().startswith("Default run 30 billion parameters · 64 × H100 · InfiniBand")
    assert page.locator("article data.q").first.is_visible()
    assert page.locator(".run :is(button, input, select)").count() == 0
    assert page.locator("html.run-pending").count() == 0


def cut(html: str) -> str:
    return html[: html.rindex("live-data") + 100]


def damaged(html: str) -> str:
    return re.sub(r"(live-data[^>]*>){", r"\1{{", html)


@pytest.mark.parametrize("fault", [cut, damaged])
def test_a_page_that_does_not_arrive_whole_is_told(fault: Callable[[str], str], reader: Reader) -> None:
    page = reader.context.new_page()  # in which something may be thrown

    def harm(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=fault(answer.text()))

    page.route("**/work-it-out/*", harm)
    page.goto(reader.address + RUN)
    there = Reader(page, reader.address)
    assert there.notices() == ["A part of this page did not arrive: it shows the default run and cannot take yours."]
    assert there.line().startswith("Default run 30 billion parameters · 64 × H100 · InfiniBand")
    assert page.locator(".run :is(button, input, select)").count() == 0
    assert page.locator("html.run-pending").count() == 0


def test_without_the_script_that_hides_the_run_still_becomes_the_readers(reader: Reader) -> None:
    reader.page.route("**/javascripts/pending.js", blocked)
    reader.goes_to(RUN)
    assert reader.line().startswith("Your run 30 billion parameters · 8 × H100 · NVLink")
    assert reader.page.evaluate("getComputedStyle(document.querySelector('.run'), '::before').content") == "none"
    reader.provoked(r"ERR_FAILED .*/pending\.js$")


@pytest.mark.parametrize("theirs", ["arrives", "is lost too"])
def test_without_any_script_of_ours_the_page_says_so_and_stands(theirs: str, phone: Reader) -> None:
    phone.page.route("**/javascripts/*.js" if theirs == "is lost too" else re.compile(r"/javascripts/(pending|run|model)\.js$"), blocked)
    phone.page.goto(phone.address + RUN)
    says = phone.page.evaluate("getComputedStyle(document.querySelector('.run'), '::before').content")
    assert says == '"A part of this page did not arrive: it may show the default run, not yours."'
    assert phone.line().startswith("Default run")
    assert phone.page.locator("article data.q").first.is_visible()
    assert not phone.scrolls_sideways()
    phone.provoked(r"ERR_FAILED .*/javascripts/[\w.]+\.js$")


def test_without_plotly_the_figures_say_so_and_the_numbers_are_the_readers(reader: Reader) -> None:
    reader.page.route("**/javascripts/plotly.min.js", blocked)
    reader.goes_to(RUN)
    figure = reader.page.locator("figure[data-figure=lanes]")
    figure.scroll_into_view_if_needed()
    figure.locator(".figure-missing").wait_for()
    assert "has not arrived" in figure.locator(".figure-missing").inner_text()
    assert figure.locator(".figure-data data.q").first.is_visible()
    assert "56.88 s" in figure.locator(".figure-data").inner_text()
    reader.provoked(r"ERR_FAILED .*/plotly\.min\.js$")


def test_a_chart_that_breaks_gives_way_to_its_table_for_good(reader: Reader) -> None:
    reader.goes_to("work-it-out/")
    reader.opens_everything()
    chart, missing = reader.page.locator(".figure-chart"), reader.page.locator(".figure-missing")
    reader.page.evaluate("() => { Plotly.draws = Plotly.react; Plotly.react = () => { throw Error('a broken chart'); }; }")
    reader.reads("?gpus=8")
    for gpus in ("8", "16"):
        assert (chart.is_visible(), missing.is_visible()) == (False, True)
        assert f"{gpus} GPUs" in reader.page.locator("[id='gpus|']").text_content()
        assert reader.page.locator(".figure-data data.q").first.is_visible()
        reader.page.evaluate("() => { Plotly.react = Plotly.draws; }")
        reader.reads("?gpus=16")
    reader.provoked("a broken chart")


@pytest.mark.parametrize("query", ["?h=ring", "?utm_source=a", "?h=gpus", ""])
def test_an_address_without_a_run_is_not_pending(query: str, phone: Reader) -> None:
    let_go = hold(phone.page, *SCRIPTS)
    phone.page.goto(f"{phone.address}work-it-out/{query}", wait_until="commit")
    phone.page.locator(".md-footer").wait_for(state="attached")
    assert phone.page.locator("html.run-pending").count() == 0
    assert len(seen(phone)) > 20
    let_go()
    phone.waits_for_the_run()
    assert phone.line().startswith("Default run")
