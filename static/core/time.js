// Times: kept as the service sends them (UTC), shown in the service's zone, in the browser's manner of writing dates.

import { signal } from "../vendor/signals-core.js";

/** How often "5 minutes ago" is looked at again, ms. */
const TICK_MS = 30_000;

/** The service's zone (IANA). */
export const zone = signal(Intl.DateTimeFormat().resolvedOptions().timeZone);
/** The present time, ms. */
export const now = signal(Date.now());

/** Looks at the clock: what was read just now is not of the future. */
export function look() {
  now.value = Date.now();
}

setInterval(look, TICK_MS);

/** The browser's own zone, where it differs from the service's at this moment. */
export function foreignZone() {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const offset = (/** @type {string} */ timeZone) =>
    new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" }).formatToParts(now.value).find((part) => part.type === "timeZoneName")?.value;
  return offset(own) === offset(zone.value) ? null : own;
}

/** Date and time to the minute or second. @param {string} instant RFC 3339 @param {boolean} [withSeconds] */
export function dateTime(instant, withSeconds = false) {
  return new Intl.DateTimeFormat(undefined, { timeZone: zone.value, dateStyle: "medium", timeStyle: withSeconds ? "medium" : "short" }).format(new Date(instant));
}

/** The day alone. @param {string} instant RFC 3339, or a day */
export function day(instant) {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(instant);
  return new Intl.DateTimeFormat(undefined, { timeZone: isDay ? "UTC" : zone.value, dateStyle: "medium" }).format(new Date(instant));
}

/** The instant at which a day begins in the service's zone. @param {string} date YYYY-MM-DD @returns {string} RFC 3339 */
export function startOfDay(date) {
  const asUtc = Date.parse(`${date}T00:00:00Z`);
  // Twice, since the offset at the first guess may be that of the other side of a clock change.
  const first = asUtc - offsetAt(asUtc);
  return new Date(asUtc - offsetAt(first)).toISOString();
}

/** How far the service's zone is ahead of UTC, ms. @param {number} instant ms */
function offsetAt(instant) {
  const parts = new Intl.DateTimeFormat("en", { timeZone: zone.value, timeZoneName: "longOffset" }).formatToParts(instant);
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(parts.find((part) => part.type === "timeZoneName")?.value ?? "") ?? [];
  return sign ? (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000 : 0;
}

const STEPS = /** @type {const} */ ([
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["week", 7 * 86_400],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
]);

const words = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** "5 minutes ago", "in 3 days". The page's language is English, so these are. @param {string} instant @param {number} [at] ms */
export function ago(instant, at = now.value) {
  const seconds = (Date.parse(instant) - at) / 1000;
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length);
  if (!step) return seconds > 1 ? "in a moment" : "just now";
  return words.format(Math.trunc(seconds / step[1]), step[0]);
}
