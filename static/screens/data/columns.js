// Which columns are shown, in the order of the table.

import { useEffect, useRef } from "../../vendor/hooks.js";
import { html } from "../../core/html.js";
import { Button } from "../../parts/button.js";
import { shownColumns } from "./rows.js";
import { fieldNames } from "./schema.js";

/** @param {import("./tools.js").ToolProps} props */
export function Columns({ schema, table, view, answer, show }) {
  const first = useRef(/** @type {HTMLFieldSetElement | null} */ (null));
  useEffect(() => first.current?.querySelector("input")?.focus(), []);
  const shown = answer ? shownColumns(table, answer, view) : view.columns;
  const names = fieldNames(schema, table);
  const toggle = (/** @type {string} */ name) => {
    const left = shown.filter((other) => other !== name);
    const columns = shown.includes(name) ? left : [...shown, name];
    if (columns.length > 0) show({ columns });
  };
  const usual = () => {
    show({ columns: [] });
    first.current?.querySelector("input")?.focus();
  };
  return html`<fieldset ref=${first} class="data-panel data-columns">
    <legend class="label">Columns</legend>
    <p class="muted">${view.columns.length === 0 ? "Shown are the columns in which a row of this page holds something." : `${shown.length} of ${names.length} columns.`}</p>
    <div class="choices">${names.map((name) => html`<label key=${name}><input type="checkbox" class="input" checked=${shown.includes(name)} disabled=${shown.length === 1 && shown.includes(name)} onChange=${() => toggle(name)} /><span>${name}</span></label>`)}</div>
    ${view.columns.length > 0 && html`<div class="acts"><${Button} act=${usual} size="sm">Show the usual columns<//></div>`}
  </fieldset>`;
}
