import { useState } from "../vendor/hooks.js";
import { go, here, withQuery } from "../core/address.js";
import { call } from "../core/call.js";
import { count, counted } from "../core/format.js";
import { html } from "../core/html.js";
import { sayDone } from "../core/messages.js";
import { useResource } from "../core/resource.js";
import { SECTORS } from "../core/sectors.js";
import { Button, ButtonLink } from "../parts/button.js";
import { Select } from "../parts/field.js";
import { PageHead } from "../parts/page-head.js";
import { SectorName } from "../parts/sector.js";
import { Empty, Loaded, Note } from "../parts/states.js";
import { ConnectionRow } from "./connections/connection-row.js";
import { NewConnection } from "./connections/new-connection.js";
import { PushSecret } from "./connections/push-secret.js";

/** Where data comes from, by sector. The dialog of a new one has an address of its own: `?new=1`. */
export function Connections() {
  const connections = useResource((signal) => call("GET /api/connections", { signal }), [], { on: ["connection"] });
  const [made, setMade] = useState(/** @type {any} */ (null));
  const { query } = here.value;
  const create = () => go(withQuery({ new: "1" }), { keepScroll: true });
  const closeNew = () => go(withQuery({ new: null }), { replace: true, keepScroll: true });
  const done = (/** @type {any} */ answer) => {
    setMade({ connection: answer.connections[0], secret: answer.secret, ingestUrl: answer.ingestUrl });
    closeNew();
    connections.reload();
  };
  const wanted = { sector: query.get("sector") ?? "", state: query.get("state") ?? "" };
  return html`
    <${PageHead} title="Connections" about="Where data comes from: files you bring, and devices that push with a secret of their own.">
      <${ButtonLink} href="/connections/files" icon="file-up">Bring files<//>
      <${Button} act=${create} icon="plus" variant="primary">New connection<//>
    <//>
    <${Loaded} of=${connections} what="the connections" lines=${6}>${(/** @type {any} */ answer) =>
      answer.connections.length === 0 ? html`<${NoConnections} create=${create} changed=${connections.reload} />` : html`<${List} connections=${answer.connections} wanted=${wanted} changed=${connections.reload} showSecret=${setMade} />`}
    <//>
    ${query.has("new") && html`<${NewConnection} close=${closeNew} done=${done} />`}
    ${made && html`<${PushSecret} made=${made} close=${() => setMade(null)} />`}
  `;
}

/** @param {{ create: () => void, changed: () => void }} props */
function NoConnections({ create, changed }) {
  const load = async () => {
    const { connections } = await call("POST /api/sample");
    sayDone(`The sample household is here, in ${counted(connections.length, "connection")}.`);
    changed();
  };
  const acts = html`<div class="acts"><${ButtonLink} href="/connections/files" icon="file-up" variant="primary">Bring files<//><${Button} act=${create} icon="plus">New connection<//><${Button} act=${load} icon="users">Load the sample household<//></div>`;
  return html`<${Empty} icon="plug" title="No sources yet" act=${acts}>Bring files you have, or make a connection that a device or a program pushes to. The sample household is an invented family to look around with; it leaves in one click.<//>`;
}

/** @param {{ connections: any[], wanted: { sector: string, state: string }, changed: () => void, showSecret: (made: any) => void }} props */
function List({ connections, wanted, changed, showSecret }) {
  const fits = (/** @type {any} */ connection) => (!wanted.sector || connection.sector === wanted.sector) && (!wanted.state || connection.state === wanted.state);
  const shown = connections.filter(fits);
  const set = (/** @type {string} */ name) => (/** @type {string} */ value) => go(withQuery({ [name]: value }), { keepScroll: true });
  const samples = connections.filter((connection) => connection.isSample).length;
  return html`
    ${samples > 0 && html`<${SampleNote} samples=${samples} changed=${changed} />`}
    <div class="filters" role="group" aria-label="Filters">
      <${Select} label="Sector" value=${wanted.sector} options=${[["", "Any"], ...SECTORS.map((name) => [name, name])]} change=${set("sector")} />
      <${Select} label="State" value=${wanted.state} options=${[["", "Any"], ["active", "Active"], ["paused", "Paused"]]} change=${set("state")} />
    </div>
    ${shown.length === 0 && html`<${Empty} icon="list-filter" title="No connections match" act=${html`<${ButtonLink} href="/connections">Clear filters<//>`}>${count(connections.length)} are there; these filters leave none.<//>`}
    ${SECTORS.filter((sector) => shown.some((connection) => connection.sector === sector)).map((sector) => html`<section key=${sector} class="stack" aria-label=${sector}>
      <h2><${SectorName} name=${sector} /></h2>
      <ul class="connection-list">${shown.filter((connection) => connection.sector === sector).map((connection) => html`<li key=${connection.id}><${ConnectionRow} connection=${connection} changed=${changed} showSecret=${showSecret} /></li>`)}</ul>
    </section>`)}
  `;
}

/** @param {{ samples: number, changed: () => void }} props */
function SampleNote({ samples, changed }) {
  const remove = async () => {
    const { deleted } = await call("DELETE /api/sample");
    sayDone(`The sample household is gone: ${counted(deleted, "row")} deleted.`);
    changed();
  };
  return html`<div class="card sample-note"><${Note}>${counted(samples, "connection")} of the sample household: an invented family, to look around with.<//><${Button} act=${remove} icon="trash-2" size="sm">Remove the sample household<//></div>`;
}
