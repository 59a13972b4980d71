/**
 * The reader's run: from the address to the page, from the controls to the page and the address.
 *
 * @typedef {import("./evaluate.js").Settings} Settings
 */
import { bindPage, writeRun } from "./bind.js";
import { buildControls } from "./controls.js";
import { defaults, Run } from "./evaluate.js";
import { drawRun, watchFigures } from "./figures.js";
import { carryRun } from "./links.js";
import { read, write } from "./url.js";

const SETTLED_MS = 500;
const root = document.documentElement;
const aside = document.querySelector(".run");

/** @type {Settings} */
let settings = defaults;
let frame = 0;
let settling = 0;

const start = read(location.search);
bindPage();
const controls = aside && buildControls(aside, { change, reset: () => change({ ...defaults }) });
show(start.settings, { mark: false });
controls?.notice(start.notices);
watchFigures();
addEventListener("popstate", restore);

/** @param {Settings} next which a control has set: written in the next frame, told and put into the address when it settles */
function change(next) {
  settings = next;
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    show(settings, { mark: true });
  });
  clearTimeout(settling);
  settling = setTimeout(settle, SETTLED_MS);
}

/**
 * Write a run into the page, or say that it cannot be computed and leave the page as it is.
 * @param {Settings} next
 * @param {{mark: boolean}} options
 */
function show(next, { mark }) {
  settings = next;
  try {
    const run = new Run(settings);
    writeRun(run, mark);
    drawRun(run);
    controls?.show(settings);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    controls?.notice([{ key: "run", text: "This run cannot be computed: a quantity is not finite. The page shows the last one that can." }]);
  }
  const own = Object.keys(defaults).some((name) => settings[name] !== defaults[name]);
  root.classList.toggle("run-own", own);
  root.classList.remove("run-pending");
  carryRun(settings);
}

function settle() {
  const search = write(location.search, settings);
  if (search !== location.search) history.pushState(null, "", (search || location.pathname) + location.hash);
  controls?.say();
}

function restore() {
  const { settings: restored, notices } = read(location.search);
  show(restored, { mark: true });
  controls?.notice(notices);
}
