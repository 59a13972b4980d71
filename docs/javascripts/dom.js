/** @returns {HTMLElement} an element with properties and children */
export function make(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** @returns {HTMLElement} a button that does `action` */
export function button(text, action, className = "run-button") {
  const made = make("button", { type: "button", className, textContent: text });
  made.addEventListener("click", action);
  return made;
}
