/**
 * Evaluates the model by name for one run, as Python's Run does. The formulas come from the generated model.js.
 *
 * @typedef {Record<string, number | string>} Settings  inputs by name, in base units; choices by id
 */
import { choices, constants, examples, inputs, kinds, multiples, NotComputable, quantities } from "./model.js";

/** Default inputs of the site. */
export const defaults = Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.default]));
const constantValues = Object.fromEntries(Object.entries(constants).map(([name, [value]]) => [name, value]));

export class Run {
  /** @param {Settings} settings every input, already checked */
  constructor(settings) {
    this.settings = settings;
    this.runs = new Map();
    const figures = Object.keys(choices).map((choice) => this.record(choice).figures);
    this.values = Object.assign(Object.create(null), constantValues, ...figures, settings);
  }

  /**
   * @param {string} name a quantity, an input, a constant or a figure of the chosen records
   * @returns {number | string | boolean} the double in its base unit, the id of a choice, the truth of a predicate
   * @throws {NotComputable} for a division by zero or a result that is not finite
   */
  value(name) {
    return (this.values[name] ??= this.#evaluate(name));
  }

  /** @param {string} set overrides as data-set holds them: "example=node;link=other;mfu=tenth_more" */
  with(set) {
    if (!set) return this;
    let run = this.runs.get(set);
    if (!run) this.runs.set(set, (run = new Run(this.#overridden(set))));
    return run;
  }

  /** @param {string} choice */
  record(choice) {
    return choices[choice][this.settings[choice]];
  }

  /** What the chosen record is called; one without a name is called what another choice's record calls it. */
  nameOf(choice) {
    const own = this.record(choice).named.name;
    if (own) return own;
    const key = `${choice}_name`;
    return Object.keys(choices).map((other) => this.record(other).named[key]).find(Boolean);
  }

  /** The record that gives a figure, "accelerator.h100": the last choice's that has it. */
  giverOf(figure) {
    const choice = Object.keys(choices).findLast((one) => figure in this.record(one).figures);
    return `${choice}.${this.settings[choice]}`;
  }

  #evaluate(name) {
    if (!Object.hasOwn(quantities, name)) throw new NotComputable(name);
    const [of, f, , ladder] = quantities[name];
    const value = f(...of.map((part) => (typeof part === "string" ? this.value(part) : this.with(part[1]).value(part[0]))));
    if (typeof value === "boolean") return value;
    if (!Number.isFinite(value)) throw new NotComputable(name);
    if (!ladder) return value;
    const [digits, lowest, highest] = ladder;
    for (let power = lowest; power <= highest; power += 1) {
      for (const digit of digits) {
        const step = Number(`${digit}e${power}`);
        if (step >= value) return step;
      }
    }
    throw new NotComputable(name);
  }

  #overridden(set) {
    const { example, ...given } = Object.fromEntries(set.split(";").map((part) => part.split("=")));
    const settings = { ...this.settings, ...examples[example] };
    for (const [name, id] of Object.entries(given)) {
      const records = choices[name];
      if (!records) settings[name] *= multiples[id];
      else settings[name] = id === "other" ? records[settings[name]].other : id;
    }
    return settings;
  }
}

/** The name of the unit in which a name is measured. */
export const unitOf = (name) =>
  quantities[name]?.[2] ?? inputs[name]?.unit ?? constants[name]?.[1] ?? kinds[name];

/**
 * @param {Run} run
 * @param {object | Array} claim as the page's JSON holds it: {q, set}, or ["and" | "or" | "not", …parts]
 * @returns {boolean}
 */
export function holds(run, claim) {
  if (!Array.isArray(claim)) return run.with(claim.set).value(claim.q);
  const [operator, ...parts] = claim;
  if (operator === "not") return !holds(run, parts[0]);
  return operator === "and" ? parts.every((part) => holds(run, part)) : parts.some((part) => holds(run, part));
}
