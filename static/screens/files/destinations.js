import { call } from "../../core/call.js";
import { count } from "../../core/format.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { Select } from "../../parts/field.js";
import { SectorName } from "../../parts/sector.js";
import { Table } from "../../parts/table.js";

/** The value of the choice that makes a connection. */
const NEW = "new";

/** Where the records of each table go. @param {{ job: any, chosen: any, change: (chosen: any) => void }} props */
export function Destinations({ job, chosen, change }) {
  const connections = useResource((signal) => call("GET /api/connections", { signal }), [job.state], { on: ["connection"] });
  if (job.tables.length === 0) return null;
  const isRun = job.work === "run";
  const fitting = (/** @type {string} */ table) => (connections.value?.connections ?? []).filter((one) => one.table === table && one.provider === "push" && one.state === "active" && !one.isSample);
  const columns = [
    { name: "Table", of: (/** @type {any} */ row) => html`<span class="table-link"><${SectorName} name=${row.table.split(".")[0]} /><a href=${`/data/${row.table.replace(".", "/")}`}>${row.table.split(".")[1]}</a></span>` },
    { name: isRun ? "Stored" : "Records", isNumber: true, of: (/** @type {any} */ row) => count(row.taken) },
    { name: job.state === "done" ? "Went to" : "Go to", of: (/** @type {any} */ row) => job.state === "done" ? html`<a href=${`/connections/${row.connectionId}`}><bdi>${row.label}</bdi></a>` : html`<${Destination} row=${row} fitting=${fitting(row.table)} chosen=${chosen[row.table]} change=${(/** @type {string | null} */ id) => change({ ...chosen, [row.table]: id })} />` },
  ];
  return html`<section class="stack" aria-labelledby="destinations-head">
    <h2 id="destinations-head">${job.state === "done" ? "Where they went" : "Where they go"}</h2>
    <p class="muted">A connection keeps its records together: it can be paused, and disconnected with them. A new one has no secret, so that no device pushes to it.</p>
    <${Table} name="Destinations" columns=${columns} rows=${job.tables} keyOf=${(/** @type {any} */ row) => row.table} />
  </section>`;
}

/** @param {{ row: any, fitting: any[], chosen: string | null | undefined, change: (id: string | null) => void }} props */
function Destination({ row, fitting, chosen, change }) {
  const now = chosen === undefined ? row.connectionId : chosen;
  const known = fitting.some((one) => one.id === now);
  const options = /** @type {[string, string][]} */ ([...fitting.map((one) => [one.id, one.label]), [NEW, `New: ${row.connectionId === null ? row.label : "another connection"}`]]);
  return html`<${Select} label=${`Connection for ${row.table}`} hideLabel value=${known ? now : NEW} options=${options} change=${(/** @type {string} */ value) => change(value === NEW ? null : value)} />`;
}
