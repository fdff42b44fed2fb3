import { call } from "../../core/call.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { Loaded } from "../../parts/states.js";
import { Table } from "../../parts/table.js";

/** Everything this page does, programs can do as well: the routes, from their description. */
export function Routes() {
  const document = useResource((signal) => call("GET /api/openapi.json", { signal }), []);
  const columns = [
    { name: "Route", class: "mono", of: (/** @type {any} */ row) => row.route },
    { name: "What it does", of: (/** @type {any} */ row) => row.summary },
  ];
  return html`<section class="stack"><h2>Routes</h2>
    <p class="muted">Everything this page does, programs can do as well. <a href="/api/openapi.json">The whole description</a> is OpenAPI 3.1.</p>
    <${Loaded} of=${document} what="the routes">${(/** @type {any} */ answer) => html`<details class="card"><summary>Show ${routesOf(answer).length} routes</summary><${Table} name="Routes" columns=${columns} rows=${routesOf(answer)} keyOf=${(/** @type {any} */ row) => row.route} /></details>`}<//>
  </section>`;
}

/** @param {any} document @returns {{ route: string, summary: string }[]} */
function routesOf(document) {
  return Object.entries(document.paths).flatMap(([path, verbs]) => Object.entries(/** @type {any} */ (verbs)).map(([verb, operation]) => ({ route: `${verb.toUpperCase()} ${path}`, summary: operation.summary })));
}
