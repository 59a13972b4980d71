/** Gives the keyboard what the theme leaves to mouse and finger. */
import { button } from "./dom.js";

const wide = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
    else target.removeAttribute("tabindex");
  }
});

/** Let the keys open navigation and search, reach the page's contents in the drawer, and scroll the page's formulas. */
export function wireKeyboard() {
  for (const label of document.querySelectorAll(".md-header__inner > label")) putButton(label);
  // The theme takes the Enter key of a label that has the focus for a click.
  for (const label of document.querySelectorAll(".md-nav .md-nav label, [for=__toc]")) label.tabIndex = 0;
  letScroll(document);
}

/** @param {Document | Element} part let the keys scroll its formulas as long as they are wider than their room */
export function letScroll(part) {
  for (const formula of part.querySelectorAll(".entry-formula, .ledger-head math")) wide.observe(formula);
}

/** @param {HTMLLabelElement} label a sign of the header, which opens something */
function putButton(label) {
  const { control, htmlFor } = label;
  const isSearch = htmlFor === "__search";
  // The theme opens the search when its field gets the focus.
  const sign = button("", () => (isSearch ? document.querySelector(".md-search__input").focus() : control.click()), label.className);
  sign.ariaLabel = isSearch ? "Search" : "Navigation";
  sign.setAttribute("for", htmlFor); // the theme's styles find it by this
  sign.append(...label.childNodes);
  label.replaceWith(sign);
}
