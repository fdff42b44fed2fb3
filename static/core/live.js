// What the service tells by itself: one EventSource while the tab is visible. An event only says what has changed; whoever shows it
// reads it again. A page that was away reads everything again.

import { signal } from "../vendor/signals-core.js";

/** The events, as docs/operating.md lists them. */
const NAMES = ["audit", "connection", "agent", "agent.sessions", "actor", "upload", "attention", "duplicates", "exposure"];
/** Waits before another try where the browser has given up, ms. */
const RETRY_MIN_MS = 1_000;
const RETRY_MAX_MS = 15_000;

/** "live", or "lost" while the service cannot be reached. */
export const link = signal(/** @type {"connecting" | "live" | "lost"} */ ("connecting"));

const listeners = new Map();
let source = /** @type {EventSource | null} */ (null);
let retryMs = RETRY_MIN_MS;
let retry = 0;

/**
 * Has `listener` called at each event of these names, and with "reload" after events were missed.
 *
 * @param {string[]} names
 * @param {(name: string, data: any) => void} listener
 * @returns {() => void} ends it
 */
export function listen(names, listener) {
  const all = [...names, "reload"];
  for (const name of all) {
    if (!listeners.has(name)) listeners.set(name, new Set());
    listeners.get(name).add(listener);
  }
  return () => {
    for (const name of all) listeners.get(name)?.delete(listener);
  };
}

/** Opens the stream, and keeps one open while the tab is visible. */
export function startLive() {
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  if (!document.hidden) open();
}

function open() {
  close();
  const opened = new EventSource("/api/events");
  const wasLost = link.value !== "connecting";
  source = opened;
  opened.onopen = () => {
    retryMs = RETRY_MIN_MS;
    if (wasLost || link.value === "lost") tell("reload", null);
    link.value = "live";
  };
  opened.onerror = () => {
    link.value = "lost";
    if (opened.readyState === EventSource.CLOSED) openLater();
  };
  for (const name of NAMES) opened.addEventListener(name, (event) => tell(name, parse(event)));
  opened.addEventListener("reload", () => tell("reload", null));
}

function close() {
  clearTimeout(retry);
  source?.close();
  source = null;
}

function openLater() {
  clearTimeout(retry);
  retry = setTimeout(open, retryMs);
  retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
}

/** @param {MessageEvent<string>} event */
function parse(event) {
  return event.data ? JSON.parse(event.data) : null;
}

/** @param {string} name @param {any} data */
function tell(name, data) {
  for (const listener of [...(listeners.get(name) ?? [])]) listener(name, data);
}
