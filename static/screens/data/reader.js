// Who reads: the operator, or an agent whose view is shown. The rest of the Data room does not know which.

import { call } from "../../core/call.js";

/**
 * @typedef {object} Reader
 * @property {string | null} agent the agent whose view this is
 * @property {string} base the address under which its tables lie
 * @property {boolean} canFetch whether sources may be asked from here
 * @property {(signal: AbortSignal) => Promise<any>} schema the tables there are to read
 * @property {(sector: string, request: object, signal?: AbortSignal) => Promise<any>} query
 * @property {(sector: string, id: string, part: RecordPart, signal?: AbortSignal) => Promise<any>} record
 */

/** @typedef {{ raw?: boolean, field?: string, from?: number }} RecordPart one field from a byte on, or all of them */

/** Reads everything; none of it is recorded. @type {Reader} */
export const operator = {
  agent: null,
  base: "/data",
  canFetch: true,
  schema: (signal) => call("GET /api/operator/schema", { signal }),
  query: (sector, request, signal) => call("POST /api/data/{sector}", /** @type {any} */ ({ path: { sector }, body: request, signal })),
  record: (sector, id, part, signal) => call("GET /api/data/{sector}/{id}", /** @type {any} */ ({ path: { sector, id }, query: part, signal })),
};

/** Reads what an agent would get now, under its grant; that is not recorded either. @param {string} name @returns {Reader} */
export function agentReader(name) {
  const preview = (/** @type {string} */ tool, /** @type {object} */ given, /** @type {AbortSignal | undefined} */ signal) =>
    call("POST /api/agents/{name}/preview", /** @type {any} */ ({ path: { name }, body: { tool, arguments: given }, signal }));
  return {
    agent: name,
    base: `/agents/${encodeURIComponent(name)}/data`,
    canFetch: false,
    schema: (signal) => preview("get_schema", {}, signal),
    query: (_sector, request, signal) => preview("query", request, signal),
    record: (sector, id, part, signal) => preview("get_record", { target: sector, id, ...part }, signal),
  };
}
