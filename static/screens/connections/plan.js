import { useState } from "../../vendor/hooks.js";
import { call } from "../../core/call.js";
import { counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { sayDone, sayFailed } from "../../core/messages.js";
import { providers } from "../../core/providers.js";
import { isListenedTo } from "../../core/pulled.js";
import { Select } from "../../parts/field.js";

/** Minutes between two rounds, with their words. @type {[string, string][]} */
const INTERVALS = [
  ["5", "5 minutes"],
  ["15", "15 minutes"],
  ["30", "30 minutes"],
  ["60", "hour"],
  ["180", "3 hours"],
  ["360", "6 hours"],
  ["720", "12 hours"],
  ["1440", "24 hours"],
];
/** Days that are read back, with their words. @type {[string, string][]} */
const WINDOWS = [
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "1 year"],
  ["730", "2 years"],
  ["1825", "5 years"],
  ["3650", "10 years"],
  ["", "everything"],
];

/** How often and how far back the source is read; saved at once. @param {{ connection: any, changed: () => void }} props */
export function Plan(props) {
  return html`<section class="card" aria-labelledby="plan-head"><header><h2 id="plan-head">How it is read</h2></header>
    ${isListenedTo(props.connection) ? html`<p class="muted">Its changes arrive as they happen. What it was is read back to ten days, and kept for thirty.</p>` : html`<${Choices} ...${props} />`}
  </section>`;
}

/** @param {{ connection: any, changed: () => void }} props */
function Choices({ connection, changed }) {
  const [isSaving, setSaving] = useState(false);
  const save = async (/** @type {any} */ edit, /** @type {string} */ told) => {
    if (isSaving) return;
    setSaving(true);
    try {
      await call("PATCH /api/connections/{id}", { path: { id: connection.id }, body: edit });
      sayDone(`Saved. ${told}`);
    } catch (error) {
      sayFailed(error);
    } finally {
      setSaving(false);
      changed();
    }
  };
  const interval = String(connection.syncIntervalMinutes ?? "");
  const window = String(connection.syncWindowDays ?? "");
  const setInterval = (/** @type {string} */ value) => save({ syncIntervalMinutes: Number(value) }, `${connection.label} is read every ${wordOf(INTERVALS, value)}.`);
  const setWindow = (/** @type {string} */ value) =>
    save({ syncWindowDays: value === "" ? null : Number(value) }, value === "" ? "Everything there is will be read." : `The last ${wordOf(WINDOWS, value)} are read. Older rows that are here stay.`);
  const least = providers.value[connection.provider]?.intervalMinutesMin ?? 0;
  const intervals = INTERVALS.filter(([minutes]) => Number(minutes) >= least);
  const hasTime = connection.sector !== "contacts";
  return html`<div class="filters plan" aria-busy=${isSaving}>
      <${Select} label="Every" value=${interval} options=${withOwn(intervals, interval, (own) => (own === "" ? "as the source tells" : counted(Number(own), "minute")))} change=${setInterval} />
      ${hasTime && html`<${Select} label="Back to" value=${window} options=${withOwn(WINDOWS, window, (own) => counted(Number(own), "day"))} change=${setWindow} />`}
    </div>
    <p class="muted">${hasTime ? "A narrower window deletes nothing. A wider one fetches what is missing." : "All of them are read."}</p>`;
}

/** @param {[string, string][]} options @param {string} value */
function wordOf(options, value) {
  return options.find(([own]) => own === value)?.[1] ?? value;
}

/** The choices, with the present value among them. @param {[string, string][]} options @param {string} own @param {(own: string) => string} word @returns {[string, string][]} */
function withOwn(options, own, word) {
  return options.some(([value]) => value === own) ? options : [[own, word(own)], ...options];
}
