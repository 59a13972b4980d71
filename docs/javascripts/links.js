/** Lets the run follow the reader to the next page: every link to a page of this site carries it. */
import { defaults } from "./evaluate.js";
import { write } from "./url.js";

const base = new URL("..", import.meta.url).href;
let current = defaults;

/** @param {import("./evaluate.js").Settings} settings the run that a link takes along when it is reached */
export function carryRun(settings) {
  current = settings;
}

/** Write the run into every link now, for whoever copies an address. There are hundreds, so not while a slider moves. */
export function writeLinks() {
  // The theme's keys follow the links of the head.
  document.querySelectorAll("a[href], link[rel=prev], link[rel=next]").forEach(carry);
}

// Search results appear later and are given the run when they are reached.
for (const event of ["pointerdown", "focusin", "click", "contextmenu"]) {
  addEventListener(event, ({ target }) => target instanceof Element && carry(target.closest("a[href]")), true);
}

/** @param {HTMLAnchorElement | null} link */
function carry(link) {
  if (!link?.href.startsWith?.(base) || link.getAttribute("href").startsWith("#")) return;
  const url = new URL(link.href);
  const search = write(url.search, current);
  if (search === url.search) return;
  url.search = search;
  link.href = url.href;
}
