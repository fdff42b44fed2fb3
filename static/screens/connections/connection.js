import { useState } from "../../vendor/hooks.js";
import { go, here, withQuery } from "../../core/address.js";
import { call } from "../../core/call.js";
import { count, size } from "../../core/format.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { Button, ButtonLink } from "../../parts/button.js";
import { PageHead } from "../../parts/page-head.js";
import { SampleMark } from "../../parts/sector.js";
import { State } from "../../parts/state.js";
import { Empty, Loaded, Note } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { Time } from "../../parts/time.js";
import { ConnectionActs, ConnectionFacts } from "./connection-row.js";
import { PushExample, PushSecret } from "./push-secret.js";

/** Pushes of a page. */
const PUSHES = 30;

/** One connection: how it stands, its last pushes, and how to push to it. @param {{ id: string }} props */
export function Connection({ id }) {
  const connection = useResource((signal) => call("GET /api/connections/{id}", { path: { id }, signal }), [id], { on: ["connection"] });
  const [made, setMade] = useState(/** @type {any} */ (null));
  if (connection.error && /** @type {any} */ (connection.error).status === 404) return html`<${Gone} />`;
  return html`
    <${Loaded} of=${connection} what="the connection" lines=${6}>${(/** @type {any} */ found) => html`
      <${PageHead} title=${html`<bdi>${found.label}</bdi> ${found.isSample && html`<${SampleMark} />`}`} name=${found.label} about=${`Pushes of ${found.table}.`}>
        <${ButtonLink} href=${`/data/${found.table.replace(".", "/")}`} icon="database">Show its table<//>
      <//>
      <section class="card" aria-label="State"><header><${ConnectionFacts} connection=${found} /><${ConnectionActs} connection=${found} changed=${connection.reload} showSecret=${setMade} gone=${() => go("/connections")} /></header>
        ${found.state === "paused" && html`<${Note} icon="circle-pause">Paused. Pushes to it are answered 401.<//>`}
        ${found.error && html`<${Note} icon="triangle-alert" kind="bad"><bdi>${found.error.message}</bdi><//>`}
      </section>
      <${Pushes} id=${id} />
      ${!found.isSample && html`<section class="card" aria-label="How to push"><h2>How to push</h2><p class="muted">The secret itself is shown only when it is made. Rotate it to see a new one.</p><${PushExample} connection=${found} /></section>`}
    `}<//>
    ${made && html`<${PushSecret} made=${made} close=${() => setMade(null)} />`}
  `;
}

function Gone() {
  return html`<${PageHead} title="Connections" /><${Empty} icon="plug" title="There is no such connection" act=${html`<${ButtonLink} href="/connections">Show all connections<//>`}>It may have been disconnected. Rows that were kept are still in Data.<//>`;
}

/** @param {{ id: string }} props */
function Pushes({ id }) {
  const before = here.value.query.get("before");
  const pushes = useResource((signal) => call("GET /api/connections/{id}/pushes", { path: { id }, query: { limit: PUSHES, before }, signal }), [id, before], { on: before ? [] : ["connection", "audit"] });
  const columns = [
    { name: "Time", class: "nowrap", of: (/** @type {any} */ push) => html`<${Time} at=${push.at} />` },
    { name: "Result", of: (/** @type {any} */ push) => html`<${Outcome} push=${push} />` },
    ...["inserted", "updated", "unchanged", "deleted", "rejected"].map((name) => ({ name: name.charAt(0).toUpperCase() + name.slice(1), isNumber: true, of: (/** @type {any} */ push) => count(push[name]) })),
    { name: "Size", isNumber: true, of: (/** @type {any} */ push) => (push.bytes === null ? "–" : size(push.bytes)) },
  ];
  return html`<section class="stack"><h2>Last pushes</h2>
    <${Loaded} of=${pushes} what="its pushes">${(/** @type {any} */ page) =>
      page.rows.length === 0 ? html`<${Empty} icon="history" title="No pushes yet">Each push will stand here, refused ones too.<//>` : html`
        <${Table} name="Last pushes" columns=${columns} rows=${page.rows} keyOf=${(/** @type {any} */ push) => push.at} />
        <nav class="pager" aria-label="Pages of pushes">
          ${before && html`<${Button} act=${() => go(withQuery({ before: null }), { keepScroll: true })} icon="chevron-left">Newest<//>`}
          ${page.next && html`<${Button} act=${() => go(withQuery({ before: page.next }), { keepScroll: true })} icon="chevron-right">Older<//>`}
        </nav>`}
    <//>
  </section>`;
}

/** @param {{ push: any }} props */
function Outcome({ push }) {
  if (push.outcome === "stored") return html`<${State} kind="good" icon="circle-check">Stored<//>`;
  return html`<${State} kind="bad" icon="shield-x">Refused<//>${push.refusal && html`<small class="reason"><bdi>${push.refusal.message}</bdi></small>`}`;
}
