// Keeps the focus of a keyboard where its reader is when what had it goes away: a pressed button that nothing answers to any more.

const CONTROLS = "button, summary, a[href], select, input";

// Returns the element inside of `parent` that has the focus, and what lies round it, innermost first; null when none has.
export function whereFocusIs(parent) {
  const focused = document.activeElement;
  if (!focused || focused === parent || !parent.contains(focused)) return null;
  const around = [];
  for (let node = focused.parentElement; node && node !== parent; node = node.parentElement) around.push(node);
  return { focused, around };
}

// Moves a focus that was lost to the first control of the nearest group that is left, or else to the page's heading.
export function keepFocus(before) {
  if (!before || document.activeElement === before.focused) return;
  if (before.focused.isConnected && before.focused.checkVisibility()) { before.focused.focus(); return; }
  if (document.activeElement && document.activeElement !== document.body) return;
  for (const group of before.around.filter((node) => node.isConnected)) {
    const control = [...group.querySelectorAll(CONTROLS)].find((one) => one.checkVisibility() && !one.disabled);
    if (control) { control.focus(); return; }
  }
  (document.querySelector("h1[tabindex]") ?? document.getElementById("main"))?.focus();
}
