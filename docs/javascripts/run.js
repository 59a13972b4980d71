/**
 * The reader's run: from the address to the page, from the controls to the page and the address.
 *
 * @typedef {import("./evaluate.js").Settings} Settings
 */
import { bindPage, prepare } from "./bind.js";
import { wireCard } from "./card.js";
import { buildControls } from "./controls.js";
import { defaults, Run } from "./evaluate.js";
import { drawRun, watchFigures } from "./figures.js";
import { wireKeyboard } from "./keyboard.js";
import { carryRun, writeLinks } from "./links.js";
import { NotComputable } from "./model.js";
import { read, write } from "./url.js";

const SETTLED_MS = 500;
const { classList } = document.documentElement;
const aside = document.querySelector(".run");

/** @type {Settings} the run that the page shows */
let stated = defaults;
/** @type {Settings} the run that the controls ask for */
let wanted = defaults;
let frame = 0;
let settling = 0;

classList.add("scripted");
// One after another: a slow phone is given time for what else a page asks of it.
await pause();
bindPage();
const controls = aside && buildControls(aside, { change, settle });
await pause();
if (location.search) restore();
else {
  // The page shows the default run already, so that working it out can wait.
  controls?.show(new Run(stated), false);
  setTimeout(display);
}
classList.add("run-ready");
classList.remove("run-pending");
watchFigures();
wireCard();
wireKeyboard();
addEventListener("popstate", goBack);
// A link must not leave behind what has not settled yet, nor a key that the theme takes for one.
addEventListener("click", ({ target }) => target instanceof Element && target.closest("a[href]") && settle(), true);
addEventListener("keydown", ({ key, target }) => "np,.".includes(key) && !target.matches?.("input") && settle(), true);

/** Let the browser do what waits, unless it is a run in the address that waits. */
function pause() {
  return location.search || new Promise((done) => setTimeout(done));
}

/** Take the run from the address. */
function restore() {
  clearTimeout(settling);
  settling = 0;
  const { settings, notices } = read(location.search);
  wanted = settings;
  controls?.notice(notices);
  display();
  writeLinks();
}

/** An anchor is a step in the history as well, but not another run. */
function goBack() {
  const before = write("", stated);
  restore();
  if (write("", stated) !== before) controls?.say();
}

/** @param {Settings} next which a control has set: written in the next frame, told and put into the address when it settles */
function change(next) {
  wanted = next;
  frame ||= requestAnimationFrame(display);
  clearTimeout(settling);
  settling = setTimeout(settle, SETTLED_MS);
}

/** Write the wanted run into the page, or say that it cannot be computed and leave the page as it is. */
function display() {
  cancelAnimationFrame(frame);
  frame = 0;
  const run = new Run(wanted);
  try {
    const writePage = prepare(run);
    // Plotly measures its boxes: it must come before the texts, else the whole page is laid out twice.
    drawRun(run);
    writePage(classList.contains("run-ready"));
    stated = wanted;
    if (settling) controls?.notice([]);
  } catch (error) {
    if (!(error instanceof NotComputable)) throw error;
    controls?.notice([{ key: "run", text: "This run cannot be computed: a result is too large. The page stays at the run that is stated here." }]);
  }
  const isOwn = write("", stated) !== "";
  controls?.show(run, isOwn);
  // Not a class: with one, the browser would style the whole page again.
  document.documentElement.toggleAttribute("data-run-own", isOwn);
  carryRun(stated);
}

/** Put a change that has come to rest into the address, and say it. */
function settle() {
  if (!settling) return;
  clearTimeout(settling);
  settling = 0;
  if (frame) display();
  const search = write(location.search, stated);
  if (search !== location.search) history.pushState(null, "", (search || location.pathname) + location.hash);
  controls?.say();
  writeLinks();
}
