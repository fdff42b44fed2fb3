import { useEffect, useState } from "../vendor/hooks.js";
import { go, here, withQuery } from "../core/address.js";
import { call } from "../core/call.js";
import { count, counted } from "../core/format.js";
import { html } from "../core/html.js";
import { sayDone } from "../core/messages.js";
import { readProviders } from "../core/providers.js";
import { GROUPS, standingOf } from "../core/pulled.js";
import { useResource } from "../core/resource.js";
import { SECTORS } from "../core/sectors.js";
import { now } from "../core/time.js";
import { Button, ButtonLink } from "../parts/button.js";
import { Select } from "../parts/field.js";
import { PageHead } from "../parts/page-head.js";
import { SectorName } from "../parts/sector.js";
import { Empty, Loaded, Note } from "../parts/states.js";
import { ConnectionRow } from "./connections/connection-row.js";
import { PushSecret } from "./connections/push-secret.js";
import { RUNS } from "./connections/runs-strip.js";
import { SignIns } from "./connections/sign-ins.js";

/** How often rounds under way are looked at again, ms. */
const PROGRESS_MS = 3_000;

/** Where data comes from, by sector. */
export function Connections() {
  const connections = useResource((signal) => call("GET /api/connections", { query: { runs: RUNS }, signal }), [], { on: ["connection"] });
  useResource((signal) => readProviders(signal), []);
  const [made, setMade] = useState(/** @type {any} */ (null));
  const { query } = here.value;
  const wanted = { sector: query.get("sector") ?? "", state: query.get("state") ?? "" };
  const isSyncing = connections.value?.connections.some(({ health, state }) => health === "syncing" && state === "active") ?? false;
  useEffect(() => {
    if (!isSyncing) return undefined;
    const timer = setInterval(connections.reload, PROGRESS_MS);
    return () => clearInterval(timer);
  }, [isSyncing]);
  return html`
    <${PageHead} title="Connections" about="Where data comes from: sources that are read by themselves, devices that push, files you bring.">
      <${ButtonLink} href="/connections/files" icon="file-up">Bring files<//>
      <${ButtonLink} href="/connections/new" icon="plus" variant="primary">Connect a source<//>
    <//>
    <${SignIns} id=${query.get("signin")} changed=${connections.reload} />
    <${Loaded} of=${connections} what="the connections" lines=${6}>${(/** @type {any} */ answer) =>
      answer.connections.length === 0 ? html`<${NoConnections} changed=${connections.reload} />` : html`<${List} connections=${answer.connections} wanted=${wanted} changed=${connections.reload} showSecret=${setMade} />`}
    <//>
    ${made && html`<${PushSecret} made=${made} close=${() => setMade(null)} />`}
  `;
}

/** @param {{ changed: () => void }} props */
function NoConnections({ changed }) {
  const load = async () => {
    const { connections } = await call("POST /api/sample");
    sayDone(`The sample household is here, in ${counted(connections.length, "connection")}.`);
    changed();
  };
  const acts = html`<div class="acts"><${ButtonLink} href="/connections/new" icon="plus" variant="primary">Connect a source<//><${ButtonLink} href="/connections/files" icon="file-up">Bring files<//><${Button} act=${load} icon="users">Load the sample household<//></div>`;
  return html`<${Empty} icon="plug" title="No sources yet" act=${acts}>Connect mail, calendar, contacts or a home, which are read by themselves; bring files you have; or let a device push. The sample household is an invented family to look around with; it leaves in one click.<//>`;
}

/** @param {{ connections: any[], wanted: { sector: string, state: string }, changed: () => void, showSecret: (made: any) => void }} props */
function List({ connections, wanted, changed, showSecret }) {
  const fits = (/** @type {any} */ connection) => (!wanted.sector || connection.sector === wanted.sector) && (!wanted.state || standingOf(connection, now.value).group === wanted.state);
  const shown = connections.filter(fits);
  const set = (/** @type {string} */ name) => (/** @type {string} */ value) => go(withQuery({ [name]: value }), { keepScroll: true });
  const samples = connections.filter((connection) => connection.isSample).length;
  return html`
    ${samples > 0 && html`<${SampleNote} samples=${samples} changed=${changed} />`}
    <div class="filters" role="group" aria-label="Filters">
      <${Select} label="Sector" value=${wanted.sector} options=${[["", "Any"], ...SECTORS.map((name) => [name, name])]} change=${set("sector")} />
      <${Select} label="State" value=${wanted.state} options=${[["", "Any"], ...GROUPS]} change=${set("state")} />
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
