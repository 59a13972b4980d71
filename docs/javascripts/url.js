/**
 * A run is a link: the keys of the address are the names of the inputs, in base units, only where they differ.
 *
 * @typedef {import("./evaluate.js").Settings} Settings
 * @typedef {{ key: string, text: string }} Notice what in the address was not taken, and why
 */
import { choices, inputs } from "./model.js";
import { defaults } from "./evaluate.js";

const PLAIN_DECIMAL = /^[0-9]+(\.[0-9]+)?$/;
const LONGEST = 40; // characters; no number within the bounds needs more

const plain = new Intl.NumberFormat("en", { useGrouping: false, maximumFractionDigits: 60 });

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
    if (problem) notices.push({ key: name, text: `${inputs[name].label}: ${problem}. The page shows the default.` });
    else settings[name] = name in choices ? given[0] : Number(given[0]);
  }
  for (const key of new Set(query.keys())) {
    const meant = Object.hasOwn(inputs, key) ? undefined : Object.keys(inputs).find((name) => isNear(key, name));
    if (meant) notices.push({ key, text: `“${key}” is not an input. Perhaps “${meant}” is meant.` });
  }
  return { settings, notices };
}

/** @returns {string | undefined} what is wrong with the text of an input's value */
export function problemOf(name, text) {
  const input = inputs[name];
  if (Object.hasOwn(choices, name)) return Object.hasOwn(choices[name], text) ? undefined : "is not one of the choices";
  if (text.length > LONGEST || !PLAIN_DECIMAL.test(text)) return "must be a plain decimal number";
  return accepts(input, Number(text)) ? undefined : input.rule;
}

/** @param {{low: number, high: number, open: boolean, whole: boolean}} input */
export function accepts({ low, high, open, whole }, value) {
  return (open ? value > low : value >= low) && value <= high && (!whole || Number.isInteger(value));
}

/**
 * Return `search` with the run in it: inputs that differ from the default, everything else as it was.
 * @param {string} search
 * @param {Settings} settings
 */
export function write(search, settings) {
  const query = new URLSearchParams(search);
  for (const name of Object.keys(inputs)) {
    query.delete(name);
    if (settings[name] !== defaults[name]) query.set(name, textOf(name, settings[name]));
  }
  const text = query.toString();
  return text && `?${text}`;
}

/** A value as the address holds it: an id, or a plain decimal in the base unit. */
export function textOf(name, value) {
  return typeof value === "string" ? value : plain.format(value);
}

/** One edit, or only letter case, away. */
function isNear(key, name) {
  if (key.length > name.length + 1) return false;
  if (key.toLowerCase() === name.toLowerCase()) return true;
  let start = 0;
  while (start < Math.min(key.length, name.length) && key[start] === name[start]) start += 1;
  const [keyRest, nameRest] = [key.slice(start), name.slice(start)];
  return keyRest.slice(1) === nameRest.slice(1) || keyRest.slice(1) === nameRest || keyRest === nameRest.slice(1);
}
