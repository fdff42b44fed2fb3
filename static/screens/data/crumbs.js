import { html } from "../../core/html.js";

/**
 * The way back up: the room, the sector, the table.
 *
 * @param {{ reader: import("./reader.js").Reader, sector?: string, table?: string, back?: (event: MouseEvent) => void, tableHref?: string }} props
 *   `tableHref` is the table as it was left, and `back` goes there through the history
 */
export function Crumbs({ reader, sector, table, back, tableHref }) {
  const sectorHref = `${reader.base}/${sector}`;
  return html`<nav class="data-crumbs" aria-label="Way back"><ol>
    <li><a href=${reader.base}>Data</a></li>
    ${sector && html`<li><a href=${sectorHref}>${sector}</a></li>`}
    ${table && html`<li><a href=${tableHref ?? `${sectorHref}/${table}`} onClick=${back}>${table}</a></li>`}
  </ol></nav>`;
}
