/** @type {Promise<void> | undefined} */
let loading;

/** Load plotly once. It stands beside this module, so the page's own address does not matter. */
export function loadPlotly() {
  loading ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = new URL("plotly.min.js", import.meta.url).href;
    script.onload = () => (globalThis.Plotly ? done() : failed(new Error("plotly did not start")));
    script.onerror = () => failed(new Error("plotly did not arrive"));
    document.head.append(script);
  });
  return loading;
}
