/**
 * The card of a number: its row of the ledger, lifted out for as long as the card is open.
 * There is one row for each number and its inputs, so a reader walks from a number to a data sheet by opening rows.
 */
import { data } from "./bind.js";
import { button, make } from "./dom.js";

/** Let numbers and the ledger's rows open their card. */
export function wireCard() {
  const ledger = document.querySelector(".ledger");
  if (!ledger || !HTMLElement.prototype.showPopover) return;
  const back = button("Back", goBack);
  const bar = make("p", { className: "card-bar" }, back, button("Close", () => card.hidePopover()));
  const body = make("div");
  const card = make("div", { className: "card md-typeset", popover: "auto", role: "dialog", ariaLabel: "Where this number comes from" }, bar, body);
  ledger.after(card);
  const place = document.createComment("the row in the card");
  /** @type {Element[]} the rows on the way to the one shown */
  const way = [];

  for (const row of ledger.querySelectorAll(".ledger-row")) {
    row.append(button("Open as a card", () => open(row), "ledger-open"));
  }
  document.addEventListener("click", openByTouch);
  card.addEventListener("toggle", ({ newState }) => newState === "closed" && putBack());

  /** @param {MouseEvent} event */
  function openByTouch(event) {
    const target = /** @type {Element} */ (event.target);
    const link = target.closest(".card a[href^='#row-']");
    if (link) {
      event.preventDefault();
      step(document.getElementById(link.hash.slice(1)));
      return;
    }
    const number = target.closest("data.q");
    if (!number || target.closest("a, button, summary, label")) return;
    const row = rowOf(number);
    if (!row) return;
    if (card.contains(number)) step(row);
    else open(row);
  }

  /** @param {Element} row */
  function open(row) {
    way.length = 0;
    show(row);
    card.showPopover();
    bar.lastElementChild.focus({ preventScroll: true });
  }

  /** @param {Element | null} row an input of the row shown */
  function step(row) {
    const shown = body.firstElementChild;
    if (!row || row === shown) return;
    way.push(shown);
    show(row);
  }

  function goBack() {
    show(way.pop());
  }

  function show(row) {
    putBack();
    row.replaceWith(place);
    body.append(row);
    back.hidden = !way.length;
    card.scrollTop = 0;
  }

  function putBack() {
    if (place.isConnected) place.replaceWith(body.firstElementChild);
  }
}

/** @param {HTMLElement} number */
function rowOf({ dataset: { q, set } }) {
  return document.getElementById(data.rows[`${q}|${set}`] ?? ["row", q, ...set.split(";").filter(Boolean).map((part) => part.replace("=", "-"))].join("-"));
}
