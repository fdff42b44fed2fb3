import { go, here, withQuery } from "../core/address.js";
import { address, call } from "../core/call.js";
import { html } from "../core/html.js";
import { useResource } from "../core/resource.js";
import { dateTime, startOfDay, zone } from "../core/time.js";
import { AuditTable } from "../parts/audit-table.js";
import { Button, ButtonLink } from "../parts/button.js";
import { CallsPlot } from "../parts/calls-plot.js";
import { PageHead } from "../parts/page-head.js";
import { Empty, Failure, Loaded, Note } from "../parts/states.js";
import { Filters, FILTERS } from "./activity/filters.js";
import { useKeptFocus } from "./activity/focus.js";
import { NewRows } from "./activity/new-rows.js";
import { RowDetail } from "./activity/row-detail.js";

/** Rows of a page. */
const ROWS = 50;

/** The audit log. Filters and place stand in the address; `id` shows one row over the list. @param {{ id?: string }} props */
export function Activity({ id }) {
  const { query } = here.value;
  const filters = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ""]));
  const asked = asAsked(filters);
  const place = { before: query.get("before"), after: query.get("after") };
  const key = `${query} ${filters.from || filters.to ? zone.value : ""}`;
  const page = useResource((signal) => call("GET /api/audit", { query: /** @type {any} */ ({ ...asked, ...place, limit: ROWS }), signal }), [key]);
  // To try a refused place again gets the same refusal.
  const isStale = /** @type {any} */ (page.error)?.status === 400 && (place.before !== null || place.after !== null);
  useKeptFocus(page.value, id);
  const search = query.size > 0 ? `?${query}` : "";
  return html`
    <${PageHead} title="Activity" about="The audit log: every agent call, served or refused, and the Console’s own acts. Nothing deletes it.">
      <${ButtonLink} href=${address("/api/audit.csv", {}, asked)} icon="download" download>Export CSV<//>
    <//>
    <${CallsPlot} />
    <${Filters} filters=${filters} />
    <${NewRows} filters=${asked} page=${page.value} show=${page.reload} />
    ${isStale ? html`<${StalePlace} error=${page.error} />` : html`<${Loaded} of=${page} what="the audit log" lines=${8}>${(/** @type {any} */ answer) => html`<${Page} page=${answer} search=${search} isFiltered=${FILTERS.some((name) => filters[name])} />`}<//>`}
    ${id && html`<${RowDetail} id=${id} close=${() => go(`/activity${search}`, { keepScroll: true })} />`}
  `;
}

/** The place in the address is none of this log: the way back to the newest rows. @param {{ error: any }} props */
function StalePlace({ error }) {
  const newest = html`<${ButtonLink} href=${withQuery({ before: null, after: null })} icon="refresh-cw">Show the newest rows<//>`;
  return html`<${Failure} error=${error} what="the audit log" act=${newest} />`;
}

/** The filters as the route takes them: a day of the address is the instant at which it begins in the service's zone. @param {Record<string, string>} filters */
function asAsked(filters) {
  const instant = (/** @type {string | undefined} */ date) => (date && /^\d{4}-\d\d-\d\d$/.test(date) ? startOfDay(date) : date ?? "");
  return { ...filters, from: instant(filters.from), to: instant(filters.to) };
}

/** @param {{ page: any, search: string, isFiltered: boolean }} props */
function Page({ page, search, isFiltered }) {
  const older = () => go(withQuery({ before: page.next, after: null }));
  const newer = () => go(withQuery({ after: page.prev, before: null }));
  return html`
    ${page.rows.length > 0 && html`<${AuditTable} rows=${page.rows} name="Audit log" hrefOf=${(/** @type {any} */ row) => `/activity/${row.id}${search}`} />`}
    ${page.searched_back_to && html`<${Note}>Searched back to ${dateTime(page.searched_back_to, true)}. ${page.next && "Older goes on from there."}<//>`}
    ${page.searched_up_to && html`<${Note}>Searched up to ${dateTime(page.searched_up_to, true)}. ${page.prev && "Newer goes on from there."}<//>`}
    ${page.rows.length === 0 && !page.searched_back_to && html`<${NoRows} isFiltered=${isFiltered} />`}
    <nav class="pager" aria-label="Pages">
      <${Button} act=${newer} icon="chevron-left" disabled=${!page.prev}>Newer<//>
      <${Button} act=${older} icon="chevron-right" disabled=${!page.next}>Older<//>
    </nav>
  `;
}

/** @param {{ isFiltered: boolean }} props */
function NoRows({ isFiltered }) {
  if (isFiltered) return html`<${Empty} icon="list-filter" title="No rows match" act=${html`<${ButtonLink} href="/activity">Clear filters<//>`}>Other rows are there; these filters leave none.<//>`;
  return html`<${Empty} icon="activity" title="Nothing recorded yet">Each call of an agent will stand here, and so will what you pause, resume, export or erase.<//>`;
}
