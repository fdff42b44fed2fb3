import { sentence } from "../../core/call.js";
import { count } from "../../core/format.js";
import { html } from "../../core/html.js";
import { isListenedTo, outcomeOf, took, toldRuns } from "../../core/pulled.js";
import { now } from "../../core/time.js";
import { State } from "../../parts/state.js";
import { Empty, Loaded } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { Time } from "../../parts/time.js";
import { RunsStrip } from "./runs-strip.js";

/** @param {boolean} isCaughtUp whether a run that goes on only waits for changes */
const columnsOf = (isCaughtUp) => [
  { name: "Started", class: "nowrap", of: (/** @type {any} */ run) => html`<${Time} at=${run.startedAt} />` },
  { name: "Took", class: "nowrap", of: (/** @type {any} */ run) => took(run, now.value) },
  { name: "Outcome", of: (/** @type {any} */ run) => html`<${Outcome} run=${run} isCaughtUp=${isCaughtUp} />` },
  { name: "Rows changed", isNumber: true, of: (/** @type {any} */ run) => count(run.upserted) },
  { name: "Deleted", isNumber: true, of: (/** @type {any} */ run) => count(run.deleted) },
  { name: "Skipped", isNumber: true, of: (/** @type {any} */ run) => count(run.skipped) },
  { name: "Message", of: (/** @type {any} */ run) => run.message && html`<bdi>${sentence(run.message)}</bdi>` },
];

/** The last rounds at the source. @param {{ runs: any, connection: any }} props `runs` is a resource */
export function Runs({ runs, connection }) {
  const isCaughtUp = isListenedTo(connection) && connection.health === "ok";
  return html`<section class="stack"><h2>Last syncs</h2>
    <${Loaded} of=${runs} what="its syncs">${(/** @type {any} */ answer) =>
      answer.rows.length === 0
        ? html`<${Empty} icon="history" title="No syncs yet">Each round at the source will stand here, failed ones too.<//>`
        : html`<div class="row"><${RunsStrip} runs=${answer.rows} /><span class="muted">${isCaughtUp && answer.rows.length === 1 ? "Its changes are told as they happen" : toldRuns(answer.rows, now.value)}</span></div>
          <${Table} name="Last syncs" columns=${columnsOf(isCaughtUp)} rows=${answer.rows} keyOf=${(/** @type {any} */ run) => run.id} />`}
    <//>
  </section>`;
}

/** @param {{ run: any, isCaughtUp: boolean }} props */
function Outcome({ run, isCaughtUp }) {
  const { kind, icon, word } = outcomeOf(run, isCaughtUp);
  return html`<${State} kind=${kind} icon=${icon}>${word}<//>`;
}
