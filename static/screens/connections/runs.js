import { count } from "../../core/format.js";
import { html } from "../../core/html.js";
import { outcomeOf, took, toldRuns } from "../../core/pulled.js";
import { now } from "../../core/time.js";
import { State } from "../../parts/state.js";
import { Empty, Loaded } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { Time } from "../../parts/time.js";
import { RunsStrip } from "./runs-strip.js";

const COLUMNS = [
  { name: "Started", class: "nowrap", of: (/** @type {any} */ run) => html`<${Time} at=${run.startedAt} />` },
  { name: "Took", class: "nowrap", of: (/** @type {any} */ run) => took(run, now.value) },
  { name: "Outcome", of: (/** @type {any} */ run) => html`<${Outcome} run=${run} />` },
  { name: "Rows changed", isNumber: true, of: (/** @type {any} */ run) => count(run.upserted) },
  { name: "Deleted", isNumber: true, of: (/** @type {any} */ run) => count(run.deleted) },
  { name: "Skipped", isNumber: true, of: (/** @type {any} */ run) => count(run.skipped) },
  { name: "Message", of: (/** @type {any} */ run) => run.message && html`<bdi>${run.message}</bdi>` },
];

/** The last rounds at the source. @param {{ runs: any }} props a resource */
export function Runs({ runs }) {
  return html`<section class="stack"><h2>Last syncs</h2>
    <${Loaded} of=${runs} what="its syncs">${(/** @type {any} */ answer) =>
      answer.rows.length === 0
        ? html`<${Empty} icon="history" title="No syncs yet">Each round at the source will stand here, failed ones too.<//>`
        : html`<div class="row"><${RunsStrip} runs=${answer.rows} /><span class="muted">${toldRuns(answer.rows, now.value)}</span></div>
          <${Table} name="Last syncs" columns=${COLUMNS} rows=${answer.rows} keyOf=${(/** @type {any} */ run) => run.startedAt} />`}
    <//>
  </section>`;
}

/** @param {{ run: any }} props */
function Outcome({ run }) {
  const { kind, icon, word } = outcomeOf(run);
  return html`<${State} kind=${kind} icon=${icon}>${word}<//>`;
}
