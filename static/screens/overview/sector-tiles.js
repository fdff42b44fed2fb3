import { call } from "../../core/call.js";
import { count, counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { status } from "../../core/service.js";
import { SampleMark, SectorName } from "../../parts/sector.js";
import { Time } from "../../parts/time.js";

/** How much there is of each sector, how fresh it is, and whether some of it is the sample. @param {{ sectors: any[] }} props */
export function SectorTiles({ sectors }) {
  // The tiles stand without it; where there is no sample, it is not asked.
  const sources = useResource((signal) => (status.value?.sample ? call("GET /api/connections", { signal }) : Promise.resolve({ connections: [] })), [status.value?.sample], { on: ["connection"] });
  const samples = new Set(sources.value?.connections.filter((source) => source.isSample).map((source) => source.sector));
  return html`<section aria-label="Sectors" class="tiles">
    ${sectors.map((sector) => html`<a key=${sector.name} class="card tile" href=${`/data/${sector.name}`}>
      <span class="tile-head"><${SectorName} name=${sector.name} />${samples.has(sector.name) && html`<${SampleMark} />`}</span>
      <span class="tile-count">${count(sector.rows)}</span>
      <span class="muted">${sector.rows === 1 ? "row" : "rows"} · ${counted(sector.connections, "source")}</span>
      <span class="muted">${sector.lastSyncAt ? html`New <${Time} at=${sector.lastSyncAt} />` : "Nothing has come yet"}</span>
    </a>`)}
  </section>`;
}
