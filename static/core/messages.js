// Short messages of what was done, spoken to a screen reader as well.

import { signal } from "../vendor/signals-core.js";

/** How long a message stays, ms; a failure stays until it is closed. */
const SHOWN_MS = 6_000;
const AT_ONCE_MAX = 3;

/** What is shown now, the oldest first. */
export const messages = signal(/** @type {{ id: number, kind: "done" | "failed", text: string }[]} */ ([]));
let nextId = 1;

/** Says what was done. @param {string} text @param {{ stays?: boolean }} [options] `stays` until it is closed: it says what is left to do */
export function sayDone(text, { stays = false } = {}) {
  const id = say("done", text);
  if (!stays) setTimeout(() => dismiss(id), SHOWN_MS);
}

/** Says what failed. @param {unknown} error */
export function sayFailed(error) {
  say("failed", error instanceof Error ? error.message : String(error));
}

/** Takes a message away. @param {number} id */
export function dismiss(id) {
  messages.value = messages.value.filter((message) => message.id !== id);
}

/** @param {"done" | "failed"} kind @param {string} text */
function say(kind, text) {
  const id = nextId++;
  messages.value = [...messages.value, { id, kind, text }].slice(-AT_ONCE_MAX);
  return id;
}
