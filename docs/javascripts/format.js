/**
 * Forms: how a value is shown. The rules are those of hooks/live/forms.py, to the last character:
 * half away from zero on the shortest decimal that gives the double, and never zero for what is not zero.
 */
import { unitOf } from "./evaluate.js";
import { NotComputable, units } from "./model.js";

const WORDS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(" ");
const FRACTIONS = [[1 / 4, "a quarter"], [1 / 3, "a third"], [1 / 2, "half"], [2 / 3, "two thirds"], [3 / 4, "three quarters"]];
const ABOUT = [...FRACTIONS.map(([value]) => value), ...Array.from({ length: 39 }, (_, at) => (at + 2) / 2)];
const TOLERANCE = 0.07;
const KEPT_BASE = 0.1;
const SMALLEST = -90; // Intl writes a hundred decimals at most

const formats = new Map();

/** Making an Intl.NumberFormat costs twenty times its use. */
function numberFormat(least, most) {
  const key = least * 1000 + most;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat("en", { minimumFractionDigits: least, maximumFractionDigits: most, signDisplay: "negative" });
    formats.set(key, format);
  }
  return format;
}

let latest = NaN;
let latestParts = [];

/** The mantissa and the exponent of the shortest decimal that gives the double; kept, since a form asks several times. */
export function decimalOf(value) {
  if (value !== latest) latestParts = (latest = value).toExponential().split("e");
  return latestParts;
}

const exponentOf = (value) => (value ? Number(decimalOf(value)[1]) : 0);
const power = (exponent) => Number(`1e${exponent}`);

/** value × 10^shift in digits; the shift goes into the exponent of the shortest decimal, so that nothing is rounded twice. */
function digits(value, shift, least, most) {
  const [mantissa, exponent] = decimalOf(value);
  return numberFormat(least, most).format(`${mantissa}e${Number(exponent) + shift}`);
}

const isZero = (text) => !/[1-9]/.test(text);
const typeset = (text) => text.replace("-", "\u2212");

function plain(value, shift, least, most) {
  let text = digits(value, shift, least, most);
  if (value && isZero(text)) text = digits(value, shift, least, -(exponentOf(value) + shift));
  return typeset(text);
}

function naturalPrefix(value, prefixes) {
  const base = prefixes.findIndex(([exponent]) => exponent === 0);
  if (!value) return base;
  const magnitude = exponentOf(value);
  let natural = 0;
  prefixes.forEach(([exponent], at) => { if (magnitude >= exponent) natural = at; });
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
    const shown = zero && value ? plain(value, -exponent, least, most) : typeset(text);
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
  const [name, count] = form.split(".");
  if (exponentOf(value) < SMALLEST) throw new NotComputable(value);
  if (name === "words") return words(value, unit) ?? show(value, unit, unit[3]);
  if (name === "about") return about(value, unit) ?? show(value, unit, unit[3]);
  if (name === "percent") return `${plain(value, 2, Number(count), Number(count))} %`;
  if (name === "times") return `${plain(value, 0, ...places(value, 0, name, Number(count)))}${unit[2] && " "}×`;
  return withUnit(value, unit, name, Number(count));
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
