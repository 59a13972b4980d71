/**
 * @typedef {{ q: string, set: string, as: string, v: number | string }} Reference a quantity and what it is worth
 * @typedef {{ blocks: "x" | "y", start?: Reference, end: Reference, width: Reference }} Blocks a row of blocks
 * @typedef {(reference: Reference, kind: "value" | "text") => number | string} Evaluate
 */

// The gap between blocks: a part of a block, but never more than a hair of the row.
const GAP_OF_BLOCK = 0.1;
const GAP_OF_ROW = 0.01;
const MOST_BLOCKS = 200; // the model groups hops into far fewer

/**
 * Return a chart's JSON with every reference replaced by what it is worth: its value, or its text within a text.
 * @param {any} node
 * @param {Evaluate} evaluate the default is what the build has found
 */
export function resolve(node, evaluate = (reference) => reference.v) {
  if (Array.isArray(node)) {
    return node.flatMap((item) => (item?.blocks ? outline(item, evaluate) : [resolve(item, evaluate)]));
  }
  if (node === null || typeof node !== "object") return node;
  if (typeof node.q === "string") return evaluate(node, "value");
  if (Array.isArray(node.most)) return Math.max(...node.most.map((reference) => Number(evaluate(reference, "value"))));
  if (Array.isArray(node.t)) return node.t.map((part) => (typeof part === "string" ? part : evaluate(part, "text"))).join("");
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolve(value, evaluate)]));
}

/**
 * Return the places, or the heights, along the outline of a row of blocks.
 * Blocks of `width` stand from `start`, or from zero, to `end`, the last one cut there, with a gap between each and the next.
 * From block to block the outline runs along the foot of the row, so that one line holds them all.
 * @param {Blocks} blocks
 * @param {Evaluate} evaluate
 * @returns {number[]}
 */
function outline({ blocks, ...given }, evaluate) {
  const [start, end, width] = [given.start, given.end, given.width].map((reference) => (reference ? Number(evaluate(reference, "value")) : 0));
  // A rounding error must not add a block of no width.
  const count = width > 0 ? Math.min(Math.ceil((end - start) / width - 1e-6), MOST_BLOCKS) : 0;
  const gap = Math.min(GAP_OF_BLOCK * width, GAP_OF_ROW * (end - start));
  return Array.from({ length: Math.max(count, 0) }, (_, block) => {
    const left = start + block * width;
    const right = block === count - 1 ? end : left + width - gap;
    return blocks === "x" ? [left, left, right, right] : [0, 1, 1, 0];
  }).flat();
}
