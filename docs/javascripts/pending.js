// With a run in the address the default's numbers are not shown as if they were the reader's: they wait until they are.
(() => {
  const { classList } = document.documentElement;
  const { src, dataset } = document.currentScript;
  const home = new URL(".", src).href;
  const inputs = dataset.inputs.split(" ");
  classList.add("scripted"); // the theme has a class of its own for this, which says nothing of the run's scripts
  if ([...new URLSearchParams(location.search).keys()].some((key) => inputs.includes(key))) classList.add("run-pending");

  // What a browser keeps for this address may be anything, or be refused; a palette that is none would stop the theme's scripts.
  const isSound = ({ index, color }) => Number.isInteger(index) && Object.keys(color).every((name) => /^[a-z]+$/.test(name));
  for (const name of ["__md_get", "__md_set"]) {
    const kept = window[name];
    window[name] = (key, ...more) => {
      try {
        const value = kept(key, ...more);
        return key !== "__palette" || isSound(value) ? value : null;
      } catch {
        return null;
      }
    };
  }

  // A script that fails to arrive is an error event that does not bubble; one that breaks is an error of the window.
  addEventListener("error", ({ target, filename }) => {
    // Of the scripts of this folder only: whatever fails in the theme's leaves the run alone.
    if (target === window ? filename.startsWith(home) : target.type === "module") giveUp();
  }, true);
  // A page that was cut off on its way has no scripts that could fail.
  addEventListener("load", () => classList.contains("run-pending") && giveUp());

  function giveUp() {
    if (classList.contains("run-ready") || classList.contains("run-failed")) return;
    const notice = "A part of this page did not arrive: it shows the default run and cannot take yours.";
    document.querySelector(".run")?.insertAdjacentHTML("afterbegin", `<p class="run-notice" role="alert">${notice}</p>`);
    classList.remove("run-pending");
    classList.add("run-failed");
  }
})();
