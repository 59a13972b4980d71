// A character is taken to be this wide, in parts of the font's size: wider than most are, so that what is said to fit does.
const CHARACTER = 0.62;

/**
 * Return a chart, already resolved, that also reads well at the edges of a run: a bar of nothing has no outline,
 * an axis on which all is nothing no numbers, and a label that may stand on either side of its place the side with room.
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
  const { xaxis } = layout;
  const [start, end] = xaxis.range;
  if (start === end) {
    return { ...layout, shapes: [], xaxis: { ...xaxis, range: [0, 1], showticklabels: false, ticks: "" } };
  }
  // Plotly wants the exponents of a logarithmic axis.
  if (xaxis.type === "log") return { ...layout, xaxis: { ...xaxis, range: xaxis.range.map(Math.log10) } };
  const { l, r } = layout.margin;
  const pixels = (layout.width - l - r) / (end - start);
  const annotations = layout.annotations?.map((label) => {
    if (label.xanchor !== "auto") return label;
    const room = (end - label.x) * pixels + r;
    return { ...label, xanchor: widthOf(label, layout.font.size) <= room ? "left" : "right" };
  });
  return { ...layout, annotations };
}

function widthOf({ text, font }, size) {
  return text.replace(/<[^>]*>/g, "").length * CHARACTER * (font?.size ?? size);
}
