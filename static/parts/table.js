import { html } from "../core/html.js";

/** @typedef {{ name: string, of: (row: any) => any, isNumber?: boolean, class?: string }} Column */

/**
 * A table whose rows become cards on a phone. Roles are said again, since a table shown otherwise loses its own in some browsers.
 *
 * @param {{ name: string, columns: Column[], rows: any[], keyOf: (row: any) => string, classOf?: (row: any) => string }} props
 */
export function Table({ name, columns, rows, keyOf, classOf }) {
  return html`<div class="table-box cards" tabindex="0" role="region" aria-label=${name}>
    <table role="table">
      <thead role="rowgroup"><tr role="row">${columns.map((column) => html`<th key=${column.name} role="columnheader" scope="col" class=${column.isNumber ? "number" : ""}>${column.name}</th>`)}</tr></thead>
      <tbody role="rowgroup">
        ${rows.map((row) => html`<tr key=${keyOf(row)} role="row" class=${classOf?.(row)}>
          ${columns.map((column) => html`<td key=${column.name} role="cell" data-label=${column.name} class=${`${column.isNumber ? "number " : ""}${column.class ?? ""}`}><div class="cell">${column.of(row)}</div></td>`)}
        </tr>`)}
      </tbody>
    </table>
  </div>`;
}
