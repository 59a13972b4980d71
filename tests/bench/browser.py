"""How long a change of the run takes in Chromium: ``python tests/bench/browser.py`` prints medians of one run.

From the input event to the frame after the last write, layout and plotly included. Frames come as fast as they can,
so that the wait for the screen's next refresh does not count. Beside each stand what the browser takes for a frame in which nothing
changes and for one in which the slider alone moves, with none of this project's work: no page can be faster than that.
Also: the longest task while a slider is dragged, and what the project's scripts weigh.
"""

import gzip
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.chromium import FLAGS, chromium_path, serving
from tests.support import build, copy_project

CHANGES = 60
FAST_FRAMES = ["--disable-frame-rate-limit", "--disable-gpu-vsync"]
OPEN = "document.querySelector('.run-open').click()"
CHANGE = """
async (changes) => {
  const slider = document.querySelector(".run-slider");
  const took = [];
  for (let at = 0; at < changes; at += 1) {
    await new Promise((done) => setTimeout(done, 30));
    const from = performance.now();
    slider.value = 3 + (at % 14);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => {
      const after = new MessageChannel();
      after.port1.onmessage = done;
      after.port2.postMessage(0);
    }));
    took.push(performance.now() - from);
  }
  return took;
}
"""
DRAG = """
async () => {
  const tasks = [];
  const watch = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration)));
  watch.observe({ type: "longtask" });
  const slider = document.querySelector(".run-slider");
  for (let at = 0; at < 180; at += 1) {
    slider.value = at % 18;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise(requestAnimationFrame);
  }
  await new Promise((done) => setTimeout(done, 300));
  return Math.max(0, ...tasks);
}
"""
SLIDER_ALONE = CHANGE.replace('slider.dispatchEvent(new Event("input", { bubbles: true }));', "")
EMPTY_FRAME = SLIDER_ALONE.replace("slider.value = 3 + (at % 14);", "")


def change(page: Page, url: str, *, throttle: int, figure: str | None) -> list[float]:
    """Return the median milliseconds of a change, of a move of the slider that nothing follows, and of a frame in which nothing changes."""
    page.goto(url)
    page.wait_for_selector(".run-open")
    page.evaluate(OPEN)
    if figure:
        page.locator(figure).scroll_into_view_if_needed()
        page.locator(f"{figure} svg.main-svg").first.wait_for()
    page.wait_for_timeout(800)
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": throttle})
    took = [page.evaluate(script, CHANGES) for script in (CHANGE, SLIDER_ALONE, EMPTY_FRAME)]
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    return [statistics.median(times[5:]) for times in took]


def main() -> None:
    """Print what a change takes on the heaviest page of words and with one figure in view, and what a drag does."""
    with tempfile.TemporaryDirectory() as room, sync_playwright() as playwright:
        site = build(copy_project(Path(room) / "project"))
        scripts = [path for path in (site / "javascripts").glob("*.js") if path.name != "plotly.min.js"]
        weight = sum(len(gzip.compress(path.read_bytes(), 9, mtime=0)) for path in scripts)
        print(f"scripts: {len(scripts)} files, {weight / 1000:.1f} kB gzipped, without plotly")
        with serving(site) as address:
            browser = playwright.chromium.launch(executable_path=chromium_path(), args=[*FLAGS, *FAST_FRAMES])
            page = browser.new_page(viewport={"width": 390, "height": 844})
            measured = {
                "words of the page with the most numbers": ("reference/formulas/", None),
                "words of the longest page of prose": ("cost-of-communication/", None),
                "with one figure in view": ("work-it-out/", "figure[data-figure=lanes] .figure-chart"),
            }
            for throttle in (1, 4):
                for name, (path, figure) in measured.items():
                    took, slider, empty = change(page, address + path, throttle=throttle, figure=figure)
                    print(f"CPU ÷ {throttle}: {name}: {took:.1f} ms a change; the slider alone {slider:.1f}, a frame {empty:.1f}")
            for gpus in (64, 100_000):
                page.goto(f"{address}walkthrough-to-bill/?gpus={gpus}")
                page.wait_for_selector(".run-open")
                page.evaluate(OPEN)
                page.locator("figure[data-figure=bill] svg.main-svg").first.wait_for()
                page.wait_for_timeout(800)
                print(f"longest task over 50 ms while dragging from {gpus} GPUs: {page.evaluate(DRAG):.0f} ms (0: none)")
            browser.close()


if __name__ == "__main__":
    main()
