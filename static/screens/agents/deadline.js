import { useState } from "../../vendor/hooks.js";
import { DAYS_MAX } from "../../core/agents.js";
import { html } from "../../core/html.js";
import { Field, Select } from "../../parts/field.js";

const PRESETS = /** @type {[string, string][]} */ ([
  ["7", "7 days"],
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "365 days"],
  ["custom", "another number of days"],
  ["never", "never expires"],
]);

/**
 * How long a key lives.
 *
 * @param {{ days: string, change: (days: string) => void, error: string | null }} props `days` as digits, or "never"
 */
export function DeadlineField({ days, change, error }) {
  const isPreset = PRESETS.some(([value]) => value === days);
  const [isCustom, setCustom] = useState(!isPreset);
  const choose = (/** @type {string} */ value) => {
    setCustom(value === "custom");
    change(value === "custom" ? "" : value);
  };
  return html`<div class="row deadline">
    <${Select} label="Deadline" value=${isCustom ? "custom" : days} options=${PRESETS} change=${choose} />
    ${isCustom && html`<${Field} label="Days" help=${`1 to ${DAYS_MAX}`} error=${error}>${(/** @type {any} */ ids) => html`
      <input ...${ids} class="input" type="number" min="1" max=${DAYS_MAX} step="1" value=${days} onInput=${(/** @type {any} */ event) => change(event.currentTarget.value)} />`}
    <//>`}
  </div>`;
}
