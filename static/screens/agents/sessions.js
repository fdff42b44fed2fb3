import { call } from "../../core/call.js";
import { count } from "../../core/format.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { Table } from "../../parts/table.js";
import { Loaded } from "../../parts/states.js";
import { Time } from "../../parts/time.js";

/** The live sessions of an agent, or of all. @param {{ agent?: string }} props */
export function Sessions({ agent }) {
  const sessions = useResource((signal) => call("GET /api/sessions", { query: { agent }, signal }), [agent], { on: ["agent.sessions", "audit"] });
  return html`<section class="stack">
    <h2>Live sessions</h2>
    <${Loaded} of=${sessions} what="the sessions">${(/** @type {any} */ answer) =>
      answer.sessions.length === 0 ? html`<p class="muted">None now. A session begins with a client’s first message, and ends with any change to its agent.</p>` : html`<${SessionTable} sessions=${answer.sessions} withAgent=${agent === undefined} />`}
    <//>
  </section>`;
}

/** @param {{ sessions: any[], withAgent: boolean }} props */
function SessionTable({ sessions, withAgent }) {
  const columns = [
    ...(withAgent ? [{ name: "Agent", of: (/** @type {any} */ row) => html`<a href=${`/agents/${encodeURIComponent(row.agent)}`}><bdi>${row.agent}</bdi></a>` }] : []),
    { name: "Client", of: (/** @type {any} */ row) => html`<bdi>${row.client.name || "not said"} ${row.client.version}</bdi>` },
    { name: "Via", of: (/** @type {any} */ row) => row.via },
    { name: "Started", of: (/** @type {any} */ row) => html`<${Time} at=${row.startedAt} />` },
    { name: "Last call", of: (/** @type {any} */ row) => html`<${Time} at=${row.lastCallAt} none="none yet" />` },
    { name: "Calls", isNumber: true, of: (/** @type {any} */ row) => count(row.calls) },
  ];
  return html`<${Table} name="Live sessions" columns=${columns} rows=${sessions} keyOf=${(/** @type {any} */ row) => row.id} />`;
}
