// The rows of a table: the field that names a row first, which stays in sight and leads to the record; the others scroll beside it.

import { useEffect, useRef } from "../../vendor/hooks.js";
import { go, here } from "../../core/address.js";
import { classes, html } from "../../core/html.js";
import { Icon } from "../../parts/icon.js";
import { fieldOf, isNumber, isOrderable, isReference, linkOf, mainTime, titleField } from "./schema.js";
import { isNamed, useNames } from "./names.js";
import { asText, FieldName, Value } from "./value.js";

/** How much of an id is shown. */
const ID_CHARS = 8;

/**
 * @param {{ reader: import("./reader.js").Reader, schema: import("./schema.js").Schema, table: import("./schema.js").Table, answer: any,
 *   view: import("./view.js").View, show: (change: Partial<import("./view.js").View>) => void }} props
 */
export function Rows({ reader, schema, table, answer, view, show }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useReturn(box, answer);
  const columns = shownColumns(table, answer, view);
  const names = useNames({ reader, schema, table, answer, columns });
  const at = new Map(answer.columns.map((/** @type {string} */ name, /** @type {number} */ index) => [name, index]));
  const foreign = new Set(answer.untrusted);
  const href = (/** @type {any[]} */ row) => `${here.value.path}/${encodeURIComponent(row[at.get("id")])}`;
  const isForeign = columns.some((name) => foreign.has(name));
  return html`
    <div ref=${box} class="table-box cards data-rows" tabindex="0" role="region" aria-label=${`Rows of ${table.target}`}>
      <table class="table">
        <thead><tr>${columns.map((name) => html`<${Head} key=${name} name=${name} field=${fieldOf(schema, table, name)} isForeign=${foreign.has(name)} sort=${view.sort} show=${show} />`)}</tr></thead>
        <tbody>${answer.rows.map((/** @type {any[]} */ row) => html`<tr key=${row[at.get("id")]}>${columns.map((name, index) => {
          const field = fieldOf(schema, table, name);
          const value = row[at.get(name)];
          const cell = classes(isNumber(field.type) && "number", foreign.has(name) && "foreign", value === null && "nothing");
          if (index === 0) return html`<th key=${name} scope="row" class=${cell}><a href=${href(row)} onClick=${open}><span class="title">${asText(value, field) || html`<span class="muted">no ${name}</span>`}</span></a></th>`;
          return html`<td key=${name} class=${cell} data-label=${name}><${Cell} reader=${reader} table=${table} name=${name} field=${field} value=${value} called=${names.get(value)} /></td>`;
        })}</tr>`)}</tbody>
      </table>
    </div>
    ${isForeign && html`<p class="data-legend muted"><span class="edge"></span>Others wrote this: text that came with the data. Agents get it marked as data, not as instructions.</p>`}
  `;
}

/** @param {{ reader: import("./reader.js").Reader, table: import("./schema.js").Table, name: string, field: import("./schema.js").FieldSpec, value: any, called?: string }} props `called` names the record that a reference means */
function Cell({ reader, table, name, field, value, called }) {
  const link = linkOf(reader.base, table, name, value);
  const id = field.type === "id" && typeof value === "string" && html`<span class="mono">${value.slice(0, ID_CHARS)}</span>`;
  const shown = called ? html`<bdi>${called}</bdi>` : id || html`<${Value} value=${value} field=${field} />`;
  return html`<div class="cell">${link ? html`<a href=${link} title=${value}>${shown}</a>` : shown}</div>`;
}

/** A column's head; a press orders the rows by it, a second one the other way round, a third one as they were. @param {{ name: string, label?: string, field: import("./schema.js").FieldSpec, isForeign: boolean, sort: string, show: (change: any) => void }} props */
export function Head({ name, label = name, field, isForeign, sort, show }) {
  const direction = sort === name ? "ascending" : sort === `-${name}` ? "descending" : "none";
  const next = { none: name, ascending: `-${name}`, descending: "" }[direction];
  const text = html`<${FieldName} name=${label} field=${field} />${isForeign && html`<span class="sr-only"> others wrote this</span>`}`;
  const cell = classes(isNumber(field.type) && "number", isForeign && "foreign");
  if (!isOrderable(field.type)) return html`<th scope="col" class=${cell}><span class="head">${text}</span></th>`;
  return html`<th scope="col" class=${cell} aria-sort=${direction}>
    <button type="button" class="head" onClick=${() => show({ sort: next })}>${text}${direction !== "none" && html`<${Icon} name=${direction === "ascending" ? "arrow-up" : "arrow-down"} />`}</button>
  </th>`;
}

/** The columns to show: those that were chosen, else those in which a row holds something. @param {import("./schema.js").Table} table @param {any} answer @param {import("./view.js").View} view @returns {string[]} */
export function shownColumns(table, answer, view) {
  const all = /** @type {string[]} */ (answer.columns);
  if (view.columns.length > 0) return view.columns.filter((name) => all.includes(name));
  const isFilled = (/** @type {string} */ name) => answer.rows.some((/** @type {any[]} */ row) => row[all.indexOf(name)] !== null);
  const filled = all.filter((name) => name !== "id" && isFilled(name));
  const first = [titleField(table, filled), mainTime(table)].filter((name) => name !== undefined && filled.includes(name));
  const last = filled.filter((name) => !isOrderable(table.fields[name]?.type ?? "") || (isReference(table, name) && !isNamed(table, name)) || !(name in table.fields));
  return [.../** @type {Set<string>} */ (new Set([...first, ...filled.filter((name) => !last.includes(name)), ...last]))];
}

/** Opens a record, and keeps where this page was left. @param {MouseEvent} event */
function open(event) {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const link = /** @type {HTMLAnchorElement} */ (event.currentTarget);
  const left = location.pathname + location.search;
  history.replaceState({ ...history.state, left: { top: link.getBoundingClientRect().top, href: link.pathname } }, "");
  go(link.pathname, { state: { from: left } });
}

/** Back from a record the page stands as it was left. @param {{ current: HTMLElement | null }} box @param {any} answer */
function useReturn(box, answer) {
  const isNew = useRef(true);
  useEffect(() => {
    const left = history.state?.left;
    if (!isNew.current || !left) return;
    isNew.current = false;
    const link = [...(box.current?.querySelectorAll("th a") ?? [])].find((link) => /** @type {HTMLAnchorElement} */ (link).pathname === left.href);
    if (!(link instanceof HTMLElement)) return;
    scrollBy(0, link.getBoundingClientRect().top - left.top);
    link.focus({ preventScroll: true });
  }, [answer]);
}
