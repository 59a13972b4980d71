"""The ring's states are stepped through by buttons, by arrow keys and by the finger, and no run moves them."""

from playwright.sync_api import Page

from tests.browser.reader import Reader

RING = "ring-walkthrough/?gpus=8"
SHOWN = """
() => {
  const track = document.querySelector(".steps-track");
  const middle = track.getBoundingClientRect().left + track.clientWidth / 2;
  return [...track.children].findIndex((state) => {
    const { left, right } = state.getBoundingClientRect();
    return left <= middle && middle < right;
  });
}
"""


def waits_for(page: Page, state: int) -> None:
    page.wait_for_function(f"({SHOWN})() === {state}")
    said = page.locator(".steps-output").text_content()
    assert said == page.locator(".steps-state caption b").nth(state).text_content()


def test_buttons_step_and_stop_at_both_ends(reader: Reader) -> None:
    reader.goes_to(RING)
    steps = reader.page.locator(".steps")
    count = steps.locator(".steps-state").count()
    assert count == 7  # the start and six hops
    back, on = (steps.get_by_role("button", name=name) for name in ("previous", "next"))
    for state in (*range(1, count), count - 1):
        on.click()
        waits_for(reader.page, state)
    for state in (*reversed(range(count - 1)), 0):
        back.click()
        waits_for(reader.page, state)


def test_arrow_keys_step(reader: Reader) -> None:
    reader.goes_to(RING)
    reader.page.locator(".steps-track").focus()
    for key, state in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 6), ("ArrowRight", 6), ("Home", 0)):
        reader.page.keyboard.press(key)
        waits_for(reader.page, state)


def test_a_swipe_steps(phone: Reader) -> None:
    phone.goes_to(RING)
    track = phone.page.locator(".steps-track")
    track.evaluate("(one) => scrollTo(0, one.getBoundingClientRect().top + scrollY - 200)")
    box = track.bounding_box()
    assert box
    touches = phone.context.new_cdp_session(phone.page)

    def finger(kind: str, *points: dict[str, float]) -> None:
        touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    right, y = box["x"] + box["width"] - 30, box["y"] + 80
    finger("touchStart", {"x": right, "y": y})
    for moved in range(25, 300, 25):
        finger("touchMove", {"x": right - moved, "y": y})
        phone.page.wait_for_timeout(16)
    finger("touchEnd")
    waits_for(phone.page, 1)
    assert phone.page.evaluate("scrollX") == 0


def test_the_states_do_not_follow_the_run(reader: Reader) -> None:
    reader.goes_to("ring-walkthrough/")
    states = reader.page.locator(".steps-track").text_content()
    reader.sets(gpus="8", params="7")
    assert reader.page.locator(".steps-track").text_content() == states
