import { button, make } from "./dom.js";

/**
 * Turn a row of states into one that is stepped through: buttons, arrow keys and the browser's own swipe.
 * The states stand in a strip that scrolls sideways, so all of them can be reached before this runs, or without it.
 * @param {HTMLElement} steps
 */
export function wireSteps(steps) {
  const track = steps.querySelector(".steps-track");
  const controls = steps.querySelector(".steps-controls");
  const output = make("output", { className: "steps-output" });
  const states = [...track.children];
  const keys = { ArrowLeft: -1, ArrowRight: 1, Home: -states.length, End: states.length };
  let shown = 0;

  controls.append(button("← previous", () => move(-1), "steps-button"), output, button("next →", () => move(1), "steps-button"));
  track.addEventListener("keydown", stepByKey);
  track.addEventListener("scroll", followSwipe, { passive: true });
  say();

  /** @param {KeyboardEvent} event */
  function stepByKey(event) {
    if (!(event.key in keys) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move(keys[event.key]);
  }

  /** @param {number} by how many states; it stops at the first and the last */
  function move(by) {
    shown = Math.min(Math.max(shown + by, 0), states.length - 1);
    track.scrollLeft = states[shown].offsetLeft - states[0].offsetLeft;
    say();
  }

  function followSwipe() {
    const place = Math.round(track.scrollLeft / track.clientWidth);
    if (place === shown) return;
    shown = place;
    say();
  }

  function say() {
    output.textContent = states[shown].querySelector("caption b").textContent;
  }
}
