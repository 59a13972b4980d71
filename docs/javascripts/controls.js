/**
 * The controls of the run, made from the model's inputs: native fields, selects and sliders.
 * They exist only where scripts run, so that no reader meets a dead one.
 *
 * @typedef {import("./evaluate.js").Run} Run
 * @typedef {import("./evaluate.js").Settings} Settings
 */
import { defaults } from "./evaluate.js";
import { decimal, shown } from "./format.js";
import { button, make } from "./dom.js";
import { choices, examples, inputs, presets, units } from "./model.js";
import { accepts, NO_NUMBER, ruleOf } from "./url.js";

const AS_TYPED = /^(\d+|\d{1,3}([,\s]\d{3})+)?(\.\d*)?$/; // also what is not typed to its end, such as "30."

/**
 * @param {HTMLElement} aside holds the run's line and its verdict
 * @param {{change: (settings: Settings) => void, settle: () => void}} actions
 */
export function buildControls(aside, { change, settle }) {
  /** @type {Settings} */
  let settings = defaults;
  const form = make("form", { id: "run-sheet", className: "run-sheet", noValidate: true, autocomplete: "off", ariaLabel: "Set the run" });
  const open = button("Set run", () => setOpen(true));
  const notices = make("div", { className: "run-notices", role: "status" });
  const said = make("output", { className: "run-said" });
  const copied = make("span", { className: "run-copied", role: "status" });
  const whose = aside.querySelector(".run-whose");
  const preset = presetField(changeAll);
  const fields = Object.keys(inputs).sort((a, b) => rank(a) - rank(b)).map((name) => (name in choices ? choiceField(name, set) : numberField(name, set)));
  const rows = make("div", { className: "run-fields" }, preset.row, ...fields.map((field) => field.row));
  const buttons = make("p", { className: "run-buttons" }, button("Close", close), button("Reset", () => changeAll(defaults)), button("Copy link", copyLink), copied);
  form.append(rows, buttons);
  open.classList.add("run-open");
  open.setAttribute("aria-controls", form.id);
  aside.append(open, notices, form, said);
  setOpen(false);

  document.addEventListener("keydown", closeByKey);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    settle();
  });

  return { show, say, notice };

  function set(name, value) {
    change((settings = { ...settings, [name]: value }));
  }

  /** A whole run at once; a text that is no number yet is part of the old one. */
  function changeAll(next) {
    fields.forEach((field) => field.forget?.());
    change((settings = { ...next }));
  }

  /**
   * @param {Run} run
   * @param {boolean} isOwn whether the page shows another run than the default
   */
  function show(run, isOwn) {
    settings = run.settings;
    const text = isOwn ? "Your run" : "Default run";
    if (whose.textContent !== text) whose.textContent = text;
    fields.forEach((field) => field.show(settings, run));
    preset.show(settings);
    copied.replaceChildren();
  }

  function say() {
    said.textContent = aside.querySelector(".run-verdict").textContent.trim().replace(/\s+/g, " ");
  }

  /** @param {import("./url.js").Notice[]} found */
  function notice(found) {
    notices.replaceChildren(...found.map(({ text }) => make("p", { className: "run-notice", textContent: text })));
    if (found.length) notices.append(button("Dismiss", () => notice([])));
  }

  function setOpen(isOpen) {
    form.hidden = !isOpen;
    open.hidden = isOpen;
    document.documentElement.classList.toggle("run-opened", isOpen);
    open.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) return;
    form.querySelector("select").focus({ preventScroll: true });
    if (getComputedStyle(aside).position !== "fixed") return;
    aside.scrollTop = form.offsetTop;
    // A sheet that lies over the page leaves in view what it is opened for.
    inView(".figure-box")?.scrollIntoView({ block: "nearest" });
  }

  function close() {
    const wasInside = form.contains(document.activeElement);
    setOpen(false);
    if (wasInside) open.focus({ preventScroll: true });
  }

  function closeByKey({ key, target, defaultPrevented }) {
    const isTaken = defaultPrevented || target.closest(".md-search") || document.querySelector(".card")?.matches(":popover-open");
    if (key === "Escape" && !form.hidden && !isTaken) close();
  }

  async function copyLink() {
    settle();
    try {
      await navigator.clipboard.writeText(location.href);
      copied.textContent = "Copied.";
    } catch {
      const address = make("input", { className: "run-address", readOnly: true, value: location.href, ariaLabel: "Copy this address" });
      copied.replaceChildren("Copy this address:", address);
      address.select();
    }
  }
}

/** The first of the page's elements that is in view, if only a part of it. */
function inView(selector) {
  return [...document.querySelectorAll(selector)].find((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
}

/** What is set most often comes first: the choices, then what has a slider. */
function rank(name) {
  if (name in choices) return 0;
  return inputs[name].slider ? 1 : 2;
}

/** A choice among the catalogue's records. */
function choiceField(name, set) {
  const select = make("select", { id: `run-${name}`, name });
  for (const id of Object.keys(choices[name])) select.append(make("option", { value: id }));
  // What a link is called can depend on the card.
  let named;
  select.addEventListener("change", () => set(name, select.value));
  return {
    row: labelled(inputs[name].label, select),
    show(settings, run) {
      put(select, settings[name]);
      const chosen = Object.keys(choices).map((choice) => settings[choice]).join();
      if (chosen === named) return;
      named = chosen;
      for (const option of select.options) {
        const text = run.with(`${name}=${option.value}`).nameOf(name);
        if (option.textContent !== text) option.textContent = text;
      }
    },
  };
}

/** Give a control its value, unless it is the one in the reader's hand, which has it: it would be laid out again. */
function put(control, value) {
  if (control.value !== String(value)) control.value = value;
}

/** A number as people type it, with its unit beside it; some have a slider as well. */
function numberField(name, set) {
  const input = inputs[name];
  const field = make("input", { id: `run-${name}`, name, type: "text", inputMode: "decimal", className: input.field ? "run-number run-measured" : "run-number" });
  const unit = input.field && make("span", { id: `run-${name}-unit`, className: "run-unit", textContent: input.field });
  const problem = make("p", { id: `run-${name}-problem`, className: "run-problem", role: "status" });
  const slider = input.slider && sliderOf(name, (value) => set(name, value));
  // The value that the field's text stands for. While the run keeps it, the text is the reader's and stays as it is.
  let known = NaN;
  field.setAttribute("aria-describedby", [unit?.id, problem.id].filter(Boolean).join(" "));
  field.addEventListener("input", take);
  return {
    row: labelled(input.label, field, unit, problem, slider?.element),
    forget: () => (known = NaN),
    show(settings, run) {
      slider?.show(settings[name], run);
      if (settings[name] === known) return;
      known = settings[name];
      field.value = toField(known, input.power);
      tell("");
    },
  };

  function take() {
    const value = fromField(field.value, input);
    if (Number.isNaN(value)) return tell(NO_NUMBER);
    if (!accepts(input, value)) return tell(ruleOf(input, { kind: input.power ? ` of ${input.label}` : "", unit: input.field, power: input.power }));
    tell("");
    if (value !== known) set(name, (known = value));
  }

  function tell(text) {
    field.setAttribute("aria-invalid", String(Boolean(text)));
    if (problem.textContent === text) return;
    problem.textContent = text;
    if (text) problem.scrollIntoView({ block: "nearest" });
  }
}

/** A slider over a range that a hand can use; a "doubling" one takes powers of two. */
function sliderOf(name, set) {
  const { label, slider, most, power, unit, field, as } = inputs[name];
  const isDoubling = slider === "doubling";
  const element = make("input", { type: "range", className: "run-slider", min: isDoubling ? 0 : 1, max: isDoubling ? Math.log2(most) : most, step: 1, ariaLabel: `${label}, slider` });
  let known, before;
  element.addEventListener("input", () => set(isDoubling ? 2 ** element.valueAsNumber : fromField(element.value, { power })));
  // A finger that sets out on the slider and scrolls the sheet has set nothing.
  element.addEventListener("pointerdown", () => (before = known));
  element.addEventListener("pointercancel", () => set(before));
  return {
    element,
    show(value, run) {
      known = value;
      put(element, isDoubling ? Math.log2(value) : toField(value, power));
      // What has no unit of its own is spoken with the one beside its field.
      const text = units[unit][2] ? shown(run, { q: name, set: "", as }).text : `${toField(value, power)} ${field}`;
      element.setAttribute("aria-valuetext", text);
    },
  };
}

/** Published runs, each with its source. */
function presetField(changeAll) {
  const runs = { default: { name: "the default run", settings: defaults } };
  for (const [id, preset] of Object.entries(presets)) runs[id] = { ...preset, settings: examples[id] };
  const select = make("select", { id: "run-preset" });
  const about = make("p", { className: "run-about" });
  select.append(make("option", { value: "", textContent: "your own", disabled: true }));
  for (const [id, { name }] of Object.entries(runs)) select.append(make("option", { value: id, textContent: name }));
  select.addEventListener("change", () => changeAll(runs[select.value].settings));
  return {
    row: labelled("Published run", select, about),
    show(settings) {
      const match = Object.keys(runs).find((id) => Object.keys(inputs).every((name) => runs[id].settings[name] === settings[name])) ?? "";
      if (select.value === match && about.dataset.of === match) return;
      select.value = about.dataset.of = match;
      const url = runs[match]?.url;
      about.replaceChildren(...(url ? [make("a", { href: url, textContent: "Where it was published" })] : []));
    },
  };
}

/** A field's text in base units, exactly: the power of ten goes into the exponent of the decimal. NaN for what is no plain number. */
function fromField(text, { power, field }) {
  const typed = text.trim().replace(field ? RegExp(` *${field}$`) : "", "");
  return /\d/.test(typed) && AS_TYPED.test(typed) ? Number(`${typed.replace(/[,\s]/g, "").replace(/\.$/, "")}e${power}`) : NaN;
}

/** The decimal that a field shows for a value in base units. */
const toField = (value, power) => decimal(value, -power);

/** @param {...(Element | "" | undefined)} more what stands beside and below the control */
function labelled(text, control, ...more) {
  return make("div", { className: "run-row" }, make("label", { htmlFor: control.id, textContent: text }), control, ...more.filter(Boolean));
}
