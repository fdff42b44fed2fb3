import { count, counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { SectorName } from "../../parts/sector.js";
import { Time } from "../../parts/time.js";

/** How much there is of each sector, and how fresh it is. @param {{ sectors: any[] }} props */
export function SectorTiles({ sectors }) {
  return html`<section aria-label="Sectors" class="tiles">
    ${sectors.map((sector) => html`<a key=${sector.name} class="card tile" href=${`/data/${sector.name}`}>
      <span class="tile-head"><${SectorName} name=${sector.name} /></span>
      <span class="tile-count">${count(sector.rows)}</span>
      <span class="muted">${sector.rows === 1 ? "row" : "rows"} · ${counted(sector.connections, "source")}</span>
      <span class="muted">${sector.lastSyncAt ? html`New <${Time} at=${sector.lastSyncAt} />` : "Nothing has come yet"}</span>
    </a>`)}
  </section>`;
}
