/**
 * Draws the page's figures for a run: each when it comes near, once it has a width, in the colours of the scheme.
 * What is in view follows a change in the same frame; what is only near follows when the changes have come to rest.
 *
 * @typedef {import("./evaluate.js").Run} Run
 * @typedef {{ box: HTMLElement, chart: any, width: number, isNear: boolean, isSeen: boolean, isStale: boolean, isBroken: boolean,
 *   coloured?: any, drawn?: string }} Figure  `width` is 0 until it is drawn, `coloured` its chart in the scheme's colours,
 *   `drawn` what stands there now
 */
import { data } from "./bind.js";
import { shown } from "./format.js";
import { loadPlotly } from "./load.js";
import { NotComputable } from "./model.js";
import { place } from "./place.js";
import { resolve } from "./resolve.js";
import { wireSteps } from "./steps.js";
import { recolour, schemeOf } from "./theme.js";

const NEAR = "600px";
const AT_REST_MS = 120;
const PAPER_WIDTH = 640;
// A static plot has no drag layer that traps a page's scroll, no tab stops and no bar of buttons; none uploads anything.
const CONFIG = { staticPlot: true, showSendToCloud: false };

/** @type {Map<Element, Figure>} */
const figures = new Map();
/** @type {import("./resolve.js").Evaluate | undefined} what the build shipped, until there is a run */
let evaluate;
let isPrinting = false;
let resting = 0;
/** @type {{ colours: Map<string, string>, family: string } | undefined} the scheme; asking for it makes the browser style the page */
let look;

const near = new IntersectionObserver(followNearness, { rootMargin: NEAR });
const inSight = new IntersectionObserver(followSight);
// A figure in a hidden tab or a closed <details> has no width; this tells when it gets one.
const sized = new ResizeObserver(followWidth);

/** Draw each figure of the page when it comes near, and keep it in step with scheme, width and paper. */
export function watchFigures() {
  for (const box of document.querySelectorAll(".figure-chart")) {
    figures.set(box, { box, chart: data.charts[box.dataset.chart], width: 0, isNear: false, isSeen: false, isStale: true, isBroken: false });
    near.observe(box);
    inSight.observe(box);
  }
  document.querySelectorAll(".steps").forEach(wireSteps);
  new MutationObserver(changeScheme).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
  addEventListener("beforeprint", putOnPaper);
  addEventListener("afterprint", putOnScreen);
}

/**
 * Draw the figures for a run: those in view now, others when they come near.
 * @param {Run} run
 */
export function drawRun(run) {
  evaluate = (reference, kind) => shown(run, reference)[kind];
  redraw();
}

function redraw() {
  for (const figure of figures.values()) {
    figure.isStale = true;
    if (figure.isSeen || isPrinting) draw(figure);
  }
  clearTimeout(resting);
  resting = setTimeout(drawNext, AT_REST_MS);
}

/** Draw again what is near but not in view: a figure at a time, so that no task is long. */
function drawNext() {
  const next = [...figures.values()].find((figure) => figure.isNear && figure.isStale && figure.width && !figure.isBroken);
  if (!next) return;
  draw(next);
  resting = setTimeout(drawNext);
}

function changeScheme() {
  look = undefined;
  for (const figure of figures.values()) figure.coloured = undefined;
  redraw();
}

/** @param {IntersectionObserverEntry[]} entries */
function followSight(entries) {
  for (const { target, isIntersecting } of entries) {
    const figure = figures.get(target);
    figure.isSeen = isIntersecting;
    if (isIntersecting && figure.isStale && figure.width) draw(figure);
  }
}

/** @param {IntersectionObserverEntry[]} entries */
async function followNearness(entries) {
  for (const entry of entries) figures.get(entry.target).isNear = entry.isIntersecting;
  if (!entries.some((entry) => entry.isIntersecting)) return;
  try {
    await loadPlotly();
  } catch {
    figures.forEach(giveUp);
    return;
  }
  for (const { target } of entries) {
    const figure = figures.get(target);
    sized.observe(target);
    if (figure.isNear && figure.isStale) draw(figure);
  }
}

/** @param {ResizeObserverEntry[]} entries */
function followWidth(entries) {
  requestAnimationFrame(() => {
    for (const { target } of entries) {
      const figure = figures.get(target);
      if (!isPrinting && target.clientWidth !== figure.width) draw(figure, target.clientWidth);
    }
  });
}

/**
 * @param {Figure} figure
 * @param {number} width as it was measured last; measuring makes the browser lay the page out
 */
function draw(figure, width = figure.width || figure.box.clientWidth) {
  // What was never drawn cannot be drawn in time for the printer: plotly may not be there yet.
  if (!width || figure.isBroken || !globalThis.Plotly) return;
  try {
    const chart = place(resolve(inColours(figure), evaluate), isPrinting ? PAPER_WIDTH : width);
    const drawn = JSON.stringify(chart);
    if (drawn !== figure.drawn) globalThis.Plotly.react(figure.box, chart.data, chart.layout, CONFIG);
    figure.drawn = drawn;
    missing(figure).hidden = true;
    figure.width = width;
    figure.isStale = false;
  } catch (error) {
    if (error instanceof NotComputable) throw error; // a run that cannot be computed, which the caller says
    console.error(error);
    giveUp(figure);
  }
}

/** @param {Figure} figure whose JSON has the light scheme's colours, which are those of paper as well */
function inColours(figure) {
  look ??= { colours: schemeOf(figure.box), family: getComputedStyle(figure.box).fontFamily };
  if (!isPrinting) return (figure.coloured ??= dressed(figure.chart, look.colours));
  return dressed(figure.chart, null);
}

function dressed(chart, colours) {
  const { data: traces, layout } = recolour(chart, colours);
  return { data: traces, layout: { ...layout, font: { ...layout.font, family: look.family } } };
}

/** @param {Figure} figure which cannot be drawn: it says so and opens its table */
function giveUp(figure) {
  figure.isBroken = true;
  near.unobserve(figure.box);
  inSight.unobserve(figure.box);
  figure.box.hidden = true;
  figure.box.parentElement.classList.add("figure-failed");
  missing(figure).hidden = false;
  figure.box.closest("figure").querySelector(".figure-data").open = true;
}

/** @param {Figure} figure */
function missing(figure) {
  return figure.box.parentElement.querySelector(".figure-missing");
}

function putOnPaper() {
  isPrinting = true;
  redraw();
  for (const { box, width } of figures.values()) box.closest("figure").classList.toggle("figure-undrawn", !width);
}

function putOnScreen() {
  isPrinting = false;
  redraw();
}
