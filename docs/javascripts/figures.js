// Draws the page's figures: each when it comes near, once it has a width, in the colours of the scheme.
import { loadPlotly } from "./load.js";
import { place } from "./place.js";
import { resolve } from "./resolve.js";
import { wireSteps } from "./steps.js";
import { recolour, schemeOf } from "./theme.js";

/**
 * @typedef {{ box: HTMLElement, chart: any, width: number, isBroken: boolean }} Figure
 */

const NEAR = "600px";
const PAPER_WIDTH = 640;
// A static plot has no drag layer to trap a page's scroll and no tab stops; no button uploads anything.
const CONFIG = {
  staticPlot: true, displayModeBar: false, displaylogo: false, showSendToCloud: false, responsive: false, scrollZoom: false,
  doubleClick: false,
};

/** @type {Map<Element, Figure>} */
const figures = new Map();
const charts = readCharts();
let isPrinting = false;

const near = new IntersectionObserver(drawArrived, { rootMargin: NEAR });
// A figure in a hidden tab or a closed <details> has no width; this tells when it gets one.
const sized = new ResizeObserver((entries) => requestAnimationFrame(() => entries.forEach((entry) => redraw(figures.get(entry.target)))));

for (const box of document.querySelectorAll(".figure-chart")) {
  figures.set(box, { box, chart: charts[box.dataset.chart], width: 0, isBroken: false });
  near.observe(box);
}
document.querySelectorAll(".steps").forEach(wireSteps);
new MutationObserver(redrawAll).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
addEventListener("beforeprint", putOnPaper);
addEventListener("afterprint", putOnScreen);

/** Return the page's charts by id; what cannot be read is missed by its figure. */
function readCharts() {
  const found = {};
  for (const block of document.querySelectorAll("script.live-data")) {
    try {
      Object.assign(found, JSON.parse(block.textContent).charts);
    } catch (error) {
      console.error(error);
    }
  }
  return found;
}

/** @param {IntersectionObserverEntry[]} entries */
async function drawArrived(entries) {
  const arrived = entries.filter((entry) => entry.isIntersecting).map((entry) => figures.get(entry.target));
  if (!arrived.length) return;
  arrived.forEach((figure) => near.unobserve(figure.box));
  try {
    await loadPlotly();
  } catch {
    figures.forEach(giveUp);
    return;
  }
  for (const figure of arrived) {
    sized.observe(figure.box);
    draw(figure);
  }
}

function redrawAll() {
  figures.forEach((figure) => figure.width && draw(figure));
}

/** @param {Figure} figure whose box may have another width by now */
function redraw(figure) {
  if (!isPrinting && figure.box.clientWidth !== figure.width) draw(figure);
}

/** @param {Figure} figure */
function draw(figure) {
  const width = isPrinting ? PAPER_WIDTH : figure.box.clientWidth;
  if (!width || figure.isBroken) return;
  figure.width = width;
  try {
    // The colours in the JSON are the light scheme's, and those of paper.
    const { data, layout } = place(recolour(resolve(figure.chart), isPrinting ? null : schemeOf(figure.box)));
    layout.width = width;
    layout.font.family = getComputedStyle(figure.box).fontFamily;
    globalThis.Plotly.react(figure.box, data, layout, CONFIG);
    missing(figure).hidden = true;
  } catch (error) {
    console.error(error);
    giveUp(figure);
  }
}

/** @param {Figure} figure which cannot be drawn: it says so and opens its table */
function giveUp(figure) {
  figure.isBroken = true;
  near.unobserve(figure.box);
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
  redrawAll();
  for (const { box, width } of figures.values()) {
    if (!width) box.closest("figure").classList.add("figure-undrawn");
  }
}

function putOnScreen() {
  isPrinting = false;
  redrawAll();
  document.querySelectorAll(".figure-undrawn").forEach((figure) => figure.classList.remove("figure-undrawn"));
}
