/**
 * Binds a page to the run: its numbers, its claims and the texts of its attributes.
 *
 * @typedef {{ q: string, set: string, as: string }} Reference
 * @typedef {{ reference: Reference, elements: HTMLDataElement[], value: string, text: string, known?: number | string }} Number_ a number and where it stands
 */
import { defaults, holds, Run } from "./evaluate.js";
import { shown } from "./format.js";

const CHANGED = "run-changed";
const LONG = "data-long";
const LONGER_THAN = 14;
const CALM_MS = 120;
const MARKED_MS = 900;

/** The page's JSON blocks as one: `claims`, `charts` and `texts` by id. */
export const data = readData();

/** @type {Map<string, Number_>} */
const numbers = new Map();
/** @type {{ element: Element, claim: any, holds: boolean, other: DocumentFragment }[]} */
const claims = [];
/** @type {{ element: Element, attribute: string, parts: (string | Reference)[] }[]} */
const texts = [];
/** @type {HTMLElement[]} sources of figures that a choice gives: another choice has another source */
const sourced = [];
/** @type {Reference[]} what the charts draw */
const drawn = [];
/** @type {Set<Element>} what has changed and is not marked yet */
const changed = new Set();
let marking = 0;
/** The run that the page shows: as it comes, the site's own. */
let shownRun = new Run(defaults);

function readData() {
  const all = { claims: {}, charts: {}, texts: {}, rows: {}, sources: {} };
  for (const block of document.querySelectorAll("script.live-data")) {
    for (const [kind, entries] of Object.entries(JSON.parse(block.textContent))) Object.assign(all[kind], entries);
  }
  return all;
}

/** Find everything that follows the run, in the page and in the sentences that it does not show. */
export function bindPage() {
  bindPart(document);
  findReferences(data.charts);
  for (const element of document.querySelectorAll("[data-claim]")) {
    const claim = data.claims[element.dataset.claim];
    if (claim?.unsaid === undefined) continue;
    // The sentence was made by the build, like the page itself; nothing of the address is in it.
    const other = document.createRange().createContextualFragment(claim.unsaid);
    bindPart(other);
    claims.push({ element, claim: claim.if, holds: claim.holds, other });
  }
}

/**
 * Write the run into an element that was made after the page, and bind it.
 * @param {Element} made
 */
export function bindMore(made) {
  for (const number of made.querySelectorAll("data.q")) {
    const { value, text } = shown(shownRun, number.dataset);
    number.setAttribute("value", value);
    setText(number, text);
  }
  bindPart(made);
}

/** @param {Document | DocumentFragment | Element} root */
function bindPart(root) {
  for (const element of root.querySelectorAll("data.q")) {
    const { q, set, as } = element.dataset;
    const key = `${q}|${set}|${as}`;
    const known = numbers.get(key);
    if (known) known.elements.push(element);
    else numbers.set(key, { reference: { q, set, as }, elements: [element], value: element.getAttribute("value"), text: element.textContent });
  }
  for (const element of root.querySelectorAll("[data-live]")) {
    for (const [attribute, parts] of Object.entries(data.texts[element.dataset.live])) texts.push({ element, attribute, parts });
  }
  sourced.push(...root.querySelectorAll("[data-sourced]"));
}

function findReferences(node) {
  if (node === null || typeof node !== "object") return;
  if (typeof node.q === "string") drawn.push(node);
  else Object.values(node).forEach(findReferences);
}

/**
 * Evaluate all that the page shows, so that a run that cannot be computed leaves it whole.
 * @param {Run} run
 * @returns {(mark: boolean) => void} writes the run into the page; whether what changes is marked for a moment
 * @throws {NotComputable}
 */
export function prepare(run) {
  const writes = [];
  for (const number of numbers.values()) {
    const { q, set, as } = number.reference;
    const known = run.with(set).value(q);
    // What has the same value has the same text; only a name can change beside it.
    if (known === number.known && as !== "name") continue;
    const { value, text } = shown(run, number.reference);
    writes.push([number, String(value), text, known]);
  }
  for (const { q, set } of drawn) run.with(set).value(q);
  const attributes = texts.map(({ parts }) => parts.map((part) => (typeof part === "string" ? part : shown(run, part).text)).join(""));
  const turned = claims.filter((claim) => holds(run, claim.claim) !== claim.holds);
  return function write(mark) {
    shownRun = run;
    for (const [number, value, text, known] of writes) {
      for (const element of number.elements) {
        if (value !== number.value) element.setAttribute("value", value);
        if (text === number.text) continue;
        setText(element, text);
        if (mark) changed.add(element);
      }
      Object.assign(number, { value, text, known });
    }
    for (const claim of turned) {
      claim.holds = !claim.holds;
      const said = document.createDocumentFragment();
      said.append(...claim.element.childNodes);
      claim.element.append(claim.other);
      claim.other = said;
      if (mark) changed.add(claim.element);
    }
    texts.forEach(({ element, attribute }, at) => {
      if (element.getAttribute(attribute) !== attributes[at]) element.setAttribute(attribute, attributes[at]);
    });
    for (const element of sourced) {
      const { sourced: name, set, giver } = element.dataset;
      const other = run.with(set).giverOf(name);
      if (other === giver) continue;
      element.dataset.giver = other;
      element.innerHTML = data.sources[name][other];
    }
    clearTimeout(marking);
    marking = setTimeout(markBriefly, CALM_MS);
  };
}

/** A searched word may be marked inside a number: then it is more than one text. */
function setText(element, text) {
  const { firstChild } = element;
  if (firstChild instanceof Text && firstChild === element.lastChild) firstChild.data = text;
  else element.textContent = text;
  // Many digits may break at the edge of the page. The style sheet cannot ask for the value: with each write the browser would style all numbers.
  if (text.length > LONGER_THAN !== element.hasAttribute(LONG)) element.toggleAttribute(LONG);
}

/** Once a drag has come to rest, and only what is on the screen: to mark takes longer than to write. */
function markBriefly() {
  const marked = [...changed].filter((element) => {
    // To ask for the place of what the browser has skipped would lay it out.
    if (!element.checkVisibility({ contentVisibilityAuto: true })) return false;
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
  changed.clear();
  for (const element of marked) element.classList.add(CHANGED);
  setTimeout(() => marked.forEach((element) => element.classList.remove(CHANGED)), MARKED_MS);
}
