/**
 * A run is a link: the keys of the address are the names of the inputs, in base units, only where they differ.
 *
 * @typedef {import("./evaluate.js").Settings} Settings
 * @typedef {{ key: string, text: string }} Notice what in the address was not taken, and why
 */
import { choices, inputs } from "./model.js";
import { defaults } from "./evaluate.js";
import { decimal, digits } from "./format.js";

const PLAIN_DECIMAL = /^[0-9]+(\.[0-9]+)?$/;
const LONGEST = 400; // characters; the smallest double, written out, has fewer

export const NO_NUMBER = "must be digits, such as 64 or 0.5";

/**
 * Read a run. Each key stands alone: what is wrong with one leaves the others as they are.
 * @param {string} search the address's query
 * @returns {{ settings: Settings, notices: Notice[] }}
 */
export function read(search) {
  const query = new URLSearchParams(search);
  const settings = { ...defaults };
  const notices = [];
  for (const name of Object.keys(inputs)) {
    const given = query.getAll(name);
    if (!given.length) continue;
    const problem = given.length > 1 ? "is given more than once" : problemOf(name, given[0]);
    if (problem) notices.push({ key: name, text: `In the address, “${name}” ${problem}. Here it is the default.` });
    else settings[name] = name in choices ? given[0] : Number(given[0]);
  }
  const keys = [...new Set(query.keys())].filter((key) => !Object.hasOwn(inputs, key));
  for (const name of Object.keys(inputs)) {
    const near = oneEditFrom(name);
    // One notice for each input, whatever an address holds.
    const key = keys.find((candidate) => candidate.toLowerCase() === name || near.test(candidate));
    if (key !== undefined) notices.push({ key, text: `In the address, “${key}” is not an input. Perhaps “${name}” is meant.` });
  }
  return { settings, notices };
}

/** @returns {string | undefined} what is wrong with the text of an input's value */
function problemOf(name, text) {
  if (Object.hasOwn(choices, name)) return Object.hasOwn(choices[name], text) ? undefined : "is not one of the choices";
  if (text.length > LONGEST || !PLAIN_DECIMAL.test(text)) return NO_NUMBER;
  return accepts(inputs[name], Number(text)) ? undefined : ruleOf(inputs[name]);
}

/** @param {{low: number, high: number, open: boolean, whole: boolean}} input */
export function accepts({ low, high, open, whole }, value) {
  return (open ? value > low : value >= low) && value <= high && (!whole || Number.isInteger(value));
}

/**
 * What a value must be, in base units or in those of a field.
 * @param {{low: number, high: number, open: boolean, whole: boolean}} input
 */
export function ruleOf({ low, high, open, whole }, { kind = "", unit = "", power = 0 } = {}) {
  const [least, most] = [low, high].map((bound) => digits(bound, -power));
  return `must be ${whole ? "a whole number" + kind + ", " : ""}${open ? "above" : "at least"} ${least} and at most ${most} ${unit}`.trim();
}

/**
 * Return `search` with the run in it: inputs that differ from the default, everything else to the letter as it was.
 * @param {string} search
 * @param {Settings} settings
 */
export function write(search, settings) {
  const own = Object.keys(inputs).filter((name) => settings[name] !== defaults[name]);
  const texts = new Map(own.map((name) => [name, `${name}=${name in choices ? settings[name] : decimal(settings[name])}`]));
  const parts = [];
  for (const part of search.slice(1).split("&")) {
    // The "&" keeps a "?" at the start of a part from being taken for the query's own.
    const key = new URLSearchParams(`&${part}`).keys().next().value;
    parts.push(Object.hasOwn(inputs, key ?? "") ? texts.get(key) : part);
    texts.delete(key);
  }
  const text = [...parts, ...texts.values()].filter(Boolean).join("&");
  return text && `?${text}`;
}

/** @returns {RegExp} what is one edit away from a name, or has two neighbours swapped; one character may be two code units */
function oneEditFrom(name) {
  const edits = Array.from({ length: name.length + 1 }, (_, at) => {
    const rest = name.slice(at);
    return `${name.slice(0, at)}(.?(${rest}|${rest.slice(1)})|${rest.replace(/(.)(.)/, "$2$1")})`;
  });
  return new RegExp(`^(${edits.join("|")})$`, "su");
}
