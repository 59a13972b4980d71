/** Gives the keyboard what the theme leaves to mouse and finger. */
import { button } from "./dom.js";

const wide = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
    else target.removeAttribute("tabindex");
  }
});

/** Let the keys open navigation and search, reach the page's contents in the drawer, and scroll what is wider than its room. */
export function wireKeyboard() {
  for (const label of document.querySelectorAll(".md-header__inner > label")) putButton(label);
  // The theme takes the Enter key of a label that has the focus for a click.
  for (const label of document.querySelectorAll(".md-nav .md-nav label, [for=__toc]")) label.tabIndex = 0;
  for (const formula of document.querySelectorAll(".entry-formula, .ledger-head math")) wide.observe(formula);
}

/** @param {HTMLLabelElement} label a sign of the header, which opens something */
function putButton(label) {
  const toggle = label.control;
  const sign = button("", () => toggle.click(), label.className);
  sign.ariaLabel = toggle.id === "__drawer" ? "Navigation" : "Search";
  sign.setAttribute("for", toggle.id); // the theme's styles find it by this
  sign.append(...label.childNodes);
  label.replaceWith(sign);
}
