/**
 * Return a chart, already resolved, that also reads well at the edges of a run: a bar of nothing has no outline,
 * an axis on which all is nothing no numbers, and a label that may stand on either side takes the one with room.
 * @param {{ data: any[], layout: any }} chart
 */
export function place({ data, layout }) {
  return { data: data.map(withoutSlivers), layout: layout.xaxis.range ? withinRange(layout) : layout };
}

function withoutSlivers(trace) {
  const line = trace.marker?.line;
  if (trace.type !== "bar" || !line) return trace;
  return { ...trace, marker: { ...trace.marker, line: { ...line, width: trace.x.map((x) => (x ? line.width : 0)) } } };
}

function withinRange(layout) {
  const [start, end] = layout.xaxis.range;
  if (start === end) {
    return { ...layout, shapes: [], xaxis: { ...layout.xaxis, range: [0, 1], showticklabels: false, ticks: "" } };
  }
  const annotations = layout.annotations?.map((label) =>
    label.xanchor === "auto" ? { ...label, xanchor: label.x > (start + end) / 2 ? "right" : "left" } : label,
  );
  return { ...layout, annotations };
}
