// With a run in the address the default's numbers are not shown as if they were the reader's: they wait until they are.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  if (/[?&][^=&]+=/.test(location.search)) root.classList.add("run-pending");
  // A script that fails to arrive is an error event that does not bubble.
  addEventListener("error", ({ target }) => {
    if (target instanceof HTMLScriptElement && target.type === "module") root.classList.replace("run-pending", "run-failed");
  }, true);
})();
