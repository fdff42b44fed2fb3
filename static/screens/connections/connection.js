import { useEffect, useState } from "../../vendor/hooks.js";
import { go } from "../../core/address.js";
import { call } from "../../core/call.js";
import { counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { isPulled } from "../../core/pulled.js";
import { providerName, readProviders } from "../../core/providers.js";
import { useResource } from "../../core/resource.js";
import { ButtonLink } from "../../parts/button.js";
import { PageHead } from "../../parts/page-head.js";
import { SampleMark } from "../../parts/sector.js";
import { Empty, Loaded } from "../../parts/states.js";
import { ConnectionActs, ConnectionFacts, ConnectionNotes } from "./connection-row.js";
import { PulledConnection, PulledNotes } from "./pulled-connection.js";
import { PushConnection } from "./push-connection.js";
import { PushSecret } from "./push-secret.js";
import { useRuns } from "./runs-strip.js";

/** How often a round under way is looked at again, ms. */
const PROGRESS_MS = 2_000;

/** One connection: how it stands, its acts, and what it brought. @param {{ id: string }} props */
export function Connection({ id }) {
  const connection = useResource((signal) => call("GET /api/connections/{id}", { path: { id }, signal }), [id], { on: ["connection"] });
  const [made, setMade] = useState(/** @type {any} */ (null));
  if (connection.error && /** @type {any} */ (connection.error).status === 404) return html`<${Gone} />`;
  return html`
    <${Loaded} of=${connection} what="the connection" lines=${6}>${(/** @type {any} */ found) => {
      const Shown = isPulled(found) ? Pulled : Pushed;
      return html`<${Shown} connection=${found} changed=${connection.reload} showSecret=${setMade} />`;
    }}<//>
    ${made && html`<${PushSecret} made=${made} close=${() => setMade(null)} />`}
  `;
}

/** @typedef {{ connection: any, changed: () => void, showSecret: (made: any) => void }} ConnectionProps */

/** @param {ConnectionProps} props */
function Pushed(props) {
  return html`<${Head} connection=${props.connection} about=${`Pushes of ${props.connection.table}.`} /><${StateCard} ...${props} /><${PushConnection} connection=${props.connection} />`;
}

/** @param {ConnectionProps} props */
function Pulled(props) {
  const { connection, changed } = props;
  const runs = useRuns(connection);
  useResource((signal) => readProviders(signal), []);
  const isSyncing = connection.health === "syncing" && connection.state === "active";
  useEffect(() => {
    if (!isSyncing) return undefined;
    const timer = setInterval(() => {
      runs.reload();
      changed();
    }, PROGRESS_MS);
    return () => clearInterval(timer);
  }, [isSyncing]);
  const held = connection.rows === null || connection.rows === undefined ? "" : ` ${counted(connection.rows, "row")}.`;
  return html`
    <${Head} connection=${connection} about=${`${connection.sector} from ${providerName(connection.provider)}.${held}`} />
    <${StateCard} ...${props}><${PulledNotes} connection=${connection} runs=${runs.value?.rows ?? []} /><//>
    <${PulledConnection} connection=${connection} runs=${runs} changed=${changed} />
  `;
}

/** @param {{ connection: any, about: string }} props */
function Head({ connection, about }) {
  const title = html`<bdi>${connection.label}</bdi> ${connection.isSample && html`<${SampleMark} />`}`;
  return html`<${PageHead} title=${title} name=${connection.label} about=${about}>
    <${ButtonLink} href=${`/data/${connection.table.replace(".", "/")}`} icon="database">Show its table<//>
  <//>`;
}

/** @param {ConnectionProps & { children?: any }} props */
function StateCard({ connection, changed, showSecret, children }) {
  return html`<section class="card" aria-label="State">
    <header><${ConnectionFacts} connection=${connection} /><${ConnectionActs} connection=${connection} changed=${changed} showSecret=${showSecret} gone=${() => go("/connections")} /></header>
    <${ConnectionNotes} connection=${connection} />
    ${children}
  </section>`;
}

function Gone() {
  return html`<${PageHead} title="Connections" /><${Empty} icon="plug" title="There is no such connection" act=${html`<${ButtonLink} href="/connections">Show all connections<//>`}>It may have been disconnected. Rows that were kept are still in Data.<//>`;
}
