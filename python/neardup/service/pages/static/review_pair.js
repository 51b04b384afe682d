// Labels a pair by key. Each button names its key.

const form = document.querySelector("form.judge");
const byKey = document.querySelector("#by-key");
const RESEND_AFTER = 2000;
const KEPT = "neardup-by-key";
let isSent = false;

if (form) {
  // Keys of one letter can be turned off, for users of speech input.
  byKey.checked = localStorage.getItem(KEPT) !== "no";
  byKey.closest("[hidden]").hidden = false;
  byKey.addEventListener("change", () => localStorage.setItem(KEPT, byKey.checked ? "yes" : "no"));
  form.addEventListener("submit", (event) => {
    // A second key before the next pair is loaded would label this pair again.
    if (isSent) event.preventDefault();
    isSent = true;
    // A request that the user stopped can be sent again.
    setTimeout(() => (isSent = false), RESEND_AFTER);
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

/** Returns the letter of a key: the one it writes, or for other alphabets the Latin letter of its position. */
function letter(event) {
  const written = event.key.toLowerCase();
  return /^[a-z]$/.test(written) ? written : event.code.replace(/^Key/, "").toLowerCase().replace(/[^a-z]/g, "");
}
