// Connections that are read from a source, as against those that devices push to.

import { ago } from "./time.js";

/** @typedef {{ kind: "good" | "warn" | "bad" | "quiet", icon: string, word: string, group: "active" | "failing" | "needs-you" | "paused" }} Standing */

const MINUTE_MS = 60_000;

/** What a connection can be listed by: value and text. @type {[string, string][]} */
export const GROUPS = [
  ["active", "Active"],
  ["failing", "Failing"],
  ["needs-you", "Needs you"],
  ["paused", "Paused"],
];

/** Health that waits for a person, and what it says. @type {Record<string, string>} */
const NEEDS_YOU = {
  needs_sign_in: "Sign in again",
  needs_credentials: "Enter the credential again",
  consent_expired: "Sign in again",
};

/** Whether a source is read, and nothing is pushed. @param {any} connection */
export function isPulled(connection) {
  return connection.provider !== "push";
}

/** Whether its source tells changes as they happen, over a way that stays open. @param {any} connection */
export function isListenedTo(connection) {
  return isPulled(connection) && connection.sector === "home";
}

/** Whether only another credential helps. @param {any} connection */
export function needsCredential(connection) {
  return connection.health in NEEDS_YOU;
}

/** How a connection stands, as a word with its sign: its state, and beside it its health. @param {any} connection @param {number} now ms @returns {Standing} */
export function standingOf(connection, now) {
  const { state, health, error } = connection;
  if (state === "paused") return { kind: "quiet", icon: "circle-pause", word: "Paused", group: "paused" };
  const asked = NEEDS_YOU[health];
  if (asked) return { kind: "bad", icon: "key-round", word: asked, group: "needs-you" };
  if (health === "syncing") return { kind: "good", icon: "refresh-cw", word: "Syncing", group: "active" };
  // One bank of many may need somebody while the others are read.
  if (health === "ok" && error?.code === "source_warning") return { kind: "warn", icon: "triangle-alert", word: "Active, with a warning", group: "active" };
  if (["backing_off", "quota_spent", "parked"].includes(health) || error) return { kind: "warn", icon: "triangle-alert", word: `${health === "quota_spent" ? "Quota spent" : "Failing"}${retry(connection, now)}`, group: "failing" };
  if (health === "waiting") return { kind: "quiet", icon: "clock", word: waitsFor(connection), group: "active" };
  return { kind: "good", icon: "circle-check", word: "Active", group: "active" };
}

/** @param {any} connection */
function waitsFor(connection) {
  if (!isPulled(connection)) return "Waiting for first push";
  return connection.lastSyncAt ? "Waiting for next sync" : "Waiting for first sync";
}

/** " (retry in 4 min)". @param {any} connection @param {number} now ms */
function retry({ nextSyncAt }, now) {
  return nextSyncAt && Date.parse(nextSyncAt) > now ? ` (retry in ${shortly(Date.parse(nextSyncAt) - now)})` : "";
}

/** A span in one short word: "4 min", "3 h", "2 d". @param {number} span ms */
export function shortly(span) {
  const minutes = Math.max(1, Math.ceil(span / MINUTE_MS));
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 60 / 24)} d`;
}

/** How long a run took: "4 s", "3 min". @param {any} run @param {number} now ms */
export function took({ startedAt, endedAt }, now) {
  const span = (endedAt ? Date.parse(endedAt) : now) - Date.parse(startedAt);
  return span < MINUTE_MS ? `${Math.max(0, Math.round(span / 1000))} s` : shortly(span);
}

/** What became of a run, as a word with its sign; without an outcome it goes on. @type {Record<string, { kind: any, icon: string, word: string }>} */
const OUTCOMES = {
  ok: { kind: "good", icon: "circle-check", word: "OK" },
  partial: { kind: "warn", icon: "triangle-alert", word: "Some left out" },
  failed: { kind: "bad", icon: "triangle-alert", word: "Failed" },
  interrupted: { kind: "warn", icon: "circle-x", word: "Interrupted" },
  halted: { kind: "quiet", icon: "circle-pause", word: "Halted" },
};

/** @param {any} run @param {boolean} [isCaughtUp] whether one that goes on only waits for changes */
export function outcomeOf(run, isCaughtUp = false) {
  return OUTCOMES[run.outcome] ?? { kind: "good", icon: "refresh-cw", word: isCaughtUp ? "Listening" : "Syncing" };
}

/** The last runs in a sentence: "Last 30 syncs: 28 ok, 2 failed, last failed 3 hours ago". @param {any[]} runs newest first @param {number} now ms */
export function toldRuns(runs, now) {
  const ended = runs.filter((run) => run.outcome);
  if (ended.length === 0) return runs.length > 0 ? "The first sync goes on" : "No syncs yet";
  const of = (/** @type {string} */ outcome) => ended.filter((run) => run.outcome === outcome);
  const failed = of("failed");
  const parts = [`${of("ok").length} ok`];
  if (of("partial").length > 0) parts.push(`${of("partial").length} with some left out`);
  if (failed.length > 0) parts.push(`${failed.length} failed`);
  if (of("interrupted").length > 0) parts.push(`${of("interrupted").length} interrupted`);
  if (of("halted").length > 0) parts.push(`${of("halted").length} halted`);
  if (failed[0]) parts.push(`last failed ${ago(failed[0].startedAt, now)}`);
  return `Last ${ended.length === 1 ? "sync" : `${ended.length} syncs`}: ${parts.join(", ")}`;
}
