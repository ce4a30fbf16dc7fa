// Walks through the steps of the proof that is on display: n and p, the buttons, or the mouse.
"use strict";
(() => {
  const all = (root, what) => [...root.querySelectorAll(what)];
  const isShown = (element) => element.getClientRects().length > 0;
  let proof = null;
  let at = -1;

  const unfold = (element) => {
    for (let up = element.parentElement; up; up = up.parentElement) {
      if (up.tagName === "DETAILS") up.open = true;
    }
  };
  const mark = (number) => {
    const steps = all(proof, ".step");
    if (!steps.length) return;
    at = (number + steps.length) % steps.length;
    const step = steps[at];
    const ops = new Set(step.dataset.ops.split(" "));
    proof.classList.add("walking");
    steps.forEach((other) => other.classList.toggle("on", other === step));
    all(proof, ".arrow").forEach((arrow) => arrow.classList.toggle("on", arrow.dataset.step === step.dataset.step));
    all(proof, ".op").forEach((op) => op.classList.toggle("on", ops.has(op.dataset.op)));
  };
  const choose = (chosen) => {
    if (chosen === proof) return;
    if (proof) {
      proof.classList.remove("walking");
      all(proof, ".on").forEach((element) => element.classList.remove("on"));
    }
    proof = chosen;
    at = -1;
  };
  const walk = (by) => {
    if (!proof || !isShown(proof)) choose(all(document, ".proof").find(isShown) || null);
    if (!proof) return;
    mark(at < 0 && by < 0 ? -1 : at + by);
    const step = all(proof, ".step")[at];
    if (!step) return;
    unfold(step);
    step.scrollIntoView({ block: "nearest" });
  };

  for (const one of all(document, ".proof")) {
    all(one, ".step").forEach((step, number) =>
      step.addEventListener("mouseenter", () => { choose(one); mark(number); }));
    all(one, ".arrow").forEach((arrow) => arrow.addEventListener("click", () => {
      choose(one);
      const number = all(one, ".step").findIndex((step) => step.dataset.step === arrow.dataset.step);
      mark(number);
      const details = all(one, ".step")[number].querySelector("details");
      if (details) details.open = true;
    }));
    all(one, "[data-walk]").forEach((button) =>
      button.addEventListener("click", () => { choose(one); walk(Number(button.dataset.walk)); }));
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "n") walk(1);
    if (event.key === "p") walk(-1);
  });
})();
