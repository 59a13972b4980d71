const GAP = 4; // pixels between a place and the label beside it
const TAG = /<[^>]*>/g;
/** @type {CanvasRenderingContext2D | undefined} */
let ruler;

/**
 * Return a chart, already resolved, that also reads well at the edges of a run: a bar of nothing has no outline, an axis on which
 * all is nothing no numbers, a label that may stand on either side of its place the side with room, and none is wider than its room.
 * @param {{ data: any[], layout: any }} chart
 * @param {number} width in pixels
 */
export function place({ data, layout }, width) {
  return { data: data.map(withoutSlivers), layout: withinRange({ ...layout, width }) };
}

function withoutSlivers(trace) {
  const line = trace.marker?.line;
  if (trace.type !== "bar" || !line) return trace;
  return { ...trace, marker: { ...trace.marker, line: { ...line, width: trace.x.map((x) => (x ? line.width : 0)) } } };
}

function withinRange(layout) {
  const { xaxis, yaxis, width } = layout;
  const [start, end] = xaxis.range;
  if (start === end) {
    return { ...layout, shapes: [], xaxis: { ...xaxis, range: [0, 1], showticklabels: false, ticks: "" } };
  }
  // Plotly wants the exponents of a logarithmic axis.
  if (xaxis.type === "log") return { ...layout, xaxis: { ...xaxis, range: xaxis.range.map(Math.log10) } };
  const { r } = layout.margin;
  const hasNames = yaxis.showticklabels;
  const l = hasNames ? widthOf({ text: yaxis.categoryarray.join("<br>") }, layout.font) + GAP : layout.margin.l;
  const pixels = (width - l - r) / (end - start);
  const annotations = layout.annotations?.map((label) => {
    if (label.xanchor !== "auto") return fitted(label, width - l, layout.font);
    const [before, after] = [(label.x - start) * pixels + (hasNames ? 0 : l) - GAP, (end - label.x) * pixels + r - GAP];
    const isAfter = widthOf(label, layout.font) <= after || before <= after;
    const beside = { ...label, xanchor: isAfter ? "left" : "right", xshift: isAfter ? GAP : -GAP };
    return fitted(beside, isAfter ? after : before, layout.font);
  });
  return { ...layout, annotations, margin: { ...layout.margin, l } };
}

/** A label that is too wide, with a line for each of its parts; a part that is too wide all the same is cut, and whole in the table. */
function fitted(label, room, font) {
  if (widthOf(label, font) <= room) return label;
  const lines = label.text.split(/(?<=,) |<br>/).map((text) => {
    const width = widthOf({ ...label, text }, font);
    const words = text.replace(TAG, "");
    return width <= room ? text : `${words.slice(0, (words.length * room) / width - 2)}…`;
  });
  return { ...label, text: lines.join("<br>") };
}

/** The width in pixels of the widest line, as if all of it were bold. */
function widthOf({ text, font: own }, font) {
  ruler ??= document.createElement("canvas").getContext("2d");
  ruler.font = `bold ${own?.size ?? font.size}px ${font.family}`;
  return Math.max(...text.split("<br>").map((line) => ruler.measureText(line.replace(TAG, "")).width)) + GAP;
}
