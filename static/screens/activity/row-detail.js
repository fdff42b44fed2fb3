import { call } from "../../core/call.js";
import { count } from "../../core/format.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { Reason } from "../../parts/audit-table.js";
import { CodeBox } from "../../parts/code.js";
import { Dialog } from "../../parts/dialog.js";
import { Result } from "../../parts/result.js";
import { SectorName } from "../../parts/sector.js";
import { Loaded } from "../../parts/states.js";
import { Time } from "../../parts/time.js";
import { FollowUp } from "./follow-up.js";

/** Everything of one row of the audit log, and what can be done from it. @param {{ id: string, close: () => void }} props */
export function RowDetail({ id, close }) {
  const row = useResource((signal) => call("GET /api/audit/{id}", { path: { id }, signal }), [id]);
  return html`<${Dialog} title="Row of the audit log" close=${close} wide>
    <${Loaded} of=${row} what="the row">${(/** @type {any} */ found) => html`<${Facts} row=${found} /><${FollowUp} row=${found} />`}<//>
  <//>`;
}

/** @param {{ row: any }} props */
function Facts({ row }) {
  const facts = /** @type {[string, any][]} */ ([
    ["Time", html`<${Time} at=${row.created_at} exact />`],
    ["Agent", row.agent_id === null ? html`<span class="muted">(none)</span>` : html`<bdi>${row.agent_id}</bdi>`],
    ["Tool", html`<code>${row.tool}</code>`],
    ["Sector", row.sector ? html`<${SectorName} name=${row.sector} />` : "–"],
    ["Result", html`<${Result} row=${row} />`],
    ["Reason", row.deny_reason === null ? null : html`<${Reason} text=${row.deny_reason} />`],
    ["Rows", row.result_count === null ? null : count(row.result_count)],
    ["Request", row.request_id === null ? null : html`<code>${row.request_id}</code>`],
    ["Row", html`<code>${row.id}</code>`],
  ]);
  return html`
    <dl class="row-facts">${facts.filter(([, value]) => value !== null).map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
    <h3>Parameters</h3>
    ${row.args === null ? html`<p class="muted">None were recorded.</p>` : html`<${CodeBox} text=${JSON.stringify(row.args, null, 2)} name="Parameters as recorded" what="parameters" />`}
  `;
}
