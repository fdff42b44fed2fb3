// Where the Data room begins: the six sectors, and in each its tables, how many rows they hold and what time they cover.

import { call } from "../../core/call.js";
import { count, counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { SECTORS } from "../../core/sectors.js";
import { ButtonLink } from "../../parts/button.js";
import { PageHead } from "../../parts/page-head.js";
import { SampleMark, SectorName } from "../../parts/sector.js";
import { Empty } from "../../parts/states.js";
import { Locked } from "./agent.js";
import { Crumbs } from "./crumbs.js";
import { NoTables } from "./no-tables.js";
import { bare, tablesOf, useSchema } from "./schema.js";

/** @param {{ reader: import("./reader.js").Reader, sector?: string }} props one sector alone, or all */
export function Landing({ reader, sector }) {
  const schema = useSchema(reader);
  const connections = useResource((signal) => call("GET /api/connections", { signal }), [], { on: ["connection", "upload"] });
  const about = reader.agent === null ? "Everything that is stored, as an agent with all six sectors would see it. Looking here is not recorded." : null;
  if (sector !== undefined && !SECTORS.some((known) => known === sector)) {
    return html`<${PageHead} title="Data" /><${Empty} icon="search" title="There is no such sector" act=${html`<${ButtonLink} href=${reader.base}>Show all sectors<//>`}>The six are ${SECTORS.join(", ")}.<//>`;
  }
  const found = schema.value;
  const shown = sector === undefined ? SECTORS : [sector];
  return html`
    ${sector !== undefined && html`<${Crumbs} reader=${reader} />`}
    <${PageHead} title=${sector === undefined ? "Data" : html`<${SectorName} name=${sector} />`} name=${sector ?? "Data"} about=${about} />
    <${NoTables} reader=${reader} of=${schema} />
    ${found && html`
      <div class=${sector === undefined ? "data-sectors" : "data-sectors data-one"}>${shown.map((name) => html`
        <${Sector} key=${name} reader=${reader} name=${name} tables=${tablesOf(found, name)} connections=${connections.value?.connections?.filter((/** @type {any} */ one) => one.sector === name)} isAlone=${sector !== undefined} />
      `)}</div>
    `}
  `;
}

/** @param {{ reader: import("./reader.js").Reader, name: string, tables: any[], connections?: any[], isAlone: boolean }} props */
function Sector({ reader, name, tables, connections, isAlone }) {
  const isLocked = reader.agent !== null && tables.length === 0;
  const isSample = connections?.some(({ isSample }) => isSample);
  const rows = tables.every((table) => table.rows !== undefined) ? tables.reduce((sum, table) => sum + table.rows, 0) : null;
  const href = `${reader.base}/${name}`;
  return html`<section class="card data-sector" aria-label=${name}>
    ${!isAlone && html`<header><h2>${isLocked ? html`<${SectorName} name=${name} />` : html`<a href=${href}><${SectorName} name=${name} /></a>`}</h2>
      ${!isLocked && html`<span class="muted">${rows === null ? "" : counted(rows, "row")} ${isSample && html`<${SampleMark} />`}</span>`}</header>`}
    ${isLocked ? html`<${Locked} reader=${reader} sector=${name} />` : html`<ul>${tables.map((table) => html`<${TableLine} key=${table.target} reader=${reader} sector=${name} table=${table} isLong=${isAlone} />`)}</ul>`}
    ${isAlone && name === "finance" && reader.agent === null && html`<p><a href="/data/finance/duplicates">Accounts that two sources have</a></p>`}
    ${!isLocked && rows === 0 && connections?.length === 0 && html`<p class="muted">Nothing is connected. <a href="/connections">Connect a source</a></p>`}
  </section>`;
}

/** @param {{ reader: import("./reader.js").Reader, sector: string, table: import("./schema.js").Table, isLong: boolean }} props */
function TableLine({ reader, sector, table, isLong }) {
  const name = bare(table);
  return html`<li><a href=${`${reader.base}/${sector}/${name}`}>
    <span class="name">${name}</span>
    <span class="number">${count(table.rows)}</span>
    <span class="span">${table.covers ? html`<${Span} covers=${table.covers} />` : ""}</span>
    ${isLong && html`<span class="about">${table.about}</span>`}
  </a></li>`;
}

/** The first and the last day. @param {{ covers: string[] }} props */
export function Span({ covers: [from = "", to = ""] }) {
  if (from === to) return html`<time datetime=${from}>${from}</time>`;
  return html`<time datetime=${from}>${from}</time> – <time datetime=${to}>${to}</time>`;
}
