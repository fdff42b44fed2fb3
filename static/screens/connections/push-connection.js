import { go, here, withQuery } from "../../core/address.js";
import { call } from "../../core/call.js";
import { count, size } from "../../core/format.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { Button } from "../../parts/button.js";
import { State } from "../../parts/state.js";
import { Empty, Loaded } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { Time } from "../../parts/time.js";
import { PushExample } from "./push-secret.js";

/** Pushes of a page. */
const PUSHES = 30;

/** What a connection for pushes has besides its state: the last pushes, and how to push to it. @param {{ connection: any }} props */
export function PushConnection({ connection }) {
  return html`
    <${Pushes} id=${connection.id} />
    ${!connection.isSample && html`<section class="card" aria-label="How to push"><h2>How to push</h2><p class="muted">The secret itself is shown only when it is made. Rotate it to see a new one.</p><${PushExample} connection=${connection} /></section>`}
  `;
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
