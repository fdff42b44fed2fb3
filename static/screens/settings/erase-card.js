import { useState } from "../../vendor/hooks.js";
import { call } from "../../core/call.js";
import { count, counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { sayDone } from "../../core/messages.js";
import { useResource } from "../../core/resource.js";
import { SECTORS } from "../../core/sectors.js";
import { Button } from "../../parts/button.js";
import { Confirm } from "../../parts/confirm.js";
import { Select } from "../../parts/field.js";
import { Loaded } from "../../parts/states.js";
import { Table } from "../../parts/table.js";

/** What is typed before an erase. */
const WORD = "erase";

/** Erasing by connection, by sector, or all: counted first, then typed, then done. */
export function EraseCard() {
  const connections = useResource((signal) => call("GET /api/connections", { signal }), [], { on: ["connection"] });
  const [chosen, setChosen] = useState("all");
  const [isAsked, ask] = useState(false);
  const options = /** @type {[string, string][]} */ ([
    ["all", "Everything"],
    ...SECTORS.map((sector) => [`sector ${sector}`, `All of ${sector}`]),
    ...(connections.value?.connections ?? []).map((/** @type {any} */ connection) => [`connection ${connection.id}`, `${connection.label} (${connection.table})`]),
  ]);
  const name = options.find(([value]) => value === chosen)?.[1] ?? "";
  return html`<section class="card" aria-labelledby="erase-head">
    <h2 id="erase-head">Erase</h2>
    <p class="muted">Deletes rows for good. Connections, agents and the audit log stay; the erase itself is recorded. There is no undo. Export first if unsure.</p>
    <div class="row export-row">
      <${Select} label="What to erase" value=${chosen} options=${options} change=${setChosen} />
      <${Button} act=${() => ask(true)} icon="trash-2">Count and erase<//>
    </div>
    ${isAsked && html`<${EraseDialog} scope=${scopeOf(chosen)} name=${name} close=${() => ask(false)} />`}
  </section>`;
}

/** The scope as the routes take it. @param {string} chosen */
function scopeOf(chosen) {
  const [scope, of] = chosen.split(" ");
  if (scope === "sector") return { scope, sector: of };
  if (scope === "connection") return { scope, connectionId: of };
  return { scope: "all" };
}

/** @param {{ scope: any, name: string, close: () => void }} props */
function EraseDialog({ scope, name, close }) {
  const preview = useResource((signal) => call("POST /api/erase/preview", { body: scope, signal }), [JSON.stringify(scope)]);
  const erase = async () => {
    try {
      const { deleted } = await call("POST /api/erase", { body: scope });
      sayDone(`Erased ${counted(deleted, "row")}.`);
    } catch (error) {
      throw new Error(`Nothing was erased. ${/** @type {Error} */ (error).message}`);
    }
  };
  const about = "There is no undo. Export first if unsure.";
  return html`<${Confirm} title=${`Erase: ${name}?`} about=${about} verb=${preview.value ? `Erase ${counted(preview.value.deleted, "row")}` : "Erase"} typed=${WORD} act=${erase} close=${close}>
    <${Loaded} of=${preview} what="the count">${(/** @type {any} */ answer) => html`<${Counts} tables=${answer.tables} deleted=${answer.deleted} />`}<//>
  <//>`;
}

/** @param {{ tables: Record<string, number>, deleted: number }} props */
function Counts({ tables, deleted }) {
  const rows = Object.entries(tables).filter(([, rows]) => rows > 0);
  if (rows.length === 0) return html`<p>There is nothing to erase: ${counted(deleted, "row")}.</p>`;
  const columns = [
    { name: "Table", class: "mono", of: (/** @type {any} */ row) => row[0] },
    { name: "Rows", isNumber: true, of: (/** @type {any} */ row) => count(row[1]) },
  ];
  return html`<${Table} name="Rows that would be erased" columns=${columns} rows=${rows} keyOf=${(/** @type {any} */ row) => row[0]} /><p>${counted(deleted, "row")} in all.</p>`;
}
