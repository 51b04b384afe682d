// Labels by key: each button names its own.

const form = document.querySelector("form.judge");
const byKey = document.querySelector("#by-key");
const PATIENCE = 2000;
const KEPT = "neardup-by-key";
let isSent = false;

if (form) {
  // keys of one letter may be turned off, for whoever speaks to the browser
  byKey.checked = localStorage.getItem(KEPT) !== "no";
  byKey.closest("[hidden]").hidden = false;
  byKey.addEventListener("change", () => localStorage.setItem(KEPT, byKey.checked ? "yes" : "no"));
  form.addEventListener("submit", (event) => {
    // a second key before the next pair is there would label this one again
    if (isSent) event.preventDefault();
    isSent = true;
    // what was stopped on its way can be sent again
    setTimeout(() => (isSent = false), PATIENCE);
  });
  addEventListener("pageshow", () => (isSent = false));
  document.addEventListener("keydown", (event) => {
    const isMeant = byKey.checked && !event.repeat && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isMeant || event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
    const button = form.querySelector(`[aria-keyshortcuts="${letter(event)}"]`);
    if (button) {
      event.preventDefault();
      button.click();
    }
  });
}

/** Tells the letter of a key: what it writes, or where that is not of the Latin alphabet what is printed beside. */
function letter(event) {
  const written = event.key.toLowerCase();
  return /^[a-z]$/.test(written) ? written : event.code.replace(/^Key/, "").toLowerCase().replace(/[^a-z]/g, "");
}
