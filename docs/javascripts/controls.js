/**
 * The controls of the run, made from the model's inputs: native fields, selects and sliders.
 * They exist only where scripts run, so that no reader meets a dead one.
 *
 * @typedef {import("./evaluate.js").Settings} Settings
 */
import { defaults, Run } from "./evaluate.js";
import { shown } from "./format.js";
import { choices, inputs, presets } from "./model.js";
import { accepts, textOf } from "./url.js";

/**
 * @param {HTMLElement} aside holds the run's line and its verdict
 * @param {{change: (settings: Settings) => void, reset: () => void}} actions
 */
export function buildControls(aside, { change, reset }) {
  /** @type {Settings} */
  let settings = { ...defaults };
  const form = make("form", { id: "run-sheet", className: "run-sheet", hidden: true, noValidate: true });
  const open = make("button", { type: "button", className: "run-open", textContent: "Set run" });
  const said = make("output", { className: "run-said" });
  const notices = make("div", { className: "run-notices" });
  const fields = Object.keys(inputs).map((name) => (name in choices ? choiceField(name, set) : numberField(name, set)));
  const preset = presetField((next) => change(next));
  const copied = make("span", { className: "run-copied" });
  copied.setAttribute("role", "status");
  const buttons = make("p", { className: "run-buttons" });
  buttons.append(button("Reset", reset), button("Copy link", copyLink), button("Close", close), copied);
  form.append(preset.row, ...fields.map((field) => field.row), buttons);
  open.setAttribute("aria-controls", form.id);
  notices.setAttribute("role", "status");
  aside.append(open, notices, form, said);
  setOpen(false);

  open.addEventListener("click", () => setOpen(form.hidden));
  aside.addEventListener("keydown", (event) => { if (event.key === "Escape" && !form.hidden) close(); });
  form.addEventListener("submit", (event) => event.preventDefault());

  return { show, say, notice };

  function set(name, value) {
    change((settings = { ...settings, [name]: value }));
  }

  /** @param {Settings} next */
  function show(next) {
    settings = next;
    const run = new Run(next);
    fields.forEach((field) => field.show(next, run));
    preset.show(next);
  }

  function say() {
    said.textContent = aside.querySelector(".run-verdict").textContent.trim().replace(/\s+/g, " ");
  }

  /** @param {import("./url.js").Notice[]} found */
  function notice(found) {
    notices.replaceChildren(...found.map(({ text }) => make("p", { className: "run-notice", textContent: text })));
  }

  function setOpen(isOpen) {
    form.hidden = !isOpen;
    open.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) form.querySelector("select, input").focus({ preventScroll: true });
  }

  function close() {
    setOpen(false);
    open.focus();
  }

  async function copyLink() {
    const address = location.href;
    try {
      await navigator.clipboard.writeText(address);
      copied.textContent = "Copied.";
    } catch {
      copied.textContent = address;
    }
  }
}

/** A choice among the catalogue's records. */
function choiceField(name, set) {
  const select = make("select", { id: `run-${name}`, name });
  for (const [id, { named }] of Object.entries(choices[name])) select.append(make("option", { value: id, textContent: named.name ?? id }));
  select.addEventListener("change", () => set(name, select.value));
  return {
    row: labelled(name, select),
    show(settings, run) {
      select.value = settings[name];
      for (const option of select.options) option.textContent = run.with(`${name}=${option.value}`).nameOf(name);
    },
  };
}

/** A number as people type it, with its unit beside it; some have a slider as well. */
function numberField(name, set) {
  const input = inputs[name];
  const field = make("input", { id: `run-${name}`, name, type: "number", inputMode: "decimal", step: "any" });
  const problem = make("p", { id: `run-${name}-problem`, className: "run-problem", hidden: true });
  field.setAttribute("aria-describedby", problem.id);
  field.addEventListener("input", () => {
    const value = fromField(field.value, input.power);
    const isGood = field.value !== "" && accepts(input, value);
    tell(isGood ? "" : ruleOf(input));
    if (isGood) set(name, value);
  });
  const slider = input.slider && sliderOf(name, (value) => set(name, value));
  return {
    row: labelled(name, field, make("span", { className: "run-unit", textContent: input.field }), slider?.element, problem),
    show(settings, run) {
      slider?.show(settings[name], run);
      if (fromField(field.value, input.power) === settings[name]) return;
      field.value = toField(settings[name], input.power);
      tell("");
    },
  };

  function tell(text) {
    problem.textContent = text;
    problem.hidden = !text;
    field.setAttribute("aria-invalid", String(Boolean(text)));
  }
}

/** A slider over a range that a hand can use; a "doubling" one takes powers of two. */
function sliderOf(name, set) {
  const { slider, most, power } = inputs[name];
  const isDoubling = slider === "doubling";
  const element = make("input", { type: "range", className: "run-slider", min: isDoubling ? 0 : 1, max: isDoubling ? Math.log2(most) : most, step: 1 });
  element.setAttribute("aria-label", `${inputs[name].label}, slider`);
  element.addEventListener("input", () => set(isDoubling ? 2 ** element.valueAsNumber : fromField(element.value, power)));
  return {
    element,
    show(value, run) {
      const at = isDoubling ? Math.log2(value) : Number(toField(value, power));
      if (Math.round(at) !== element.valueAsNumber) element.value = at;
      element.setAttribute("aria-valuetext", shown(run, { q: name, set: "", as: inputs[name].as }).text);
    },
  };
}

/** Published runs, each with its source. */
function presetField(change) {
  const select = make("select", { id: "run-preset" });
  const about = make("p", { className: "run-about" });
  select.append(make("option", { value: "", textContent: "your own" }));
  for (const [id, { name }] of Object.entries(presets)) select.append(make("option", { value: id, textContent: name }));
  select.addEventListener("change", () => change(select.value ? { ...presets[select.value].settings } : { ...defaults }));
  const row = make("p", { className: "run-row" });
  row.append(make("label", { htmlFor: select.id, textContent: "A published run" }), select);
  const box = make("div", {});
  box.append(row, about);
  return {
    row: box,
    show(settings) {
      const match = Object.entries(presets).find(([, preset]) => Object.keys(inputs).every((name) => preset.settings[name] === settings[name]));
      select.value = match ? match[0] : "";
      about.replaceChildren();
      if (match?.[1].url) about.append("Source: ", make("a", { href: match[1].url, textContent: match[1].source }));
    },
  };
}

/** A field's text in base units, exactly: the power of ten goes into the exponent of the decimal. */
function fromField(text, power) {
  const [mantissa, exponent = "0"] = text.toLowerCase().split("e");
  return mantissa ? Number(`${mantissa}e${Number(exponent) + power}`) : NaN;
}

function toField(value, power) {
  const [mantissa, exponent] = value.toExponential().split("e");
  return textOf("", Number(`${mantissa}e${Number(exponent) - power}`));
}

function ruleOf({ low, high, open, whole, power, field }) {
  const [least, most] = [low, high].map((bound) => toField(bound, power));
  return `Must be ${whole ? "a whole number of units, " : ""}${open ? "above" : "at least"} ${least} and at most ${most} ${field}`.trim() + ".";
}

function labelled(name, control, ...more) {
  const row = make("p", { className: "run-row" });
  row.append(make("label", { htmlFor: control.id, textContent: inputs[name].label }), control);
  const box = make("div", {});
  for (const part of more) if (part) (part.tagName === "P" ? box : row).append(part);
  box.prepend(row);
  return box;
}

function button(text, action) {
  const made = make("button", { type: "button", className: "run-button", textContent: text });
  made.addEventListener("click", action);
  return made;
}

function make(tag, properties) {
  return Object.assign(document.createElement(tag), properties);
}
