/**
 * Return a layout, already resolved, that also reads well at the edges of a run: labels keep inside the chart,
 * and an axis on which everything is zero has no numbers.
 * @param {any} layout
 */
export function place(layout) {
  const { range } = layout.xaxis;
  if (!range) return layout;
  const isEmpty = range[0] === range[1];
  const middle = (range[0] + range[1]) / 2;
  return {
    ...layout,
    xaxis: isEmpty ? { ...layout.xaxis, range: [0, 1], showticklabels: false } : layout.xaxis,
    annotations: layout.annotations?.map((label) =>
      label.xanchor === "auto" ? { ...label, xanchor: label.x > middle ? "right" : "left" } : label,
    ),
  };
}
