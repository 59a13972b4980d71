/**
 * Forms: how a value is shown. The rules are those of hooks/live/forms.py, to the last character:
 * half away from zero on the shortest decimal that gives the double, and never zero for what is not zero.
 */
import { unitOf } from "./evaluate.js";
import { units } from "./model.js";

const WORDS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(" ");
const FRACTIONS = [[1 / 4, "a quarter"], [1 / 3, "a third"], [1 / 2, "half"], [2 / 3, "two thirds"], [3 / 4, "three quarters"]];
const ABOUT = [...FRACTIONS.map(([value]) => value), ...Array.from({ length: 39 }, (_, at) => (at + 2) / 2)];
const TOLERANCE = 0.07;
const KEPT_BASE = 0.1;
const THOUSANDS = /\B(?=(\d{3})+$)/g;

let latest = NaN;
let latestDecimal = [];

/** The digits and the exponent of the shortest decimal that gives the double; kept, since a form asks several times. */
function decimalOf(value) {
  if (value !== latest) {
    const [mantissa, exponent] = Math.abs((latest = value)).toExponential().split("e");
    latestDecimal = [mantissa.replace(".", ""), Number(exponent)];
  }
  return latestDecimal;
}

const exponentOf = (value) => (value ? decimalOf(value)[1] : 0);
const power = (exponent) => Number(`1e${exponent}`);

/**
 * The digits of value × 10^shift, rounded half away from zero. The shift moves the point of the shortest decimal, so that nothing is
 * rounded twice. To make the browser's own Intl.NumberFormat would hold a slow phone for a tenth of a second.
 * @param {number} value
 * @param {number} shift
 * @param {number} [least] decimals
 * @param {number} [most] decimals, of which those beyond `least` are cut where they are zero
 * @param {string} [comma] between thousands
 */
export function digits(value, shift, least = 0, most = Infinity, comma = ",") {
  const [all, exponent] = decimalOf(value);
  let point = value && exponent + shift + 1; // digits before it
  let kept = all.slice(0, Math.max(0, point + most));
  if (all[point + most] >= "5") {
    const up = String(BigInt(kept) + 1n);
    point += up.length - kept.length;
    kept = up;
  }
  if (point < 0) kept = "0".repeat(-point) + kept;
  const at = Math.max(0, point);
  const whole = kept.slice(0, at).padEnd(point, "0").replace(THOUSANDS, comma) || "0";
  const decimals = kept.slice(at).replace(/0+$/, "").padEnd(least, "0");
  const text = decimals ? `${whole}.${decimals}` : whole;
  return value < 0 ? `\u2212${text}` : text;
}

/** Every digit of value × 10^shift, as an address and a field hold it. */
export const decimal = (value, shift = 0) => digits(value, shift, 0, Infinity, "");

const isZero = (text) => !/[1-9]/.test(text);

function plain(value, shift, least, most) {
  const text = digits(value, shift, least, most);
  return value && isZero(text) ? digits(value, shift, least, -(exponentOf(value) + shift)) : text;
}

function naturalPrefix(value, prefixes) {
  const base = prefixes.findIndex(([exponent]) => exponent === 0);
  if (!value) return base;
  const natural = Math.max(0, prefixes.findLastIndex(([exponent]) => exponentOf(value) >= exponent));
  return natural < base && Math.abs(value) >= KEPT_BASE ? base : natural;
}

/** The least and most decimals of a form for value ÷ 10^shift. */
function places(value, shift, name, count) {
  if (name === "fixed") return [count, count];
  return [0, value ? Math.max(0, count - 1 - (exponentOf(value) - shift)) : 0];
}

function spelled([symbol, singular, plural], [, , word], one) {
  if (symbol) return word + (one ? singular : plural);
  return word || !one ? `${word} ${plural}`.trim() : singular;
}

const joined = (...parts) => parts.filter(Boolean).join(" ");

function withUnit(value, unit, name, count) {
  const [symbol, , , , prefixes] = unit;
  let at = naturalPrefix(value, prefixes);
  for (;;) {
    const [exponent, letter] = prefixes[at];
    const [least, most] = places(value, exponent, name, count);
    const text = digits(value, -exponent, least, most);
    const zero = isZero(text);
    const wholeDigits = text.split(".")[0].replace(/\D/g, "").length;
    if (!zero && at + 1 < prefixes.length && wholeDigits > prefixes[at + 1][0] - exponent) {
      at += 1;
      continue;
    }
    if (zero && value && at > 0) {
      at -= 1;
      continue;
    }
    const shown = zero && value ? plain(value, -exponent, least, most) : text;
    return joined(shown, symbol ? letter + symbol : spelled(unit, prefixes[at], shown === "1"));
  }
}

function words(value, unit) {
  const prefix = unit[4][naturalPrefix(value, unit[4])];
  const word = WORDS.findIndex((_, whole) => Number(`${whole}e${prefix[0]}`) === value);
  return word < 0 ? null : joined(WORDS[word], spelled(unit, prefix, word === 1));
}

function about(value, unit) {
  const prefix = unit[4].findLast(([exponent]) => value >= ABOUT[0] * (1 - TOLERANCE) * power(exponent));
  if (!prefix) return null;
  const scaled = value / power(prefix[0]);
  let near = ABOUT[0];
  for (const candidate of ABOUT) if (Math.abs(scaled - candidate) < Math.abs(scaled - near)) near = candidate;
  if (Math.abs(scaled - near) > TOLERANCE * near) return null;
  const fraction = FRACTIONS.find(([candidate]) => candidate === near);
  if (fraction) {
    const whole = aWhole(unit, prefix);
    return `about ${fraction[1]}${whole && (fraction[1] === "half" ? " " : " of ") + whole}`;
  }
  return joined("about", WORDS[Math.floor(near)] + (near % 1 ? " and a half" : ""), spelled(unit, prefix, near === 1));
}

function aWhole(unit, prefix) {
  const [symbol, , plural] = unit;
  const name = !symbol && prefix[2] ? `${prefix[2]} ${plural}`.trim() : spelled(unit, prefix, true);
  return name && `${"aeiou".includes(name[0]) ? "an" : "a"} ${name}`;
}

/**
 * @param {number} value in the base unit
 * @param {Array} unit a unit of model.js
 * @param {string} form as data-as names it: "fixed.2", "about"
 * @returns {string}
 */
export function show(value, unit, form) {
  const name = form.split(".")[0];
  const count = Number(form.split(".")[1]);
  if (name === "words") return words(value, unit) ?? show(value, unit, unit[3]);
  if (name === "about") return about(value, unit) ?? show(value, unit, unit[3]);
  if (name === "percent") return `${plain(value, 2, count, count)} %`;
  if (name === "times") return `${plain(value, 0, ...places(value, 0, name, count))}${unit[2] && " "}×`;
  return withUnit(value, unit, name, count);
}

/**
 * @param {import("./evaluate.js").Run} run
 * @param {{q: string, set: string, as: string}} reference
 * @returns {{value: number | string, text: string}}
 */
export function shown(run, { q, set, as }) {
  const at = run.with(set);
  const value = at.value(q);
  return { value, text: as === "name" ? at.nameOf(q) : show(value, units[unitOf(q)], as) };
}
