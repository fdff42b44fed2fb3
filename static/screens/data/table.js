// One table: its rows page by page, or groups of them. Filters, order, columns and groups are in the address; the way back through the
// pages is in the entry of the history.

import { useEffect, useRef, useState } from "../../vendor/hooks.js";
import { go, here } from "../../core/address.js";
import { call } from "../../core/call.js";
import { counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { sayDone } from "../../core/messages.js";
import { useResource } from "../../core/resource.js";
import { Button, ButtonLink } from "../../parts/button.js";
import { PageHead } from "../../parts/page-head.js";
import { Empty, Failure, Loading } from "../../parts/states.js";
import { AsSent, Locked } from "./agent.js";
import { Crumbs } from "./crumbs.js";
import { Fetch } from "./fetch.js";
import { Fetched } from "./fetched.js";
import { GroupRows } from "./group-rows.js";
import { Span } from "./landing.js";
import { NoTables } from "./no-tables.js";
import { Nothing } from "./nothing.js";
import { Notes, Sources } from "./notes.js";
import { Pager } from "./pager.js";
import { Rows } from "./rows.js";
import { bare, keepOrder, tablesOf, useSchema } from "./schema.js";
import { plain } from "./text.js";
import { focusTools, Tools } from "./tools.js";
import { readView, requestOf, writeView } from "./view.js";

/** @typedef {import("./view.js").View} View */

/** @param {{ reader: import("./reader.js").Reader, sector: string, table: string }} props */
export function TableView({ reader, sector, table: name }) {
  const schema = useSchema(reader);
  const connections = useResource((signal) => call("GET /api/connections", { signal }), [], { on: ["connection"] });
  const [fetches, setFetches] = useState(0);
  const [fetched, setFetched] = useState(/** @type {{ of: string, rows: any[] } | null} */ (null));
  const known = connections.value?.connections;
  const found = schema.value;
  const table = found?.tables.find(({ target }) => target === `${sector}.${name}`);
  const isLocked = found !== null && reader.agent !== null && tablesOf(found, sector).length === 0;
  const done = (/** @type {any[]} */ rows) => {
    setFetched({ of: sector, rows });
    setFetches(fetches + 1);
    connections.reload();
  };
  return html`
    <${Crumbs} reader=${reader} sector=${sector} />
    <${PageHead} title=${name} name=${`${sector}.${name}`} about=${table?.about}>${table && html`<${Fetch} reader=${reader} sector=${sector} table=${table} connections=${known} done=${done} />`}<//>
    ${reader.canFetch && html`<${Fetched} fetched=${fetched?.of === sector ? fetched.rows : null} sector=${sector} connections=${known} />`}
    <${NoTables} reader=${reader} of=${schema} />
    ${table && html`<${Table} reader=${reader} sector=${sector} schema=${found} table=${table} samples=${samplesOf(known)} fetches=${fetches} />`}
    ${isLocked && html`<section class="card"><${Locked} reader=${reader} sector=${sector} table=${name} /></section>`}
    ${found && !table && !isLocked && html`<${Empty} icon="search" title="There is no such table" act=${html`<${ButtonLink} href=${`${reader.base}/${sector}`}>Show the tables of ${sector}<//>`} />`}
  `;
}

/** @param {{ reader: import("./reader.js").Reader, sector: string, schema: import("./schema.js").Schema, table: import("./schema.js").Table, samples: Set<string>, fetches: number }} props `fetches` counts what was fetched from the sources meanwhile */
function Table({ reader, sector, schema, table, samples, fetches }) {
  const { path, query, state } = here.value;
  const view = readView(query);
  const pages = /** @type {(string | null)[]} */ (state.pages ?? [null]);
  const cursor = view.isGrouped ? null : (pages.at(-1) ?? null);
  const request = requestOf(table, view, cursor);
  const asked = JSON.stringify(request);
  const own = useResource(async (signal) => {
    const answer = await reader.query(sector, request, signal);
    if (!view.isGrouped && view.columns.length === 0) keepOrder(table.target, answer.columns);
    return { answer, view, request, pages };
  }, [reader.base, asked, fetches]);

  // What was shown last stays while the next is read, so that no control goes away under the hand.
  const last = useRef(own.value);
  if (own.value !== null) last.current = own.value;
  const shown = last.current;

  const show = (/** @type {Partial<View>} */ change) => go(writeView(path, { ...view, page: 1, ...change }), { keepScroll: true });
  const clear = () => {
    go(path, { keepScroll: true });
    focusTools();
  };
  const isExpired = own.error !== null && cursor !== null && /cursor/.test(own.error.message);
  const [hasBegunAnew, setBegunAnew] = useState(false);
  useEffect(() => {
    if (!isExpired) return;
    setBegunAnew(true);
    sayDone("The place in the pages had expired. These are the first rows.");
    go(writeView(path, view), { replace: true });
  }, [isExpired]);

  // A failure takes the rows away, and its end takes the failure away: the focus goes to what has come.
  const hadError = useRef(false);
  useEffect(() => {
    if (hadError.current === (own.error !== null) || own.isLoading) return;
    hadError.current = own.error !== null;
    if (document.activeElement !== document.body) return;
    /** @type {HTMLElement | null} */ (document.querySelector(".data-problem button, .data-rows"))?.focus({ preventScroll: true });
  }, [own.error, own.isLoading]);

  return html`
    <${Siblings} reader=${reader} sector=${sector} schema=${schema} table=${table} />
    <p class="muted data-facts">${table.rows !== undefined && html`<span>${counted(table.rows, "row")}</span>`}${table.covers && html`<span><${Span} covers=${table.covers} /></span>`}${reader.agent === null && html`<span>Looking here is not recorded.</span>`}</p>
    <${Tools} schema=${schema} table=${table} view=${view} answer=${shown?.answer} show=${show} />
    ${own.error && !isExpired && html`<div class="data-problem"><${Refused} error=${own.error} retry=${own.reload} clear=${clear} /></div>`}
    ${shown === null && own.isLoading && html`<${Loading} lines=${10} />`}
    ${shown !== null && !own.error && html`<div class="data-answer" aria-busy=${own.isLoading}>
      ${answered({ reader, sector, schema, table, shown, show, samples, hasBegunAnew: hasBegunAnew && cursor === null, readAgain: own.reload })}
    </div>`}
  `;
}

/** @param {{ reader: any, sector: string, schema: any, table: any, shown: { answer: any, view: View, request: object, pages: any[] }, show: (change: Partial<View>) => void, samples: Set<string>, hasBegunAnew: boolean, readAgain: () => void }} props */
function answered({ reader, sector, schema, table, shown, show, samples, hasBegunAnew, readAgain }) {
  const { answer, view, request, pages } = shown;
  const common = { reader, schema, table, answer, view, show };
  const nothing = html`<${Nothing} answer=${answer} sector=${sector} table=${table} view=${view} reader=${reader} show=${show} />`;
  return html`
    ${answer.rows.length === 0 ? nothing : view.isGrouped ? html`<${GroupRows} ...${common} />` : html`<${Rows} ...${common} />`}
    ${!view.isGrouped && html`<${Pager} ...${common} request=${request} pages=${pages} sector=${sector} hasBegunAnew=${hasBegunAnew} readAgain=${readAgain} />`}
    <${Notes} answer=${answer} />
    <${Sources} sources=${answer.sources} samples=${samples} />
    ${reader.agent !== null && html`<${AsSent} answer=${answer} tool="query" request=${request} />`}
  `;
}

/** Why there are no rows to see: what was asked cannot be asked, or was not answered. @param {{ error: any, retry: () => void, clear: () => void }} props */
function Refused({ error, retry, clear }) {
  if (error.code !== "invalid") return html`<${Failure} error=${error} retry=${retry} what="the rows" />`;
  return html`<div role="alert"><${Empty} icon="triangle-alert" title="These rows cannot be asked for" act=${html`<${Button} act=${clear} icon="x">Clear filters and order<//>`}>${plain(error.said)}<//></div>`;
}

/** The labels of the connections that are samples. @param {any[] | undefined} connections */
export function samplesOf(connections) {
  return new Set(connections?.filter(({ isSample }) => isSample).map(({ label }) => label));
}


/** The tables of the same sector. @param {{ reader: import("./reader.js").Reader, sector: string, schema: import("./schema.js").Schema, table: import("./schema.js").Table }} props */
function Siblings({ reader, sector, schema, table }) {
  return html`<nav class="data-tables" aria-label=${`Tables of ${sector}`}>${tablesOf(schema, sector).map((other) => html`
    <a key=${other.target} href=${`${reader.base}/${sector}/${bare(other)}`} aria-current=${other.target === table.target ? "page" : undefined}>${bare(other)}</a>`)}</nav>`;
}
