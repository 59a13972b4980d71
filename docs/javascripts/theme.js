/** The light scheme's colours, which the charts' JSON holds, and the CSS variable that has each scheme's own. */
const VARIABLES = {
  "#a8571a": "--figure-arithmetic",
  "#f1e3c6": "--figure-copying",
  "#7d6233": "--figure-copying-edge",
  "#7a808a": "--figure-compute",
  "#c3c7cd": "--figure-compute-pale",
  "#22252a": "--figure-ink",
  "#5b6169": "--figure-muted",
  "#e1e2e5": "--figure-grid",
  "#ffffff": "--figure-paper",
};

/**
 * Return the colours that `element` has in the page's scheme, by those of the light one.
 * @param {Element} element
 */
export function schemeOf(element) {
  const style = getComputedStyle(element);
  return new Map(Object.entries(VARIABLES).map(([light, name]) => [light, style.getPropertyValue(name).trim() || light]));
}

/**
 * Return a copy of a chart in other colours.
 * @param {any} chart plain JSON
 * @param {Map<string, string> | null} colours null keeps them
 */
export function recolour(chart, colours) {
  return JSON.parse(JSON.stringify(chart), (_, value) => colours?.get(value) ?? value);
}
