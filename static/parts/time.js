import { html } from "../core/html.js";
import { ago, dateTime, now } from "../core/time.js";

/**
 * An instant: how long ago, with the whole time behind it; or the whole time.
 *
 * @param {{ at: string | null | undefined, none?: string, exact?: boolean }} props `at` RFC 3339
 */
export function Time({ at, none = "never", exact = false }) {
  if (!at) return html`<span class="muted">${none}</span>`;
  const whole = dateTime(at, true);
  return html`<time datetime=${at} title=${whole}>${exact ? whole : ago(at, now.value)}</time>`;
}
