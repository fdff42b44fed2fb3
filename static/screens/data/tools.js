// Above the rows: search, filters, groups, columns. Each choice is in the address at once.

import { useEffect, useState } from "../../vendor/hooks.js";
import { html } from "../../core/html.js";
import { Icon } from "../../parts/icon.js";
import { Button } from "../../parts/button.js";
import { Select } from "../../parts/field.js";
import { Columns } from "./columns.js";
import { Filters } from "./filters.js";
import { Groups, usualGroups } from "./groups.js";
import { fieldNames, fieldOf, isOrderable } from "./schema.js";
import { told } from "./operators.js";
import { measureName } from "./view.js";

/** @typedef {{ schema: import("./schema.js").Schema, table: import("./schema.js").Table, view: import("./view.js").View, answer: any, show: (change: Partial<import("./view.js").View>) => void }} ToolProps */

/** @param {ToolProps} props */
export function Tools(props) {
  const { table, view, show } = props;
  const [opened, setOpened] = useState(/** @type {"" | "filter" | "columns"} */ (""));
  const toggle = (/** @type {"filter" | "columns"} */ name) => setOpened(opened === name ? "" : name);
  const isSearchable = Object.values(table.fields).some(({ searchable }) => searchable);
  const group = () => show(view.isGrouped ? { isGrouped: false, by: [], of: [], sort: "" } : { ...usualGroups(table), isGrouped: true, sort: "" });
  return html`<div class="data-tools">
    <div class="data-bar">
      ${isSearchable && html`<${Search} search=${view.search} show=${show} />`}
      <button type="button" class="btn" data-variant="outline" aria-expanded=${opened === "filter"} onClick=${() => toggle("filter")}><${Icon} name="list-filter" />Add filter</button>
      <button type="button" class="btn" data-variant="outline" aria-pressed=${view.isGrouped} onClick=${group}><${Icon} name="sigma" />Group rows</button>
      ${!view.isGrouped && html`<button type="button" class="btn" data-variant="outline" aria-expanded=${opened === "columns"} onClick=${() => toggle("columns")}><${Icon} name="table-2" />Choose columns</button>`}
      <${Order} ...${props} />
    </div>
    <${Chips} ...${props} />
    ${opened === "filter" && html`<${Filters} ...${props} />`}
    ${opened === "columns" && !view.isGrouped && html`<${Columns} ...${props} />`}
    ${view.isGrouped && html`<${Groups} ...${props} />`}
  </div>`;
}

/** @param {{ search: string, show: (change: any) => void }} props */
function Search({ search, show }) {
  const [text, setText] = useState(search);
  useEffect(() => setText(search), [search]);
  const ask = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (text.trim() !== search) show({ search: text.trim() });
  };
  return html`<form role="search" class="data-search" onSubmit=${ask}>
    <input class="input" type="search" aria-label="Search the texts" placeholder="Search the texts" value=${text} onInput=${(/** @type {any} */ event) => setText(event.currentTarget.value)} />
    <button type="submit" class="btn" data-variant="outline"><${Icon} name="search" />Search</button>
  </form>`;
}

/** The order, where there are no heads of columns to press. @param {ToolProps} props */
function Order({ schema, table, view, show }) {
  const names = view.isGrouped ? [...view.by, ...view.of.map(measureName)] : fieldNames(schema, table).filter((name) => isOrderable(fieldOf(schema, table, name).type));
  const options = /** @type {[string, string][]} */ ([["", "As the table does"], ...names.flatMap((name) => [[name, `${name}, rising`], [`-${name}`, `${name}, falling`]])]);
  return html`<div class="data-order"><${Select} label="Order by" value=${view.sort} options=${options} change=${(/** @type {string} */ sort) => show({ sort })} /></div>`;
}

/** Puts the focus on the first control above the rows, when the one that had it is gone. */
export function focusTools() {
  /** @type {HTMLElement | null} */ (document.querySelector(".data-bar .btn[aria-expanded]"))?.focus();
}

/** The filters that hold, each to be taken away. @param {ToolProps} props */
function Chips({ schema, table, view, show }) {
  if (view.where.length === 0 && view.search === "") return null;
  const drop = (/** @type {number} */ at, /** @type {any} */ event) => {
    // The focus goes to the next chip, or to the control that adds one.
    const next = event.currentTarget.closest("li")?.nextElementSibling?.querySelector("button") ?? document.querySelector(".data-bar .btn[aria-expanded]");
    show({ where: view.where.filter((_filter, index) => index !== at) });
    if (next instanceof HTMLElement) next.focus();
  };
  const clear = () => {
    show({ where: [], search: "" });
    focusTools();
  };
  return html`<ul class="data-chips" aria-label="Filters">
    ${view.where.map((filter, at) => html`<li key=${`${at} ${filter.field}`}><span class="chip"><bdi>${told(filter, fieldOf(schema, table, filter.field))}</bdi>
      <button type="button" class="btn" data-variant="ghost" data-size="icon-sm" aria-label=${`Remove the filter ${told(filter, fieldOf(schema, table, filter.field))}`} onClick=${(/** @type {Event} */ event) => drop(at, event)}><${Icon} name="x" /></button></span></li>`)}
    ${view.search && html`<li><span class="chip"><bdi>texts match “${view.search}”</bdi>
      <button type="button" class="btn" data-variant="ghost" data-size="icon-sm" aria-label="Remove the search" onClick=${() => { show({ search: "" }); /** @type {HTMLElement | null} */ (document.querySelector(".data-search input"))?.focus(); }}><${Icon} name="x" /></button></span></li>`}
    ${view.where.length + (view.search ? 1 : 0) > 1 && html`<li><${Button} act=${clear} size="sm" variant="ghost">Clear filters<//></li>`}
  </ul>`;
}
