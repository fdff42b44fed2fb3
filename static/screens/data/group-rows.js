// Groups: one row each, with what was computed. All come in one answer, shown page by page.

import { here } from "../../core/address.js";
import { count, counted } from "../../core/format.js";
import { classes, html } from "../../core/html.js";
import { Button } from "../../parts/button.js";
import { Head } from "./rows.js";
import { drilled } from "./drill.js";
import { useNames } from "./names.js";
import { fieldOf, isNumber, linkOf } from "./schema.js";
import { Value } from "./value.js";
import { measureName, PAGE_ROWS, writeView } from "./view.js";

/**
 * @param {{ reader: import("./reader.js").Reader, schema: import("./schema.js").Schema, table: import("./schema.js").Table, answer: any,
 *   view: import("./view.js").View, show: (change: Partial<import("./view.js").View>) => void }} props
 */
export function GroupRows({ reader, schema, table, answer, view, show }) {
  const columns = /** @type {string[]} */ (answer.columns);
  const fields = columns.map((name) => columnField(schema, table, view, name));
  // A measure may bear the name of a field; what is no measure is a key, also one that the service has added.
  const keys = columns.filter((name) => !isMeasure(view, name));
  const names = useNames({ reader, schema, table, answer, columns });
  const pages = Math.max(1, Math.ceil(answer.rows.length / PAGE_ROWS));
  const page = Math.min(view.page, pages);
  const rows = answer.rows.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS);
  return html`
    <div class="table-box cards data-rows" tabindex="0" role="region" aria-label=${`Groups of ${table.target}`}>
      <table class="table">
        <thead><tr>${columns.map((name, at) => html`<${Head} key=${name} name=${name} label=${label(view, name)} field=${fields[at]} isForeign=${false} sort=${view.sort} show=${show} />`)}<td class="ends"><span class="sr-only">Rows of the group</span></td></tr></thead>
        <tbody>${rows.map((/** @type {any[]} */ row) => html`<tr key=${JSON.stringify(row)}>
          ${columns.map((name, at) => {
            const field = /** @type {import("./schema.js").FieldSpec} */ (fields[at]);
            const link = linkOf(reader.base, table, name, row[at]);
            const called = names.get(row[at]);
            const value = called ? html`<bdi>${called}</bdi>` : html`<${Value} value=${row[at]} field=${field} />`;
            return html`<td key=${name} class=${classes(isNumber(field.type) && "number")} data-label=${label(view, name)}><div class="cell">${link ? html`<a href=${link}>${value}</a>` : value}</div></td>`;
          })}
          <td class="ends"><${Drill} table=${table} view=${view} schema=${schema} keys=${keys.map((name) => ({ name, value: row[columns.indexOf(name)] }))} /></td>
        </tr>`)}</tbody>
      </table>
    </div>
    <nav class="pager data-pager" aria-label="Pages">
      <p class="muted" role="status">${counted(answer.rows.length, "group")}${pages > 1 && `, page ${count(page)} of ${count(pages)}`}</p>
      ${pages > 1 && html`<${Button} act=${() => show({ page: page - 1 })} icon="chevron-left" size="sm" disabled=${page === 1}>Previous page<//>
      <${Button} act=${() => show({ page: page + 1 })} icon="chevron-right" size="sm" disabled=${page === pages}>Next page<//>`}
    </nav>`;
}

/** @param {import("./view.js").View} view @param {string} name */
function isMeasure(view, name) {
  return view.of.length === 0 ? name === "count" : view.of.some((formula) => measureName(formula) === name);
}

/** A column's name as it was asked for. @param {import("./view.js").View} view @param {string} name */
function label(view, name) {
  return view.of.find((formula) => measureName(formula) === name) ?? name;
}

/** The rows of one group. @param {{ schema: any, table: any, view: import("./view.js").View, keys: { name: string, value: any }[] }} props */
function Drill({ schema, table, view, keys }) {
  const filters = drilled(schema, table, keys);
  if (filters === null) return html`<span class="none">–</span>`;
  const href = writeView(here.value.path, { ...view, where: [...view.where, ...filters], isGrouped: false, by: [], of: [], sort: "", page: 1 });
  return html`<a href=${href}>Show rows<span class="sr-only"> of ${keys.map(({ value }) => String(value)).join(", ")}</span></a>`;
}

/** The specification of a column of groups. @param {import("./schema.js").Schema} schema @param {import("./schema.js").Table} table @param {import("./view.js").View} view @param {string} name @returns {import("./schema.js").FieldSpec} */
function columnField(schema, table, view, name) {
  const formula = view.of.find((formula) => measureName(formula) === name);
  if (formula === undefined && name in table.fields) return fieldOf(schema, table, name);
  const [key = "", bucket] = name.split(":");
  if (bucket !== undefined) return { type: bucket === "weekday" ? "integer" : bucket === "hour" ? "timestamp" : "date" };
  const [, word = "", of = ""] = /^(\w+)\((\w+)\)$/.exec(formula ?? "") ?? [];
  if (formula === undefined && key !== "count") return fieldOf(schema, table, name);
  if (word === "" || word.startsWith("count")) return { type: "integer" };
  return { ...fieldOf(schema, table, of), values: undefined };
}
