import { useEffect, useRef } from "../../vendor/hooks.js";
import { sentence } from "../../core/call.js";
import { listed } from "../../core/format.js";
import { html } from "../../core/html.js";
import { Button, ButtonLink } from "../../parts/button.js";
import { SectorName } from "../../parts/sector.js";
import { Note } from "../../parts/states.js";

/** What became of a sign-in, on one card. @param {{ answer: any, again: () => void }} props */
export function Connected({ answer, again }) {
  const head = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => head.current?.focus(), []);
  const missing = answer.missing ?? [];
  return html`<section class="card" aria-labelledby="connected-head">
    <h2 id="connected-head" ref=${head} tabindex="-1">${toldOf(answer.connections, missing)}</h2>
    <ul class="attention">${answer.connections.map((/** @type {any} */ connection) => html`<li key=${connection.id} class="row"><${SectorName} name=${connection.sector} /><a href=${`/connections/${connection.id}`}><bdi>${connection.label}</bdi></a></li>`)}</ul>
    ${missing.map((/** @type {any} */ each) => html`<${Note} key=${each.sector} icon="triangle-alert" kind="warn"><bdi>${each.sector}: ${sentence(each.message)}</bdi><//>`)}
    <p class="muted">The first sync begins at once, the newest first; a large mailbox takes a while.</p>
    <div class="acts">
      <${ButtonLink} href="/connections" variant="primary">Show connections<//>
      ${missing.length > 0 && html`<${Button} act=${again} icon="key-round">Sign in again to add ${missing.length === 1 ? "it" : "them"}<//>`}
      ${missing.length === 0 && html`<${ButtonLink} href="/connections/new">Connect another source<//>`}
    </div>
  </section>`;
}

/** "Mail and calendar connected; contacts not." @param {any[]} connections @param {any[]} missing */
function toldOf(connections, missing) {
  if (connections.length === 0) return "The sign-in succeeded but granted no sectors.";
  const named = listed(connections.map(({ sector }) => sector));
  const done = `${named.charAt(0).toUpperCase()}${named.slice(1)} connected`;
  return missing.length === 0 ? `${done}.` : `${done}; ${listed(missing.map(({ sector }) => sector))} not.`;
}
