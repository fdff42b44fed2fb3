// Data: every table of every sector, as an agent with all six would get it, or as one agent does. What is read here is not recorded.

import { useMemo } from "../vendor/hooks.js";
import { html } from "../core/html.js";
import { AgentBanner } from "./data/agent.js";
import { Landing } from "./data/landing.js";
import { agentReader, operator } from "./data/reader.js";
import { RecordView } from "./data/record.js";
import { TableView } from "./data/table.js";

/** @param {{ name?: string, sector?: string, table?: string, id?: string }} props `name` of the agent whose view is shown */
export function Data({ name, sector, table, id }) {
  const reader = useMemo(() => (name === undefined ? operator : agentReader(name)), [name]);
  return html`
    ${name !== undefined && html`<${AgentBanner} name=${name} />`}
    ${place({ reader, sector, table, id })}
  `;
}

/** @param {{ reader: import("./data/reader.js").Reader, sector?: string, table?: string, id?: string }} at */
function place({ reader, sector, table, id }) {
  const target = `${sector}.${table}`;
  if (id !== undefined) return html`<${RecordView} key=${`${target}/${id}`} reader=${reader} sector=${sector} table=${table} id=${id} />`;
  if (table !== undefined) return html`<${TableView} key=${target} reader=${reader} sector=${sector} table=${table} />`;
  return html`<${Landing} reader=${reader} sector=${sector} />`;
}
