// A file that is dropped anywhere on the page goes into the form, and the form is sent.
"use strict";
(() => {
  const form = document.querySelector("form.drop");
  const input = form && form.querySelector("input[type=file]");
  if (!input) return;
  const mark = (on) => form.classList.toggle("over", on);
  document.addEventListener("dragover", (event) => { event.preventDefault(); mark(true); });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) mark(false); });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    mark(false);
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    form.requestSubmit();
  });
})();
