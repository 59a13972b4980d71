/**
 * The card of a number: its row of the ledger, lifted out for as long as the card is open.
 * There is one row for each number and its inputs, so a reader walks from a number to a data sheet by opening rows.
 * What a multiple of an input makes of a number has no row: its card is a copy of the number's row, of that run.
 */
import { bindMore, data } from "./bind.js";
import { button, make } from "./dom.js";
import { letScroll } from "./keyboard.js";
import { inputs, units } from "./model.js";

/** Let numbers and the ledger's rows open their card. */
export function wireCard() {
  const ledger = document.querySelector(".ledger");
  if (!ledger || !HTMLElement.prototype.showPopover) return;
  const back = button("Back", () => show(way.pop()));
  const bar = make("p", { className: "card-bar" }, back, button("Close", () => card.hidePopover()));
  const body = make("div", { className: "card-body", tabIndex: -1 });
  const card = make("div", { className: "card md-typeset", popover: "auto", role: "dialog", ariaLabel: "Where this number comes from" }, bar, body);
  const place = document.createComment("");
  /** @type {Element[]} the rows on the way to the one shown */
  const way = [];
  ledger.after(card);

  if (ledger.open) addButtons();
  else ledger.addEventListener("toggle", addButtons, { once: true });
  document.addEventListener("click", openByTouch);
  addEventListener("beforeprint", () => card.hidePopover());
  card.addEventListener("beforetoggle", ({ newState }) => newState === "closed" && putBack());

  function addButtons() {
    for (const row of document.querySelectorAll(".ledger-row")) {
      const open = button("Open", () => openCard(row, open), "ledger-open");
      open.ariaLabel = `Open: ${headOf(row).firstElementChild.textContent}`;
      row.prepend(open);
    }
  }

  /** @param {MouseEvent} event */
  function openByTouch(event) {
    const target = /** @type {Element} */ (event.target);
    const link = target.closest(".card a[href^='#']");
    if (link) {
      event.preventDefault();
      return step(multiplied(document.getElementById(link.hash.slice(1)), body.lastElementChild.dataset.multiples));
    }
    const number = target.closest("data.q");
    if (!number || target.closest("a, button, summary, label")) return;
    const row = rowOf(number);
    if (!row) return;
    if (card.contains(number)) step(row);
    else openCard(row, number);
  }

  /**
   * @param {Element} row
   * @param {HTMLElement} from what gets the focus back; a number can have it, but is no tab stop
   */
  function openCard(row, from) {
    way.length = 0;
    if (from.tabIndex < 0) from.tabIndex = -1;
    from.focus();
    card.showPopover();
    show(row);
    from.scrollIntoView({ block: "nearest" });
  }

  /** @param {Element | null} row an input of the row shown */
  function step(row) {
    const shown = body.lastElementChild;
    if (!row || row === shown) return;
    way.push(shown);
    show(row);
  }

  function show(row) {
    putBack();
    const head = headOf(row).cloneNode(true);
    row.replaceWith(place);
    body.replaceChildren(head, row);
    letScroll(head);
    back.hidden = !way.length;
    card.scrollTop = 0;
    body.focus({ preventScroll: true });
  }

  function putBack() {
    // What is taken out of the card loses the focus, and the browser would not know to give it back.
    if (body.contains(document.activeElement)) body.focus({ preventScroll: true });
    if (place.parentNode) place.replaceWith(body.lastElementChild);
  }
}

/** What the rows of a quantity share. */
const headOf = (row) => row.parentElement.firstElementChild;

/** @param {HTMLElement} number */
function rowOf({ dataset: { q, set } }) {
  const parts = set.split(";").filter(Boolean);
  // What overrides an input that is no choice multiplies it.
  const multiples = parts.filter((part) => inputs[part.split("=")[0]]?.unit);
  const id = `${q}|${parts.filter((part) => !multiples.includes(part)).join(";")}`;
  return multiplied(document.getElementById(data.rows[id] ?? id), multiples.join(";"));
}

/**
 * @param {HTMLElement | null} row
 * @param {string} [multiples] as data-set holds them; each number of the row is multiplied, since no formula of a number stands at an example
 */
function multiplied(row, multiples) {
  if (!row || !multiples) return row;
  // Each copy is made once, since it stays bound.
  const copies = (row.copies ??= {});
  if (copies[multiples]) return copies[multiples];
  const copy = row.cloneNode(true);
  make("section", {}, headOf(row).cloneNode(true), copy);
  copy.id += multiples;
  copy.dataset.multiples = multiples;
  for (const { dataset } of copy.querySelectorAll("data.q")) dataset.set += (dataset.set && ";") + multiples;
  for (const set of multiples.split(";")) {
    const q = set.split("=")[0];
    if (row.id === `${q}|`) continue; // which says so itself
    const { label, unit } = inputs[q];
    const number = make("data", { className: "q" });
    Object.assign(number.dataset, { q, set, as: "significant.15" });
    copy.querySelector("p").prepend(make("i", {}, units[unit][2] ? "" : `${label} `, number), ": ");
  }
  bindMore(copy);
  return (copies[multiples] = copy);
}
