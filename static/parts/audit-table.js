import { count } from "../core/format.js";
import { html } from "../core/html.js";
import { Icon } from "./icon.js";
import { Result } from "./result.js";
import { SectorName } from "./sector.js";
import { Table } from "./table.js";
import { Time } from "./time.js";

/** What is written for an argument in a table's cell, at the most; the row's own page has all of it. */
const ARGS_CHARS_MAX = 160;

/**
 * Rows of the audit log.
 *
 * @param {{ rows: any[], name: string, withAgent?: boolean, hrefOf?: (row: any) => string }} props
 */
export function AuditTable({ rows, name, withAgent = true, hrefOf = (row) => `/activity/${row.id}` }) {
  const columns = [
    { name: "Time", class: "nowrap", of: (/** @type {any} */ row) => html`<a href=${hrefOf(row)}><${Time} at=${row.created_at} /></a>` },
    ...(withAgent ? [{ name: "Agent", class: "agent-cell", of: (/** @type {any} */ row) => html`<bdi class=${row.agent_id ? "" : "muted"}>${row.agent_id ?? "(none)"}</bdi>` }] : []),
    { name: "Tool", class: "mono nowrap", of: (/** @type {any} */ row) => row.tool },
    { name: "Sector", of: (/** @type {any} */ row) => (row.sector ? html`<${SectorName} name=${row.sector} />` : "–") },
    { name: "Result", of: (/** @type {any} */ row) => html`<${Result} row=${row} />${row.deny_reason && html`<${Reason} text=${row.deny_reason} />`}` },
    { name: "Rows", isNumber: true, of: (/** @type {any} */ row) => (row.result_count === null ? "" : count(row.result_count)) },
    { name: "Parameters", class: "mono parameters", of: (/** @type {any} */ row) => inBrief(row.args) && html`<bdi>${inBrief(row.args)}</bdi>` },
  ];
  return html`<${Table} name=${name} columns=${columns} rows=${rows} keyOf=${(/** @type {any} */ row) => row.id} />`;
}

/** Why a call was refused, as recorded. A row that stands for several has a sign. @param {{ text: string }} props */
export function Reason({ text }) {
  return html`<small class="reason">${text.startsWith("throttled: ") && html`<${Icon} name="info" />`}<bdi>${text}</bdi></small>`;
}

/** The arguments in one line, without those that are null. @param {any} args */
function inBrief(args) {
  if (args === null || typeof args !== "object") return args === null ? "" : String(args);
  const given = Object.entries(args).filter(([, value]) => value !== null);
  const text = given.map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`).join(", ");
  return text.length > ARGS_CHARS_MAX ? `${text.slice(0, ARGS_CHARS_MAX)}…` : text;
}
