import { count, counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { ButtonLink } from "../../parts/button.js";
import { Table } from "../../parts/table.js";

/** Refusals that are shown; the file has all. */
const SHOWN_MAX = 20;

/** What is not stored, or not whole, and why. @param {{ job: any }} props */
export function Refusals({ job }) {
  const { refusals } = job;
  if (refusals.length === 0) return null;
  const columns = [
    { name: "File", of: (/** @type {any} */ row) => html`<bdi>${row.path}</bdi>` },
    { name: "Line", isNumber: true, of: (/** @type {any} */ row) => count(row.line) },
    { name: "Entry", of: (/** @type {any} */ row) => html`<bdi>${row.name}</bdi>` },
    { name: "Why", of: (/** @type {any} */ row) => html`${row.isPartial && html`<span class="muted">Stored without a part. </span>`}<bdi>${row.reason}</bdi>` },
  ];
  const shown = refusals.slice(0, SHOWN_MAX).map((/** @type {any} */ row, /** @type {number} */ index) => ({ ...row, index }));
  return html`<section class="stack" aria-labelledby="refusals-head">
    <header class="row"><h2 id="refusals-head">Not stored, or not whole</h2><${ButtonLink} href=${`/api/uploads/${job.id}/refusals`} icon="download" size="sm" download>Download all<//></header>
    ${refusals.length > SHOWN_MAX && html`<p class="muted">The first ${SHOWN_MAX} of ${counted(Math.max(refusals.length, job.totals.refused), "entry", "entries")}.</p>`}
    <${Table} name="Refusals" columns=${columns} rows=${shown} keyOf=${(/** @type {any} */ row) => String(row.index)} />
  </section>`;
}
